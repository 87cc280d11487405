"""Words in large letters, three lines high, readable from a distance."""

from typing import Final

GAP: Final = 3
"""Columns between words."""
_ROWS: Final = 5
_LETTERS: Final = {
    "a": ".#. #.# ### #.# #.#",
    "b": "##. #.# ##. #.# ##.",
    "c": ".## #.. #.. #.. .##",
    "d": "##. #.# #.# #.# ##.",
    "e": "### #.. ##. #.. ###",
    "f": "### #.. ##. #.. #..",
    "g": ".## #.. #.# #.# .##",
    "h": "#.# #.# ### #.# #.#",
    "i": "### .#. .#. .#. ###",
    "j": "..# ..# ..# #.# .#.",
    "k": "#.# #.# ##. #.# #.#",
    "l": "#.. #.. #.. #.. ###",
    "m": "#...# ##.## #.#.# #...# #...#",
    "n": "#..# ##.# #.## #..# #..#",
    "o": "### #.# #.# #.# ###",
    "p": "##. #.# ##. #.. #..",
    "q": "### #.# #.# ### ..#",
    "r": "##. #.# ##. #.# #.#",
    "s": ".## #.. .#. ..# ##.",
    "t": "### .#. .#. .#. .#.",
    "u": "#.# #.# #.# #.# ###",
    "v": "#.# #.# #.# #.# .#.",
    "w": "#...# #...# #.#.# ##.## #...#",
    "x": "#.# #.# .#. #.# #.#",
    "y": "#.# #.# .#. .#. .#.",
    "z": "### ..# .#. #.. ###",
}
"""Five rows of dots for each letter."""
_HALVES: Final = {"##": "█", "#.": "▀", ".#": "▄", "..": " "}
"""Characters for two dots of a column, the upper one first."""
HEIGHT: Final = 3
"""Lines of a large word."""


def large(words: str, width: int) -> list[str]:
    """Return words in large letters side by side. Empty if they need more than `width` columns or have an unknown
    letter."""
    if any(letter not in _LETTERS for word in words.split() for letter in word):
        return []
    rows = [(" " * GAP).join(_word(word, row) for word in words.split()) for row in range(HEIGHT)]
    return rows if rows[0] and len(rows[0]) <= width else []


def _word(word: str, row: int) -> str:
    """Return one line of a word."""
    return " ".join(
        "".join(
            _HALVES["".join(pair)] for pair in zip(_dots(letter, 2 * row), _dots(letter, 2 * row + 1), strict=True)
        )
        for letter in word
    )


def _dots(letter: str, row: int) -> str:
    rows = _LETTERS[letter].split()
    return rows[row] if row < _ROWS else "." * len(rows[0])
