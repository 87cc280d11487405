"""Words that people read aloud and type: one for each byte, written alike in English and Italian.

The list is part of the protocol (docs/protocol.md, section 9). Any two of its words differ in at least three
letters, no two begin with the same four, and none is the beginning of another: so a slip of tongue or finger is
noticed.
"""

import re
import unicodedata
from pathlib import Path
from typing import Final

from msgspec import Struct

from .codec import digest

FILE: Final = "words.txt"
WORDS: Final[tuple[str, ...]] = tuple(Path(__file__).with_name(FILE).read_text(encoding="ascii").split())
"""256 words in order of the alphabet; the index is the byte."""

KEY_WORDS: Final = 6
"""Words of a key that people compare."""
BEGINNING: Final = 4
"""Letters that identify a word of the list at least."""

_LONGEST: Final = 32
"""Of something typed that is no word, so many letters are kept."""
_GAPS: Final = re.compile(r"[^a-z0-9]+")


class NoWord(Struct, frozen=True):
    """What was typed as `word` is not in the list; `nearest` are up to three words that it may have meant."""

    word: str
    nearest: tuple[str, ...]


def spoken(data: bytes) -> tuple[str, ...]:
    """One word for each byte."""
    return tuple(WORDS[byte] for byte in data)


def heard(text: str) -> str | NoWord:
    """Return typed text as full words with single spaces; the first wrong word if there is one.

    Case, accents and separators do not matter, and the first four letters of a word are
    enough. How many words there are is for the caller to judge: nothing typed gives the empty string.
    """
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
    """The six words of a public key, for people who compare it aloud or on two screens.

    They are 48 bits of a hash with its own tag, so they are no words of a table. A key with the same six
    words as another is found by trying 2^48 of them: about a year of a fast machine, days for hundreds of them.
    One that only has the same three words is found in seconds: all six are to be compared. Programs compare the
    whole key, always.
    """
    return spoken(digest("key-words", key)[:KEY_WORDS])


def _word(typed: str) -> str | None:
    if typed in WORDS:
        return typed
    # Fewer letters could mean several words.
    if len(typed) < BEGINNING:
        return None
    return next((word for word in WORDS if word.startswith(typed)), None)
