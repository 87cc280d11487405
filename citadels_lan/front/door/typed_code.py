"""A code while somebody types it: which of its words there are, and which it may have meant."""

import re
from dataclasses import dataclass
from typing import Final

from citadels_lan.crypto.words import BEGINNING, NoWord, heard
from citadels_lan.front.cells import clean
from citadels_lan.front.glyphs import Glyphs
from citadels_lan.texts import Texts, msg

BETWEEN: Final = re.compile(r"[\s\-_.,;·/+]+")
TOKEN: Final = re.compile(r"[a-z2-7]{26}")
ASKED: Final = msg("The code of the table; ask whoever opened it:")
AGAIN: Final = msg("Not in the list of words: correct it, or the same once more is tried as it is.")
MOST: Final = 6
"""Words that are judged; a code has three."""


@dataclass(frozen=True)
class Typed:
    """A word as it was typed. `word` is the one of the list that it stands for, empty where it is none; `nearest`
    are those that it may have meant; `going_on`: it is still being typed."""

    typed: str
    word: str = ""
    nearest: tuple[str, ...] = ()
    going_on: bool = False


def is_link(text: str) -> bool:
    """Whether that is no code but a table's link, or what stands at the end of it."""
    return "://" in text or TOKEN.fullmatch(text.strip().lower()) is not None


def judged(text: str) -> list[Typed]:
    """The words of a code so far."""
    parts = [part for part in BETWEEN.split(text) if part][:MOST]
    ends = not text or BETWEEN.fullmatch(text[-1]) is not None
    return [_judge(part, not ends and number == len(parts) - 1) for number, part in enumerate(parts)]


def _judge(part: str, last: bool) -> Typed:
    found = heard(part)
    if isinstance(found, str) and found and " " not in found:
        return Typed(part, found)
    if last and len(part) < BEGINNING:
        return Typed(part, going_on=True)
    return Typed(part, nearest=found.nearest if isinstance(found, NoWord) else ())


def wrong(text: str) -> list[Typed]:
    """The words that are one slip away from one of the list. Any others are words of the host's own choice."""
    return (
        []
        if is_link(text)
        else [one for one in judged(f"{text} ") if any(_slip(one.typed.lower(), word) for word in one.nearest)]
    )


def _slip(typed: str, word: str) -> bool:
    """Whether a word was typed with a letter wrong, missing or too many, or with two neighbours swapped."""
    pairs = zip(typed, word, strict=False)
    begin = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(typed), len(word)))
    ours, right = typed[begin:], word[begin:]
    return right[1:] in (ours, ours[1:]) or ours[1:] == right or ours == right[1::-1] + right[2:]


def said(texts: Texts, glyphs: Glyphs, text: str) -> list[str]:
    """A line for each word typed: a sign, and in words what it means."""
    if is_link(text):
        return [f"{glyphs.matched} {texts.say(msg('a link'))}"]
    return [_line(texts, glyphs, one) for one in judged(text)]


def _line(texts: Texts, glyphs: Glyphs, one: Typed) -> str:
    if one.going_on:
        return f"{glyphs.dot} {clean(one.typed, 20)}"
    if one.word:
        return f"{glyphs.matched} {one.word}"
    return f"{glyphs.gone} {unknown(texts, one)}"


def unknown(texts: Texts, one: Typed) -> str:
    """That a word is none, and what it may have meant."""
    typed = clean(one.typed, 20)
    if one.nearest:
        return texts.say(msg("{word}: not in the list. {nearest}?"), word=typed,
                         nearest=texts.alternatives(list(one.nearest)))  # fmt: skip
    return texts.say(msg("{word}: not in the list."), word=typed)
