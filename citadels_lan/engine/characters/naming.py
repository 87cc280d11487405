"""Naming a character: what the Assassin, the Witch and the Thief have in common."""

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Marked
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table

Spares: TypeAlias = Callable[[State, str], str | None]
"""The code of why a character cannot be named, if it cannot."""


def nobody(state: State, character: str) -> str | None:
    """Whoever is in the cast may be named."""
    return None


def taken(state: State, character: str) -> str | None:
    """Where characters are called off a deck: nobody names one that is called already or that somebody has named
    (R412 to R414)."""
    if character in state.called:
        return "called_already"
    for mark in state.marks:
        if mark.character == character:
            return f"{mark.kind}_safe"
    return None


def out_of_reach(state: State, character: str) -> str | None:
    """The code of why rank 2 cannot choose a character: rank 1, the killed and the bewitched (R121, R130)."""
    if edition_of(state).ranks[character] == 1:
        return "rank_one_safe"
    for mark in state.marks:
        if mark.kind in ("killed", "bewitched") and mark.character == character:
            return f"{mark.kind}_safe"
    return None


class NamingRule(Rule[OfCharacter]):
    """Name another character of the cast, in play or not (R057); `kind` is the marker it gets, `unreachable` says
    which cannot be named."""

    kind: ClassVar[str]
    action: ClassVar[type[OfCharacter]]

    def __init__(self, spares: Spares = nobody) -> None:
        self.unreachable = spares

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        assert state.turn is not None
        own = state.turn.character
        return [self.action(c) for c in state.cast if c != own and self.unreachable(state, c) is None]

    def refusal(self, state: State, seat: int, action: OfCharacter) -> IllegalMove | None:
        assert state.turn is not None
        character = action.character
        if character not in state.cast:
            return IllegalMove("not_in_cast", character=character)
        if character == state.turn.character:
            return IllegalMove("not_yourself")
        code = self.unreachable(state, character)
        return IllegalMove(code, character=character) if code else None

    def perform(self, table: Table, seat: int, action: OfCharacter) -> None:
        table.emit(Marked(self.kind, seat, action.character))
