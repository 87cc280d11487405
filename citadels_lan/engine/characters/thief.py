"""Rank 2, the Thief: takes all the gold of a character the moment it is revealed (R120 to R125)."""

from citadels_lan.engine.actions import Rob
from citadels_lan.engine.events import GoldMoved
from citadels_lan.engine.pieces import Character, Marker
from citadels_lan.engine.state import Mark
from citadels_lan.engine.table import Table

from .naming import NamingRule, Spares, out_of_reach


class RobRule(NamingRule):
    """Name the victim."""

    action = Rob
    once = "rob"
    kind = "robbed"


class Robbed(Marker):
    """All gold goes to the Thief, unless both are the same player (R124)."""

    kind = "robbed"

    def revealed(self, table: Table, seat: int, mark: Mark) -> None:
        gold = table.state.players[seat].gold
        if gold and seat != mark.by:
            table.emit(GoldMoved(seat, mark.by, gold, "robbed"))


class Thief(Character):
    key = "thief"

    def __init__(self, spares: Spares = out_of_reach) -> None:
        self.rules = (RobRule(spares),)
        self.markers = (Robbed(),)
