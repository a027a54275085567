"""Customers, and what became of keys and requests."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import _operations as op
from .. import types
from .._options import CallOptions
from .._pages import Pages
from ._resource import Resource


class Customers(Resource):
    def create(self, body: types.NewCustomer | None = None, **options: Unpack[CallOptions]) -> types.Customer:
        return cast(types.Customer, self._call(op.CREATE_CUSTOMER, None, body or {}, **options))

    def list(
        self, query: types.ListCustomersParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Customer]:
        return self._list(op.LIST_CUSTOMERS, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Customer:
        """Its `ETag`, which `update` needs, is in the headers: `on_answer`."""
        return cast(types.Customer, self._call(op.GET_CUSTOMER, id, **options))

    def replace(self, id: str, body: types.CustomerReplacement, **options: Unpack[CallOptions]) -> types.Customer:
        """Needs `if_match`: the `ETag` as it was read, or `*` for any."""
        return cast(types.Customer, self._call(op.REPLACE_CUSTOMER, id, body, **options))

    def update(self, id: str, body: types.CustomerPatch, **options: Unpack[CallOptions]) -> types.Customer:
        """Changes the members that are given. Needs `if_match`: the `ETag` as it was read, or `*` for any."""
        return cast(types.Customer, self._call(op.UPDATE_CUSTOMER, id, body, **options))

    def delete(self, id: str, **options: Unpack[CallOptions]) -> None:
        """Erases a customer. No error if an earlier attempt of this call, whose answer was lost, has done it."""
        self._call(op.DELETE_CUSTOMER, id, **options)

    def attach_payment_method(
        self, id: str, body: types.PaymentMethodAttachment, **options: Unpack[CallOptions]
    ) -> types.Customer:
        """Keeps the card behind a token for later charges."""
        return cast(types.Customer, self._call(op.ATTACH_PAYMENT_METHOD, id, body, **options))

    def detach_payment_method(
        self, id: str, body: types.PaymentMethodDetachment, **options: Unpack[CallOptions]
    ) -> types.Customer:
        return cast(types.Customer, self._call(op.DETACH_PAYMENT_METHOD, id, body, **options))


class IdempotencyKeys(Resource):
    def get(self, key: str, **options: Unpack[CallOptions]) -> types.IdempotencyKey:
        """What a key was used for. Use it after a crash, if the outcome of a request is not known."""
        return cast(types.IdempotencyKey, self._call(op.GET_IDEMPOTENCY_KEY, key, **options))


class Requests(Resource):
    def list(
        self, query: types.ListRequestsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Request]:
        """The requests of the account in the last 7 days, the newest first."""
        return self._list(op.LIST_REQUESTS, None, query, **options)

    def get(self, trace_id: str, **options: Unpack[CallOptions]) -> types.RequestTrace:
        """What the requests with a trace id did, for 7 days; the `Trace-Id` of each answer names it."""
        return cast(types.RequestTrace, self._call(op.GET_REQUEST, trace_id, **options))
