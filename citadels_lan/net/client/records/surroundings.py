"""What a host has said beside the log that is of use once it is gone, on the disk of a client.

Where another machine may go on with the table, a program that is started anew has to reach the other clients, and
may have to run the table as it was run before.
"""

import contextlib
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from citadels_lan.crypto.packing import Malformed, pack, typed, unpack
from citadels_lan.net.client.beside import Beside, House
from citadels_lan.systems.files import write_private

MOST = 16
Host = Annotated[str, Meta(min_length=1, max_length=64)]
Port = Annotated[int, Meta(ge=1, le=65535)]


class Surroundings(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where the clients of the other seats were reached, and how the host ran the table."""

    neighbours: Annotated[tuple[tuple[Host, Port], ...], Meta(max_length=MOST)] = ()
    house: House | None = None


class KeptSurroundings:
    """The file of one seat in one game: a hint, and one that cannot be read or written stops nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept = Surroundings()

    def recall(self, beside: Beside) -> None:
        """Say once more what the host has said."""
        try:
            self._kept = typed(unpack(self._path.read_bytes()), Surroundings)
        except (OSError, Malformed):
            return
        beside.neighbours, beside.house = self._kept.neighbours, self._kept.house

    def keep(self, beside: Beside) -> None:
        """Keep what the host has said, where that has changed."""
        said = Surroundings(beside.neighbours[:MOST], beside.house)
        if said != self._kept:
            self._kept = said
            with contextlib.suppress(OSError):
                write_private(self._path, pack(said), replace=True)
