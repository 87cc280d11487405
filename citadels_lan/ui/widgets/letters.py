"""Words in large letters, three lines high, that can be read from a distance."""

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
"""The three lines of each large letter. A dot stands for a blank."""


def large(words: str, width: int) -> list[str]:
    """Return the three lines of `words` in large letters side by side. Return an empty list if they need more
    than `width` columns, or contain a letter that has no large form."""
    if any(letter not in _LETTERS for word in words.split() for letter in word):
        return []
    rows = [(" " * GAP).join(_word(word, row) for word in words.split()) for row in range(HEIGHT)]
    return rows if rows[0] and len(rows[0]) <= width else []


def _word(word: str, row: int) -> str:
    """Return the line with the number `row` of a word in large letters."""
    return " ".join(_LETTERS[letter][row] for letter in word).replace(".", " ")
