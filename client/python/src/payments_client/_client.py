"""The client: its settings and its resources."""

from __future__ import annotations

import os
from collections.abc import Callable

import httpx

from ._answers import Answer, Request
from ._errors import PaymentsError
from ._sender import Sender
from ._tokens import ClientCredentials, FixedToken, Tokens
from ._webhooks import Webhooks
from ._wire import Policy, Wire
from .resources import access, charges, customers, figures, operations, webhooks


class Payments(Sender):
    """A client of the payments API. Threads can share one.

    Every POST gets a key of its own, and every retry of it the same key, so that a retry never pays twice. Keep a key of
    your own (`idempotency_key`) with the order that is paid, and a retry after a crash does not either.

    base_url, client_id, client_secret: (Default: `PAYMENTS_URL`, `PAYMENTS_CLIENT_ID`, `PAYMENTS_CLIENT_SECRET`)
    access_token: a token instead of the two; its owner renews it.
    tokens: where tokens come from instead.
    scope: limits the tokens.
    timeout: seconds for one attempt. (Default: 60, longer than the service ever waits)
    max_retries: attempts after the first.
    http_client: sends the requests; its owner closes it.
    on_request, on_answer: get each attempt, without its token.
    """

    def __init__(
        self,
        base_url: str | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        access_token: str | None = None,
        tokens: Tokens | None = None,
        scope: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 5,
        http_client: httpx.Client | None = None,
        on_request: Callable[[Request], None] | None = None,
        on_answer: Callable[[Request, Answer], None] | None = None,
    ) -> None:
        self._owns_http = http_client is None
        self._http = http_client or httpx.Client()
        super().__init__(
            _setting("base_url", base_url, "PAYMENTS_URL").rstrip("/"),
            Policy(timeout, max_retries),
            Wire(self._http, tokens, on_request, on_answer),
        )
        if access_token is not None:
            self.wire.tokens = FixedToken(access_token)
        elif tokens is None:
            self.wire.tokens = ClientCredentials(
                self._base_url,
                _setting("client_id", client_id, "PAYMENTS_CLIENT_ID"),
                _setting("client_secret", client_secret, "PAYMENTS_CLIENT_SECRET"),
                scope,
                lambda request: self.wire.send(request, self._policy, with_token=False),
            )
        self.charges = charges.Charges(self)
        self.refunds = charges.Refunds(self)
        self.customers = customers.Customers(self)
        self.operations = operations.Operations(self)
        self.exports = operations.Exports(self)
        self.charge_batches = operations.ChargeBatches(self)
        self.webhook_endpoints = webhooks.WebhookEndpoints(self)
        self.webhook_deliveries = webhooks.WebhookDeliveries(self)
        self.events = webhooks.Events(self)
        self.idempotency_keys = customers.IdempotencyKeys(self)
        self.requests = customers.Requests(self)
        self.figures = figures.Figures(self)
        self.clients = access.Clients(self)
        self.members = access.Members(self)
        self.sessions = access.Sessions(self)
        self.audit_entries = access.AuditEntries(self)
        self.webhooks = Webhooks()

    def close(self) -> None:
        """Closes the connections."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Payments:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _setting(name: str, given: str | None, variable: str) -> str:
    value = given or os.environ.get(variable)
    if not value:
        raise PaymentsError(f"Payments needs {name}: pass it, or set {variable}")
    return value
