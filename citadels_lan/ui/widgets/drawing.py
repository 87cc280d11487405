"""Lines of styled text, and what stands where in them, for the mouse and the card cursor."""

from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from citadels_lan.front.cells import cut

from .look import Look


@dataclass(frozen=True)
class Hit:
    """Something that can be pointed at: `kind` and `key` say what it is; it covers `rows` lines from line `y` and
    the cells `start` to `end` (not included)."""

    kind: str
    key: str
    y: int
    start: int
    end: int
    rows: int = 1

    def covers(self, x: int, y: int) -> bool:
        return self.y <= y < self.y + self.rows and self.start <= x < self.end


@dataclass
class Drawing:
    """What a widget shows."""

    lines: list[Text] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)

    def at(self, x: int, y: int) -> int | None:
        """The number of the hit at a place, if there is one."""
        for number, hit in enumerate(self.hits):
            if hit.covers(x, y):
                return number
        return None


class Pen:
    """Writes one line and knows in which cell it is. What is written is never read as markup."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.line = Text(no_wrap=True, end="")
        self.x = 0
        self.y = len(drawing.lines)
        drawing.lines.append(self.line)

    @classmethod
    def after(cls, drawing: Drawing) -> "Pen":
        """Goes on at the end of the last line."""
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
        """Go on at a column to the right."""
        return self.write(" " * (column - self.x))

    def thing(self, kind: str, key: str, text: str, style: Style | None = None, rows: int = 1) -> "Pen":
        """Write something that can be pointed at."""
        start = self.x
        self.write(text, style)
        self.drawing.hits.append(Hit(kind, key, self.y, start, self.x, rows))
        return self


def heading(look: Look, pen: Pen, title: str, end: int) -> Pen:
    """A title with a rule behind it up to a column."""
    pen.write(f" {cut(title, end - 2, look.glyphs.cut)} ", look.title)
    return pen.write(look.glyphs.rule * (end - pen.x), look.faint)
