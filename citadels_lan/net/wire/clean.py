"""Names and chat: text that is safe to show.

Cleaning removes control, bidirectional, zero-width and other invisible characters, and every accent of a
letter after its second. White space becomes single spaces. The decoder rejects text that is not cleaned. The
author of a line of chat numbers and signs it, so no one else can write under this name; but the host can
withhold a line."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.crypto.log import NAME
from citadels_lan.people import clean, likeness

CHAT: Final = 240
"""Longest line of chat, in characters."""


def clean_name(text: str) -> str:
    """Return `text` as a name that is safe to show; "" if no characters are left."""
    return clean(text, NAME)


def clean_chat(text: str) -> str:
    """Return `text` as a line of chat that is safe to show; "" if no characters are left."""
    return clean(text, CHAT)


def numbered(shown: str, name: str) -> bool:
    """Return whether `shown` is the name `name`, or that name followed by a number, as `distinct` makes
    it."""
    stem, _, number = shown.rpartition(" ")
    return shown == name or (stem == name[: NAME - 4] and number.isascii() and number.isdecimal())


def distinct(name: str, taken: Sequence[str]) -> str:
    """Return `name`. If one of the names in `taken` is equal to it or looks like it, return `name` followed
    by a number."""
    shapes = {likeness(other) for other in taken}
    if likeness(name) not in shapes:
        return name
    number = 2
    while likeness(f"{name[: NAME - 4]} {number}") in shapes:
        number += 1
    return f"{name[: NAME - 4]} {number}"
