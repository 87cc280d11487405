"""Rank 4, the Emperor: gold for noble districts; gives the crown to another player and takes a gold or a random
card for it (R164 to R168)."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from citadels_lan.engine.actions import Crown, other_seats
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.events import Answered, Asked, CardsMoved, GoldMoved
from citadels_lan.engine.flow.rounds import close_round
from citadels_lan.engine.pieces import Character, Steps
from citadels_lan.engine.rules import IllegalMove, Rule
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.crown import give_crown

from .crown import reveal_late
from .income import INCOME


def heirs(state: State, seat: int) -> Iterator[int]:
    """Who may get the crown: neither its present holder nor whoever gives it (R079, R164)."""
    return (other for other in other_seats(len(state.players), seat) if other != state.crown)


def no_heir(state: State, seat: int, action: Crown) -> IllegalMove | None:
    """Why somebody cannot get the crown."""
    if action.seat is None:
        return IllegalMove("crown_somebody")
    if action.seat >= len(state.players):
        return IllegalMove("no_such_seat")
    if action.seat == seat:
        return IllegalMove("crown_not_yourself")
    return IllegalMove("crowned_already") if action.seat == state.crown else None


class GiveCrownRule(Rule[Crown]):
    """Give the crown and take what there is to take (R166)."""

    action = Crown
    once = "crown"

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        found: list[Choice] = []
        for heir in heirs(state, seat):
            player = state.players[heir]
            if player.gold:
                found.append(Crown(heir, "gold"))
            if player.hand:
                found.append(Crown(heir, "card"))
            if not (player.gold or player.hand):
                found.append(Crown(heir))
        return found

    def refusal(self, state: State, seat: int, action: Crown) -> IllegalMove | None:
        refused = no_heir(state, seat, action)
        if refused is not None or action.seat is None:
            return refused
        heir = state.players[action.seat]
        if action.taking == "gold":
            return None if heir.gold else IllegalMove("stash_empty")
        if action.taking == "card":
            return None if heir.hand else IllegalMove("hand_empty")
        return IllegalMove("take_something") if heir.gold or heir.hand else None

    def perform(self, table: Table, seat: int, action: Crown) -> None:
        heir = action.seat
        assert heir is not None
        give_crown(table, heir)
        if action.taking == "gold":
            table.emit(GoldMoved(heir, seat, 1, "crown"))
        elif action.taking == "card":
            card = table.chance.pick(table.label("tribute", seat), table.state.players[heir].hand)
            table.emit(CardsMoved(heir, seat, (card,), "crown"))


class LateCrownRule(Rule[Crown]):
    """The killed Emperor's holder gives the crown at the end of the round and takes nothing (R167)."""

    action = Crown

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return [Crown(heir) for heir in heirs(state, seat)]

    def refusal(self, state: State, seat: int, action: Crown) -> IllegalMove | None:
        if action.taking is not None:
            return IllegalMove("take_nothing")
        return no_heir(state, seat, action)

    def perform(self, table: Table, seat: int, action: Crown) -> None:
        assert action.seat is not None
        table.emit(Answered("crown", seat))
        give_crown(table, action.seat)
        close_round(table)


class Emperor(Character):
    key = "emperor"
    shown_late = True
    steps: ClassVar[Steps] = {"crown": LateCrownRule()}

    def __init__(self) -> None:
        self.rules = (INCOME, GiveCrownRule())

    def unfinished(self, state: State, seat: int) -> str | None:
        assert state.turn is not None
        return None if "crown" in state.turn.used else "crown_first"

    def round_ending(self, table: Table, seat: int) -> None:
        reveal_late(table, seat, self.key)
        table.emit(Asked("crown", seat))
