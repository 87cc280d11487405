"""Drawing what a table will play: the edition, its options, each character with what it does, the districts."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from citadels_lan.front.cells import pad, wrap
from citadels_lan.front.plan import (
    DRAWN,
    Plan,
    about_edition,
    character,
    district,
    flow,
    heading,
    options_line,
    unique_names,
)
from citadels_lan.texts import Texts, msg, terms
from citadels_lan.texts.cards import summary
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.look import Look

from .frame import EDGES, SIDES, frame, said

ROOMY: Final = 28
"""Lines from which there is one between characters and districts."""


def draw_tonight(texts: Texts, look: Look, plan: Plan, width: int, height: int) -> Drawing:
    """In a frame of this size; the districts have as many words as there is room for."""
    inside, room = Drawing(), width - SIDES
    if terms.chosen(texts, plan.config.options):
        options = texts.say(msg("Options: {options}"), options=options_line(texts, plan))
        said(inside, options, room, look.dim)
    if not plan.chooses:
        said(inside, about_edition(texts, plan), room)
        return frame(look, heading(texts, plan), inside, width, height)
    _title(look, inside, texts.say(msg("Characters")))
    if plan.cast is None:
        said(inside, texts.say(DRAWN), room)
    else:
        _told(texts, look, inside, plan, plan.cast, room)
    if height >= ROOMY:
        Pen(inside)
    _title(look, inside, texts.say(msg("Unique districts")))
    _uniques(texts, look, inside, plan, room, height - EDGES - len(inside.lines))
    return frame(look, heading(texts, plan), inside, width, height)


def _title(look: Look, drawing: Drawing, text: str) -> None:
    Pen(drawing).write(text, look.title)


def _uniques(texts: Texts, look: Look, drawing: Drawing, plan: Plan, width: int, lines: int) -> None:
    """With what they do where that fits, else their names and costs."""
    long = Drawing()
    if plan.uniques is not None:
        _told(texts, look, long, plan, plan.uniques, width)
    if long.lines and len(long.lines) <= lines:
        drawing.lines += long.lines
        return
    for line in flow(unique_names(texts, plan), width):
        Pen(drawing).write(line)


def _told(texts: Texts, look: Look, drawing: Drawing, plan: Plan, keys: Sequence[str], width: int) -> None:
    """A card for each key: its rank or cost, its name, and in a line or two what it does."""
    names = {key: _name(texts, plan, key) for key in keys}
    column = max(map(cell_len, names.values()), default=0) + 1
    for key, name in names.items():
        known = key in plan.edition.characters or key in plan.edition.districts
        lines = wrap(summary(texts, plan.edition, key), max(width - column, 8)) if known else [""]
        for number, line in enumerate(lines):
            Pen(drawing).write(pad(name if number == 0 else "", column), look.bold).write(line, look.dim)


def _name(texts: Texts, plan: Plan, key: str) -> str:
    edition = plan.edition
    if key in edition.ranks:
        return f"{edition.ranks[key]} {character(texts, key)}"
    return f"{edition.costs.get(key, '?')} {district(texts, key)}"
