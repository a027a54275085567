"""The options of one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from typing_extensions import TypedDict

from ._answers import Answer


class CallOptions(TypedDict, total=False):
    """The options of one call, as keyword arguments."""

    #: The key of a POST. Keep it with the order that is paid: a repeat with it never pays twice. (Default: a new one)
    idempotency_key: str
    #: The version of the answer. (Default: that of `payments_client.types`)
    api_version: str
    #: The `ETag` as it was read: the write is refused if the resource has changed since.
    if_match: str
    #: Seconds for one attempt. (Default: that of the client)
    timeout: float
    #: Attempts after the first. (Default: that of the client)
    max_retries: int
    headers: Mapping[str, str]
    #: Gets the last answer, with its headers.
    on_answer: Callable[[Answer], None]


class RequestOptions(CallOptions, total=False):
    """The options of any request, as keyword arguments."""

    query: Mapping[str, Any] | None
    #: `bytes` and `str` are sent unchanged, anything else as JSON.
    body: Any


def require_known(given: Mapping[str, Any], known: frozenset[str]) -> None:
    """Raises `TypeError` for a name that is none of these: a mistyped `idempotency_key` must not pass unseen."""
    for name in given:
        if name not in known:
            raise TypeError(f"There is no option {name}: there are {', '.join(sorted(known))}")
