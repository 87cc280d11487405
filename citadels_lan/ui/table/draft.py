"""Drawing the choice of characters: the cards side by side by rank, and above them who chooses when."""

from collections.abc import Callable, Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.front.cells import cut, pad, wrap
from citadels_lan.front.shown.drafting import income, order, packet, unknown
from citadels_lan.texts import msg
from citadels_lan.texts.cards import summary
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .scene import Scene

LOW, TALL = 7, 10
"""Lines of the drawing, with short and with long summaries."""
LEAST = 5
"""And without any."""
WIDEST = 26
"""Cells of a card at most."""
NARROW = 12
"""Cells of a card under which a box for what was not seen has no room."""
READABLE = 11
"""Cells of a card under which there is no text on it: only its name, in two lines if need be, and its income."""
NAME = 14
"""Cells of a name in the order of choosing at most."""


class DraftView(Canvas, can_focus=True):
    """The characters to choose from; `chosen` is the one under the cursor of the question."""

    POINTS = True

    def __init__(self, scene: Callable[[], Scene], chosen: Callable[[], str]) -> None:
        super().__init__(id="draft")
        self._scene = scene
        self._chosen = chosen

    def draw(self, width: int, height: int) -> Drawing:
        return draft(self._scene(), self._chosen(), width, height)


def draft(scene: Scene, chosen: str, width: int, height: int) -> Drawing:
    """Everything that helps to choose, in so many lines."""
    drawing = Drawing()
    _order(scene, Pen(drawing), width)
    if scene.hidden:
        return drawing
    cards = dealt(scene)
    each = min((width - 1) // (len(cards) + 1), WIDEST)
    boxed = each >= NARROW
    each = each if boxed else min((width - 1) // max(len(cards), 1), WIDEST)
    lines = height - 1 if readable(len(cards), width) else min(height - 1, LEAST - 1)
    pens = [Pen(drawing).to(1) for _ in range(lines)]
    for key in cards:
        _card(scene, pens, key, each - 1, here=key == chosen)
    if boxed:
        _unknown(scene, pens, min(width - 1 - pens[0].x, WIDEST))
    return drawing


def _order(scene: Scene, pen: Pen, width: int) -> None:
    """Who chooses when, and what lies out of play."""
    texts, look, view = scene.texts, scene.look, scene.view
    out = texts.say(msg("out: {characters}"), characters=texts.characters(view.faceup)) if view.faceup else ""
    down = texts.say(msg("face down {count}"), count=len(view.facedown)) if view.facedown else ""
    right = cut("   ".join(filter(None, (out, down))), width // 2, look.glyphs.cut)
    pen.write(" ")
    room = width - cell_len(right) - 3
    for number, one in enumerate(order(view)):
        sign = {"done": look.glyphs.tick, "now": look.glyphs.turn, "ahead": ""}[one.progress]
        name = cut(scene.called(one.seat), NAME)
        said = f" {look.glyphs.to} {sign}{name}" if number else f"{sign}{name}"
        if pen.x + cell_len(said) > room:
            pen.write(look.glyphs.cut, look.dim)
            break
        pen.write(said, look.title if one.progress == "now" else look.dim if one.progress == "done" else None)
    pen.to(width - cell_len(right) - 1).write(right, look.dim)


def _card(scene: Scene, pens: Sequence[Pen], key: str, width: int, *, here: bool) -> None:
    """One card: rank, name, what it does, what it would be paid."""
    texts, look, glyphs = scene.texts, scene.look, scene.look.glyphs
    inner, kept = width - 2, _kept(scene, key)
    style = look.title if here else look.strong if kept else Style()
    frame = look.title if here else look.dim
    sign = f" {glyphs.turn} " if here else f" {glyphs.tick} " if kept else ""
    head = f"{glyphs.corners[0]}{scene.edition.ranks[key]}{sign}"
    pens[0].thing(
        "character",
        key,
        f"{head}{glyphs.rule * (width - cell_len(head) - 1)}{glyphs.corners[1]} ",
        frame,
        len(pens),
    )
    paid, paid_style = _paid(scene, key, inner)
    below = "" if width >= READABLE else paid  # there the income stands in the frame
    space = len(pens) - (2 if below else 3)
    names = _named(scene, key, inner, space)
    room = space - len(names)
    about = wrap(summary(texts, scene.edition, key), inner) if room and not below else []
    if len(about) > room:
        about = [*about[: room - 1], cut(" ".join(about[room - 1 :]), inner, glyphs.cut)]
    lines = [*((name, style + Style(bold=True)) for name in names), *((line, None) for line in about)]
    lines += [("", None)] * (space - len(lines)) + ([] if below else [(paid, paid_style)])
    for pen, (text, text_style) in zip(pens[1:-1], lines, strict=True):
        pen.write(glyphs.side, frame)
        pen.write(pad(text, inner, glyphs.cut), (text_style or Style()) + (look.turn if here else Style()))
        pen.write(f"{glyphs.side} ", frame)
    pens[-1].write(glyphs.corners[2], frame).write(below, paid_style)
    pens[-1].write(f"{glyphs.rule * (inner - cell_len(below))}{glyphs.corners[3]} ", frame)


def dealt(scene: Scene) -> list[str]:
    """The characters side by side: those to choose from, else all that may be among them."""
    view = scene.view
    return list(packet(view, scene.seat)) or [key for key in view.cast if key not in view.faceup]


def readable(cards: int, width: int) -> bool:
    """Whether so many cards side by side are wide enough for text."""
    return (width - 1) // max(cards, 1) > READABLE


def _named(scene: Scene, key: str, width: int, room: int) -> list[str]:
    """The name of a character in so many lines: in full if it can be, one word broken only where it must be."""
    lines = wrap(scene.texts.character(key).upper(), width)
    return lines if len(lines) <= room else [scene.texts.short_character(key).upper()]


def _kept(scene: Scene, key: str) -> bool:
    return scene.seat is not None and key in scene.view.players[scene.seat].concealed


def _paid(scene: Scene, key: str, width: int) -> tuple[str, Style | None]:
    """What the character would be paid for the city as it stands, in the colour of the type; type and number where
    there is no room for words."""
    if scene.seat is None:
        return "", None
    kind, count = scene.edition.characters[key].income, income(scene.view, scene.seat, key)
    if kind is None or count is None:
        said = scene.texts.say(NO_INCOME)
        return (said if cell_len(said) <= width else scene.look.glyphs.dot), scene.look.dim
    letter = scene.texts.letter(kind)
    said = scene.texts.say(msg("income {count} ({letter})"), count=count, letter=letter)
    return (said if cell_len(said) <= width else f"{letter}: {count}"), scene.look.types[kind]


NO_INCOME: Final = msg("no income")


def _unknown(scene: Scene, pens: Sequence[Pen], width: int) -> None:
    """A box with the characters that were not seen."""
    look, glyphs, texts = scene.look, scene.look.glyphs, scene.texts
    inner = width - 2
    pens[0].write(f"{glyphs.corners[0]}{glyphs.rule * inner}{glyphs.corners[1]}", look.dim)
    keys = unknown(scene.view, scene.seat)
    named = ", ".join(f"{scene.edition.ranks[key]} {texts.short_character(key)}" for key in keys)
    ranks = " ".join(str(scene.edition.ranks[key]) for key in keys)
    title = wrap(texts.say(msg("you have not seen:")), inner)
    room = len(pens) - 2
    lines = [*title, *wrap(named, inner)]
    lines = lines if len(lines) <= room else [*title, *wrap(ranks, inner)]
    lines = [*lines, *[""] * room][:room]
    for pen, text in zip(pens[1:-1], lines, strict=True):
        pen.write(f"{glyphs.side}{pad(text, inner, glyphs.cut)}{glyphs.side}", look.dim)
    pens[-1].write(f"{glyphs.corners[2]}{glyphs.rule * inner}{glyphs.corners[3]}", look.dim)
