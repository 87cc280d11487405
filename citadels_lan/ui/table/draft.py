"""Draws the draft: the order of choosing, and the characters that are out of play or unseen."""

from typing import Final

from rich.cells import cell_len

from citadels_lan.presenter.identities import income, order, unknown
from citadels_lan.presenter.text_width import cut
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .scene import Scene

LINES: Final = 2
"""Lines of the draft above the question."""
NAME: Final = 14
"""Most cells of a name in the order of choosing."""


def draft(scene: Scene, width: int, height: int) -> Drawing:
    """Draw the order of choosing, and below it the characters that this player cannot get."""
    drawing, look, glyphs = Drawing(), scene.look, scene.look.glyphs
    pen = Pen(drawing).write(" ")
    for number, one in enumerate(order(scene.view)):
        now = "" if scene.offline or one.seat == scene.reader else glyphs.turn
        sign = {"done": glyphs.tick, "now": now, "ahead": ""}[one.progress]
        name = f"{' ' + glyphs.to + ' ' if number else ''}{sign}{cut(scene.called(one.seat), NAME)}"
        if pen.x + cell_len(name) > width - 2:
            pen.write(glyphs.cut, look.dim)
            break
        pen.write(name, {"now": look.title, "ahead": None}.get(one.progress, look.dim))
    if height > 1 and not scene.hidden:
        Pen(drawing).write(f" {cut(_missing(scene), width - 2, glyphs.cut)}", look.dim)
    return drawing


def _missing(scene: Scene) -> str:
    """Return the characters that were discarded, and those that this player has not seen."""
    texts, view = scene.texts, scene.view
    parts = []
    if view.faceup:
        parts.append(texts.say(msg("out: {characters}"), characters=texts.characters(view.faceup)))
    if view.facedown:
        parts.append(texts.say(msg("face down {count}"), count=len(view.facedown)))
    if keys := unknown(view, scene.seat):
        unseen = ", ".join(map(texts.character, keys))
        parts.append(texts.say(msg("not seen: {characters}"), characters=unseen))
    return f" {scene.look.glyphs.dot} ".join(parts)


def paid(scene: Scene, key: str) -> str:
    """Return the income of a character from the player's city; empty if it has none."""
    kind = scene.edition.characters[key].income
    count = income(scene.view, scene.seat, key) if scene.seat is not None else None
    if kind is None or count is None:
        return ""
    return scene.texts.say(msg("income {count} ({letter})"), count=count, letter=scene.texts.letter(kind))
