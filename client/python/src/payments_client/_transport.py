"""How requests leave this process: the one part that blocks in one client, and is awaited in the other.

All else is written once, as coroutines. `Payments` runs them over a transport that never suspends, with `run` and
`iterate`; `AsyncPayments` awaits them.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import httpx

from ._answers import Request

T = TypeVar("T")


@dataclass(frozen=True)
class Incoming:
    """An answer whose body is still to be read."""

    status: int
    headers: httpx.Headers
    parts: AsyncIterator[bytes]


class Transport(Protocol):
    def stream(
        self, request: Request, timeout: float, follow_redirects: bool = False
    ) -> AbstractAsyncContextManager[Incoming]:
        """Sends a request, and opens its answer. Raises the errors of httpx, also while the body is read."""

    async def pause(self, seconds: float) -> None:
        """Waits between two attempts."""

    def create_lock(self) -> AbstractAsyncContextManager[Any]:
        """Returns a lock for all who share the client."""


class BlockingTransport:
    """Blocks its thread."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    @asynccontextmanager
    async def stream(
        self, request: Request, timeout: float, follow_redirects: bool = False
    ) -> AsyncIterator[Incoming]:
        with self._http.stream(**_arguments(request, timeout, follow_redirects)) as response:
            yield Incoming(response.status_code, response.headers, _each(response.iter_bytes()))

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    def create_lock(self) -> AbstractAsyncContextManager[Any]:
        return _ThreadLock()


class AsyncTransport:
    """Suspends its task, and runs under asyncio."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    @asynccontextmanager
    async def stream(
        self, request: Request, timeout: float, follow_redirects: bool = False
    ) -> AsyncIterator[Incoming]:
        async with self._http.stream(**_arguments(request, timeout, follow_redirects)) as response:
            yield Incoming(response.status_code, response.headers, response.aiter_bytes())

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def create_lock(self) -> AbstractAsyncContextManager[Any]:
        return asyncio.Lock()


def run(steps: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine over a blocking transport to its end. It needs no event loop, since it never suspends."""
    try:
        steps.send(None)
    except StopIteration as end:
        return cast(T, end.value)
    raise RuntimeError("A blocking client was given something that must be awaited")


def iterate(items: AsyncGenerator[T, None]) -> Iterator[T]:
    """Yields what a generator over a blocking transport yields, and closes it."""
    try:
        while True:
            yield run(items.__anext__())
    except StopAsyncIteration:
        return
    finally:
        run(items.aclose())


def _arguments(request: Request, timeout: float, follow_redirects: bool) -> dict[str, Any]:
    return {
        "method": request.method,
        "url": request.url,
        "headers": request.headers,
        "content": request.content,
        "timeout": timeout,
        "follow_redirects": follow_redirects,
    }


async def _each(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


class _ThreadLock:
    def __init__(self) -> None:
        self._lock = threading.Lock()

    async def __aenter__(self) -> None:
        self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()
