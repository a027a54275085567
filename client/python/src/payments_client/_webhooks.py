"""Verifies webhooks by Standard Webhooks 1.0.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from ._errors import WebhookSignatureError

if TYPE_CHECKING:
    from .types import Event


class Webhooks:
    """Verifies webhooks; it needs no connection."""

    def unwrap(
        self, body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance: float = 300.0
    ) -> Event:
        """Returns the event, whose `type` says what `data.object` is. New types may appear.

        `body` is what arrived, before any parsing; `tolerance` is in seconds. Raises `WebhookSignatureError`.
        """
        raw = body.encode() if isinstance(body, str) else bytes(body)
        given = {name.lower(): value for name, value in headers.items()}
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
            if not key:
                raise ValueError
            parts = [given[f"webhook-{name}"] for name in ("id", "timestamp", "signature")]
        except KeyError as error:
            raise WebhookSignatureError(f"The header {error} is missing") from None
        except (binascii.Error, ValueError):
            raise WebhookSignatureError("The secret is not one of a webhook endpoint: whsec_…") from None
        _verify(key, parts, raw, tolerance)
        try:
            return cast("Event", json.loads(raw))
        except ValueError:
            raise WebhookSignatureError("The body is not JSON") from None


def _verify(key: bytes, parts: list[str], body: bytes, tolerance: float) -> None:
    id, timestamp, signatures = parts
    if not (timestamp.isascii() and timestamp.isdigit()) or len(timestamp) > 15:
        raise WebhookSignatureError("webhook-timestamp is not a time")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookSignatureError("webhook-timestamp is too far from now: an old webhook, or a wrong clock here")
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # All are compared, each in constant time. After a rotation there are two.
    matches = [hmac.compare_digest(expected, each.encode()) for each in signatures.split()]
    if not any(matches):
        raise WebhookSignatureError("No signature is right: another secret, or a body that was changed")
