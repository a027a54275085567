"""How many there were of something, step by step."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import _operations as op
from .. import types
from .._options import CallOptions
from ._resource import Resource


class Figures(Resource):
    def charges(
        self, query: types.GetChargeFiguresParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> types.ChargeFigures:
        """Counts charges by outcome. `up_to_sequence` says which events are counted."""
        return cast(types.ChargeFigures, self._find(op.GET_CHARGE_FIGURES, query, **options))

    def deliveries(
        self, query: types.GetDeliveryFiguresParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> types.DeliveryFigures:
        """Counts attempts at deliveries by endpoint and result, with how long they took."""
        return cast(types.DeliveryFigures, self._find(op.GET_DELIVERY_FIGURES, query, **options))
