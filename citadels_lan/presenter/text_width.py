"""Text from strangers, and text in columns: cleaned, cut and padded by cells, never read as markup."""

from collections.abc import Iterable
from functools import lru_cache

from rich.cells import cell_len, set_cell_size

from citadels_lan.people import clean as clean_text
from citadels_lan.texts.pages import BULLET

SELECTORS = dict.fromkeys((847, *range(6155, 6160), *range(65024, 65040)))
"""Marks that change how wide a character is drawn, or nothing at all."""


@lru_cache(256)  # The names of the players are cleaned at every drawing.
def clean(text: str, limit: int = 240) -> str:
    """Text of strangers that may be shown, in one line."""
    return clean_text(text.translate(SELECTORS), limit)


def cut(text: str, width: int, sign: str = "…") -> str:
    """Text in at most `width` cells; `sign` shows that something is missing."""
    if cell_len(text) <= width:
        return text
    if width <= cell_len(sign):
        return set_cell_size(text, max(width, 0)).rstrip()
    # The text may have been cut before.
    return set_cell_size(text, width - cell_len(sign)).rstrip().removesuffix(sign) + sign


def pad(text: str, width: int, sign: str = "…") -> str:
    """Text in exactly `width` cells."""
    return set_cell_size(cut(text, width, sign), width)


def wrap(text: str, width: int) -> list[str]:
    """Text in lines of at most `width` cells, broken between words where that can be."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if cell_len(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        line = word
        # A single word that is too long must be broken.
        while cell_len(line) > width > 1:
            head = set_cell_size(line, width).rstrip()
            lines.append(head)
            line = line[len(head) :]
    lines.append(line)
    return lines


def wrap_all(texts: Iterable[str], width: int) -> list[str]:
    """Several texts, each wrapped; the later rows of a special case are indented below its dash."""
    rows: list[str] = []
    for text in texts:
        indent = " " * len(BULLET) if text.startswith(BULLET) else ""
        first, *more = wrap(text.removeprefix(BULLET), width - len(indent))
        rows += [text[: len(indent)] + first, *(indent + row for row in more)]
    return rows


def fitted(text: str, width: int, most: int, sign: str = "…") -> list[str]:
    """Text in at most so many lines; `sign` shows that something is missing."""
    rows, most = wrap(text, width), max(most, 1)
    return rows if len(rows) <= most else [*rows[: most - 1], cut(" ".join(rows[most - 1 :]), width, sign)]
