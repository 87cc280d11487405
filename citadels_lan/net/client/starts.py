"""The starts of one host's table that a client remembers, with its part of the seed for each.

A client draws a new part for each start and stores it before it commits to it. It gives a part for one hash[2]
only: a host that could try several would choose the seed. A start that ended after *commits* has shown the host
the parts, so every later header of this host key must list it."""

import os
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from citadels_lan.crypto.commitments import Hash
from citadels_lan.crypto.log import GameId, Header
from citadels_lan.crypto.packing import Malformed, pack, typed, unpack
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.systems.files import read_file, write_private

KEPT: Final = 200
"""The file keeps at most this many starts; a header lists at most 16 that were called off."""
MAX_FILE: Final = 64 * 1024


class StoredStart(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A header that this client has agreed to: its hash[1], and the client's `part` for it. `committed` is the
    hash[2] for which the part was given, empty before that; `begun`: the first deal has come."""

    game: GameId
    hostcommit: Hash
    agreed: Hash
    part: Hash
    committed: Annotated[bytes, Meta(max_length=32)] = b""
    begun: bool = False

    def __repr__(self) -> str:
        return f"Start({self.game.hex()})"


class Starts:
    """The starts of one host key, in a file of the client's own."""

    def __init__(self, folder: Path, host: bytes, public: bytes) -> None:
        """`host` is the host's key, `public` the client's. Raises OSError, also if the file is damaged."""
        self._path = folder / f"{host.hex()[:16]}-{public.hex()[:16]}.starts"
        self._draw = os.urandom
        self._read()

    def check(self, header: Header, agreed: bytes) -> None:
        """Check a header whose hash[1] is `agreed`. Raises OSError, or Refusal: `not_agreed` if its game id or its
        host's commitment belongs to another start, or if it does not list a start that was called off."""
        listed = {one.head for one in header.called_off}
        for start in self._read():
            if start.agreed == agreed:
                continue
            if start.game == header.game_id or start.hostcommit == header.hostcommit:
                raise Refusal("not_agreed", what="known")
            if start.committed and not start.begun and start.committed not in listed:
                raise Refusal("not_agreed", what="called_off")

    def part(self, header: Header, agreed: bytes) -> bytes:
        """Return this client's part for a start, drawn and stored when first asked for. Raises OSError."""
        known = self._known(agreed)
        if known is None:
            known = StoredStart(header.game_id, header.hostcommit, agreed, self._draw(32))
            self._store(known)
        return known.part

    def release(self, agreed: bytes, committed: bytes) -> bytes:
        """Return the part, to be given for the hash[2] `committed`, and store that first. Raises OSError, or
        Refusal: `not_agreed` if there is no part, or it was for another hash[2]."""
        known = self._known(agreed)
        if known is None or known.committed not in (b"", committed):
            raise Refusal("not_agreed", what="part")
        if not known.committed:
            self._store(replace(known, committed=committed))
        return known.part

    def begin(self, agreed: bytes) -> None:
        """Note that the game of a start has begun. Raises OSError."""
        known = self._known(agreed)
        if known is not None and not known.begun:
            self._store(replace(known, begun=True))

    def _known(self, agreed: bytes) -> StoredStart | None:
        return next((start for start in self._read() if start.agreed == agreed), None)

    def _read(self) -> list[StoredStart]:
        """The starts in the file: another program may have the same key. Raises OSError."""
        if not self._path.exists():
            return []
        try:
            return typed(unpack(read_file(self._path, MAX_FILE)), list[StoredStart])
        except Malformed:
            raise OSError("the file of starts is damaged") from None

    def _store(self, start: StoredStart) -> None:
        """Write a start, and drop the oldest ones of too many; never one that may have been called off."""
        starts = [*(one for one in self._read() if one.agreed != start.agreed), start]
        others = [one for one in starts if _unlisted(one)]
        dropped = others[: max(0, len(starts) - KEPT)]
        write_private(self._path, pack([one for one in starts if one not in dropped]), replace=True)


def _unlisted(start: StoredStart) -> bool:
    """Whether the host does not know the part of a start, or its game has begun: no header has to list it."""
    return start.begun or not start.committed
