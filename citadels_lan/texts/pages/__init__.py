"""The rules by topic, told afresh: short pages that refer to each other by their names.

A page stands in the module of its moment, with what it says in each edition side by side.
"""

from collections.abc import Mapping
from typing import Final

from . import ending, game, program, rounds, turns
from .page import Page

PAGES: Final[Mapping[str, Page]] = {
    **game.PAGES,
    **rounds.PAGES,
    **turns.PAGES,
    **ending.PAGES,
    **rounds.SMALL_TABLES,
    **program.PAGES,
}
"""By key, in the order of reading."""

__all__ = ["PAGES", "Page"]
