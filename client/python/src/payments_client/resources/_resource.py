"""What all resources share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from .._pages import AsyncPages, Pages
from .._sender import Sender
from .._transport import run


class AsyncResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    async def _call(self, method: str, path: str, id: str | None, **options: Any) -> Any:
        """Sends an operation with its `query`, its `body` and its options. Returns the parsed body of the answer."""
        return (await self._sender.send(method, fill(path, id), **options)).body

    def _list(self, path: str, id: str | None, query: Mapping[str, Any] | None, **options: Any) -> AsyncPages[Any]:
        filled = fill(path, id)

        async def read(cursor: str | None) -> Any:
            given = {**(query or {}), **({"starting_after": cursor} if cursor is not None else {})}
            return (await self._sender.send("GET", filled, query=given, **options)).body

        return AsyncPages(read)


class Resource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._steps = AsyncResource(sender)

    def _call(self, method: str, path: str, id: str | None, **options: Any) -> Any:
        return run(self._steps._call(method, path, id, **options))

    def _list(self, path: str, id: str | None, query: Mapping[str, Any] | None, **options: Any) -> Pages[Any]:
        return Pages(self._steps._list(path, id, query, **options))


def fill(template: str, id: str | None) -> str:
    """Puts an id into the path of an operation; `None` where it has none."""
    start, end = template.find("{"), template.find("}")
    if start < 0:
        return template
    if not id:
        raise ValueError(f"{template} needs an id, and got none")
    return template[:start] + quote(id, safe="") + template[end + 1 :]
