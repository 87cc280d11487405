"""Text from strangers, and text in columns: cleaned, cut and padded by cells, never read as markup."""

import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

JOINERS = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0")
"""Characters that take no cell, or look like none, without being marked as formatting."""
MARKS_KEPT = 2
"""How many combining marks one letter keeps: languages need two, stacks of them paint over other lines."""


def clean(text: str, limit: int = 400) -> str:
    """Text without control, bidirectional, zero-width and private characters and stacked marks, on one line."""
    flat = " ".join("".join(_kept(text[: limit * 4])).split())
    return flat[:limit]


def _kept(text: str) -> Iterator[str]:
    marks = MARKS_KEPT
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        if category in ("Mn", "Me", "Mc"):
            marks += 1
            if marks > MARKS_KEPT or char in JOINERS or unicodedata.name(char, "").startswith("VARIATION"):
                continue
            yield char
        elif category.startswith("Z") or char in "\t\n\r":
            marks = 0
            yield " "
        elif not category.startswith("C") and char not in JOINERS:
            marks = 0
            yield char


def cut(text: str, width: int, sign: str = "…") -> str:
    """Text in at most `width` cells; `sign` shows that something is missing."""
    if cell_len(text) <= width:
        return text
    if width <= cell_len(sign):
        return set_cell_size(text, max(width, 0)).rstrip()
    return set_cell_size(text, width - cell_len(sign)).rstrip() + sign


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
        while cell_len(line) > width > 1:
            head = set_cell_size(line, width).rstrip()
            lines.append(head)
            line = line[len(head) :]
    lines.append(line)
    return lines
