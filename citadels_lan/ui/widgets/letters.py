"""Words in large letters, three lines high, readable from a distance."""

from typing import Final

GAP: Final = 3
"""Columns between words."""
HEIGHT: Final = 3
"""Lines of a large word."""
_LETTERS: Final = {
    letter: rows
    for letters, *lines in (
        ("abcdefghijklm",
         "▄▀▄ █▀▄ ▄▀▀ █▀▄ █▀▀ █▀▀ ▄▀▀ █.█ ▀█▀ ..█ █.█ █.. █▄.▄█",
         "█▀█ █▀▄ █.. █.█ █▀. █▀. █.█ █▀█ .█. ▄.█ █▀▄ █.. █.▀.█",
         "▀.▀ ▀▀. .▀▀ ▀▀. ▀▀▀ ▀.. .▀▀ ▀.▀ ▀▀▀ .▀. ▀.▀ ▀▀▀ ▀...▀"),
        ("nopqrstuvwxyz",
         "█▄.█ █▀█ █▀▄ █▀█ █▀▄ ▄▀▀ ▀█▀ █.█ █.█ █...█ █.█ █.█ ▀▀█",
         "█.▀█ █.█ █▀. █▄█ █▀▄ .▀▄ .█. █.█ █.█ █▄▀▄█ ▄▀▄ .█. ▄▀.",
         "▀..▀ ▀▀▀ ▀.. ..▀ ▀.▀ ▀▀. .▀. ▀▀▀ .▀. ▀...▀ ▀.▀ .▀. ▀▀▀"),
    )
    for letter, *rows in zip(letters, *map(str.split, lines), strict=True)
}  # fmt: skip
"""The lines of each letter. A dot is a blank."""


def large(words: str, width: int) -> list[str]:
    """Return words in large letters side by side. Empty if they need more than `width` columns or have an unknown
    letter."""
    if any(letter not in _LETTERS for word in words.split() for letter in word):
        return []
    rows = [(" " * GAP).join(_word(word, row) for word in words.split()) for row in range(HEIGHT)]
    return rows if rows[0] and len(rows[0]) <= width else []


def _word(word: str, row: int) -> str:
    """Return row `row` of a word in large letters."""
    return " ".join(_LETTERS[letter][row] for letter in word).replace(".", " ")
