"""What resources of work that lasts longer than its request share: waiting for it, and reading its file."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from typing import Any, cast

from typing_extensions import Unpack

from .. import types
from .._downloads import download
from .._errors import PaymentsError
from .._errors import TimeoutError as WaitTimeoutError
from .._options import CallOptions
from .._retries import retry_after
from .._sender import Sender
from .._transport import iterate, run
from ._resource import AsyncResource, Resource, fill


class AsyncResultResource(AsyncResource):
    async def _download(
        self, operation: Awaitable[Mapping[str, Any]], **options: Unpack[CallOptions]
    ) -> AsyncIterator[bytes]:
        async with aclosing(_open_result(self._sender, await operation, **options)) as parts:
            async for part in parts:
                yield part


class ResultResource(Resource):
    def _download(self, operation: Mapping[str, Any], **options: Unpack[CallOptions]) -> Iterator[bytes]:
        return iterate(_open_result(self._sender, operation, **options))


class AsyncWaitingResource(AsyncResultResource):
    async def wait(
        self,
        operation: types.Operation | str,
        *,
        on_progress: Callable[[types.Operation], None] | None = None,
        within: float | None = None,
        **options: Unpack[CallOptions],
    ) -> types.Operation:
        """Returns the operation once it is done, with its `error` or `response`.

        It asks as often as the service says (`Retry-After`). `on_progress` gets each state; `within` is in seconds
        (default: without end), and raises `TimeoutError`.
        """
        return await _wait(self._sender, operation, on_progress, within, **options)


class WaitingResource(ResultResource):
    def wait(
        self,
        operation: types.Operation | str,
        *,
        on_progress: Callable[[types.Operation], None] | None = None,
        within: float | None = None,
        **options: Unpack[CallOptions],
    ) -> types.Operation:
        """Returns the operation once it is done, with its `error` or `response`.

        It asks as often as the service says (`Retry-After`). `on_progress` gets each state; `within` is in seconds
        (default: without end), and raises `TimeoutError`.
        """
        return run(_wait(self._sender, operation, on_progress, within, **options))


def _open_result(
    sender: Sender, operation: Mapping[str, Any], **options: Unpack[CallOptions]
) -> AsyncGenerator[bytes, None]:
    result = operation.get("response")
    if result is None:
        raise PaymentsError(f"{operation['id']} is {operation['status']}: it has no result")
    # The service may know itself by another address, and by another path, than this client does.
    href: str = result["href"]
    request = sender.build("GET", href[href.index("/v1/") :], **options)
    return download(sender.wire, request, result, sender.policy(options))


async def _wait(
    sender: Sender,
    operation: types.Operation | str,
    on_progress: Callable[[types.Operation], None] | None,
    within: float | None,
    **options: Unpack[CallOptions],
) -> types.Operation:
    id = operation if isinstance(operation, str) else operation["id"]
    end = None if within is None else time.monotonic() + within
    while True:
        answer = await sender.send("GET", fill("/v1/operations/{id}", id), **options)
        current = cast(types.Operation, answer.body)
        if on_progress is not None:
            on_progress(current)
        if current["done"]:
            return current
        pause = min(retry_after(answer) or 1.0, 60.0)
        if end is not None and time.monotonic() + pause > end:
            raise WaitTimeoutError(f"{id} is {current['status']} after {within} s: wait for it again")
        await sender.wire.transport.pause(pause)
