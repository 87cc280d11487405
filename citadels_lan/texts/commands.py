"""The words of commands in lines, also in the reader's language: English always works."""

from collections.abc import Mapping, Sequence
from typing import Final

from citadels_lan.texts.language import Texts

from .marks import InContext, msg_in

WORDS: Final[Mapping[str, InContext]] = {
    "help": msg_in("command", "help"),
    "end": msg_in("command", "end"),
    "table": msg_in("command", "table"),
    "hand": msg_in("command", "hand"),
    "who": msg_in("command", "who"),
    "log": msg_in("command", "log"),
    "since": msg_in("command", "since"),
    "city": msg_in("command", "city"),
    "pile": msg_in("command", "pile"),
    "brief": msg_in("command", "brief"),
    "choices": msg_in("command", "choices"),
    "guide": msg_in("command", "guide"),
    "hint": msg_in("command", "hint"),
    "hints": msg_in("command", "hints"),
    "cast": msg_in("command", "cast"),
    "keys": msg_in("command", "keys"),
    "words": msg_in("command", "words"),
    "rules": msg_in("command", "rules"),
    "say": msg_in("command", "say"),
    "lang": msg_in("command", "lang"),
    "quit": msg_in("command", "quit"),
    # Before the game
    "ready": msg_in("command", "ready"),
    "start": msg_in("command", "start"),
    "remove": msg_in("command", "remove"),
    "code": msg_in("command", "code"),
    "newcode": msg_in("command", "newcode"),
    "edition": msg_in("command", "edition"),
    "option": msg_in("command", "option"),
    "draft": msg_in("command", "draft"),
    "seats": msg_in("command", "seats"),
    "scenario": msg_in("command", "scenario"),
    "uniques": msg_in("command", "uniques"),
    # In an auction, and about those who are gone
    "pass": msg_in("command", "pass"),
    "pause": msg_in("command", "pause"),
    "handover": msg_in("command", "handover"),
    "go on": msg_in("command", "go on"),
    "bot": msg_in("command", "bot"),
    "skip": msg_in("command", "skip"),
    "without": msg_in("command", "without"),
    "return": msg_in("command", "return"),
    "conclude": msg_in("command", "conclude"),
    # At home
    "tables": msg_in("command", "tables"),
    "join": msg_in("command", "join"),
    "host": msg_in("command", "host"),
    "learn": msg_in("command", "learn"),
    "alone": msg_in("command", "alone"),
    "again": msg_in("command", "again"),
}
"""By the English word, what a reader of another language may type instead."""
AFTER: Final[Mapping[str, InContext]] = {
    "random": msg_in("command", "random"),
    "drawn": msg_in("command", "drawn"),
}
"""The same for what stands alone behind a command."""


def in_english(texts: Texts, line: str) -> str:
    """A line that was typed, with its command in English where it began with the word of the language."""
    word, gap, rest = line.partition(" ")
    return f"{_english(texts, word, WORDS)}{gap}{_english(texts, rest, AFTER)}"


def _english(texts: Texts, typed: str, known: Mapping[str, InContext]) -> str:
    own = typed.strip().casefold()
    return next((english for english, said in known.items() if own and texts.say(said) == own), typed)


def whole_number(word: str) -> int | None:
    """Return the number that up to nine ASCII digits say; None for anything else. `str.isdigit` is also true of
    signs that `int` rejects, such as "²", and of more digits than `int` converts."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 9 else None


def whole_numbers(words: Sequence[str]) -> list[int] | None:
    """Return the numbers that words say; None where one of them is no number."""
    found = [number for word in words if (number := whole_number(word)) is not None]
    return found if len(found) == len(words) else None


def word(texts: Texts, english: str) -> str:
    """How a command is typed in the reader's language."""
    return texts.say(WORDS[english])
