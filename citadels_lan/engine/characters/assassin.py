"""Rank 1, the Assassin: names a character whose turn is skipped (R056 to R062)."""

from citadels_lan.engine.actions import Kill
from citadels_lan.engine.characters.naming import NamingRule, Unreachable, allow_all
from citadels_lan.engine.events import TurnEnded
from citadels_lan.engine.pieces import Character, Mark, Marker, State, Table


class KillRule(NamingRule):
    """Name the character to kill."""

    action = Kill
    once = "kill"
    kind = "killed"


class Killed(Marker):
    """The marker of the killed character. Its player stays silent when it is called. If a Hospital lets the
    player answer, the turn ends after gathering (R375)."""

    kind = "killed"

    def binds(self, state: State, seat: int, mark: Mark) -> bool:
        return True

    def gathered(self, table: Table, seat: int, mark: Mark) -> None:
        # The effects of the end of a turn do not apply, so this is not the move `end`.
        table.emit(TurnEnded(seat))


class Assassin(Character):
    """The Assassin. `unreachable` returns why a character cannot be killed, or None."""

    key = "assassin"

    def __init__(self, unreachable: Unreachable = allow_all) -> None:
        self.rules = (KillRule(unreachable),)
        self.markers = (Killed(),)
