"""Names and chat: text that anybody may be shown without harm.

Control, bidirectional, zero-width and other invisible characters go, accents piled on one letter go beyond the
second, white space becomes single spaces. The decoder refuses what a sender has not cleaned. Each line of chat
is numbered and signed by its author, so nobody else can say it; the host may still keep a line back.
"""

from collections.abc import Sequence
from typing import Final

from citadels_lan.crypto.identity import Identity, verify
from citadels_lan.crypto.log import NAME
from citadels_lan.crypto.packing import Field, u64
from citadels_lan.people import clean, likeness

CHAT: Final = 240
"""Longest line of chat, in characters."""


def clean_name(text: str) -> str:
    """A name that may be shown, or an empty string if nothing of it can be."""
    return clean(text, NAME)


def clean_chat(text: str) -> str:
    """A line of chat that may be shown, or an empty string."""
    return clean(text, CHAT)


def numbered(shown: str, name: str) -> bool:
    """Whether a table may show `name` as `shown`: as it is, or with a number behind it (see `distinct`)."""
    stem, _, number = shown.rpartition(" ")
    return shown == name or (stem == name[: NAME - 4] and number.isascii() and number.isdecimal())


def distinct(name: str, taken: Sequence[str]) -> str:
    """`name`, with a number behind it if somebody has that name already, or one that looks like it."""
    known = {likeness(other) for other in taken}
    if likeness(name) not in known:
        return name
    number = 2
    while likeness(f"{name[: NAME - 4]} {number}") in known:
        number += 1
    return f"{name[: NAME - 4]} {number}"


def sign_line(identity: Identity, game: bytes, fp: bytes, number: int, text: str) -> bytes:
    """The signature of a line of chat, for the table with this game and certificate. Numbers of a key rise."""
    return identity.sign("say", *_line_fields(game, fp, number, text))


def line_signed(key: bytes, signature: bytes, game: bytes, fp: bytes, number: int, text: str) -> bool:
    """Whether `key` has said this line."""
    return verify(key, signature, "say", *_line_fields(game, fp, number, text))


def _line_fields(game: bytes, fp: bytes, number: int, text: str) -> tuple[Field, ...]:
    return game, fp, u64(number), text
