"""A card in a few cells, district or character."""

from collections.abc import Container

from citadels_lan.engine import HIDDEN, Edition
from citadels_lan.texts import Texts
from citadels_lan.texts.choices.labels import marked_out


def brief(texts: Texts, edition: Edition, key: str, out: Container[str] = ()) -> str:
    """What a card is called, with type and cost or rank: `N4 Castle`, `4 King`. Marked where it is a character of
    `out`, those face up out of play."""
    if key == HIDDEN:
        return "?"
    if key in edition.characters:
        return marked_out(texts, out, key, f"{edition.ranks[key]} {texts.character(key)}")
    return f"{texts.letter(edition.types[key])}{edition.costs[key]} {texts.district(key)}"


def in_words(texts: Texts, edition: Edition, key: str, out: Container[str] = ()) -> str:
    """The same for ears: `Castle (noble 4)`, `King (4)`."""
    if key in edition.characters:
        return marked_out(texts, out, key, f"{texts.character(key)} ({edition.ranks[key]})")
    return f"{texts.district(key)} ({texts.type(edition.types[key])} {edition.costs[key]})"
