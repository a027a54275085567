"""Endpoints for webhooks, their deliveries, and events."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import _operations as op
from .. import types
from .._options import CallOptions
from .._pages import Pages
from ._resource import Resource


class WebhookEndpoints(Resource):
    def create(
        self, body: types.NewWebhookEndpoint, **options: Unpack[CallOptions]
    ) -> types.WebhookEndpointWithSecret:
        """Only this answer has the `secret` that `webhooks.unwrap` needs."""
        return cast(types.WebhookEndpointWithSecret, self._call(op.CREATE_WEBHOOK_ENDPOINT, None, body, **options))

    def list(
        self, query: types.ListWebhookEndpointsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.WebhookEndpoint]:
        return self._list(op.LIST_WEBHOOK_ENDPOINTS, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookEndpoint:
        return cast(types.WebhookEndpoint, self._call(op.GET_WEBHOOK_ENDPOINT, id, **options))

    def update(
        self, id: str, body: types.WebhookEndpointPatch, **options: Unpack[CallOptions]
    ) -> types.WebhookEndpoint:
        """Changes the members that are given. Needs `if_match`: the `ETag` as it was read, or `*` for any."""
        return cast(types.WebhookEndpoint, self._call(op.UPDATE_WEBHOOK_ENDPOINT, id, body, **options))

    def delete(self, id: str, **options: Unpack[CallOptions]) -> None:
        self._call(op.DELETE_WEBHOOK_ENDPOINT, id, **options)

    def rotate_secret(
        self, id: str, body: types.SecretRotation | None = None, **options: Unpack[CallOptions]
    ) -> types.WebhookEndpointWithSecret:
        """Makes a new secret. The old one signs too until its overlap has ended."""
        return cast(types.WebhookEndpointWithSecret, self._call(op.ROTATE_WEBHOOK_ENDPOINT_SECRET, id, body or {}, **options))

    def replay(self, id: str, body: types.NewWebhookReplay, **options: Unpack[CallOptions]) -> types.Operation:
        """Sends events of a time again: an operation that can be waited for."""
        return cast(types.Operation, self._call(op.REPLAY_WEBHOOK_ENDPOINT, id, body, **options))

    def test(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookDelivery:
        """Sends an `endpoint.test` event."""
        return cast(types.WebhookDelivery, self._call(op.TEST_WEBHOOK_ENDPOINT, id, {}, **options))

    def deliveries(
        self,
        id: str,
        query: types.ListWebhookEndpointDeliveriesParametersQuery | None = None,
        **options: Unpack[CallOptions],
    ) -> Pages[types.WebhookDelivery]:
        return self._list(op.LIST_WEBHOOK_ENDPOINT_DELIVERIES, id, query, **options)


class WebhookDeliveries(Resource):
    def list(
        self, query: types.ListWebhookDeliveriesParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.WebhookDelivery]:
        """The deliveries to all endpoints."""
        return self._list(op.LIST_WEBHOOK_DELIVERIES, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookDeliveryDetail:
        """A delivery with all its attempts."""
        return cast(types.WebhookDeliveryDetail, self._call(op.GET_WEBHOOK_DELIVERY, id, **options))

    def replay(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookDelivery:
        return cast(types.WebhookDelivery, self._call(op.REPLAY_WEBHOOK_DELIVERY, id, {}, **options))


class Events(Resource):
    def list(
        self, query: types.ListEventsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> Pages[types.Event]:
        """The events of the last 30 days."""
        return self._list(op.LIST_EVENTS, None, query, **options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Event:
        return cast(types.Event, self._call(op.GET_EVENT, id, **options))
