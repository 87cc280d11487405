"""Drawing the own hand and characters."""

from rich.style import Style

from citadels_lan.engine import HIDDEN
from citadels_lan.engine.turn.cities import uniques
from citadels_lan.front.cells import pad
from citadels_lan.front.fate import fates
from citadels_lan.front.signs import MARKS
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .cast_row import marker_sign
from .scene import Scene

CARD = 15
"""Cells of a card drawn."""


def hand(scene: Scene, width: int, height: int) -> Drawing:
    """The own hand in `height` lines: 2 are enough for names, from 5 on the cards are drawn."""
    drawing = Drawing()
    if scene.seat is None:
        Pen(drawing).write(scene.texts.say(msg(" You are watching: hands stay hidden.")), scene.look.dim)
        return drawing
    _title(scene, drawing, scene.seat)
    if scene.hidden:
        return drawing
    cards = sorted(scene.view.players[scene.seat].hand, key=lambda key: (scene.edition.costs[key], key))
    if height >= 6 and cards and len(cards) * 10 <= width:
        _cards(scene, drawing, cards, width)
    else:
        _names(scene, drawing, cards, width, height - 1)
    return drawing


def _title(scene: Scene, drawing: Drawing, seat: int) -> None:
    texts, look = scene.texts, scene.look
    player = scene.view.players[seat]
    pen = Pen(drawing).write(" ")
    if scene.hidden:
        count = texts.plural("{count} card", "{count} cards", len(player.hand))
        pen.write(texts.say(msg("Your hand is covered ({cards}). H shows it."), cards=count), look.dim)
        return
    keys = _shown(scene, seat) if scene.shared else [*player.revealed, *player.concealed]
    if keys and HIDDEN not in keys:
        whose = f"{scene.names[seat]}: " if scene.view.whole else texts.say(msg("You are "))
        pen.write(whose, look.dim)
        for number, key in enumerate(keys):
            pen.write(", " if number else "")
            _character(scene, pen, seat, key)
        pen.write(f" {look.glyphs.dot} ", look.dim)
    pen.write(texts.plural("{count} gold", "{count} gold", player.gold), look.gold)
    pen.write(f" {look.glyphs.dot} ", look.dim)
    pen.write(texts.plural("{count} card in hand", "{count} cards in hand", len(player.hand)))


def _shown(scene: Scene, seat: int) -> list[str]:
    """The character of the own turn, where characters are called off a deck."""
    turn = scene.view.turn
    return [turn.character] if turn is not None and turn.seat == seat else []


def _character(scene: Scene, pen: Pen, seat: int, key: str) -> None:
    """An own character; what has befallen it stands behind its name and its sign before."""
    texts, look = scene.texts, scene.look
    name = texts.character(key) if scene.shared else f"{scene.edition.ranks[key]} {texts.character(key)}"
    kinds = [mark.kind for mark in fates(scene.view, seat) if mark.character == key]
    if kinds:
        said = ", ".join(texts.say(MARKS[kind]) for kind in kinds)
        pen.thing("character", key, f"{marker_sign(look.glyphs, kinds[0])} {name} ({said})", look.danger)
    else:
        pen.thing("character", key, name, look.title)


def _style(scene: Scene, key: str) -> Style:
    """A card's colour; bold where there is gold enough to build it."""
    assert scene.seat is not None
    player = scene.view.players[scene.seat]
    facts = scene.edition.districts[key]
    price = facts.cost + sum(unique.price(facts) for unique in uniques(scene.view, scene.seat))
    return scene.look.types[facts.type] + Style(bold=price <= player.gold)


def _names(scene: Scene, drawing: Drawing, cards: list[str], width: int, lines: int) -> None:
    edition = scene.edition
    pen = Pen(drawing).write(" ")
    full = sum(len(scene.texts.district(key)) + 5 for key in cards) < (width - 2) * lines
    for number, key in enumerate(cards):
        name = scene.texts.district(key) if full else scene.texts.short_district(key)
        text = f"{scene.texts.letter(edition.types[key])}{edition.costs[key]} {name}"
        if pen.x + len(text) > width - 2 and pen.x > 1:
            if len(drawing.lines) > lines:
                pen.write(f"+{len(cards) - number}", scene.look.dim)
                return
            pen = Pen(drawing).write(" ")
        pen.thing("district", key, text, _style(scene, key)).write("  ")


def _cards(scene: Scene, drawing: Drawing, cards: list[str], width: int) -> None:
    pens = [Pen(drawing) for _ in range(5)]
    glyphs, texts = scene.look.glyphs, scene.texts
    each = min(CARD, (width - 2) // len(cards))
    inner = each - 3
    for number, key in enumerate(cards):
        style, x = _style(scene, key), 1 + number * each
        side = glyphs.side
        facts = scene.edition.districts[key]
        count = str(facts.cost)
        middle = [
            f"{side}{count:>{inner}}{side}",
            f"{side}{pad(texts.short_district(key), inner, '')}{side}",
            f"{side}{pad(texts.type(facts.type), inner, '')}{side}",
        ]
        head = f"{glyphs.corners[0]}{texts.letter(facts.type)}{glyphs.rule * (inner - 1)}{glyphs.corners[1]}"
        pens[0].to(x).thing("district", key, head, style, rows=5)
        for pen, text in zip(pens[1:4], middle, strict=True):
            pen.to(x).write(text, style)
        pens[4].to(x).write(f"{glyphs.corners[2]}{glyphs.rule * inner}{glyphs.corners[3]}", style)
