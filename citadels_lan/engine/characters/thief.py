"""Rank 2, the Thief: takes all gold of a character when it is revealed (R120 to R125)."""

from citadels_lan.engine.actions import Rob
from citadels_lan.engine.characters.naming import NamingRule, Unreachable, out_of_reach
from citadels_lan.engine.events import GoldMoved
from citadels_lan.engine.pieces import Character, Mark, Marker, Table


class RobRule(NamingRule):
    """Name the character to rob."""

    action = Rob
    once = "rob"
    kind = "robbed"


class Robbed(Marker):
    """The marker of the robbed character. When it is revealed, all gold of its player goes to the Thief,
    unless both are the same player (R124)."""

    kind = "robbed"

    def revealed(self, table: Table, seat: int, mark: Mark) -> None:
        gold = table.state.players[seat].gold
        # No event without gold: the log says separately that there was none.
        if gold and seat != mark.by:
            table.emit(GoldMoved(seat, mark.by, gold, "robbed"))


class Thief(Character):
    """The Thief. `unreachable` returns why a character cannot be robbed, or None."""

    key = "thief"

    def __init__(self, unreachable: Unreachable = out_of_reach) -> None:
        self.rules = (RobRule(unreachable),)
        self.markers = (Robbed(),)
