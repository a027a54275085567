"""Lists, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")


class Pages(Generic[Item]):
    """All items of a list. Iterating reads further pages as they are needed."""

    def __init__(self, read: Callable[[str | None], Any]) -> None:
        self._read = read

    def page(self, starting_after: str | None = None) -> Any:
        """Reads one page: `data`, `has_more` and `next_cursor`, which is the next `starting_after`."""
        return self._read(starting_after)

    def __iter__(self) -> Iterator[Item]:
        cursor: str | None = None
        while True:
            page = self._read(cursor)
            yield from page["data"]
            cursor = page["next_cursor"]
            if not page["has_more"] or cursor is None:
                return
