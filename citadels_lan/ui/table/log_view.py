"""The log and the chat in windows that scroll."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from rich.style import Style
from rich.text import Text
from textual import events

from citadels_lan.presenter.log import Kind, Line
from citadels_lan.presenter.text_width import cut, wrap
from citadels_lan.texts import Message, msg
from citadels_lan.ui.table.board import marker_sign
from citadels_lan.ui.widgets.canvas import Canvas, Drawing, Pen, heading
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.program import program

SILENT: Final = msg("No messages yet ({key}: write one).")
SECRET: Final = ("private", "notice")
"""Kinds of lines that are covered together with the hand."""


class LogView(Canvas):
    """Shows the last lines of the log. If it is scrolled up, new lines do not move it. A line is wrapped again
    only if the width or the look changes."""

    def __init__(self, *, id: str = "log", title: Message = "", silent_key: str = "") -> None:  # noqa: A002
        """`title` stands above the lines. `silent_key` is the key that an empty chat shows."""
        super().__init__(id=id)
        self._title, self._silent_key = title, silent_key
        self._lines: list[Line] = []
        self._rows: list[tuple[Kind, Text]] = []
        self._wrapped_for: tuple[int, Look | None] = (0, None)
        self._up = 0
        self._left_out: Sequence[str] = ()
        self._covered = False

    def limit(self, without: Sequence[str], *, covered: bool) -> None:
        """Leave out lines of these kinds; `covered`: cover those that only this player may see."""
        if (without, covered) != (self._left_out, self._covered):
            self._left_out, self._covered, self._wrapped_for = without, covered, (0, None)
            self.redraw()

    def add(self, lines: Sequence[Line], *, again: bool = False) -> None:
        """Add lines at the end; with `again` they replace all earlier lines."""
        width, look = self._wrapped_for
        if again:
            self._lines, self._wrapped_for = list(lines), (0, None)
        else:
            self._lines.extend(lines)
            if look is not None:
                rows = list(self._wrapped(look, lines, width))
                self._rows.extend(rows)
                self._up += len(rows) if self._up else 0
        if again or lines:
            self.redraw()

    def scroll(self, rows: int) -> None:
        """Scroll up by some rows, or down if negative."""
        self._up = max(0, min(self._up + rows, len(self._rows) - self.size.height))
        self.redraw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll(3)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll(-3)

    def draw(self, width: int, height: int) -> Drawing:
        here, drawing = program(self.app), Drawing()
        look = here.look
        if self._title:
            heading(look, Pen(drawing), here.texts.say(self._title), width - 1)
        if self._wrapped_for != (width, look):
            self._wrapped_for = (width, look)
            self._rows = list(self._wrapped(look, self._lines, width))
        end = len(self._rows) - self._up
        shown = self._rows[max(0, end - height + len(drawing.lines)) : end]
        drawing.lines += [_covered(look) if self._covered and kind in SECRET else row for kind, row in shown]
        if self._silent_key and not shown:
            silent = here.texts.say(SILENT, key=here.keys.get(self._silent_key, self._silent_key))
            Pen(drawing).write(cut(f" {silent}", width), look.dim)
        return drawing

    def _wrapped(self, look: Look, lines: Sequence[Line], width: int) -> Iterator[tuple[Kind, Text]]:
        return chain.from_iterable(rows(look, line, width) for line in lines if line.kind not in self._left_out)


def _covered(look: Look) -> Text:
    return Text(f"{look.glyphs.secret} {look.glyphs.dot * 3}", look.dim, no_wrap=True, end="")


def rows(look: Look, line: Line, width: int) -> Iterator[tuple[Kind, Text]]:
    """Yield the wrapped rows of a line."""
    signs = look.glyphs
    lead = {"private": signs.secret, "mine": signs.mark, "notice": marker_sign(signs, line.marker)}
    styles: dict[str, Style] = {
        "round": look.title + Style(reverse=True), "turn": look.title, "event": Style(), "private": look.dim,
        "mine": look.accent, "notice": look.danger, "chat": look.gold,
    }  # fmt: skip
    text = f"{line.text} {signs.matched}" if line.matched else line.text
    before = {"round": 1, "turn": 1, "chat": 4}.get(line.kind, 2)
    indent = " " if line.kind in ("round", "turn") else "  "
    first = f"{lead[line.kind]} " if line.kind in lead else indent
    further = "    " if line.kind == "chat" else indent  # no player's text looks like a line of its own
    for number, row in enumerate(wrap(text, max(width - 1 - before, 8))):
        pen = Pen(Drawing()).write(cut((further if number else first) + row, width), styles[line.kind])
        if line.kind == "round":
            pen.line.append(" " * max(width - pen.x, 0), styles["round"])
        yield line.kind, pen.line
