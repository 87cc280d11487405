"""What the panel of the question says beside it: what happened since the own last turn, and while nothing is asked
what is to be known."""

from collections.abc import Iterator, Sequence
from typing import Final

from citadels_lan.front.cells import fitted, wrap
from citadels_lan.front.shown.outlook import coming
from citadels_lan.front.told.entries import Line
from citadels_lan.texts import msg
from citadels_lan.texts.cards import summary
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


def draw_idle(
    scene: Scene, drawing: Drawing, idle: Sequence[Line], width: int, height: int, *, apart: bool = False
) -> None:
    """What is to be known while nothing is to be decided, the most important first; in the lines that are left,
    what the characters do that are played now and later. `apart`: the one on turn is explained elsewhere."""
    look, room = scene.look, max(height - len(drawing.lines), 1)
    rows = [(line, row) for line in idle for row in wrap(_signed(scene, line), max(width - 2, 1))]
    for line, row in rows[:room]:
        style = {"notice": look.danger, "mine": look.accent}.get(line.kind, look.dim)
        Pen(drawing).write(f" {row}", style)
    left = height - len(drawing.lines) - 1
    for number, lines in enumerate(_explained(scene, width - 4, apart=apart)):
        left -= len(lines)
        if left < 0:
            break
        if not number:
            Pen(drawing)
        for text in lines:
            Pen(drawing).write(f" {text}", look.dim)


def _explained(scene: Scene, width: int, *, apart: bool) -> Iterator[Sequence[str]]:
    """What the character on turn does, then what those do that are still to be called."""
    view, texts = scene.view, scene.texts
    now = [view.turn.character] if view.turn is not None and not apart else []
    later = [] if scene.shared or scene.seat is None else [key for key, _ in coming(view, scene.seat)]
    for key in dict.fromkeys((*now, *later)):
        rows = wrap(f"{texts.character(key)}: {summary(texts, scene.edition, key)}", max(width, 1))
        yield [f"{'  ' if number else ''}{row}" for number, row in enumerate(rows)]


def _signed(scene: Scene, line: Line) -> str:
    """A line with the sign that says the same as its colour."""
    sign = f"{marker_sign(scene.look.glyphs, line.marker)} " if line.kind == "notice" else ""
    return f"{sign}{line.text}"
