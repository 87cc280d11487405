"""A list to choose from on the quieter screens: arrows, numbers or a click; a line may carry a value to change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message

from citadels_lan.front.cells import cut, pad

from .canvas import Canvas
from .drawing import Drawing, Hit, Pen
from .look import Look

LABEL = 24
"""Cells of a label before a value."""


@dataclass(frozen=True)
class Row:
    """A line: `key` names it when it is chosen, empty where it is only read. `value` can be changed with left and
    right. `warns`: what stands here is to be noticed. `aside`: it has no number, and the cursor does not begin
    on it. `letter`: the key of the screen that does the same, shown instead of a number."""

    key: str
    label: str
    detail: str = ""
    value: str | None = None
    warns: bool = False
    aside: bool = False
    letter: str = ""


class ChoiceList(Canvas, can_focus=True):
    """Shows rows; posts `Chosen` for the one chosen, `Changed` for a value and `Moved` where the cursor went."""

    class Chosen(Message):
        """Enter or a click on a row."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Changed(Message):
        """Left or right on a row with a value."""

        def __init__(self, key: str, step: int) -> None:
            super().__init__()
            self.key = key
            self.step = step

    class Moved(Message):
        """The cursor may be on another row."""

    def __init__(self, look: Callable[[], Look], *, id: str | None = None, numbers: bool = True) -> None:  # noqa: A002
        super().__init__(id=id)
        self._look = look
        self._numbers = numbers
        self._first = 0
        self._gone = ""
        self.rows: list[Row] = []
        self.row = 0

    def put(self, rows: Sequence[Row]) -> None:
        """Show these rows. The cursor stays on its row; while that row is gone, it stands on the first row."""
        key = self._gone or (self.current.key if self.current else "")
        self.rows = list(rows)
        keys = [row.key for row in self.rows]
        self._gone = "" if key in keys else key
        first = (place for place, row in enumerate(self.rows) if row.key and not row.aside)
        self.row = keys.index(key) if key and key in keys else next(first, 0)
        self.redraw()

    def point(self, number: int) -> None:
        """Put the cursor on the row of this number, counted from 0."""
        self._jump(number + 1)
        self.redraw()

    @property
    def current(self) -> Row | None:
        return self.rows[self.row] if self.row < len(self.rows) else None

    def on_key(self, event: events.Key) -> None:
        moves = {"up": -1, "down": 1, "k": -1, "j": 1}
        if event.key in moves:
            self._move(moves[event.key])
        elif event.key.isdecimal():
            self._jump(int(event.key))
        elif event.key in ("left", "right") and self.current and self.current.value is not None:
            self.post_message(self.Changed(self.current.key, 1 if event.key == "right" else -1))
        elif event.key == "enter":
            self._choose()
        else:
            return
        event.stop()
        self.post_message(self.Moved())
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        number = self.hit_by(event)
        if number is None or event.chain > 1:
            return
        self._go(int(self.drawing.hits[number].key))
        self._choose()
        self.redraw()

    def _choose(self) -> None:
        row = self.current
        if row is None or not row.key:
            return
        if row.value is not None:
            self.post_message(self.Changed(row.key, 1))
        else:
            self.post_message(self.Chosen(row.key))

    def _move(self, step: int) -> None:
        for distance in range(1, len(self.rows) + 1):
            row = (self.row + step * distance) % len(self.rows)
            if self.rows[row].key:
                self._go(row)
                return

    def _go(self, row: int) -> None:
        """Put the cursor on a row that the player means."""
        self.row, self._gone = row, ""

    def _numbered(self) -> list[int]:
        return [place for place, row in enumerate(self.rows) if _numbered(row)]

    def _jump(self, number: int) -> None:
        choosable = self._numbered()
        if 1 <= number <= len(choosable):
            self._go(choosable[number - 1])

    def draw(self, width: int, height: int) -> Drawing:
        drawing = Drawing()
        self._first = min(self._first, self.row, max(len(self.rows) - height, 0))
        self._first = max(self._first, self.row - height + 1)
        number = sum(1 for place in self._numbered() if place < self._first)
        for place in range(self._first, min(self._first + height, len(self.rows))):
            number += _numbered(self.rows[place])
            self._line(drawing, place, number, width)
        below = len(self.rows) - self._first - height
        if below > 0 and drawing.lines:
            self._mark(drawing.lines[-1], f"{self._look().glyphs.down} {below}", width)
        if self._first and drawing.lines:
            self._mark(drawing.lines[0], f"{self._look().glyphs.up} {self._first}", width)
        return drawing

    def _mark(self, line: Text, said: str, width: int) -> None:
        """How many rows have no room, at the end of a line."""
        said = f" {said}"
        room = max(width - len(said), 0)
        if cell_len(line.plain.rstrip()) > room:
            line.truncate(max(room - 1, 0))
            line.append(self._look().glyphs.cut, self._look().dim)
        line.truncate(room)
        line.append(" " * (width - len(said) - cell_len(line.plain)))
        line.append(said, self._look().dim)

    def _line(self, drawing: Drawing, place: int, number: int, width: int) -> None:
        look, row = self._look(), self.rows[place]
        pen = Pen(drawing)
        if not row.key:
            style = look.danger if row.warns else None if row.aside else look.dim
            pen.write(cut(f" {row.label}", width), style)
            return
        here = place == self.row
        y = pen.y
        pen.write(look.glyphs.turn if here else " ", look.title)
        if row.letter:
            pen.write(f"{row.letter.upper()} ", look.title)
        elif not row.aside:
            pen.write(f"{number if number < 10 and self._numbers else ' '} ", look.title)
        if row.value is not None:
            pen.write(pad(row.label, LABEL), look.strong if here else None)
            arrows = "< {} >" if here else "  {}  "
            pen.write(arrows.format(row.value), look.title)
        else:
            said = look.danger if row.warns else None
            pen.write(cut(row.label, width - pen.x - 1), look.strong if here else said)
        if row.detail:
            pen.write(cut(f"   {row.detail}", width - pen.x - 1), look.dim)
        if here:
            pen.to(width).line.stylize_before(Style(bgcolor=look.palette.cursor))
        drawing.hits.append(Hit("row", str(place), y, 0, width))


def _numbered(row: Row) -> bool:
    return bool(row.key) and not row.aside and not row.letter
