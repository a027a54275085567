"""Lists, page by page."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from typing import Any, Generic, TypeVar

from ._transport import iterate, run

Item = TypeVar("Item")


class AsyncPages(Generic[Item]):
    """All items of a list. `async for` reads further pages as they are needed."""

    def __init__(self, read: Callable[[str | None], Awaitable[Any]]) -> None:
        self._read = read

    async def page(self, starting_after: str | None = None) -> Any:
        """Reads one page: `data`, `has_more` and `next_cursor`, which is the next `starting_after`."""
        return await self._read(starting_after)

    async def __aiter__(self) -> AsyncGenerator[Item, None]:
        cursor: str | None = None
        while True:
            page = await self._read(cursor)
            for item in page["data"]:
                yield item
            cursor = page["next_cursor"]
            if not page["has_more"] or cursor is None:
                return


class Pages(Generic[Item]):
    """All items of a list. Iterating reads further pages as they are needed."""

    def __init__(self, pages: AsyncPages[Item]) -> None:
        self._pages = pages

    def page(self, starting_after: str | None = None) -> Any:
        """Reads one page: `data`, `has_more` and `next_cursor`, which is the next `starting_after`."""
        return run(self._pages.page(starting_after))

    def __iter__(self) -> Iterator[Item]:
        return iterate(self._pages.__aiter__())
