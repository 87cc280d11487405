"""Rank 1, the Assassin: names a character that loses its whole turn (R056 to R062)."""

from citadels_lan.engine.actions import Kill
from citadels_lan.engine.pieces import Character, Marker

from .naming import NamingRule


class KillRule(NamingRule):
    """Name the victim."""

    action = Kill
    once = "kill"
    kind = "killed"


class Killed(Marker):
    """The victim says nothing when it is called."""

    kind = "killed"
    silences = True


class Assassin(Character):
    key = "assassin"

    def __init__(self) -> None:
        self.rules = (KillRule(),)
        self.markers = (Killed(),)
