"""The Bell Tower: its owner may announce that fewer districts complete a city (R371 to R374), or shorten the
game of Città Comune (R421)."""

from typing import ClassVar

from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.actions import BellTower, TurnBellTower, other_seats
from citadels_lan.engine.edition import edition_of
from citadels_lan.engine.events import Answered, Asked, Turned
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.pieces import AnswerRule, IllegalMove, SingleRule, State, Steps, Table, Unique
from citadels_lan.engine.turn.cities import check_completed, find
from citadels_lan.engine.turn.shared_city import SOONER, names

KEY = "bell_tower"
FEWER = 7
"""The number of districts that completes a city after the announcement."""
ITSELF = Spot(KEY)


class BellTowerRule(AnswerRule):
    """Yes: seven districts now complete a city. Every city that has seven is complete immediately; the
    owner's city comes first (R473). No: nothing changes."""

    action = BellTower

    def perform(self, table: Table, seat: int, action: OfAnswer) -> None:
        table.emit(Answered(KEY, seat, "yes" if action.yes else "no"))
        if action.yes:
            _, index = find(table.state, seat, ITSELF)
            table.emit(Turned(seat, index))
            # All cities are checked, because seven districts are enough for every player now.
            check_completed(table, seat, *other_seats(len(table.state.players), seat))


class BellTowerEffect(Unique):
    """The Bell Tower of Dark City. When it is built, it asks its owner whether to announce, unless seven
    districts complete a city already. It does not ask when it moves to another city. A turned card stays
    turned (R371, R374)."""

    key = KEY
    steps: ClassVar[Steps] = {KEY: (BellTowerRule(),)}

    def built(self, table: Table, seat: int) -> None:
        if edition_of(table.state).goal(table.state) != FEWER:
            table.emit(Asked(KEY, seat))


def rung(state: State) -> bool:
    """Return whether seven districts complete a city because of a Bell Tower: it is turned in some city, or
    it was destroyed after a city was completed with it turned (R372)."""
    return state.lowered or any(district.turned for player in state.players for district in player.city)


class TurnRule(SingleRule[TurnBellTower]):
    """Turn the card permanently, if so few districts are built that turning it does not end the game
    immediately."""

    action = TurnBellTower

    def refusal(self, state: State, seat: int, action: TurnBellTower) -> IllegalMove | None:
        _, index = find(state, seat, ITSELF)
        if state.players[seat].city[index].turned:
            return IllegalMove("turned_already")
        # With enough districts the game would end at once, so the turn comes too late.
        return None if len(names(state)) < SOONER else IllegalMove("too_many_stand", count=SOONER)

    def perform(self, table: Table, seat: int, action: TurnBellTower) -> None:
        _, index = find(table.state, seat, ITSELF)
        table.emit(Turned(seat, index))


class BellTowerToTurn(Unique):
    """The Bell Tower of Città Comune. Its owner may turn it in any own turn. After it is destroyed and built
    again, it is not turned (R421)."""

    key = KEY

    def __init__(self) -> None:
        self.rules = (TurnRule(),)
