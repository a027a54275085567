"""Decides whether a request is sent again, and when."""

from __future__ import annotations

import random
import time
from email.utils import parsedate_to_datetime

from ._answers import Answer

#: Seconds: the bounds of the exponential back-off, and the longest Retry-After that is waited for.
_base, _cap, _max_wait = 0.2, 8.0, 60.0

_transient = frozenset({429, 500, 502, 503, 504})


def is_worth_repeating(answer: Answer | None) -> bool:
    """Returns whether another attempt can end otherwise; `None` is no answer."""
    if answer is None:
        return True
    # The stored answer of a key never changes.
    if answer.is_replayed:
        return False
    if answer.status == 409:
        return answer.code == "idempotency_key_in_progress"
    return answer.status in _transient


def may_have_acted(answer: Answer | None) -> bool:
    """Returns whether the request may have had its effect, although its outcome is not known."""
    return answer is None or answer.status in (500, 502, 504) or answer.code == "outcome_unknown"


def wait_seconds(attempt: int, answer: Answer | None) -> float | None:
    """Returns the seconds before the next attempt, or `None` if the service asks for more than a minute.

    They are those of Retry-After, and a random part of a growing bound, so that callers who failed together do not
    return together. The first attempt is 0.
    """
    asked = retry_after(answer) or 0.0
    if asked > _max_wait:
        return None
    return asked + random.random() * min(_cap, _base * 2.0**attempt)


def retry_after(answer: Answer | None) -> float | None:
    """Returns the seconds of Retry-After, or until its date (RFC 9110 §10.2.3); `None` without one."""
    header = answer.headers.get("retry-after") if answer is not None else None
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
