"""Markers on characters: killed, robbed, bewitched, warrants and threats."""

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.state import Mark, State

from .base import Cards, Event

SECRET = {"warrant": "signed", "threat": "flower"}
"""The kind of the marker that counts, by the kind of the face-down markers."""


class Marked(Event, frozen=True, array_like=True, tag=33):
    """`by` names a character, which is killed, robbed or bewitched from now on."""

    kind: str
    by: int
    character: str

    def apply(self, state: State) -> None:
        state.marks.append(Mark(self.kind, self.by, self.character))


class Placed(Event, frozen=True, array_like=True, tag=51):
    """`by` puts markers of a kind (warrant or threat) face down. `chosen` has the one that counts. Only `by`
    knows it: it is HIDDEN for all others, and at a sealed table also for the host."""

    kind: str
    by: int
    characters: Cards
    chosen: str

    def apply(self, state: State) -> None:
        state.marks.extend(Mark(self.kind, self.by, character) for character in self.characters)
        state.marks.append(Mark(SECRET[self.kind], self.by, self.chosen))

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.by else Placed(self.kind, self.by, self.characters, HIDDEN)


class Unsealed(Event, frozen=True, array_like=True, tag=57):
    """`by` proves that `character` has the marker that counts. The next events show the effects."""

    kind: str
    by: int
    character: str

    def apply(self, state: State) -> None:
        secret = SECRET[self.kind]
        state.marks = [
            Mark(secret, self.by, self.character) if (mark.kind, mark.by) == (secret, self.by) else mark
            for mark in state.marks
        ]

    def redact(self, viewer: int | None) -> Event:
        return self if viewer == self.by else Unsealed(self.kind, self.by, HIDDEN)


class ThreatLifted(Event, frozen=True, array_like=True, tag=52):
    """A threat is removed without being shown."""

    character: str

    def apply(self, state: State) -> None:
        state.marks = [m for m in state.marks if m.kind != "threat" or m.character != self.character]


class ThreatShown(Event, frozen=True, array_like=True, tag=53):
    """A threat is revealed. If it had the flower, the other threat is removed, too (R136)."""

    character: str
    flower: bool

    def apply(self, state: State) -> None:
        over = ("threat", "flower") if self.flower else ()
        state.marks = [
            mark
            for mark in state.marks
            if mark.kind not in over and (mark.kind != "threat" or mark.character != self.character)
        ]
