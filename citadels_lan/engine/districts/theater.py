"""The Theater: after the draft its owner may exchange a character with another player, without seeing it
first (R312 to R315)."""

from collections.abc import Sequence
from typing import ClassVar

from citadels_lan.engine.actions import Theater as Action
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.cards import HIDDEN
from citadels_lan.engine.events import Answered, Inquired
from citadels_lan.engine.flow.rounds import swap_characters
from citadels_lan.engine.pieces import Choice, IllegalMove, Rule, State, Steps, Table, Unique


class TheaterRule(Rule[Action]):
    """Choose a player to exchange a character with, or do not exchange. A player who holds two characters
    also chooses which of them to give."""

    action = Action

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        own: Sequence[str | None] = state.players[seat].concealed
        if len(own) == 1:
            own = (None,)
        # A blind table cannot tell the player's characters apart; the client names one.
        elif HIDDEN in own:
            own = (HIDDEN,)
        others = [one for one in other_seats(len(state.players), seat) if state.players[one].concealed]
        return [Action(), *(Action(other, giving) for other in others for giving in own)]

    def refusal(self, state: State, seat: int, action: Action) -> IllegalMove | None:
        own = state.players[seat].concealed
        if action.seat is None:
            return None if action.giving is None else IllegalMove("swap_with_whom")
        if action.seat == seat or action.seat >= len(state.players):
            return IllegalMove("no_such_seat")
        if not (own and state.players[action.seat].concealed):
            return IllegalMove("nothing_to_swap")
        if len(own) == 1:
            return None if action.giving is None else IllegalMove("give_only_one")
        return None if action.giving in own else IllegalMove("give_which")

    def perform(self, table: Table, seat: int, action: Action) -> None:
        state = table.state
        table.emit(Answered("theater", seat, "no" if action.seat is None else "yes"))
        if action.seat is None:
            return
        given = action.giving or state.players[seat].concealed[0]
        if state.draft == "open":
            swap_characters(table, seat, action.seat, given)
        else:
            table.emit(Inquired("swap", (action.seat,), None, seat, (given,)))


class TheaterEffect(Unique):
    """The Theater of 2016."""

    key = "theater"
    swaps_characters = True
    steps: ClassVar[Steps] = {"theater": (TheaterRule(),)}
