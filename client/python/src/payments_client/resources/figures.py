# Made from openapi.json by `npm run openapi`.
"""How many there were of something, step by step."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import types
from .._options import CallOptions
from ._resource import Resource


class Figures(Resource):
    """How many there were of something, step by step."""

    def charges(
        self, query: types.GetChargeFiguresParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> types.ChargeFigures:
        """Count charges by outcome, step by step.

        Counts the events of charges: each charge counts once, at the time of the event of its end; and once more as
        authorized, if it was. New events are counted within about 10 seconds, and each of them exactly once.
        """
        return cast(types.ChargeFigures, self._call("GET", "/v1/figures/charges", None, query=query, **options))

    def deliveries(
        self, query: types.GetDeliveryFiguresParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> types.DeliveryFigures:
        """Count attempts at deliveries by endpoint and result, step by step.

        Each attempt counts once, when it began. Without `endpoint` a range has at most 60 steps. Deleted endpoints are
        not shown.
        """
        return cast(types.DeliveryFigures, self._call("GET", "/v1/figures/deliveries", None, query=query, **options))
