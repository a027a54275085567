"""Charges and refunds."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import _operations as op
from .. import types
from .._options import CallOptions
from .._pages import Pages
from ._resource import Resource


class Charges(Resource):
    def create(self, body: types.NewCharge, **options: Unpack[CallOptions]) -> types.Charge:
        """Takes a payment. Raises `CardDeclinedError` if the card was declined; its `charge` names the failed charge."""
        return cast(types.Charge, self._call(op.CREATE_CHARGE, None, body, **options))

    def list(
        self, query: types.ListChargesParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Charge]:
        """All charges that the query lets through, the newest first."""
        return self._list(op.LIST_CHARGES, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Charge:
        return cast(types.Charge, self._call(op.GET_CHARGE, id, **options))

    def update(self, id: str, body: types.ChargePatch, **options: Unpack[CallOptions]) -> types.Charge:
        """Changes the description and metadata; `if_match` names the version that was read."""
        return cast(types.Charge, self._call(op.UPDATE_CHARGE, id, body, **options))

    def capture(
        self, id: str, body: types.Capture | None = None, **options: Unpack[CallOptions]
    ) -> types.Charge:
        """Takes the money that an authorized charge has reserved, or less of it."""
        return cast(types.Charge, self._call(op.CAPTURE_CHARGE, id, body or {}, **options))

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.Charge:
        """Gives up a charge that has not been captured."""
        return cast(types.Charge, self._call(op.CANCEL_CHARGE, id, {}, **options))

    def timeline(
        self, id: str, query: types.GetChargeTimelineParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.TimelineEntry]:
        """What happened to the charge, step by step."""
        return self._list(op.GET_CHARGE_TIMELINE, id, query, **options)


class Refunds(Resource):
    def create(self, body: types.NewRefund, **options: Unpack[CallOptions]) -> types.Refund:
        """Gives money of a charge back; all that is left without `amount`."""
        return cast(types.Refund, self._call(op.CREATE_REFUND, None, body, **options))

    def create_for_charge(
        self, charge: str, body: types.NewChargeRefund | None = None, **options: Unpack[CallOptions]
    ) -> types.Refund:
        """As `create`, with the charge in the path, so that `if_match` can name its version."""
        return cast(types.Refund, self._call(op.CREATE_CHARGE_REFUND, charge, body or {}, **options))

    def list(
        self, query: types.ListRefundsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Refund]:
        return self._list(op.LIST_REFUNDS, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Refund:
        return cast(types.Refund, self._call(op.GET_REFUND, id, **options))

    def cancel(self, id: str, **options: Unpack[CallOptions]) -> types.Refund:
        """Takes back a refund that the processor has not settled yet."""
        return cast(types.Refund, self._call(op.CANCEL_REFUND, id, {}, **options))
