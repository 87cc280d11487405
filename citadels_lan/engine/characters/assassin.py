"""Rank 1, the Assassin: names a character that loses its whole turn (R056 to R062)."""

from citadels_lan.engine.actions import Kill
from citadels_lan.engine.events import TurnEnded
from citadels_lan.engine.pieces import Character, Marker
from citadels_lan.engine.state import Mark, State
from citadels_lan.engine.table import Table

from .naming import NamingRule, Spares, nobody


class KillRule(NamingRule):
    """Name the victim."""

    action = Kill
    once = "kill"
    kind = "killed"


class Killed(Marker):
    """The victim says nothing when it is called; one that answers all the same gathers, and that is its turn
    (R375)."""

    kind = "killed"
    silences = True

    def binds(self, state: State, seat: int, mark: Mark) -> bool:
        return True

    def gathered(self, table: Table, seat: int, mark: Mark) -> None:
        table.emit(TurnEnded(seat))


class Assassin(Character):
    key = "assassin"

    def __init__(self, spares: Spares = nobody) -> None:
        self.rules = (KillRule(spares),)
        self.markers = (Killed(),)
