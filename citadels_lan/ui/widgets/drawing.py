"""Lines of styled text, and the places of their parts for the mouse and the cursor."""

from collections.abc import Iterable, Sequence

from msgspec import Struct, field
from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from citadels_lan.presenter.text_width import cut, pad

from .look import Look


class Hit(Struct, frozen=True):
    """A part that can be pointed at, identified by `kind` and `key`. It covers `rows` lines from line `y` and the
    columns from `start` up to but not including `end`."""

    kind: str
    key: str
    y: int
    start: int
    end: int
    rows: int = 1

    def covers(self, x: int, y: int) -> bool:
        return self.y <= y < self.y + self.rows and self.start <= x < self.end


class Drawing(Struct):
    """Lines and their parts."""

    lines: list[Text] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)

    def at(self, x: int, y: int) -> int | None:
        """The number of the hit at a place, if there is one."""
        for number, hit in enumerate(self.hits):
            if hit.covers(x, y):
                return number
        return None


class Pen:
    """Writes one line at a column. The text is never parsed as markup."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.line = Text(no_wrap=True, end="")
        self.x = 0
        self.y = len(drawing.lines)
        drawing.lines.append(self.line)

    @classmethod
    def after(cls, drawing: Drawing) -> "Pen":
        """Return a pen at the end of the last line."""
        pen = cls.__new__(cls)
        pen.drawing, pen.line, pen.y = drawing, drawing.lines[-1], len(drawing.lines) - 1
        pen.x = cell_len(pen.line.plain)
        return pen

    def write(self, text: str, style: Style | None = None) -> "Pen":
        if text:
            self.line.append(text, style)
            self.x += cell_len(text)
        return self

    def to(self, column: int) -> "Pen":
        """Continue at a column to the right."""
        return self.write(" " * (column - self.x))

    def thing(self, kind: str, key: str, text: str, style: Style | None = None, rows: int = 1) -> "Pen":
        """Write a part that can be pointed at."""
        start = self.x
        self.write(text, style)
        self.drawing.hits.append(Hit(kind, key, self.y, start, self.x, rows))
        return self


def heading(look: Look, pen: Pen, title: str, end: int) -> Pen:
    """Write a title and a rule behind it up to a column."""
    pen.write(f" {cut(title, end - 2, look.glyphs.cut)} ", look.title)
    return pen.write(look.glyphs.rule * (end - pen.x), look.faint)


def write_lines(drawing: Drawing, lines: Iterable[str], style: Style | None = None, indent: int = 1) -> None:
    """Write each line below the last one, after some blanks."""
    for line in lines:
        Pen(drawing).write(f"{'':{indent}}{line}", style)


Styled = tuple[str, Style | None]
"""A text and its style."""


def box(
    look: Look,
    pens: Sequence[Pen],
    width: int,
    frame: Style | None,
    lines: Sequence[Styled],
    head: Styled = ("", None),
    foot: Styled = ("", None),
) -> None:
    """A frame with a line inside for each pen but the first and the last. Those write the edges, with `head` and
    `foot` in them."""
    glyphs, inner = look.glyphs, width - 2
    for pen, (text, style), corners in ((pens[0], head, glyphs.corners[:2]), (pens[-1], foot, glyphs.corners[2:])):
        pen.write(corners[0], frame).write(text, style)
        pen.write(f"{glyphs.rule * (inner - cell_len(text))}{corners[1]}", frame)
    for pen, (text, style) in zip(pens[1:-1], lines, strict=True):
        pen.write(glyphs.side, frame).write(pad(text, inner, ""), style).write(glyphs.side, frame)
