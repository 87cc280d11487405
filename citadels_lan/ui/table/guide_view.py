"""The guide on the screen: a panel where there is room, a few lines above the question where there is not."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.front.cells import wrap
from citadels_lan.front.guide.guide import Guide, Hint, Kind
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.heading import heading
from citadels_lan.ui.widgets.look import Look

from .scene import Scene

LINES: Final = 3
"""Lines above the question: as many as the longest idea has."""
LARGE: Final = 14
"""From so many lines on it has room for three ideas."""
PANEL: Final = 8
"""From so many lines on it is a panel, with a heading and with everything that can be said."""


class GuideView(Canvas):
    """Shows what the guide says; what it shows has been told."""

    def __init__(self, scene: Callable[[], Scene], guide: Guide, hints: Callable[[], Sequence[Hint]]) -> None:
        super().__init__(id="guide")
        self._scene = scene
        self._guide = guide
        self._hints = hints

    def draw(self, width: int, height: int) -> Drawing:
        scene, hints, waiting = self._scene(), self._hints(), self._guide.waiting
        drawing = panel(scene, hints, waiting, width, height) if height >= PANEL else lines(
            scene, hints, waiting, width, height
        )  # fmt: skip
        if hints:
            self._guide.tell()
        return drawing


def ideas(height: int) -> int:
    """How many ideas are told at once in so many lines."""
    return 1 if height < PANEL else 2 if height < LARGE else 3


def panel(scene: Scene, hints: Sequence[Hint], waiting: int, width: int, height: int) -> Drawing:
    """Everything, one below the other; how far one is at the end."""
    drawing, texts, look = Drawing(), scene.texts, scene.look
    title, said = texts.say(msg("Learn while you play")), _waiting(scene, waiting)
    room = cell_len(title) + cell_len(said) + 5 <= width
    pen = heading(look, Pen(drawing), title, width - 2 - cell_len(said) if said and room else width - 1)
    _next(scene, pen, waiting, width)
    far = [hint for hint in hints if hint.kind == "far"]
    below = [row for hint in far for row in wrap(hint.text, width - 2)]
    for hint in hints:
        rows = wrap(hint.text, width - 4)
        if hint.kind != "far" and len(drawing.lines) + len(rows) + len(below) <= height:
            _write(look, drawing, hint, rows)
    spare = height - len(drawing.lines) - len(below)
    for _ in range(spare - (spare > 1)):  # the last free line stands below, before the log
        Pen(drawing)
    for row in below:
        Pen(drawing).write(f" {row}", look.gold)
    return drawing


def lines(scene: Scene, hints: Sequence[Hint], waiting: int, width: int, height: int) -> Drawing:
    """The first of all, and what follows as far as there is room."""
    drawing, look = Drawing(), scene.look
    for number, hint in enumerate(hints):
        room = height - len(drawing.lines)
        rows = wrap(hint.text, width - 4)
        if len(rows) <= room or not number:
            _write(look, drawing, hint, rows[:room])
    if drawing.lines and waiting:
        _next(scene, Pen.after(drawing), waiting, width)
    return drawing


def _next(scene: Scene, pen: Pen, waiting: int, width: int) -> None:
    """How to go on, at the end of a line that has room for it."""
    said = _waiting(scene, waiting)
    if said and pen.x + cell_len(said) + 2 <= width:
        pen.to(width - cell_len(said) - 1).thing("key", "Esc", said, scene.look.dim)


def _waiting(scene: Scene, waiting: int) -> str:
    """How many hints there are still, and how they come."""
    return scene.texts.say(msg("Esc: next ({count})"), count=waiting) if waiting else ""


def _write(look: Look, drawing: Drawing, hint: Hint, rows: Sequence[str]) -> None:
    sign, style = _looks(look)[hint.kind]
    for number, row in enumerate(rows):
        pen = Pen(drawing).write(f" {sign if not number else ' '} ", look.title)
        pen.thing("guide", "", row, style)


def _looks(look: Look) -> Mapping[Kind, tuple[str, Style]]:
    """The sign before a sentence and its style, by what it is about."""
    glyphs = look.glyphs
    return {
        "idea": (glyphs.house[0], look.strong),
        "now": (glyphs.to, look.accent),
        "may": (glyphs.dot, Style()),
        "barred": (glyphs.gone, look.dim),
        "happened": (glyphs.mark, Style()),
        "far": (glyphs.complete, look.gold),
    }
