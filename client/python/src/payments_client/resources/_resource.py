"""What all resources share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from typing_extensions import Unpack

from .._operations import Operation
from .._options import CallOptions
from .._pages import Pages
from .._sender import Sender


class Resource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def _call(
        self, operation: Operation, id: str | None, body: Any = None, **options: Unpack[CallOptions]
    ) -> Any:
        """Sends an operation, and returns the parsed body of the answer."""
        method, path = operation
        return self._sender.request(method, _fill(path, id), body=body, **options).body

    def _find(
        self, operation: Operation, query: Mapping[str, Any] | None, **options: Unpack[CallOptions]
    ) -> Any:
        """Sends an operation with parameters and without an id, and returns the parsed body of the answer."""
        method, path = operation
        return self._sender.request(method, path, query=query, **options).body

    def _list(
        self, operation: Operation, id: str | None, query: Mapping[str, Any] | None, **options: Unpack[CallOptions]
    ) -> Pages[Any]:
        method, path = operation[0], _fill(operation[1], id)

        def read(cursor: str | None) -> Any:
            given = {**(query or {}), **({"starting_after": cursor} if cursor is not None else {})}
            return self._sender.request(method, path, query=given, **options).body

        return Pages(read)


def _fill(template: str, id: str | None) -> str:
    """Puts an id into the path of an operation; `None` where it has none."""
    start, end = template.find("{"), template.find("}")
    if start < 0:
        return template
    if not id:
        raise ValueError(f"{template} needs an id, and got none")
    return template[:start] + quote(id, safe="") + template[end + 1 :]
