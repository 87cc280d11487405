"""Cleans, cuts, pads and wraps text by its width in cells. Text of other people is never parsed as markup."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rich.cells import cell_len, set_cell_size

from citadels_lan.people import clean as clean_text

NO_BREAK: Final = "\u00a0"
SELECTORS = dict.fromkeys((847, *range(6155, 6160), *range(65024, 65040)))
"""Characters that are removed, because they change the width of another character or show nothing."""


@lru_cache(256)  # The names of the players are cleaned at every drawing.
def clean(text: str, limit: int = 240) -> str:
    """Return a text of other people as one line without unsafe characters, at most `limit` characters
    long."""
    return clean_text(text.translate(SELECTORS), limit)


def cut(text: str, width: int, sign: str = "…") -> str:
    """Return the text, shortened to at most `width` cells. `sign` replaces the part that was cut off."""
    if cell_len(text) <= width:
        return text
    if width <= cell_len(sign):
        return set_cell_size(text, max(width, 0)).rstrip()
    # The text may have been cut before.
    return set_cell_size(text, width - cell_len(sign)).rstrip().removesuffix(sign) + sign


def pad(text: str, width: int, sign: str = "…") -> str:
    """Return the text cut or filled with blanks to exactly `width` cells."""
    return set_cell_size(cut(text, width, sign), width)


def wrap(text: str, width: int) -> list[str]:
    """Return text in lines of at most `width` cells, broken between words if possible."""
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


def flow(items: Iterable[str], gap: str, width: int) -> list[str]:
    """Return the items in lines of at most `width` cells, with `gap` between two items of a line. An item is
    never broken."""
    whole = gap.join(item.replace(" ", NO_BREAK) for item in items)
    return [line.replace(NO_BREAK, " ") for line in wrap(whole, width)]


def fitted(text: str, width: int, most: int, sign: str = "…") -> list[str]:
    """Return the text wrapped at `width` into at most `most` lines. `sign` replaces the part that was cut
    off."""
    rows, most = wrap(text, width), max(most, 1)
    return rows if len(rows) <= most else [*rows[: most - 1], cut(" ".join(rows[most - 1 :]), width, sign)]
