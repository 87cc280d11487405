"""The Bell Tower: its owner may announce that fewer districts complete a city (R371 to R374), or end the game
(R421)."""

from collections.abc import Sequence
from typing import ClassVar

from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.choices import Choice
from citadels_lan.engine.edition_actions import BellTower, TurnBellTower
from citadels_lan.engine.events import Answered, Asked, Turned
from citadels_lan.engine.pieces import Steps, Unique
from citadels_lan.engine.rules import AnswerRule, IllegalMove, Rule
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.state import State
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.cities import check_completed, find
from citadels_lan.engine.turn.shared_city import SOONER, names

KEY = "bell_tower"
ITSELF = Spot(KEY)


class BellTowerRule(AnswerRule):
    """Announce it, or never. Cities that have enough are complete at once, the owner's first (R473)."""

    action = BellTower

    def perform(self, table: Table, seat: int, action: OfAnswer) -> None:
        table.emit(Answered(KEY, seat, "yes" if action.yes else "no"))
        if action.yes:
            _, index = find(table.state, seat, ITSELF)
            table.emit(Turned(seat, index))
            check_completed(table, seat, *other_seats(len(table.state.players), seat))


class BellTowerEffect(Unique):
    """Asks when it is built, not when it changes city; turned it stays turned (R371, R374)."""

    key = KEY
    steps: ClassVar[Steps] = {KEY: BellTowerRule()}

    def built(self, table: Table, seat: int) -> None:
        table.emit(Asked(KEY, seat))


def rung(state: State) -> bool:
    """Whether a Bell Tower stands turned, or did when a city was complete (R372)."""
    return state.lowered or any(district.turned for player in state.players for district in player.city)


class TurnRule(Rule[TurnBellTower]):
    """Turn it, for good, while fewer districts stand than then end the game."""

    action = TurnBellTower

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return () if self.refusal(state, seat, TurnBellTower()) else (TurnBellTower(),)

    def refusal(self, state: State, seat: int, action: TurnBellTower) -> IllegalMove | None:
        _, index = find(state, seat, ITSELF)
        if state.players[seat].city[index].turned:
            return IllegalMove("turned_already")
        return None if len(names(state)) < SOONER else IllegalMove("too_many_stand", count=SOONER)

    def perform(self, table: Table, seat: int, action: TurnBellTower) -> None:
        _, index = find(table.state, seat, ITSELF)
        table.emit(Turned(seat, index))


class BellTowerToTurn(Unique):
    """Nothing is asked when it is built: its owner turns it in any own turn. Destroyed and built anew it is not
    turned (R421)."""

    key = KEY

    def __init__(self) -> None:
        self.rules = (TurnRule(),)
