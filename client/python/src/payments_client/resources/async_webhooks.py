# Made from openapi.json by `npm run openapi`.
"""Endpoints for webhooks, their deliveries, and events."""

from __future__ import annotations

from typing import cast

from typing_extensions import Unpack

from .. import types
from .._options import CallOptions
from .._pages import AsyncPages
from ._resource import AsyncResource


class AsyncWebhookEndpoints(AsyncResource):
    """Where webhooks are sent to."""

    async def create(
        self, body: types.NewWebhookEndpoint, **options: Unpack[CallOptions]
    ) -> types.WebhookEndpointWithSecret:
        """Register a URL that receives events.

        The answer shows the secret that verifies signatures, and no later answer does. The host must have public
        addresses only.
        """
        answer = await self._call("POST", "/v1/webhook-endpoints", None, body=body, **options)
        return cast(types.WebhookEndpointWithSecret, answer)

    def list(
        self, query: types.ListWebhookEndpointsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPages[types.WebhookEndpoint]:
        """List webhook endpoints, newest first.

        Returns endpoints, without deleted ones. An account has at most 100, and at most 5 that are enabled with one
        URL.
        """
        return self._list("/v1/webhook-endpoints", None, query, **options)

    async def get(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookEndpoint:
        """Read a webhook endpoint and its state.

        Returns the endpoint, without the values of its secrets. `failing_since` and `last_failure` say how its
        deliveries go. `on_answer` gets its `ETag`, which a change needs as `if_match`.
        """
        return cast(types.WebhookEndpoint, await self._call("GET", "/v1/webhook-endpoints/{id}", id, **options))

    async def update(
        self, id: str, body: types.WebhookEndpointPatch, **options: Unpack[CallOptions]
    ) -> types.WebhookEndpoint:
        """Change a webhook endpoint (RFC 7386); disabling it cancels its open deliveries.

        Sets the members that are sent. An endpoint that is enabled again gets the events from then on: use `:replay`
        for those between. It needs `If-Match`. Needs `if_match`: the `ETag` as it was read, or `*` for any.
        """
        answer = await self._call("PATCH", "/v1/webhook-endpoints/{id}", id, body=body, **options)
        return cast(types.WebhookEndpoint, answer)

    async def delete(self, id: str, **options: Unpack[CallOptions]) -> None:
        """Delete a webhook endpoint and cancel its open deliveries; all stay readable.

        Nothing is sent to the endpoint any more. Its deliveries can still be read for 30 days. No error if an earlier
        attempt of this call, whose answer was lost, has done it.
        """
        await self._call("DELETE", "/v1/webhook-endpoints/{id}", id, **options)

    async def rotate_secret(
        self, id: str, body: types.SecretRotation | None = None, **options: Unpack[CallOptions]
    ) -> types.WebhookEndpointWithSecret:
        """Create a new secret; the current one signs beside it for a while.

        Deliveries are signed with both secrets for `overlap_seconds`, so that receivers can change over. The answer
        shows the new secret, and no later answer does.
        """
        answer = await self._call("POST", "/v1/webhook-endpoints/{id}:rotate-secret", id, body=body or {}, **options)
        return cast(types.WebhookEndpointWithSecret, answer)

    async def replay(
        self, id: str, body: types.NewWebhookReplay, **options: Unpack[CallOptions]
    ) -> types.WebhookReplayOperation:
        """Replay past events to this endpoint, including types it was not subscribed to.

        The answer is an operation. Read and cancel it under `/v1/operations`. Its result is `{endpoint, dry_run,
        matched, replayed}`. A replayed event keeps its id. `operations.wait` waits for it.
        """
        answer = await self._call("POST", "/v1/webhook-endpoints/{id}:replay", id, body=body, **options)
        return cast(types.WebhookReplayOperation, answer)

    def deliveries(
        self,
        id: str,
        query: types.ListWebhookEndpointDeliveriesParametersQuery | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncPages[types.WebhookDelivery]:
        """List the deliveries of a webhook endpoint, newest first.

        Returns deliveries of the last 30 days, without their attempts.
        """
        return self._list("/v1/webhook-endpoints/{id}/deliveries", id, query, **options)

    async def test(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookDelivery:
        """Send an event `endpoint.test` to this endpoint only.

        The event shows the endpoint itself. It is sent whatever types the endpoint subscribed to, and retried like any
        other.
        """
        answer = await self._call("POST", "/v1/webhook-endpoints/{id}:test", id, body={}, **options)
        return cast(types.WebhookDelivery, answer)


class AsyncWebhookDeliveries(AsyncResource):
    """What was sent to endpoints."""

    def list(
        self, query: types.ListWebhookDeliveriesParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPages[types.WebhookDelivery]:
        """List the deliveries of all webhook endpoints, newest first.

        `status=undelivered` shows what your receivers do not have. Deliveries of deleted endpoints are not shown.
        """
        return self._list("/v1/webhook-deliveries", None, query, **options)

    async def get(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookDeliveryDetail:
        """Read a delivery with every attempt.

        Shows when each attempt was made, what the endpoint answered, and how long it took.
        """
        return cast(types.WebhookDeliveryDetail, await self._call("GET", "/v1/webhook-deliveries/{id}", id, **options))

    async def replay(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookDelivery:
        """Send the event of a delivery to its endpoint again, whatever its outcome.

        Makes a new delivery of the same event, with the same `webhook-id`. The endpoint must be enabled.
        """
        answer = await self._call("POST", "/v1/webhook-deliveries/{id}:replay", id, body={}, **options)
        return cast(types.WebhookDelivery, answer)


class AsyncEvents(AsyncResource):
    """What happened in the last 30 days."""

    async def get(self, id: str, **options: Unpack[CallOptions]) -> types.Event:
        """Read an event of the last 30 days.

        Returns what was sent to endpoints, in the version of the request.
        """
        return cast(types.Event, await self._call("GET", "/v1/events/{id}", id, **options))

    def list(
        self, query: types.ListEventsParametersQuery | None = None, **options: Unpack[CallOptions]
    ) -> AsyncPages[types.Event]:
        """List the events of the last 30 days by `sequence`, newest first.

        To follow the events of an account, ask for `order=asc&after_sequence=N`, where N is the `sequence` of the last
        event that you have processed, 0 at first. Sequences have no gaps and are given in the order of the commits, so
        nothing appears later between two events that you have seen. If the first event without other filters is not N +
        1, the events between are older than 30 days.
        """
        return self._list("/v1/events", None, query, **options)
