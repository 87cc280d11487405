"""The Theater: after the draft its owner may swap a character with another player, blind (R312 to R315)."""

from collections.abc import Sequence
from typing import ClassVar

from citadels_lan.engine.actions import Theater as Action
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import Answered, CharactersSwapped
from citadels_lan.engine.pieces import Steps, Unique
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table


class TheaterRule(Rule[Action]):
    """Choose with whom; with two or three players also which of the own two characters goes."""

    action = Action

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        own: Sequence[str | None] = state.players[seat].concealed
        if len(own) == 1:
            own = (None,)
        elif HIDDEN in own:
            own = (HIDDEN,)
        others = other_seats(len(state.players), seat)
        return [Action(), *(Action(other, giving) for other in others for giving in own)]

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        own = state.players[seat].concealed
        if action.seat is None:
            return None if action.giving is None else IllegalMove("swap_with_whom")
        if action.seat == seat or action.seat >= len(state.players):
            return IllegalMove("no_such_seat")
        if len(own) == 1:
            return None if action.giving is None else IllegalMove("give_only_one")
        return None if action.giving in own else IllegalMove("give_which")

    def perform(self, table: Table, seat: int, action: Action) -> None:
        state = table.state
        table.emit(Answered("theater", seat, "no" if action.seat is None else "yes"))
        if action.seat is None:
            return
        theirs = state.players[action.seat].concealed
        known = len(theirs) == 1 or HIDDEN in theirs
        received = theirs[0] if known else table.chance.pick(table.label("theater"), theirs)
        given = action.giving or state.players[seat].concealed[0]
        table.emit(CharactersSwapped(seat, action.seat, given, received))


class TheaterEffect(Unique):
    key = "theater"
    swaps_characters = True
    steps: ClassVar[Steps] = {"theater": TheaterRule()}
