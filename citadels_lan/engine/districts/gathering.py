"""Unique districts that matter when resources are gathered."""

from citadels_lan.engine.rules import Unique


class Library(Unique):
    """All cards drawn may be kept (R281)."""

    key = "library"
    keeps_all = True
