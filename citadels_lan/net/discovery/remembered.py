"""Where tables were that this profile has joined, in a file of its folder: asked first when they are looked for
again. It is a hint like any other, and a file that cannot be read or written stops nothing."""

import contextlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from citadels_lan.systems.files import write_private

from .found import Address

TABLES: Final = 64
"""So many tables are remembered; those joined longest ago go."""
ADDRESSES: Final = 8
"""So many addresses of each."""


class _Place(Struct, frozen=True, array_like=True):
    host: Annotated[str, Meta(min_length=1, max_length=253)]
    port: Annotated[int, Meta(ge=1, le=65535)]


class _Table(Struct, frozen=True):
    game: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    at: list[_Place]


class Remembered:
    """The addresses of the tables joined before, by game, the last one last."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def of(self, game: bytes) -> Sequence[Address]:
        """Where a game was, first where it was last; nothing if it is not known."""
        return self._read().get(game.hex(), ())

    def hosts(self) -> Sequence[str]:
        """The machines at which tables were, the last one first."""
        return tuple(dict.fromkeys(host for at in reversed(self._read().values()) for host, _ in at))

    def keep(self, game: bytes, addresses: Sequence[Address]) -> None:
        """A table was joined at the first of these addresses, and may be at the others."""
        known = self._read()
        before = known.pop(game.hex(), ())
        known[game.hex()] = tuple(dict.fromkeys((*addresses, *before)))[:ADDRESSES]
        tables = [{"game": name, "at": at} for name, at in tuple(known.items())[-TABLES:]]
        with contextlib.suppress(OSError):
            write_private(self._path, json.dumps(tables, indent=1).encode(), replace=True)

    def _read(self) -> dict[str, Sequence[Address]]:
        try:
            tables = msgspec.json.decode(self._path.read_bytes(), type=list[_Table])
        except (OSError, msgspec.DecodeError):
            return {}
        return {
            one.game: tuple((place.host, place.port) for place in one.at[:ADDRESSES]) for one in tables[-TABLES:]
        }
