"""The moves that a client has sent, with the openings that went to the host alone.

A host that has lost a part of its log asks for them, for nobody else has them. They stand in the order in which
they were sent, each with its length before it; a torn one at the end was not sent.
"""

import contextlib
from pathlib import Path

from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.frames import u32
from citadels_lan.crypto.log import Signature
from citadels_lan.crypto.packing import Malformed, pack, typed, unpack
from citadels_lan.net.wire.messages import Play
from citadels_lan.systems.files import append_private


class OwnMoves:
    """The file of one seat in one game."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, play: Play) -> None:
        """Before a move is sent. Raises OSError."""
        body = pack(play)
        append_private(self._path, u32(len(body)) + body)

    def keep_said(self, n: int, what: bytes, signature: Signature) -> None:
        """The same of what is said in a sealed draft; the next seal has it, too, so a full disk keeps nobody from
        saying it."""
        with contextlib.suppress(OSError):
            self.keep(Play(n, what, signature, ()))

    def find(self, n: int, what: str | bytes) -> tuple[Signature, tuple[Opening, ...]] | None:
        """What was sent with the move that became entry `n`. None where it is not there."""
        found = None
        for play in self._read():
            if (play.n, play.what) == (n, what):
                found = (play.signature, play.openings)
        return found

    def _read(self) -> list[Play]:
        try:
            data = self._path.read_bytes()
        except OSError:
            return []
        plays, at = [], 0
        while len(data) - at >= 4:
            end = at + 4 + int.from_bytes(data[at : at + 4], "big")
            if end > len(data):
                break
            try:
                plays.append(typed(unpack(data[at + 4 : end]), Play))
            except Malformed:
                break
            at = end
        return plays
