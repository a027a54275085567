"""A client of the payments API.

    from payments_client import CardDeclinedError, Payments

    client = Payments(base_url="http://127.0.0.1:3000", client_id="…", client_secret="…")
    charge = client.charges.create({"amount": 1999, "currency": "EUR", "payment_method": "tok_visa"})

`AsyncPayments` has the same methods for asyncio.
"""

from . import types
from ._answers import Answer, Request
from ._client import AsyncPayments, Payments
from ._errors import (
    AuthenticationError,
    CardDeclinedError,
    ConflictError,
    ConnectionError,
    DownloadError,
    InvalidRequestError,
    NotFoundError,
    PaymentsError,
    PermissionError,
    ProblemError,
    RateLimitError,
    ServiceError,
    TimeoutError,
    TokenError,
    WebhookSignatureError,
)
from ._options import CallOptions
from ._pages import AsyncPages, Pages
from ._webhooks import Webhooks

#: Verifies webhooks where there is no client.
webhooks = Webhooks()

__all__ = [
    "Answer",
    "AsyncPages",
    "AsyncPayments",
    "AuthenticationError",
    "CallOptions",
    "CardDeclinedError",
    "ConflictError",
    "ConnectionError",
    "DownloadError",
    "InvalidRequestError",
    "NotFoundError",
    "Pages",
    "Payments",
    "PaymentsError",
    "PermissionError",
    "ProblemError",
    "RateLimitError",
    "Request",
    "ServiceError",
    "TimeoutError",
    "TokenError",
    "WebhookSignatureError",
    "Webhooks",
    "types",
    "webhooks",
]
