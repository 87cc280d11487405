"""Rank 4, the Patrician: cards for noble districts, and the crown (R163)."""

from .crown import Monarch


class Patrician(Monarch):
    key = "patrician"
