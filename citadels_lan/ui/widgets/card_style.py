"""The colour of a card."""

from rich.style import Style

from citadels_lan.engine.cards import TYPE

from .look import Look


def style(look: Look, key: str) -> Style:
    """The colour of a card's type."""
    return look.types[TYPE[key]] if key in TYPE else look.bold
