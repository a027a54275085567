# Made from openapi.json by `npm run openapi`.
"""Customers, and what became of keys and requests."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import types
from .._options import CallOptions
from .._pages import Pages
from ._resource import Resource


class Customers(Resource):
    """Payers, and the cards that they pay with."""

    def create(self, body: types.NewCustomer | None = None, **options: Unpack[CallOptions]) -> types.Customer:
        """Create a customer.

        Stores a payer. Cards are attached later, with `:attach-payment-method`. A repeat of the request after the
        deletion of the customer is a 410.
        """
        return cast(types.Customer, self._call("POST", "/v1/customers", None, body=body or {}, **options))

    def list(
        self, query: types.ListCustomersParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Customer]:
        """List customers, newest first.

        Returns customers, without deleted ones.
        """
        return self._list("/v1/customers", None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Customer:
        """Read a customer.

        Returns the customer with its cards. A customer that was deleted is a 410 for the account that owned it.
        `on_answer` gets its `ETag`, which a change needs as `if_match`.
        """
        return cast(types.Customer, self._call("GET", "/v1/customers/{id}", id, **options))

    def replace(self, id: str, body: types.CustomerReplacement, **options: Unpack[CallOptions]) -> types.Customer:
        """Replace a customer; a member that is left out is reset.

        Sets all members of the profile at once. The cards stay. It needs `If-Match`, so that no other change is lost.
        Needs `if_match`: the `ETag` as it was read, or `*` for any.
        """
        return cast(types.Customer, self._call("PUT", "/v1/customers/{id}", id, body=body, **options))

    def update(self, id: str, body: types.CustomerPatch, **options: Unpack[CallOptions]) -> types.Customer:
        """Change a customer (RFC 7386); a member that is left out stays.

        Sets the members that are sent; `null` resets one. It needs `If-Match`, so that no other change is lost. Needs
        `if_match`: the `ETag` as it was read, or `*` for any.
        """
        return cast(types.Customer, self._call("PATCH", "/v1/customers/{id}", id, body=body, **options))

    def delete(self, id: str, **options: Unpack[CallOptions]) -> None:
        """Delete a customer with its payment methods; its charges stay.

        Erases the name, the email address and the cards for good, in events and in stored answers too. Its charges and
        refunds stay, and show its id. No error if an earlier attempt of this call, whose answer was lost, has done it.
        """
        self._call("DELETE", "/v1/customers/{id}", id, **options)

    def attach_payment_method(
        self, id: str, body: types.PaymentMethodAttachment, **options: Unpack[CallOptions]
    ) -> types.Customer:
        """Store the card of a token; it becomes the first payment method.

        The processor describes the card of the token: a token that it does not know is a 422. A customer has at most
        100 cards.
        """
        answer = self._call("POST", "/v1/customers/{id}:attach-payment-method", id, body=body, **options)
        return cast(types.Customer, answer)

    def detach_payment_method(
        self, id: str, body: types.PaymentMethodDetachment, **options: Unpack[CallOptions]
    ) -> types.Customer:
        """Remove a payment method; charges made with it continue.

        The card cannot be charged any more. If it was the default one, the customer has none then.
        """
        answer = self._call("POST", "/v1/customers/{id}:detach-payment-method", id, body=body, **options)
        return cast(types.Customer, answer)


class IdempotencyKeys(Resource):
    """What became of the requests of a key."""

    def get(self, key: str, **options: Unpack[CallOptions]) -> types.IdempotencyKey:
        """Read the uses of an Idempotency-Key.

        For a caller that lost an answer and does not want to send the request again. A key can be used once for each
        endpoint. It is kept for as long as its resource may still change, and for 24 hours after its answer and after
        the end of its resource.
        """
        return cast(types.IdempotencyKey, self._call("GET", "/v1/idempotency-keys/{key}", key, **options))


class Requests(Resource):
    """What the account asked of the service in the last 7 days."""

    def list(
        self, query: types.ListRequestsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Request]:
        """List the requests of the account, newest first.

        Writes, and reads that were refused, of the last 7 days. They appear about a second after their answer. Those of
        the last second before a crash may be missing. Of requests that were refused alike, 50 at once and one in two
        seconds are shown each; the others read as one request a minute with their `count`. No body, query or header is
        kept.
        """
        return self._list("/v1/requests", None, query, **options)

    def get(self, trace_id: str, **options: Unpack[CallOptions]) -> types.RequestTrace:
        """Read what a trace id did: the requests that were made with it.

        Writes, and reads that were refused, of the last 7 days. They appear about a second after their answer. Those of
        the last second before a crash may be missing. Of requests that were refused alike, 50 at once and one in two
        seconds are shown each; the others read as one request a minute with their `count`. No body, query or header is
        kept. Requests that name the same trace in `traceparent` are shown together.
        """
        return cast(types.RequestTrace, self._call("GET", "/v1/requests/{trace_id}", trace_id, **options))
