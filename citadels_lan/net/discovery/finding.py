"""What every way of finding tables is like from outside: it looks beside the body of its context, and tells what
it finds and what is gone."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Self

from .found import AdvertisedTable, Change, TableKey


class Finder(ABC):
    """One way of finding tables.

    async with Browser() as browser:
        async for change in browser.changes(): ...          # browser.tables is up to date

    `works`: whether tables can be looked for here, as far as is known.
    """

    def __init__(self) -> None:
        self.works = True
        self._changes: asyncio.Queue[Change] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    @property
    @abstractmethod
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        """The tables there are now."""

    @abstractmethod
    async def _look(self) -> None:
        """Look for tables until cancelled. Raises nothing."""

    async def __aenter__(self) -> Self:
        """Begin, in a task of its own: what fails there does not reach the body."""
        self._task = asyncio.get_running_loop().create_task(self._look())  # kept: it raises nothing
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))

    async def changes(self) -> AsyncIterator[Change]:
        """What is found and what is gone, from the beginning on, to one reader; without end."""
        while True:
            yield await self._changes.get()
