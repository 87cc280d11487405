"""Amounts in words."""

from .language import Texts


def gold(texts: Texts, amount: int) -> str:
    """An amount of gold."""
    return texts.plural("{count} gold", "{count} gold", amount)


def cards(texts: Texts, amount: int) -> str:
    """A number of cards."""
    return texts.plural("{count} card", "{count} cards", amount)
