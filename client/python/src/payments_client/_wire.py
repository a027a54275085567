"""Sends requests with a token, and sends them again after transient faults."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import httpx

from ._answers import Answer, Request
from ._errors import ConnectionError, TimeoutError
from ._retries import is_worth_repeating, may_have_acted, wait_seconds
from ._tokens import AsyncTokens
from ._transport import Transport

#: The longest answer that is kept in memory. Downloads are streams, and have no bound.
_max_bytes = 64 * 1024 * 1024


@dataclass(frozen=True)
class Policy:
    #: Seconds for one attempt.
    timeout: float
    #: Attempts after the first.
    max_retries: int


@dataclass
class Wire:
    transport: Transport
    tokens: AsyncTokens | None
    on_request: Callable[[Request], None] | None = None
    on_answer: Callable[[Request, Answer], None] | None = None

    async def send(self, request: Request, policy: Policy, with_token: bool = True) -> Answer:
        """Returns the last answer. Raises `ConnectionError` if there was none."""
        is_lost = False
        attempt = 0
        while True:
            failure: ConnectionError | None = None
            answer: Answer | None = None
            try:
                answer = await self._attempt(request, policy, with_token)
            except ConnectionError as error:
                failure = error
            wait = wait_seconds(attempt, answer)
            if attempt >= policy.max_retries or wait is None or not is_worth_repeating(answer):
                if answer is None:
                    raise failure or ConnectionError()
                return _judge(request, answer, is_lost)
            is_lost = is_lost or may_have_acted(answer)
            await self.transport.pause(wait)
            attempt += 1

    async def _attempt(self, request: Request, policy: Policy, with_token: bool) -> Answer:
        """Sends once. If the token is refused, takes another one and sends again, once."""
        if not with_token or self.tokens is None:
            return await self.exchange(request, policy.timeout)
        token = await self.tokens.current()
        answer = await self.exchange(_with_token(request, token), policy.timeout)
        if answer.status != 401:
            return answer
        await self.tokens.refuse(token)
        other = await self.tokens.current()
        return answer if other == token else await self.exchange(_with_token(request, other), policy.timeout)

    async def exchange(self, request: Request, timeout: float) -> Answer:
        """Sends once. Raises `TimeoutError` and `ConnectionError`."""
        if self.on_request is not None:
            self.on_request(_without_token(request))
        answer = await self._read(request, timeout)
        if self.on_answer is not None:
            self.on_answer(_without_token(request), answer)
        return answer

    async def _read(self, request: Request, timeout: float) -> Answer:
        end = time.monotonic() + timeout
        content = bytearray()
        try:
            async with self.transport.stream(request, timeout) as incoming:
                async for part in incoming.parts:
                    content += part
                    if time.monotonic() > end:
                        raise TimeoutError(f"{request.method} {request.url}: no answer within {timeout} s")
                    if len(content) > _max_bytes:
                        raise ConnectionError(f"{request.method} {request.url}: the answer is too long")
                return Answer(incoming.status, incoming.headers, bytes(content))
        except httpx.TimeoutException as error:
            raise TimeoutError(f"{request.method} {request.url}: no answer within {timeout} s") from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise ConnectionError(f"{request.method} {request.url} got no answer: {error}") from error


def _judge(request: Request, answer: Answer, is_lost: bool) -> Answer:
    """Reads the answer to a change whose earlier attempt may have had its effect."""
    if not is_lost:
        return answer
    if request.method == "DELETE" and answer.status in (404, 410):
        return Answer(204, answer.headers, b"")
    if request.method in ("PUT", "PATCH", "DELETE") and answer.status == 412:
        raise ConnectionError(
            f"{request.method} {request.url}: the resource has changed, perhaps by this request, whose first answer "
            "was lost: read it again"
        )
    return answer


def _with_token(request: Request, token: str) -> Request:
    return replace(request, headers={**request.headers, "authorization": f"Bearer {token}"})


def _without_token(request: Request) -> Request:
    return replace(request, headers={k: v for k, v in request.headers.items() if k != "authorization"})
