"""Drawing what can be done on a screen: each thing by its letter, which always does it."""

from collections.abc import Sequence
from dataclasses import dataclass

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
    rows = -(-len(doings) // columns)
    each = (width - 4) // columns
    for row in range(rows):
        pen = Pen(drawing)
        for column in range(columns):
            place = column * rows + row
            if place < len(doings):
                _draw(
                    look, pen.to(3 + column * each), doings[place], each, doings[place].letter == cursor, details
                )
        if spaced:
            Pen(drawing)


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
