"""Names and chat: text that is safe to show.

Cleaning removes control, bidirectional, zero-width and other invisible characters, and all accents of a
letter after the second. White space becomes single spaces. The decoder rejects text that a sender has not
cleaned. The author numbers and signs each line of chat, so no one else can write under this name; the host
can still withhold a line."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.crypto.log import NAME
from citadels_lan.people import clean, likeness

CHAT: Final = 240
"""Longest line of chat, in characters."""


def clean_name(text: str) -> str:
    """Return a name that is safe to show; empty if nothing is left."""
    return clean(text, NAME)


def clean_chat(text: str) -> str:
    """Return a line of chat that is safe to show; empty if nothing is left."""
    return clean(text, CHAT)


def numbered(shown: str, name: str) -> bool:
    """Whether a table may show the player `name` as `shown`: unchanged, or followed by a number (see
    `distinct`)."""
    stem, _, number = shown.rpartition(" ")
    return shown == name or (stem == name[: NAME - 4] and number.isascii() and number.isdecimal())


def distinct(name: str, taken: Sequence[str]) -> str:
    """Return `name`, followed by a number if another player has that name, or one that looks like it."""
    shapes = {likeness(other) for other in taken}
    if likeness(name) not in shapes:
        return name
    number = 2
    while likeness(f"{name[: NAME - 4]} {number}") in shapes:
        number += 1
    return f"{name[: NAME - 4]} {number}"
