"""The log: the newest lines of the story, in a window that scrolls over them."""

from collections.abc import Callable, Sequence
from typing import Final

from rich.style import Style
from textual import events

from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.told.entries import Line
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.heading import heading
from citadels_lan.ui.widgets.look import Look

from .cast_row import marker_sign
from .scene import Scene

SILENT: Final = msg("Nobody has spoken yet ({key} speaks).")


class LogView(Canvas):
    """Shows the last lines; scrolled up, it stays where it is until it is back at the end."""

    def __init__(self, look: Callable[[], Look], *, id: str = "log") -> None:  # noqa: A002 - as every widget has it
        super().__init__(id=id)
        self._look = look
        self._lines: list[Line] = []
        self._rows: list[tuple[Line, str]] = []
        self._width = 0
        self._up = 0
        self._leaves_out: Sequence[str] = ()
        self.covered = False

    @property
    def leaves_out(self) -> Sequence[str]:
        """The kinds of lines that are shown elsewhere."""
        return self._leaves_out

    @leaves_out.setter
    def leaves_out(self, kinds: Sequence[str]) -> None:
        self._leaves_out = kinds
        self._width = 0
        self.redraw()

    def put(self, lines: list[Line]) -> None:
        """Show these lines instead."""
        self._lines = lines
        self._rows = []
        self._width = 0
        self.redraw()

    def add(self, lines: list[Line]) -> None:
        """Add lines at the end."""
        self._lines.extend(lines)
        if self._width:
            rows = [row for line in lines for row in self._wrapped(line, self._width)]
            self._rows.extend(rows)
            if self._up:
                self._up += len(rows)
        self.redraw()

    def scroll(self, rows: int) -> None:
        """Up by so many rows, or down where negative."""
        self._up = max(0, min(self._up + rows, len(self._rows) - self.size.height))
        self.redraw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll(3)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll(-3)

    def draw(self, width: int, height: int) -> Drawing:
        if width != self._width:
            self._width = width
            self._rows = [row for line in self._lines for row in self._wrapped(line, width)]
        end = len(self._rows) - self._up
        drawing = Drawing()
        for line, row in self._rows[max(0, end - height) : end]:
            self._row(drawing, line, row, width)
        return drawing

    def _wrapped(self, line: Line, width: int) -> list[tuple[Line, str]]:
        if line.kind in self._leaves_out:
            return []
        signs = self._look().glyphs
        lead = {"private": signs.secret, "mine": signs.mark, "notice": marker_sign(signs, line.marker)}
        first = f"{lead[line.kind]} " if line.kind in lead else ""
        text = f"{line.text} {signs.matched}" if line.matched else line.text
        before = {"round": 1, "turn": 1, "chat": 4}.get(line.kind, 2)
        rows = wrap(text, max(width - 1 - before, 8))
        indent = " " if line.kind in ("round", "turn") else "  "
        further = "    " if line.kind == "chat" else indent  # nobody's text looks like a line of its own
        return [
            (line, (first or indent) + row if number == 0 else further + row) for number, row in enumerate(rows)
        ]

    def _row(self, drawing: Drawing, line: Line, row: str, width: int) -> None:
        look = self._look()
        styles: dict[str, Style] = {
            "round": look.title + Style(reverse=True),
            "turn": look.title,
            "event": Style(),
            "private": look.dim,
            "mine": look.accent,
            "notice": look.danger,
            "chat": look.gold,
        }
        if self.covered and line.kind in ("private", "notice"):
            Pen(drawing).write(f"{look.glyphs.secret} {look.glyphs.dot * 3}", look.dim)
            return
        pen = Pen(drawing).write(cut(row, width), styles[line.kind])
        if line.kind == "round":
            pen.line.append(" " * max(width - pen.x, 0), styles["round"])


class ChatView(LogView):
    """What the players say to each other, under a heading; how to say something while nobody has."""

    def __init__(self, scene: Callable[[], Scene]) -> None:
        super().__init__(lambda: scene().look, id="chat")
        self._scene = scene

    def draw(self, width: int, height: int) -> Drawing:
        texts, look = self._scene().texts, self._scene().look
        below, drawing = super().draw(width, height - 1), Drawing()
        heading(look, Pen(drawing), texts.say(msg("What is said")), width - 1)
        if not below.lines:
            Pen(drawing).write(cut(f" {texts.say(SILENT, key=self._scene().key_of('chat'))}", width), look.dim)
        drawing.lines += below.lines
        return drawing
