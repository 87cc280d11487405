"""Words that people read aloud and type: one for each byte, written alike in English and Italian.

The list is part of the protocol (docs/protocol.md, section 9). Any two of its words differ in at least three
letters, no two begin with the same four, and none is the beginning of another. So a mistake in speaking or typing
is noticed.
"""

import re
import unicodedata
from pathlib import Path
from typing import Final

from msgspec import Struct

from .codec import digest

FILE: Final = "words.txt"
WORDS: Final[tuple[str, ...]] = tuple(Path(__file__).with_name(FILE).read_text(encoding="ascii").split())
"""256 words in alphabetical order; the index is the byte."""

KEY_WORDS: Final = 6
"""The number of words of a key that people compare."""
BEGINNING: Final = 4
"""Number of first letters that are enough to recognize a word."""

_LONGEST: Final = 32
"""Most letters of an unknown word that are kept."""
_GAPS: Final = re.compile(r"[^a-z0-9]+")


class NoWord(Struct, frozen=True):
    """The typed `word` is not in the list; `nearest` are up to three words that the player may have meant."""

    word: str
    nearest: tuple[str, ...]


def spoken(data: bytes) -> tuple[str, ...]:
    """Return the word for each byte of `data`."""
    return tuple(WORDS[byte] for byte in data)


def heard(text: str) -> str | NoWord:
    """Return the words in a typed text, spelled in full and with single spaces, or the first word that is not
    in the list.

    Case, accents and separators do not matter, and the first four letters of a word are enough. The caller
    has to check the number of words. Empty text gives ""."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    found: list[str] = []
    for typed in filter(None, _GAPS.split(letters)):
        word = _word(typed)
        if word is None:
            wrong = typed[:_LONGEST]
            from difflib import get_close_matches

            return NoWord(wrong, tuple(get_close_matches(wrong, WORDS, 3)))
        found.append(word)
    return " ".join(found)


def key_words(key: bytes) -> tuple[str, ...]:
    """Return the six words of a public key, for people who compare it aloud or on two screens.

    They are 48 bits of a hash with its own tag, so they never equal the check words of a table. To find a key with
    the same six words, an attacker has to try 2^48 keys: about a year on a fast machine, days on hundreds of them.
    A key with the same first three words takes seconds, so players must compare all six. Programs always compare
    the whole key.
    """
    return spoken(digest("key-words", key)[:KEY_WORDS])


def _word(typed: str) -> str | None:
    if typed in WORDS:
        return typed
    # Fewer letters could mean several words.
    if len(typed) < BEGINNING:
        return None
    return next((word for word in WORDS if word.startswith(typed)), None)
