"""A request, and its answer, as they go over the wire."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True)
class Request:
    """A request without its token. `url` is whole, with its query; names of headers are in lower case."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None


@dataclass(frozen=True)
class Answer:
    """An answer that was read to its end. Names of headers do not depend on case."""

    status: int
    headers: httpx.Headers
    content: bytes

    @property
    def body(self) -> Any:
        """The parsed JSON; `None` if there is none."""
        try:
            return json.loads(self.content)
        except ValueError:
            return None

    @property
    def is_replayed(self) -> bool:
        """Whether this is the stored answer of a key, which never changes."""
        return bool(self.headers.get("idempotent-replayed") == "true")

    @property
    def code(self) -> str | None:
        """The code of a problem document; `None` for any other answer."""
        body = self.body
        code = body.get("code") if isinstance(body, dict) else None
        return code if isinstance(code, str) else None
