"""Reads result files: goes on where a connection was cut, and compares the SHA-256."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

import httpx

from ._answers import Answer, Request
from ._errors import ConnectionError, DownloadError, create_problem_error
from ._retries import is_worth_repeating, wait_seconds
from ._wire import Policy, Wire


class _Refusal(Exception):
    """An answer that is not the file."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer


@dataclass
class _Progress:
    sha256: Any
    size: int = 0
    etag: str | None = None
    has_new_token: bool = False


async def download(
    wire: Wire, request: Request, result: dict[str, Any], policy: Policy
) -> AsyncGenerator[bytes, None]:
    """Yields the parts of the file that `result` describes. Raises `DownloadError` at the end if it is another one."""
    progress = _Progress(hashlib.sha256())
    attempt = 0
    while True:
        before = progress.size
        failed: Answer | None = None
        try:
            async with aclosing(_stream(wire, request, policy, progress)) as parts:
                async for part in parts:
                    yield part
            break
        except _Refusal as refusal:
            failed = refusal.answer
            failure: Exception = create_problem_error(failed)
            if not is_worth_repeating(failed):
                raise failure from None
        except ConnectionError as error:
            failure = error
        # An attempt that got further is no failure in a row.
        attempt = 0 if progress.size > before else attempt + 1
        wait = wait_seconds(attempt, failed)
        if attempt > policy.max_retries or wait is None:
            raise failure
        await wire.transport.pause(wait)
    if progress.size != result["size"] or progress.sha256.hexdigest() != result["sha256"]:
        raise DownloadError(f"The file of {request.url.partition('?')[0]} has another SHA-256 than its operation says")


async def _stream(
    wire: Wire, request: Request, policy: Policy, progress: _Progress
) -> AsyncGenerator[bytes, None]:
    """Yields what is new of one answer. Raises `_Refusal` and `ConnectionError`."""
    tokens = wire.tokens
    token = await tokens.current() if tokens else None
    # A range counts the bytes as they are kept, not as they may be packed on their way.
    headers = {**request.headers, "accept-encoding": "identity"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    if progress.size > 0 and progress.etag:
        headers |= {"range": f"bytes={progress.size}-", "if-range": progress.etag}
    try:
        # A file may be elsewhere: httpx drops the token when it is sent to another host.
        asked = replace(request, headers=headers)
        async with wire.transport.stream(asked, policy.timeout, follow_redirects=True) as incoming:
            if incoming.status not in (200, 206):
                failed = Answer(incoming.status, incoming.headers, b"".join([part async for part in incoming.parts]))
                if failed.status == 401 and tokens and token and not progress.has_new_token:
                    await tokens.refuse(token)
                    progress.has_new_token = True
                    raise ConnectionError("The token was refused")
                raise _Refusal(failed)
            # A server that ignores Range sends the file from its start.
            skip = progress.size if incoming.status == 200 else 0
            progress.etag = incoming.headers.get("etag")
            async for part in incoming.parts:
                new = part[skip:]
                skip = max(0, skip - len(part))
                progress.sha256.update(new)
                progress.size += len(new)
                if new:
                    yield new
    except (httpx.TransportError, httpx.DecodingError) as error:
        raise ConnectionError(f"GET {request.url.partition('?')[0]} was cut: {error}") from error
