"""Markers on characters: naming one (Assassin, Witch, Thief) and placing several face down (Magistrate,
Blackmailer).

At a sealed table the full state does not know which face-down marker counts until the player reveals it. It
knows this for the markers of bots.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from citadels_lan.engine.action import Action, OfAnswer, OfCharacter
from citadels_lan.engine.actions import Marks
from citadels_lan.engine.cards import HIDDEN, by_rank
from citadels_lan.engine.choices import Choice, Deal, Parts
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Marked, Placed, Unsealed
from citadels_lan.engine.events.markers import SECRET
from citadels_lan.engine.rules import AnswerRule, IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table

Unreachable: TypeAlias = Callable[[State, str], str | None]
"""Returns the code of why a character cannot be named, or None."""


def allow_all(state: State, character: str) -> str | None:
    """Allow every character of the cast."""
    return None


def already_named(state: State, character: str) -> str | None:
    """Forbid a character that was already called or named in this cycle (Città Comune, R412 to R414)."""
    if character in state.called:
        return "called_already"
    for mark in state.marks:
        if mark.character == character:
            return f"{mark.kind}_safe"
    return None


def out_of_reach(state: State, character: str) -> str | None:
    """Return the code of why rank 2 cannot choose a character: rank 1, the killed and the bewitched one (R121,
    R130)."""
    if edition_of(state).ranks[character] == 1:
        return "rank_one_safe"
    for mark in state.marks:
        if mark.kind in ("killed", "bewitched") and mark.character == character:
            return f"{mark.kind}_safe"
    return None


class NamingRule(Rule[OfCharacter]):
    """Name another character of the cast, whether or not a player holds it (R057). It gets a marker of `kind`.
    `unreachable` tells which characters cannot be named."""

    kind: ClassVar[str]
    action: ClassVar[type[OfCharacter]]

    def __init__(self, unreachable: Unreachable = allow_all) -> None:
        self.unreachable = unreachable

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        own = state.current_turn.character
        return [self.action(c) for c in state.cast if c != own and self.unreachable(state, c) is None]

    def refusal(self, state: State, seat: int, action: OfCharacter) -> IllegalMove | None:
        character = action.character
        if character not in state.cast:
            return IllegalMove("not_in_cast", character=character)
        if character == state.current_turn.character:
            return IllegalMove("not_yourself")
        code = self.unreachable(state, character)
        return IllegalMove(code, character=character) if code else None

    def perform(self, table: Table, seat: int, action: OfCharacter) -> None:
        table.emit(Marked(self.kind, seat, action.character))


class PlacingRule(Rule[Marks]):
    """Place `count` markers of a `kind` face down on different characters. One marker counts."""

    action: ClassVar[type[Marks]]
    kind: ClassVar[str]

    def __init__(self, count: int) -> None:
        self.count = count

    def unreachable(self, state: State, character: str) -> str | None:
        """Return the code of why a character cannot get a marker, or None."""
        return None

    def _pool(self, state: State) -> list[str]:
        own = state.current_turn.character
        return [c for c in state.cast if c != own and self.unreachable(state, c) is None]

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        pool = self._pool(state)
        if _blind(state):
            every = min(self.count, len(pool))
            return (Deal(self.action.verb, tuple(pool), ("plain",), ((every, every),), self._make_sealed),)
        plain = min(self.count, len(pool)) - 1
        return (Deal(self.action.verb, tuple(pool), ("chosen", "plain"), ((1, 1), (plain, plain)), self._make),)

    def _make(self, parts: Parts) -> Action:
        (chosen,), plain = parts
        return self.action(by_rank((chosen, *plain)), chosen)

    def _make_sealed(self, parts: Parts) -> Action:
        return self.action(by_rank(parts[0]))

    def refusal(self, state: State, seat: int, action: Marks) -> IllegalMove | None:
        for character in action.characters:
            if character not in state.cast:
                return IllegalMove("not_in_cast", character=character)
            if character == state.current_turn.character:
                return IllegalMove("not_yourself")
            code = self.unreachable(state, character)
            if code:
                return IllegalMove(code, character=character)
        needed = min(self.count, len(self._pool(state)))
        if not len(set(action.characters)) == len(action.characters) == needed:
            return IllegalMove("markers_needed", count=needed)
        sealed = _blind(state) and action.chosen is None
        return None if sealed or action.chosen in action.characters else IllegalMove("star_one")

    def perform(self, table: Table, seat: int, action: Marks) -> None:
        table.emit(Placed(self.kind, seat, action.characters, action.chosen or HIDDEN))


class ShowingRule(AnswerRule):
    """Reveal a marker of a `kind`, or leave it face down. At a sealed table, revealing opens the player's
    commitment."""

    kind: ClassVar[str]

    def refusal(self, state: State, seat: int, action: OfAnswer) -> IllegalMove | None:
        secret = state.mark(SECRET[self.kind])
        unknown = _blind(state) and secret is not None and secret.character == HIDDEN
        return IllegalMove("opening_needed") if action.yes and unknown else None

    def unseal(self, table: Table, seat: int, action: OfAnswer, character: str) -> None:
        secret = table.state.mark(SECRET[self.kind])
        if not action.yes or secret is None or secret.character != HIDDEN:
            raise IllegalMove("nothing_sealed")
        table.emit(Unsealed(self.kind, seat, character))


def _blind(state: State) -> bool:
    """Return whether this is the full state of a sealed table."""
    return state.sealed and state.whole
