"""Text of other people, and text in columns: cleaned, cut and padded by cells, never parsed as markup."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rich.cells import cell_len, set_cell_size

from citadels_lan.people import clean as clean_text

NO_BREAK: Final = "\u00a0"
SELECTORS = dict.fromkeys((847, *range(6155, 6160), *range(65024, 65040)))
"""Characters that change the width of another one, or show nothing."""


@lru_cache(256)  # The names of the players are cleaned at every drawing.
def clean(text: str, limit: int = 240) -> str:
    """Return text of other people in a form that is safe to show, in one line."""
    return clean_text(text.translate(SELECTORS), limit)


def cut(text: str, width: int, sign: str = "…") -> str:
    """Return text shortened to at most `width` cells. `sign` replaces the missing end."""
    if cell_len(text) <= width:
        return text
    if width <= cell_len(sign):
        return set_cell_size(text, max(width, 0)).rstrip()
    # The text may have been cut before.
    return set_cell_size(text, width - cell_len(sign)).rstrip().removesuffix(sign) + sign


def pad(text: str, width: int, sign: str = "…") -> str:
    """Return text in exactly `width` cells."""
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
    """Return items in lines, with a gap between two items. Lines break only between items."""
    whole = gap.join(item.replace(" ", NO_BREAK) for item in items)
    return [line.replace(NO_BREAK, " ") for line in wrap(whole, width)]


def fitted(text: str, width: int, most: int, sign: str = "…") -> list[str]:
    """Return text shortened to at most this many lines. `sign` replaces the missing end."""
    rows, most = wrap(text, width), max(most, 1)
    return rows if len(rows) <= most else [*rows[: most - 1], cut(" ".join(rows[most - 1 :]), width, sign)]
