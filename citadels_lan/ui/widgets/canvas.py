"""A widget that shows a drawing line by line: one of it costs far less than a widget per card."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from citadels_lan.front.glyphs import ASCII
from citadels_lan.ui.widgets.program import program

from .drawing import Drawing, Hit
from .look import Look

TO_ASCII = str.maketrans("·…’“”–—", '-~\'""--')
"""Typographic characters of texts, for terminals without them."""


class Canvas(Widget):
    """Shows what `draw` returns and tells what is pointed at. Where it may be focused, the arrow keys move over
    the things in the drawing."""

    ALLOW_SELECT = False
    POINTS: ClassVar[bool] = False
    """Whether arrows move a cursor over the things in the drawing, and they can be asked about."""

    class Pointed(Message):
        """Something was clicked, or Enter pressed on it."""

        def __init__(self, canvas: "Canvas", hit: Hit) -> None:
            super().__init__()
            self.canvas = canvas
            self.hit = hit

        @property
        def control(self) -> "Canvas":
            return self.canvas

    class Stepped(Message):
        """The cursor is on another thing, or gone."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as every widget of Textual has it
        super().__init__(id=id)
        self.cursor: int | None = None
        self._drawing = Drawing()
        self._strips: dict[int, Strip] = {}
        self._ground = Style()
        self._drawn_for: Look | None = None
        self._drawn: Size | None = None
        self._drawn_in: Size | None = None
        self._comparing = False

    def draw(self, width: int, height: int) -> Drawing:
        """What to show in so many cells and lines."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw anew at the next frame, however often this is asked for before it; only lines that are different
        are painted."""
        self._drawn = None
        if self._drawn_in is None:
            self.refresh()
        elif not self._comparing:
            self._comparing = True
            self.call_later(self._compare)

    def _compare(self) -> None:
        """Have painted what has changed. What nobody sees now is drawn when it is seen again."""
        self._comparing = False
        if not self.is_attached or not self.display or not self.size or self.app.screen is not self.screen:
            self.refresh()
        else:
            self._draw_anew()

    @property
    def drawing(self) -> Drawing:
        """What is shown now."""
        if self._drawn != self.size:
            self._draw_anew()
        return self._drawing

    def _draw_anew(self) -> None:
        """Draw, and keep the strips of the lines that are as they were."""
        before, self._drawing = self._drawing, self.draw(self.size.width, self.size.height)
        look, resized = program(self.app).look, self._drawn_in != self.size
        self._drawn = self._drawn_in = self.size
        if self.cursor is not None and self.cursor >= len(self._drawing.hits):
            self.cursor = len(self._drawing.hits) - 1 if self._drawing.hits else None
        if resized or look is not self._drawn_for or (self.POINTS and before.hits != self._drawing.hits):
            self._drawn_for, self._strips = look, {}
            self.refresh()
            return
        changed = [y for y in range(self.size.height) if not _same(_line(before, y), _line(self._drawing, y))]
        for y in changed:
            self._strips.pop(y, None)
        if changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    @property
    def pointed(self) -> Hit | None:
        """What is under the card cursor."""
        hits = self.drawing.hits
        return hits[self.cursor] if self.cursor is not None and self.cursor < len(hits) else None

    def render_lines(self, crop: Region) -> list[Strip]:
        if self._drawn != self.size:  # before any line is asked for
            self._draw_anew()
        base = self.rich_style
        if base != self._ground:
            self._ground, self._strips = base, {}
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        if y not in self._strips:
            self._strips[y] = self._strip(_line(self.drawing, y))
        strip = self._strips[y]
        hit = self.pointed if self.POINTS and self.has_focus else None
        if hit is not None and hit.y <= y < hit.y + hit.rows:
            return _marked(strip, hit.start, hit.end, self.size.width)
        return strip

    def _strip(self, line: Text) -> Strip:
        segments = line.render(self.app.console)
        if program(self.app).look.glyphs is ASCII:
            segments = (Segment(segment.text.translate(TO_ASCII), segment.style) for segment in segments)
        strip = Strip(segments).adjust_cell_length(self.size.width)
        return strip.apply_style(self._ground) if self._ground else strip

    # The card cursor

    def step(self, dx: int, dy: int) -> None:
        """Move the cursor to the nearest thing in a direction."""
        hits = self.drawing.hits
        if not hits:
            return
        if self.cursor is None:
            self.cursor = 0
        else:
            here = hits[self.cursor]
            ahead = [number for number, hit in enumerate(hits) if _ahead(here, hit, dx, dy)]
            if ahead:
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

    def hit_by(self, event: events.MouseEvent) -> int | None:
        """The number of what the mouse is on; nothing beside the drawing."""
        place = event.get_content_offset(self)
        return self.drawing.at(*place) if place is not None else None

    def on_click(self, event: events.Click) -> None:
        number = self.hit_by(event)
        if number is not None:
            self.cursor = number
            self.refresh()
            self.post_message(self.Pointed(self, self.drawing.hits[number]))


def _line(drawing: Drawing, y: int) -> Text:
    return drawing.lines[y] if y < len(drawing.lines) else Text()


def _same(one: Text, other: Text) -> bool:
    """Whether two lines look the same: Text itself compares no styles but those of parts."""
    return one == other and one.style == other.style


def _marked(strip: Strip, start: int, end: int, width: int) -> Strip:
    """A strip with the cells `start` to `end` reversed."""
    before, inside, after = strip.crop(0, start), strip.crop(start, end), strip.crop(end, width)
    return Strip.join([before, Strip([*inside]).apply_style(Style(reverse=True)), after])


def _ahead(here: Hit, there: Hit, dx: int, dy: int) -> bool:
    if dy:
        return (there.y - here.y) * dy > 0
    return there.y == here.y and (there.start - here.start) * dx > 0


def _distance(here: Hit, there: Hit, dx: int) -> tuple[int, int]:
    rows, cells = abs(there.y - here.y), abs(there.start - here.start)
    return (cells, rows) if dx else (rows, cells)
