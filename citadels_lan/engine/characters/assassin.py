"""Rank 1, the Assassin: names a character that loses its whole turn (R056 to R062)."""

from citadels_lan.engine.actions import Kill
from citadels_lan.engine.rules import Character

from .naming import NamingRule


class KillRule(NamingRule):
    """Name the victim; whoever holds it says nothing when it is called."""

    action = Kill
    once = "kill"
    kind = "killed"


class Assassin(Character):
    key = "assassin"
    rules = (KillRule(),)
