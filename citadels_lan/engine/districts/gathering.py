"""Unique districts that matter when resources are gathered."""

from citadels_lan.engine.rules import Unique


class GoldMine(Unique):
    """One gold more when gathering gold (R267)."""

    key = "gold_mine"
    gold = 1


class Library(Unique):
    """All cards drawn may be kept (R281)."""

    key = "library"
    keeps_all = True


class Observatory(Unique):
    """One card more is drawn (R297)."""

    key = "observatory"
    drawn = 1
