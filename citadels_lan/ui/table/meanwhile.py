"""What the panel of the question says beside it: what happened since the own last turn, and while nothing is asked
what is to be known."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.front.cells import fitted, wrap
from citadels_lan.front.log import Line
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .cast_row import marker_sign
from .scene import Scene

ROWS: Final = 3
"""Lines of a piece of news at most."""


def draw_news(scene: Scene, drawing: Drawing, news: Sequence[Line], width: int, height: int) -> None:
    """Since your last turn; at most a third of the panel."""
    look = scene.look
    if news and height >= 8:
        Pen(drawing).write(f" {scene.texts.say(msg('Since your last turn:'))}", look.dim)
    for line, rows in _newest(scene, news, max(height // 3, 1), width - 4):
        notice = line.kind == "notice"
        style = look.danger if notice else look.accent
        sign = marker_sign(look.glyphs, line.marker) if notice else look.glyphs.mark
        for number, row in enumerate(rows):
            Pen(drawing).write(f"   {row}" if number else f" {sign} {row}", style)


def _newest(scene: Scene, news: Sequence[Line], room: int, width: int) -> Sequence[tuple[Line, Sequence[str]]]:
    """The newest lines, as many as there is room for; one is always shown, even if it is cut."""
    found: list[tuple[Line, Sequence[str]]] = []
    for line in reversed(news):
        rows = fitted(line.text, width, ROWS if found else room, scene.look.glyphs.cut)
        room -= len(rows)
        if room < 0:
            break
        found.insert(0, (line, rows))
    return found


def draw_idle(scene: Scene, drawing: Drawing, idle: Sequence[Line], width: int, height: int) -> None:
    """What is to be known while nothing is to be decided, the most important first."""
    look, room = scene.look, max(height - len(drawing.lines), 1)
    rows = [(line, row) for line in idle for row in wrap(_signed(scene, line), max(width - 2, 1))]
    for line, row in rows[:room]:
        style = {"notice": look.danger, "mine": look.accent}.get(line.kind, look.dim)
        Pen(drawing).write(f" {row}", style)


def _signed(scene: Scene, line: Line) -> str:
    """A line with the sign that says the same as its colour."""
    sign = f"{marker_sign(scene.look.glyphs, line.marker)} " if line.kind == "notice" else ""
    return f"{sign}{line.text}"
