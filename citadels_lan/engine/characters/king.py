"""Rank 4, the King: gold for noble districts, and the crown (R158 to R162)."""

from .crown import Monarch


class King(Monarch):
    key = "king"
