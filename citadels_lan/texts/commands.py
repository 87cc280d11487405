"""The commands of line mode in the reader's language (`commands.toml`). The English words always work."""

from collections.abc import Mapping, Sequence

from citadels_lan.texts.language import COMMAND, InContext, Texts


def words(group: str = "commands") -> Mapping[str, str]:
    """Return the English commands of line mode. With `group` "after": the English words that can follow a
    command."""
    from citadels_lan.texts.tables import table  # the command line uses this module and must start fast

    return table("commands.toml", group, str)


def in_english(texts: Texts, line: str) -> str:
    """Return a typed line with its command in English. A line whose command is English already, or unknown,
    is unchanged."""
    command, gap, rest = line.partition(" ")
    return f"{_english(texts, command, 'commands')}{gap}{_english(texts, rest, 'after')}"


def _english(texts: Texts, typed: str, group: str) -> str:
    own = typed.strip().casefold()
    return next((english for english in words(group) if own and word(texts, english) == own), typed)


def word(texts: Texts, english: str) -> str:
    """Return an English command in the reader's language."""
    return texts.say(InContext(COMMAND, english))


def whole_number(word: str) -> int | None:
    """Return the number that `word` writes in one to nine ASCII digits; None for any other text.
    `str.isdigit` is not enough: it also accepts characters that `int` rejects, such as "²"."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 9 else None


def whole_numbers(words: Sequence[str]) -> list[int] | None:
    """Return the numbers that these words write; None if one of the words is no number."""
    found = [number for word in words if (number := whole_number(word)) is not None]
    return found if len(found) == len(words) else None
