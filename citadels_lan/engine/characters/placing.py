"""Markers face down, one of which counts: what the Magistrate and the Blackmailer have in common.

At a sealed table the full state never learns which one of a player's markers counts, until the player breaks the
seal. It knows that of a bot's markers.
"""

from collections.abc import Sequence
from typing import ClassVar

from citadels_lan.engine.action import Action, OfAnswer
from citadels_lan.engine.actions import Marks
from citadels_lan.engine.cards import HIDDEN, by_rank
from citadels_lan.engine.choices import Choice, Deal, Parts
from citadels_lan.engine.events import Placed, Unsealed
from citadels_lan.engine.events.markers import SECRET
from citadels_lan.engine.rules import AnswerRule, IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table


class PlacingRule(Rule[Marks]):
    """Put `count` markers of a `kind` on different characters, one of them the marker that counts."""

    action: ClassVar[type[Marks]]
    kind: ClassVar[str]

    def __init__(self, count: int) -> None:
        self.count = count

    def unreachable(self, state: State, character: str) -> str | None:
        """The code of why a character cannot get a marker."""
        return None

    def _pool(self, state: State) -> list[str]:
        assert state.turn is not None
        own = state.turn.character
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
        assert state.turn is not None
        for character in action.characters:
            if character not in state.cast:
                return IllegalMove("not_in_cast", character=character)
            if character == state.turn.character:
                return IllegalMove("not_yourself")
            code = self.unreachable(state, character)
            if code:
                return IllegalMove(code, character=character)
        wanted = min(self.count, len(self._pool(state)))
        if not len(set(action.characters)) == len(action.characters) == wanted:
            return IllegalMove("markers_needed", count=wanted)
        sealed = _blind(state) and action.chosen is None
        return None if sealed or action.chosen in action.characters else IllegalMove("star_one")

    def perform(self, table: Table, seat: int, action: Marks) -> None:
        table.emit(Placed(self.kind, seat, action.characters, action.chosen or HIDDEN))


class ShowingRule(AnswerRule):
    """Turn up a marker of a `kind`, or let it be; at a sealed table turning up breaks the seal."""

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
    """Whether this is the full state of a sealed table."""
    return state.sealed and state.whole
