"""Frames with a title around drawings, and drawings beside and below each other."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from citadels_lan.front.cells import cut, wrap
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen
from citadels_lan.ui.widgets.look import Look

SIDES = 4
"""Cells that a frame takes from the width."""
EDGES = 2
"""Lines that it takes from the height."""


def frame(look: Look, title: str, inside: Drawing, width: int, height: int, *, below: str = "") -> Drawing:
    """A drawing in a frame of so many cells and lines; `below` stands in its lower edge, where lines that have no
    room are told of, too."""
    room = max(height - EDGES, 0)
    hidden = len(inside.lines) - room
    said = below or (f"{look.glyphs.down} {hidden}" if hidden > 0 else "")
    drawing = Drawing()
    _edge(look, drawing, title, look.title, width, look.glyphs.corners[:2])
    for number in range(room):
        pen = Pen(drawing).write(f"{look.glyphs.side} ", look.faint)
        if number < len(inside.lines):
            _append(pen, inside.lines[number], width - SIDES)
        pen.to(width - 2).write(f" {look.glyphs.side}", look.faint)
    _edge(look, drawing, said, look.dim, width, look.glyphs.corners[2:])
    drawing.hits += [_moved(hit, 2, 1) for hit in inside.hits if hit.y < room]
    return drawing


def _edge(look: Look, drawing: Drawing, said: str, style: Style, width: int, corners: str) -> None:
    left, right = tuple(corners)
    pen = Pen(drawing).write(f"{left}{look.glyphs.rule}", look.faint)
    if said and width > 2 * SIDES:
        pen.write(f" {cut(said, width - 6, look.glyphs.cut)} ", style)
    pen.write(look.glyphs.rule * (width - pen.x - 1) + right, look.faint)


def beside(parts: Sequence[tuple[Drawing, int]], gap: int = 1) -> Drawing:
    """Drawings side by side, each with the cells it takes."""
    whole = Drawing()
    for _ in range(max((len(drawing.lines) for drawing, _ in parts), default=0)):
        Pen(whole)
    start = 0
    for drawing, width in parts:
        for number, line in enumerate(drawing.lines):
            row = whole.lines[number]
            row.append(" " * (start - cell_len(row.plain)))
            row.append_text(line)
        whole.hits += [_moved(hit, start, 0) for hit in drawing.hits]
        start += width + gap
    return whole


def put(drawing: Drawing, part: Drawing, column: int = 0) -> None:
    """Draw a part below what is there, from a column on."""
    top = len(drawing.lines)
    for line in part.lines:
        _append(Pen(drawing).to(column), line, cell_len(line.plain))
    drawing.hits += [_moved(hit, column, top) for hit in part.hits]


def said(drawing: Drawing, text: str, width: int, style: Style | None = None, indent: int = 0) -> None:
    """A paragraph in lines of at most so many cells."""
    for line in wrap(text, max(width - indent, 1)):
        Pen(drawing).to(indent).write(line, style)


def _append(pen: Pen, line: Text, room: int) -> None:
    fitting = line.copy()
    fitting.truncate(max(room, 0))
    pen.line.append_text(fitting)
    pen.x += cell_len(fitting.plain)


def _moved(hit: Hit, cells: int, lines: int) -> Hit:
    return Hit(hit.kind, hit.key, hit.y + lines, hit.start + cells, hit.end + cells, hit.rows)
