"""Markers on characters: killed, robbed, bewitched, warrants and threats."""

from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.state import Mark, State

from .base import Cards, Event

SECRET = {"warrant": "signed", "threat": "flower"}
"""What the one marker that counts is called, by the kind of the markers."""


class Marked(Event, frozen=True, array_like=True, tag=33):
    """`by` names a character: it is killed, robbed or bewitched from now on."""

    kind: str
    by: int
    character: str

    def apply(self, state: State) -> None:
        state.marks.append(Mark(self.kind, self.by, self.character))


class Placed(Event, frozen=True, array_like=True, tag=51):
    """`by` puts markers of a kind (warrant or threat) face down; `chosen` has the one that counts, which only
    `by` knows: HIDDEN for all others, and at a sealed table for the table itself."""

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
    """`by` breaks the seal of its markers: `character` has the one that counts. What this means for everybody
    is told by the events that follow."""

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
    """A threat is off; its marker leaves unseen."""

    character: str

    def apply(self, state: State) -> None:
        state.marks = [m for m in state.marks if m.kind != "threat" or m.character != self.character]


class ThreatShown(Event, frozen=True, array_like=True, tag=53):
    """A threat is turned up. With the flower shown nothing is left to fear for the other one (R136)."""

    character: str
    flower: bool

    def apply(self, state: State) -> None:
        over = ("threat", "flower") if self.flower else ()
        state.marks = [
            mark
            for mark in state.marks
            if mark.kind not in over and (mark.kind != "threat" or mark.character != self.character)
        ]
