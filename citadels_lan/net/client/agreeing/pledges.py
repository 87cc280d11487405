"""What a seat has agreed to, on its disk: one new host after an entry, and whether that has come to nothing; and
what it has won, with the host's secret, so that a program that is started anew goes on as the host.

    none       agrees to a proposal            agreed
    agreed     has the next entry              none: the host before has gone on
    agreed     hears that who proposed itself plays on at the host before     released
    released   may go back, and agree to a proposal after a later entry

A seat that is agreed has given its share away, and answers no host before; who has proposed itself has given none,
and answers it until it has won.
"""

from pathlib import Path

from msgspec import Struct

from citadels_lan.crypto.log import NewHost
from citadels_lan.crypto.migration.agreement import Proposal
from citadels_lan.crypto.packing import Malformed, pack, typed, unpack
from citadels_lan.systems.files import write_private


class Pledge(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What is on the disk; `released`: whoever proposed it has signed that it plays on at the host before."""

    proposal: Proposal
    released: bool = False


class Won(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """This seat's machine is the host: from which entry on, by which entry, and with the host's secret."""

    proposal: Proposal
    entry: NewHost
    secret: bytes

    def __repr__(self) -> str:
        return f"Won({self.proposal.n})"


class Pledges:
    """One seat's."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._won = path.with_suffix(".won")

    @property
    def won(self) -> Won | None:
        """What this seat has won; None where it has not."""
        try:
            return typed(unpack(self._won.read_bytes()), Won)
        except (OSError, Malformed):
            return None

    def win(self, won: Won) -> bool:
        """Keep that the others have agreed to what was this seat's own proposal; False where the disk does not."""
        return _kept(self._won, pack(won)) and self.won == won

    def lose(self) -> None:
        """It cannot be the host, and has signed nothing as that. Raises OSError."""
        self._won.unlink(missing_ok=True)

    def make(self, proposal: Proposal, n: int) -> bool:
        """Keep that this seat, whose log ends with entry `n`, agrees to another host; False where it has agreed to
        something else that may still come about, or the disk does not keep it."""
        before = self._binding(n)
        if before is not None and before.proposal == proposal:
            return not before.released
        if before is not None and not (before.released and proposal.n > before.proposal.n):
            return False
        return self._keep(Pledge(proposal))

    def bars(self, n: int, seat: int | None) -> bool:
        """Whether the host before is answered no more: this seat's share is with somebody who may be the host."""
        pledge = self._binding(n)
        if pledge is None or pledge.released:
            return False
        won = self.won
        return pledge.proposal.seat != seat or (won is not None and won.proposal == pledge.proposal)

    def release(self, seat: int, n: int) -> bool:
        """A seat has signed that it has entry `n` of the host before; whether that is who was agreed to."""
        pledge = self._read()
        if pledge is None or pledge.released or seat != pledge.proposal.seat or n <= pledge.proposal.n:
            return False
        return self._keep(Pledge(pledge.proposal, released=True))

    def _binding(self, n: int) -> Pledge | None:
        """What may still come about where the own log ends with entry `n`."""
        pledge = self._read()
        return pledge if pledge is not None and pledge.proposal.n >= n else None

    def _keep(self, pledge: Pledge) -> bool:
        return _kept(self._path, pack(pledge)) and self._read() == pledge

    def _read(self) -> Pledge | None:
        try:
            return typed(unpack(self._path.read_bytes()), Pledge)
        except (OSError, Malformed):
            return None


def _kept(path: Path, data: bytes) -> bool:
    try:
        write_private(path, data, replace=True)
    except OSError:
        return False
    return True
