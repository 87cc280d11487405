"""Drawing the choice of characters: the cards side by side by rank, and above them who chooses when."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.front.cells import cut, pad, wrap
from citadels_lan.front.identities import income, order, packet, unknown
from citadels_lan.texts import msg
from citadels_lan.texts.cards import summary
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen

from .scene import Scene

LOW, TALL, TALLEST = 7, 10, 12
"""Lines of the drawing, with short and with long summaries, and at most."""
LEAST = 5
"""And without any."""
WIDEST = 26
"""Cells of a card at most."""
NARROW = 12
"""Cells of a card under which a box for what was not seen has no room."""
READABLE = 11
"""Cells of a card under which there is no text on it: only its name, in two lines if need be, and its income."""
FRAME = 4
"""Lines of the drawing beside name and text: the order of choosing, both edges of the cards, the income."""
SLIMMEST = 7
"""Cells of a card at least, the gap behind it included."""
NAME = 14
"""Cells of a name in the order of choosing at most."""


def draft(scene: Scene, chosen: str, width: int, height: int) -> Drawing:
    """Draw the choice of characters in so many lines; `chosen` is the character under the cursor of the
    question."""
    drawing = Drawing()
    _order(scene, Pen(drawing), width)
    if scene.hidden:
        return drawing
    cards, told = dealt(scene), 0 < lines_with_text(scene, width) <= height
    noted = not told and height >= LEAST and has_note(scene, width)
    pens = [Pen(drawing).to(1) for _ in range(height - 1 if told else min(height, LEAST) - 1 - noted)]
    widths = _widths(scene, cards, width)
    for key, each in zip(cards, widths, strict=True):
        _card(scene, pens, key, each - 1, here=key == chosen, told=told, least=min(widths) - 1)
    if _boxed(cards, width):
        _unknown(scene, pens, min(width - 1 - pens[0].x, WIDEST))
    if noted and chosen in cards:
        said = cut(summary(scene.texts, scene.edition, chosen), width - 2, scene.look.glyphs.cut)
        Pen(drawing).write(f" {said}")
    return drawing


def has_note(scene: Scene, width: int) -> bool:
    """Whether every name fits in one line, which leaves a line for the summary of the chosen character."""
    cards = dealt(scene)
    widths = zip(cards, _widths(scene, cards, width), strict=True)
    return all(len(_name(scene, key, each - 3)) == 1 for key, each in widths)


def lines_with_text(scene: Scene, width: int) -> int:
    """Lines in which every card says in full what its character does; 0 where the cards are too narrow."""
    cards = dealt(scene)
    if (width - 1) // max(len(cards), 1) <= READABLE:
        return 0
    inside = zip(cards, (each - 3 for each in _widths(scene, cards, width)), strict=True)
    lines = (len(_name(scene, key, room)) + len(_about(scene, key, room)) for key, room in inside)
    return FRAME + max(lines, default=0)


def _boxed(cards: Sequence[str], width: int) -> bool:
    """Whether there is room for a box with the unseen characters next to so many cards."""
    return (width - 1) // (len(cards) + 1) >= NARROW


def _widths(scene: Scene, cards: Sequence[str], width: int) -> Sequence[int]:
    """Cells of each card, the gap behind it included: all alike where every name has room, else those with long
    names wider."""
    count = max(len(cards), 1)
    room = (width - 1) * count // (count + _boxed(cards, width))
    wanted, alike = _wanted(scene, cards, room), min(room // count, WIDEST)
    levels = (level for level in range(alike, 0, -1) if sum(max(level, want) for want in wanted) <= room)
    level = next(levels, 0)
    return [max(level, want) for want in wanted] if level else [alike] * len(cards)


def _wanted(scene: Scene, cards: Sequence[str], room: int) -> Sequence[int]:
    """Cells that each card wants for its name; the longest words break in two until all have room."""
    words = [max(map(cell_len, scene.texts.character(key).split())) for key in cards]
    wanted = [max(SLIMMEST, 3 + word) for word in words]
    for number in sorted(range(len(cards)), key=lambda number: -words[number]):
        if sum(wanted) > room:
            wanted[number] = max(SLIMMEST, 4 + -(-words[number] // 2))
    return wanted


def _order(scene: Scene, pen: Pen, width: int) -> None:
    """Write the order of choosing, and the characters that are out of play."""
    texts, look, view, glyphs = scene.texts, scene.look, scene.view, scene.look.glyphs
    out = texts.say(msg("out: {characters}"), characters=texts.characters(view.faceup)) if view.faceup else ""
    down = texts.say(msg("face down {count}"), count=len(view.facedown)) if view.facedown else ""
    choosing = sum(cell_len(cut(scene.called(one.seat), NAME)) + 4 for one in order(view))
    room = max(width // 2, width - choosing - 3)
    both = "   ".join(filter(None, (out, down)))
    right = cut(both if cell_len(both) <= room else down or out, room, look.glyphs.cut)  # the cast says it, too
    pen.write(" ")
    room = width - cell_len(right) - 3
    for number, one in enumerate(order(view)):
        now = "" if scene.offline or one.seat == scene.reader else glyphs.turn
        sign = {"done": glyphs.tick, "now": now, "ahead": ""}[one.progress]
        name = cut(scene.called(one.seat), NAME)
        said = f" {glyphs.to} {sign}{name}" if number else f"{sign}{name}"
        if pen.x + cell_len(said) > room:
            pen.write(glyphs.cut, look.dim)
            break
        pen.write(said, {"now": look.title, "ahead": None}.get(one.progress, look.dim))
    pen.to(width - cell_len(right) - 1).write(right, look.dim)


def _card(scene: Scene, pens: Sequence[Pen], key: str, width: int, *, here: bool, told: bool, least: int) -> None:
    """Draw one card: rank, name, income, and with `told` its summary. The narrowest card has `least` cells."""
    look, glyphs = scene.look, scene.look.glyphs
    inner = width - 2
    kept = scene.seat is not None and key in scene.view.players[scene.seat].concealed
    style = look.title if here else look.strong if kept else Style()
    frame = look.title if here else look.faint
    sign = f" {glyphs.turn} " if here else f" {glyphs.tick} " if kept else ""
    top, rank = pens[0], str(scene.edition.ranks[key])
    top.drawing.hits.append(Hit("character", key, top.y, top.x, top.x + width + 1, len(pens)))
    top.write(glyphs.corners[0], frame).write(f"{rank}{sign}", look.title if here else look.dim)
    top.write(f"{glyphs.rule * (inner - len(rank) - len(sign))}{glyphs.corners[1]} ", frame)
    paid, paid_style = _paid(scene, key, least - 2)
    below = "" if told else paid
    space = len(pens) - (2 if below else 3)
    names = _named(scene, key, inner, space)
    about = _about(scene, key, inner) if told else []
    lines = [*((name, style + Style(bold=True)) for name in names), *((line, None) for line in about)]
    lines += [("", None)] * (space - len(lines)) + ([] if below else [(paid, paid_style)])
    for pen, (text, text_style) in zip(pens[1:-1], lines, strict=True):
        pen.write(glyphs.side, frame)
        pen.write(pad(text, inner, glyphs.cut), (text_style or Style()) + (look.turn if here else Style()))
        pen.write(f"{glyphs.side} ", frame)
    pens[-1].write(glyphs.corners[2], frame).write(below, paid_style)
    pens[-1].write(f"{glyphs.rule * (inner - cell_len(below))}{glyphs.corners[3]} ", frame)


def dealt(scene: Scene) -> list[str]:
    """Return the characters to show: those to choose from, or else every character that may be among them."""
    view = scene.view
    return list(packet(view, scene.seat)) or [key for key in view.cast if key not in view.faceup]


def _named(scene: Scene, key: str, width: int, room: int) -> list[str]:
    """The name of a character in so many lines: in full if it can be."""
    lines = _name(scene, key, width)
    return lines if len(lines) <= room else [scene.texts.short_character(key).upper()]


def _name(scene: Scene, key: str, width: int) -> list[str]:
    """The full name in lines; a word that is longer than them in about equal parts."""
    words = scene.texts.character(key).upper().split()
    return wrap(" ".join(part for word in words for part in _parts(word, width)), width)


def _parts(word: str, width: int) -> list[str]:
    """A word in as few parts as fit, each but the last with a hyphen."""
    if len(word) <= width or width < 2:
        return [word]
    each = -(-len(word) // -(-len(word) // (width - 1)))
    parts = [word[start : start + each] for start in range(0, len(word), each)]
    return [*(f"{part}-" for part in parts[:-1]), parts[-1]]


def _about(scene: Scene, key: str, width: int) -> list[str]:
    """Return the summary of a character in lines."""
    return wrap(summary(scene.texts, scene.edition, key), width)


def _paid(scene: Scene, key: str, width: int) -> tuple[str, Style | None]:
    """Return the character's income for the current city and its colour; type and number only if words have no
    room."""
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
    inner, room = width - 2, len(pens) - 2
    keys = unknown(scene.view, scene.seat)
    named = [f"{scene.edition.ranks[key]} {texts.short_character(key)}" for key in keys]
    ranks = " ".join(str(scene.edition.ranks[key]) for key in keys)
    head = wrap(texts.say(msg("you have not seen:")), inner)
    ways = [*head, *named], [*head, *wrap(", ".join(named), inner)]
    lines = next((way for way in ways if len(way) <= room), wrap(ranks, inner))
    title = "" if lines[0] == head[0] else cut(texts.say(msg("not seen")), inner, glyphs.cut)
    pens[0].write(glyphs.corners[0], look.faint).write(title, look.dim)
    pens[0].write(f"{glyphs.rule * (inner - cell_len(title))}{glyphs.corners[1]}", look.faint)
    lines = [*lines, *[""] * room][:room]
    for pen, text in zip(pens[1:-1], lines, strict=True):
        pen.write(glyphs.side, look.faint).write(pad(text, inner, glyphs.cut), look.dim)
        pen.write(glyphs.side, look.faint)
    pens[-1].write(f"{glyphs.corners[2]}{glyphs.rule * inner}{glyphs.corners[3]}", look.faint)
