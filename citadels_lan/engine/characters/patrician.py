"""Rank 4, the Patrician: cards for noble districts, and the crown (R163)."""

from citadels_lan.engine.characters.crown import Monarch


class Patrician(Monarch):
    """The Patrician of 2016."""

    key = "patrician"
