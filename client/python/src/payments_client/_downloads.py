"""Reads result files: goes on where a connection was cut, and compares the SHA-256."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from ._answers import Answer, Request
from ._errors import ConnectionError, DownloadError, create_problem_error
from ._retries import is_worth_repeating, wait_seconds
from ._wire import Policy, Wire


@dataclass
class _Progress:
    sha256: Any
    size: int = 0
    etag: str | None = None
    has_new_token: bool = False


def download(wire: Wire, request: Request, result: dict[str, Any], policy: Policy) -> Iterator[bytes]:
    """Yields the parts of the file that `result` describes. Raises `DownloadError` at the end if it is another one."""
    progress = _Progress(hashlib.sha256())
    attempt = 0
    while True:
        before = progress.size
        failed, failure = yield from _stream(wire, request, policy, progress)
        if failed is None and failure is None:
            break
        if failed is not None and not is_worth_repeating(failed):
            raise create_problem_error(failed)
        # Whoever got further has not failed in vain.
        attempt = 0 if progress.size > before else attempt + 1
        wait = wait_seconds(attempt, failed)
        if attempt > policy.max_retries or wait is None:
            raise (create_problem_error(failed) if failed else failure or ConnectionError())
        time.sleep(wait)
    if progress.size != result["size"] or progress.sha256.hexdigest() != result["sha256"]:
        raise DownloadError(f"The file of {request.url.partition('?')[0]} has another SHA-256 than its operation says")


def _stream(
    wire: Wire, request: Request, policy: Policy, progress: _Progress
) -> Generator[bytes, None, tuple[Answer | None, ConnectionError | None]]:
    """Yields what comes, and returns what went wrong: an answer that is not the file, or no answer."""
    tokens = wire.tokens
    token = tokens.current() if tokens else None
    # A range counts the bytes as they are kept, not as they may be packed on their way.
    headers = {**request.headers, "accept-encoding": "identity"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    if progress.size > 0 and progress.etag:
        headers |= {"range": f"bytes={progress.size}-", "if-range": progress.etag}
    try:
        # A file may be elsewhere: httpx drops the token when it is sent to another host.
        with wire.http.stream(
            "GET", request.url, headers=headers, timeout=policy.timeout, follow_redirects=True
        ) as response:
            if response.status_code not in (200, 206):
                failed = Answer(response.status_code, response.headers, response.read())
                if failed.status == 401 and tokens and token and not progress.has_new_token:
                    tokens.refuse(token)
                    progress.has_new_token = True
                    return None, ConnectionError("The token was refused")
                return failed, None
            yield from _keep(response, progress)
    except (httpx.TransportError, httpx.DecodingError) as error:
        return None, ConnectionError(f"GET {request.url.partition('?')[0]} was cut: {error}")
    return None, None


def _keep(response: httpx.Response, progress: _Progress) -> Iterator[bytes]:
    """Yields what is new: a server that ignores Range sends the file from its start."""
    skip = progress.size if response.status_code == 200 else 0
    progress.etag = response.headers.get("etag")
    for part in response.iter_bytes():
        new = part[skip:]
        skip = max(0, skip - len(part))
        progress.sha256.update(new)
        progress.size += len(new)
        if new:
            yield new
