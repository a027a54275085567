# Made from openapi.json by `npm run openapi`.
"""Charges and refunds."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import types
from .._options import CallOptions
from .._pages import Pages
from ._resource import Resource


class Charges(Resource):
    """Payments with a card, in one step or in two."""

    def create(self, body: types.NewCharge, **options: Unpack[CallOptions]) -> types.Charge:
        """Create a charge.

        Takes a payment, or reserves it with `capture_method` `manual`. The answer waits up to 10 seconds for the
        outcome. After a timeout or a 5xx, send the same request with the same key: the buyer is never charged twice.
        Raises `CardDeclinedError` if the card was declined; its `charge` names the failed charge.
        """
        return cast(types.Charge, self._call("POST", "/v1/charges", None, body=body, **options))

    def list(
        self, query: types.ListChargesParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Charge]:
        """List charges, newest first.

        All filters must hold.
        """
        return self._list("/v1/charges", None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Charge:
        """Read a charge.

        Returns the charge as it is now. While it is `pending`, `Retry-After` says when to read it again. `on_answer`
        gets its `ETag`, which a change needs as `if_match`.
        """
        return cast(types.Charge, self._call("GET", "/v1/charges/{id}", id, **options))

    def update(self, id: str, body: types.ChargePatch, **options: Unpack[CallOptions]) -> types.Charge:
        """Change the reference, the description or the metadata of a charge (RFC 7386).

        A member that is left out stays; `null` removes it. It works in every state of the charge and moves no money.
        The processor is not told: it keeps the description that the charge was made with. A change is told by
        `charge.updated`. Needs `if_match`: the `ETag` as it was read, or `*` for any.
        """
        return cast(types.Charge, self._call("PATCH", "/v1/charges/{id}", id, body=body, **options))

    def capture(self, id: str, body: types.Capture | None = None, **options: Unpack[CallOptions]) -> types.Charge:
        """Capture an authorized charge once, in full or in part.

        Takes the reserved money. With `amount`, takes that part, and the rest is released for good. The charge must
        read `requires_capture`. Raises `CardDeclinedError` if the card was declined; its `charge` names the failed
        charge.
        """
        return cast(types.Charge, self._call("POST", "/v1/charges/{id}:capture", id, body=body or {}, **options))

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.Charge:
        """Cancel a charge: void its authorization, or request the cancel while the outcome is unknown.

        An authorization is voided, and the charge reads `cancelled`. While the outcome is unknown, the cancel is
        recorded: the charge stays `pending` with `cancel_requested_at`. A cancel that is recorded is kept: what the
        processor has taken by then is given back, and the charge ends `cancelled`, or `failed` if it was declined. A
        cancel that comes after the outcome changes nothing. To give money back, refund the charge.
        """
        return cast(types.Charge, self._call("POST", "/v1/charges/{id}:cancel", id, body={}, **options))

    def timeline(
        self, id: str, query: types.GetChargeTimelineParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.TimelineEntry]:
        """List the steps of a charge and its refunds, oldest first.

        Shows each call to the processor, each answer and wait, and each delivery of an event of the charge.
        """
        return self._list("/v1/charges/{id}/timeline", id, query, **options)


class Refunds(Resource):
    """Money returned from one charge, in full or in part."""

    def create(self, body: types.NewRefund, **options: Unpack[CallOptions]) -> types.Refund:
        """Refund a charge, in full or in part.

        Gives money back to the buyer. Several refunds are possible, up to what was taken. Without `amount`, all that is
        left goes back.
        """
        return cast(types.Refund, self._call("POST", "/v1/refunds", None, body=body, **options))

    def list(
        self, query: types.ListRefundsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Refund]:
        """List refunds, newest first.

        All filters must hold.
        """
        return self._list("/v1/refunds", None, query, **options)

    def create_for_charge(
        self, charge: str, body: types.NewChargeRefund | None = None, **options: Unpack[CallOptions]
    ) -> types.Refund:
        """Refund this charge, in full or in part.

        The same as `POST /v1/refunds`, with the charge in the path. `If-Match` is about the charge.
        """
        return cast(types.Refund, self._call("POST", "/v1/charges/{id}/refunds", charge, body=body or {}, **options))

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Refund:
        """Read a refund.

        Returns the refund as it is now. While it is `pending`, `Retry-After` says when to read it again.
        """
        return cast(types.Refund, self._call("GET", "/v1/refunds/{id}", id, **options))

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.Refund:
        """Reverse a processed refund, until its `reversible_until`.

        Takes the refund back: the buyer gets nothing, and the amount can be refunded again. It is possible while the
        refund reads `processed`.
        """
        return cast(types.Refund, self._call("POST", "/v1/refunds/{id}:cancel", id, body={}, **options))
