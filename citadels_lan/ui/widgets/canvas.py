"""Drawings (lines of styled text in which parts can be clicked), and a widget that shows a drawing. A single
such widget is much faster than a Textual widget for each card."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from msgspec import Struct, field
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.color import TRANSPARENT
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from citadels_lan.presenter.text_width import cut, pad
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.program import program


class Hit(Struct, frozen=True):
    """A part of a drawing that can be clicked, such as a card. `kind` and `key` identify it. It covers `rows`
    lines from line `y` on, and the columns from `start` up to but not including `end`."""

    kind: str
    key: str
    y: int
    start: int
    end: int
    rows: int = 1

    def covers(self, x: int, y: int) -> bool:
        return self.y <= y < self.y + self.rows and self.start <= x < self.end


class Drawing(Struct):
    """The lines of a drawing, and the parts of it that can be clicked."""

    lines: list[Text] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)

    def at(self, x: int, y: int) -> int | None:
        """Return the index of the part at this column and line; None if there is none."""
        return next((number for number, hit in enumerate(self.hits) if hit.covers(x, y)), None)


class Pen:
    """Writes one line of a drawing, from left to right. The text is never parsed as markup."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.line = Text(no_wrap=True, end="")
        self.x = 0
        self.y = len(drawing.lines)
        drawing.lines.append(self.line)

    def write(self, text: str, style: Style | None = None) -> "Pen":
        if text:
            self.line.append(text, style)
            self.x += cell_len(text)
        return self

    def to(self, column: int) -> "Pen":
        """Fill the line with blanks up to a column, and continue there."""
        return self.write(" " * (column - self.x))

    def thing(self, kind: str, key: str, text: str, style: Style | None = None, rows: int = 1) -> "Pen":
        """Write a text as a part that can be clicked."""
        start = self.x
        self.write(text, style)
        self.drawing.hits.append(Hit(kind, key, self.y, start, self.x, rows))
        return self


def heading(look: Look, pen: Pen, title: str, end: int) -> Pen:
    """Write a title, and a horizontal rule after it up to the column `end`."""
    pen.write(f" {cut(title, end - 2, look.glyphs.cut)} ", look.title)
    return pen.write(look.glyphs.rule * (end - pen.x), look.faint)


def write_lines(drawing: Drawing, lines: Iterable[str], style: Style | None = None, indent: int = 1) -> None:
    """Append the lines to the drawing, each after `indent` blanks."""
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
    """Draw a frame around `lines`. The first pen writes the upper edge with `head` in it, the last one the
    lower edge with `foot` in it, and the others the lines between."""
    glyphs, inner = look.glyphs, width - 2
    for pen, (text, style), corners in ((pens[0], head, glyphs.corners[:2]), (pens[-1], foot, glyphs.corners[2:])):
        pen.write(corners[0], frame).write(text, style)
        pen.write(f"{glyphs.rule * (inner - cell_len(text))}{corners[1]}", frame)
    for pen, (text, style) in zip(pens[1:-1], lines, strict=True):
        pen.write(glyphs.side, frame).write(pad(text, inner, ""), style).write(glyphs.side, frame)


BLANK: Final = Text()
"""The line that is shown below the end of a drawing."""


class Canvas(Widget):
    """A widget that shows the drawing which `draw` returns, and posts clicks on its parts. If `POINTS` is
    true, the arrow keys move a cursor over the parts."""

    ALLOW_SELECT = False
    POINTS: bool = False
    """Whether the arrow keys move a cursor over the parts of the drawing."""

    @dataclass
    class Pointed(Message):
        """A part was clicked, or chosen with Enter under the cursor."""

        canvas: "Canvas"
        hit: Hit

        @property
        def control(self) -> "Canvas":
            return self.canvas

    class Stepped(Message):
        """The cursor has moved to another part."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as every widget of Textual has it
        super().__init__(id=id)
        self.cursor: int | None = None
        self._drawing = Drawing()
        self._strips: dict[int, Strip] = {}
        self._ground = Style()
        self._background = TRANSPARENT
        self._drawn_for: Look | None = None
        self._drawn: Size | None = None
        self._drawn_in: Size | None = None
        self._comparing = False
        self.waiting = False
        """Whether this canvas waits for the next layout, which changes its size, and is not drawn before."""

    def draw(self, width: int, height: int) -> Drawing:
        """Return the drawing for this width and height."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw again once before the next screen refresh, however often this is called before. Only changed
        lines are painted."""
        self._drawn = None
        # Before the first drawing there are no strips to compare with.
        if self._drawn_in is None:
            self.refresh()
        elif not self._comparing:
            self._comparing = True
            self.call_later(self._compare)

    def _compare(self) -> None:
        """Draw again and paint the changed lines. A canvas that is hidden does so when it becomes visible."""
        self._comparing = False
        # Drawing for a screen that is covered would be wasted.
        seen = self.is_attached and self.display and self.size and self.app.screen is self.screen
        if self.waiting or not seen:
            self.refresh()
        else:
            self._draw_anew()

    @property
    def drawing(self) -> Drawing:
        """The current drawing."""
        if self._drawn != self.size:
            self._draw_anew()
        return self._drawing

    def _draw_anew(self) -> None:
        """Call `draw`, and repaint only the lines that have changed."""
        width, height = size = self.size
        self.waiting = False
        before, self._drawing = self._drawing, self.draw(width, height)
        look, drawn_in, self._drawn, self._drawn_in = program(self.app).look, self._drawn_in, size, size
        hits = self._drawing.hits
        # Parts may have gone, so the cursor moves to the last one.
        if self.cursor is not None and self.cursor >= len(hits):
            self.cursor = len(hits) - 1 if hits else None
        # Another width or look changes every strip.
        if drawn_in is None or drawn_in.width != width or look is not self._drawn_for:
            self._drawn_for, self._strips = look, {}
            self.refresh()
            return
        pairs = zip_longest(before.lines, self._drawing.lines, fillvalue=BLANK)
        changed = [
            y
            for y, (one, other) in enumerate(pairs)  # also lines that have no room now, whose strips may be kept
            if one is not other and (one != other or one.style != other.style)  # Text compares no style of its own
        ]
        for y in changed:
            self._strips.pop(y, None)
        if drawn_in != size or (self.POINTS and self.has_focus and before.hits != hits):
            self.refresh()
        elif changed and changed[0] < height:
            self.refresh(*(Region(0, y, width, 1) for y in changed if y < height))

    @property
    def pointed(self) -> Hit | None:
        """The part under the cursor."""
        hits = self.drawing.hits
        return hits[self.cursor] if self.cursor is not None and self.cursor < len(hits) else None

    def render_lines(self, crop: Region) -> list[Strip]:
        if self._drawn != self.size:  # before Textual asks for any line
            self._draw_anew()
        base = self.rich_style
        if base != self._ground:
            self._ground, self._background, self._strips = base, self.background_colors[1], {}
        if self.gutter or self.opacity != 1:
            return super().render_lines(crop)
        start, end = crop.column_span
        marks = self.POINTS and self.has_focus  # otherwise the strips are shown unchanged
        strips = [(None if marks else self._strips.get(y)) or self.render_line(y) for y in crop.line_range]
        return strips if end - start == self.size.width else [strip.crop(start, end) for strip in strips]

    def render_line(self, y: int) -> Strip:
        strip = self._strips.get(y)
        if strip is None:
            lines = self.drawing.lines
            strip = self._strips[y] = self._strip(lines[y] if y < len(lines) else BLANK)
        # The cursor is not part of the kept strip, so moving it draws nothing again.
        hit = self.pointed if self.POINTS and self.has_focus else None
        if hit is not None and hit.y <= y < hit.y + hit.rows:
            return _marked(strip, hit.start, hit.end, self.size.width)
        return strip

    def _strip(self, line: Text) -> Strip:
        """Return a line as a Textual strip. All steps are in one function, because Textual would create an
        intermediate strip in each step."""
        app, width = self.app, self.size.width
        segments = line.render(app.console)
        fitting = Segment.adjust_line_length(list(segments), width)
        shown = list(Segment.apply_style(fitting, self._ground))
        for line_filter in app.get_line_filters():
            shown = line_filter.apply(shown, self._background)
        return Strip(shown, width)

    # The card cursor

    def step(self, dx: int, dy: int) -> None:
        """Move the cursor to the nearest part in the direction (`dx`, `dy`)."""
        hits = self.drawing.hits
        if not hits:
            return
        if self.cursor is None:
            self.cursor = 0
        else:
            here = hits[self.cursor]
            ahead = [number for number, hit in enumerate(hits) if _ahead(here, hit, dx, dy)]
            if ahead:
                # Up and down go to the nearest line, and there to the nearest part.
                self.cursor = min(ahead, key=lambda number: _distance(here, hits[number], dx))
        self._stepped()

    def _stepped(self) -> None:
        self.refresh()
        if self.POINTS:
            self.post_message(self.Stepped())

    def on_focus(self) -> None:
        if self.POINTS and self.cursor is None and self.drawing.hits:
            self.cursor = 0
        self._stepped()

    def on_blur(self) -> None:
        self._stepped()

    def on_key(self, event: events.Key) -> None:
        if not self.POINTS:
            return
        moves = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
        if event.key in moves:
            self.step(*moves[event.key])
        elif event.key == "enter" and self.pointed is not None:
            self.post_message(self.Pointed(self, self.pointed))
        else:
            return
        event.stop()

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        number = self.drawing.at(*place) if place is not None else None
        if number is not None:
            self.cursor = number
            self.refresh()
            self.post_message(self.Pointed(self, self.drawing.hits[number]))


def _marked(strip: Strip, start: int, end: int, width: int) -> Strip:
    """Return a strip with the columns from `start` up to `end` shown inverse."""
    before, inside, after = strip.crop(0, start), strip.crop(start, end), strip.crop(end, width)
    return Strip.join([before, Strip([*inside]).apply_style(Style(reverse=True)), after])


def _ahead(here: Hit, there: Hit, dx: int, dy: int) -> bool:
    if dy:
        return (there.y - here.y) * dy > 0
    return there.y == here.y and (there.start - here.start) * dx > 0


def _distance(here: Hit, there: Hit, dx: int) -> tuple[int, int]:
    rows, cells = abs(there.y - here.y), abs(there.start - here.start)
    return (cells, rows) if dx else (rows, cells)


class DrawnBy(Canvas):
    """A canvas whose drawing is made by a function of width and height."""

    def __init__(self, id: str, draw: Callable[[int, int], Drawing]) -> None:  # noqa: A002 - as every widget has it
        super().__init__(id=id)
        self._draw = draw

    def draw(self, width: int, height: int) -> Drawing:
        return self._draw(width, height)
