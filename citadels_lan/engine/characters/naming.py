"""Markers on characters: one face-up marker on a named character (Assassin, Witch, Thief), or several
face-down markers of which one counts (Magistrate, Blackmailer).

At a sealed table the host's full state does not know which face-down marker counts until the player reveals
it. It does know this of markers that a bot placed.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from citadels_lan.engine.action import Action, OfAnswer, OfCharacter
from citadels_lan.engine.actions import Marks
from citadels_lan.engine.cards import HIDDEN, by_rank
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import SECRET, Marked, Placed, Unsealed
from citadels_lan.engine.pieces import AnswerRule, Choice, Deal, IllegalMove, Parts, Rule, State, Table

Unreachable: TypeAlias = Callable[[State, str], str | None]
"""Returns the code of the reason why a character cannot be named, or None if it can."""


def allow_all(state: State, character: str) -> str | None:
    """An `Unreachable` that allows every character: always return None."""
    return None


def already_named(state: State, character: str) -> str | None:
    """An `Unreachable` for Città Comune: return a code for a character already called or named in this cycle
    (R412 to R414), otherwise None."""
    if character in state.called:
        return "called_already"
    # One character has at most one naming marker in a cycle.
    for mark in state.marks:
        if mark.character == character:
            return f"{mark.kind}_safe"
    return None


def out_of_reach(state: State, character: str) -> str | None:
    """An `Unreachable` for characters of rank 2: return a code for a character of rank 1, a killed or a
    bewitched one (R121, R130), otherwise None."""
    if edition_of(state).ranks[character] == 1:
        return "rank_one_safe"
    for mark in state.marks:
        if mark.kind in ("killed", "bewitched") and mark.character == character:
            return f"{mark.kind}_safe"
    return None


def _nameable(state: State, unreachable: Unreachable) -> list[str]:
    own = state.current_turn.character
    return [c for c in state.cast if c != own and unreachable(state, c) is None]


def _unnameable(state: State, character: str, unreachable: Unreachable) -> IllegalMove | None:
    if character not in state.cast:
        return IllegalMove("not_in_cast", character=character)
    if character == state.current_turn.character:
        return IllegalMove("not_yourself")
    code = unreachable(state, character)
    return IllegalMove(code, character=character) if code else None


class NamingRule(Rule[OfCharacter]):
    """Name another character of the cast, whether or not a player holds it (R057). It gets a marker of
    `kind`. `unreachable` returns why a character cannot be named."""

    kind: ClassVar[str]
    action: ClassVar[type[OfCharacter]]

    def __init__(self, unreachable: Unreachable) -> None:
        self.unreachable = unreachable

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [self.action(character) for character in _nameable(state, self.unreachable)]

    def refusal(self, state: State, seat: int, action: OfCharacter) -> IllegalMove | None:
        return _unnameable(state, action.character, self.unreachable)

    def perform(self, table: Table, seat: int, action: OfCharacter) -> None:
        table.emit(Marked(self.kind, seat, action.character))


class PlacingRule(Rule[Marks]):
    """Place `count` markers of `kind` face down on different characters, fewer if the cast is too small. One
    marker counts."""

    action: ClassVar[type[Marks]]
    kind: ClassVar[str]

    def __init__(self, count: int) -> None:
        self.count = count

    def unreachable(self, state: State, character: str) -> str | None:
        """Return the code of why a character cannot get a marker, or None."""
        return None

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        pool = _nameable(state, self.unreachable)
        # A small cast can have fewer characters than markers.
        count = min(self.count, len(pool))
        if _blind(state):
            return (Deal(self.action.verb, tuple(pool), ("plain",), ((count, count),), self._make),)
        sizes = ((1, 1), (count - 1, count - 1))
        return (Deal(self.action.verb, tuple(pool), ("chosen", "plain"), sizes, self._make),)

    def _make(self, parts: Parts) -> Action:
        *chosen, plain = parts
        characters = (*chosen[0], *plain) if chosen else plain
        return self.action(by_rank(characters), chosen[0][0] if chosen else None)

    def refusal(self, state: State, seat: int, action: Marks) -> IllegalMove | None:
        for character in action.characters:
            if refused := _unnameable(state, character, self.unreachable):
                return refused
        needed = min(self.count, len(_nameable(state, self.unreachable)))
        if not len(set(action.characters)) == len(action.characters) == needed:
            return IllegalMove("markers_needed", count=needed)
        # At a sealed table the host plays the line without its star.
        sealed = _blind(state) and action.chosen is None
        return None if sealed or action.chosen in action.characters else IllegalMove("star_one")

    def perform(self, table: Table, seat: int, action: Marks) -> None:
        # HIDDEN for the host of a sealed table, as for every other viewer.
        table.emit(Placed(self.kind, seat, action.characters, action.chosen or HIDDEN))


class ShowingRule(AnswerRule):
    """Reveal a face-down marker of `kind` (yes), or leave it face down (no). At a sealed table the player
    must also open the commitment to the marker that counts."""

    kind: ClassVar[str]

    def refusal(self, state: State, seat: int, action: OfAnswer) -> IllegalMove | None:
        secret = state.mark(SECRET[self.kind])
        # A bot's marker is known even at a sealed table, so it needs no opening.
        unknown = _blind(state) and secret is not None and secret.character == HIDDEN
        return IllegalMove("opening_needed") if action.yes and unknown else None

    def unseal(self, table: Table, seat: int, action: OfAnswer, character: str) -> None:
        secret = table.state.mark(SECRET[self.kind])
        # An opening without need would show a secret for nothing.
        if not action.yes or secret is None or secret.character != HIDDEN:
            raise IllegalMove("nothing_sealed")
        table.emit(Unsealed(self.kind, seat, character))


def _blind(state: State) -> bool:
    """Return whether this is the host's full state of a sealed table, which does not know the markers that
    count."""
    return state.sealed and state.whole
