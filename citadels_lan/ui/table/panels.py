"""The panels next to the question: the card under the cursor, the suspects, the tutorial."""

from collections.abc import Sequence
from typing import Final

from rich.style import Style

from citadels_lan.presenter.identities import possible
from citadels_lan.presenter.text_width import cut, wrap
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.drawing import Drawing, Pen, heading

from .scene import Scene

NAME = 12
"""Cells of a player's name at most."""
LESSON: Final = 4
"""Cells beside the lines of a lesson."""


def suspects(scene: Scene, width: int, height: int) -> Drawing:
    """Draw the possible characters of each player."""
    drawing, look, view = Drawing(), scene.look, scene.view
    heading(look, Pen(drawing), scene.texts.say(msg("Who could still be who")), width - 1)
    found = {} if scene.hidden else possible(view, scene.seat)
    for seat in range(min(len(view.players), height - 1)):
        pen = Pen(drawing).write(f" {seat + 1} ", look.dim)
        pen.thing("player", str(seat), cut(scene.called(seat), NAME, look.glyphs.cut)).to(NAME + 4)
        said, style = _who(scene, seat, found.get(seat, ()), width - NAME - 5)
        pen.write(cut(said, width - pen.x - 1, look.glyphs.cut), style)
    return drawing


def _who(scene: Scene, seat: int, might_be: Sequence[str], room: int) -> tuple[str, Style]:
    texts, look, player = scene.texts, scene.look, scene.view.players[seat]
    if player.revealed:
        return " ".join(map(texts.character, player.revealed)), look.accent
    if seat == scene.seat and not scene.hidden:
        return texts.characters(player.concealed), look.title
    named = ", ".join(texts.character(key) for key in might_be)
    if len(named) > room:
        named = " ".join(str(scene.edition.ranks[key]) for key in might_be)
    return named or scene.look.glyphs.dot, look.dim


# The tutorial


def lesson(scene: Scene, width: int, height: int) -> Drawing:
    """Draw the lesson of the tutorial."""
    drawing, look = Drawing(), scene.look
    for number, row in enumerate(wrap(scene.lesson, width - LESSON)[:height]):
        pen = Pen(drawing).write(f" {look.glyphs.mark if not number else ' '} ", look.title)
        pen.write(row, look.strong)
    return drawing


def lesson_lines(scene: Scene, width: int) -> int:
    """Return the lines that the lesson needs."""
    return len(wrap(scene.lesson, width - LESSON)) if scene.lesson else 0
