"""Drawing what can be done on a screen: each thing by its letter, which always does it."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from citadels_lan.front.cells import cut
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen
from citadels_lan.ui.widgets.look import Look


@dataclass(frozen=True)
class Doing:
    """Something to do, by its letter; `detail` is said where there is room."""

    letter: str
    label: str
    detail: str = ""


def draw_doings(
    look: Look,
    drawing: Drawing,
    doings: Sequence[Doing],
    cursor: str,
    width: int,
    *,
    columns: int,
    details: bool = False,
    spaced: bool = False,
) -> None:
    """In columns, read downwards, `spaced` with a free line below each; a click chooses. `cursor` is the letter of
    the one that is pointed at."""
    shown = _split(doings, columns)
    widths = _widths(shown, width - 4, details=details)
    for row in range(len(shown[0]) if shown else 0):
        pen, start = Pen(drawing), 3
        for column, each in zip(shown, widths, strict=True):
            if row < len(column):
                _draw(look, pen.to(start), column[row], each, column[row].letter == cursor, details)
            start += each
        if spaced:
            Pen(drawing)


def fits(doings: Sequence[Doing], width: int, columns: int) -> bool:
    """Whether so many columns have room for all that is said."""
    return _spare(_split(doings, columns), width - 4) >= 0


def _split(doings: Sequence[Doing], columns: int) -> Sequence[Sequence[Doing]]:
    """Columns of about as many each, the first ones the longer."""
    rows, longer = divmod(len(doings), columns)
    starts = [number * rows + min(number, longer) for number in range(columns + 1)]
    return [doings[start:end] for start, end in itertools.pairwise(starts) if start < end]


def _widths(columns: Sequence[Sequence[Doing]], room: int, *, details: bool) -> Sequence[int]:
    """Cells of each column: as many as it wants and its part of what is left over, or else all alike."""
    count, spare = max(len(columns), 1), _spare(columns, room)
    if not details or spare < 0:
        return [room // count] * len(columns)
    return [max(map(_cells, column)) + spare // count for column in columns]


def _spare(columns: Sequence[Sequence[Doing]], room: int) -> int:
    """Cells left over where everything is said; less than none where it has no room."""
    return room - sum(max(map(_cells, column)) for column in columns)


def _cells(doing: Doing) -> int:
    """All that is said of it, and two cells up to the next column."""
    return 6 + cell_len(doing.label) + (2 + cell_len(doing.detail) if doing.detail else 0)


def _draw(look: Look, pen: Pen, doing: Doing, width: int, here: bool, details: bool) -> None:
    start = pen.x
    pen.write(look.glyphs.turn if here else " ", look.title)
    pen.write(f"{doing.letter.upper()}  ", look.title)
    pen.write(cut(doing.label, width - 6), look.strong if here else look.bold)
    if details and doing.detail:
        pen.write(cut(f"  {doing.detail}", start + width - pen.x - 1), look.dim)
    if here:
        pen.line.stylize_before(look.cursor, start, pen.x)
    pen.drawing.hits.append(Hit("choose", doing.letter, pen.y, start, start + width - 1))
