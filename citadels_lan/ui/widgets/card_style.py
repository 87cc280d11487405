"""The colour of a card."""

from rich.style import Style

from citadels_lan.engine import Edition

from .look import Look


def style(look: Look, edition: Edition, key: str) -> Style:
    """The colour of a card's type."""
    return look.types[edition.types[key]] if key in edition.types else look.bold
