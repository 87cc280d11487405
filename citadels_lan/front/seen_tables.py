"""The tables of a network in an order that stays: whoever reads the list finds each of them where it was."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .launcher import FoundTable


@dataclass(frozen=True)
class SeenTable:
    """A table as it was found last; `gone` once it is not there any more."""

    table: FoundTable
    gone: bool = False


class SeenTables:
    """All tables seen so far. A new one comes below the others, one that goes leaves its line, and comes back
    there."""

    def __init__(self) -> None:
        self._tables: dict[str, SeenTable] = {}

    def update(self, found: Sequence[FoundTable]) -> None:
        """What there is now; the own seats come first among those that are new."""
        there = {table.address: table for table in sorted(found, key=lambda table: not table.mine)}
        for address, seen in self._tables.items():
            gone = address not in there
            self._tables[address] = SeenTable(there.pop(address, seen.table), gone)
        self._tables |= {address: SeenTable(table) for address, table in there.items()}

    def __iter__(self) -> Iterator[SeenTable]:
        return iter(self._tables.values())

    def __len__(self) -> int:
        return len(self._tables)
