"""What a sealed draft has been made of so far: packets, steps, what seats can show, calls, a complaint."""

from collections.abc import Mapping

from msgspec import Struct

from citadels_lan.crypto.commitments import commitment

from .messages import CallReply, PassedOn
from .plan import NOBODY, DraftStep
from .secrets import DraftTable, cards_commitment


class DraftPacket(Struct, frozen=True):
    """A packet on its way: who made it, for which step, of how many characters."""

    by: int
    index: int
    commit: bytes
    size: int


class TakenStep(Struct, frozen=True):
    """A step that was done: its number, its place among those of its seat, and the packet before and after it.
    `back`: the face-down character was offered, too."""

    index: int
    slot: int
    step: DraftStep
    said: PassedOn
    before: DraftPacket
    after: DraftPacket
    back: bool

    @property
    def seat(self) -> int:
        """Whose step it was."""
        return self.step.seat


class DraftHolding(Struct):
    """A commitment with which a seat can show that it holds a character: to its own pick, or to what another seat
    has given it. `by` has committed to it; `shown` is the character's place in the cast once it is; `gone`: it was
    given away, as everybody knows."""

    kind: str
    index: int
    by: int
    commit: bytes
    shown: int = NOBODY
    gone: bool = False

    @property
    def live(self) -> bool:
        """Whether it may still be shown."""
        return self.shown == NOBODY and not self.gone

    def opens(self, table: DraftTable, place: int, nonce: bytes) -> bool:
        """Whether it is a commitment to the character at a place of the cast."""
        if self.kind == "given":
            return cards_commitment(table, "given", self.by, self.index, 1 << place, nonce) == self.commit
        where = (table.number, self.by, self.index)
        line = f"{self.kind} {table.plan.cast[place]}"
        return commitment(table.game, self.kind, *where, line, nonce) == self.commit


class DraftCall(Struct, frozen=True):
    """A character that was called, by its place in the cast, and what the seats have said; `swaps` is how many
    exchanges there had been, `shown` who had shown it now."""

    place: int
    replies: Mapping[int, CallReply]
    swaps: int
    shown: tuple[int, ...]


class DraftComplaint(Struct, frozen=True):
    """A complaint about a box, by its number. Once it is judged, `culprit` has said what is not so; `code` is
    `box` or `key` of who has sealed it, and `complaint` of who has complained."""

    box: int
    culprit: int = NOBODY
    code: str = ""
