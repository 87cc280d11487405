"""Drawing the own hand and characters."""

from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import HIDDEN
from citadels_lan.front.cells import pad
from citadels_lan.front.fate import fates
from citadels_lan.front.shown.hand_card import verdict
from citadels_lan.front.signs import MARKS
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen

from .cast_row import marker_sign
from .scene import Scene
from .skyline import district_name

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
    cards = _held(scene, scene.seat)
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
        said = msg("Your hand is covered ({cards}). {key} shows it.")
        pen.write(texts.say(said, cards=count, key=scene.key_of("hide")), look.dim)
        return
    keys = _shown(scene, seat) if scene.shared else [*player.revealed, *player.concealed]
    known = bool(keys) and HIDDEN not in keys
    if scene.reader is None:
        pen.write(f"{scene.names[seat]}: ", look.dim)
    elif known:
        pen.write(texts.say(msg("You are ")), look.dim)
    if known:
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


@dataclass(frozen=True)
class _Card:
    """A card of the hand with its letter, what is said of it, and in which colour."""

    key: str
    letter: str
    ready: bool
    said: str
    style: Style


def _held(scene: Scene, seat: int) -> list[_Card]:
    """The cards of the hand, the cheap ones first."""
    cards = sorted(scene.view.players[seat].hand, key=lambda key: (scene.edition.costs[key], key))
    left = {key: list(letters) for key, letters in scene.letters.items()}
    return [_card(scene, seat, key, left[key].pop(0) if left.get(key) else "") for key in cards]


def _card(scene: Scene, seat: int, key: str, letter: str) -> _Card:
    """Bold where it can be built, dim where something stands against it."""
    found = verdict(scene.texts, scene.view, seat, key)
    worn = Style(bold=True) if found.ready else Style(dim=bool(found.said))
    return _Card(key, letter, found.ready, found.said, scene.look.types[scene.edition.types[key]] + worn)


def _names(scene: Scene, drawing: Drawing, cards: list[_Card], width: int, lines: int) -> None:
    """The cards one after the other: letter, type and cost, name, and what stands against building it."""
    ways = [[_in_words(scene, card, full=full, why=why) for card in cards] for full, why in WAYS]
    texts = next((one for one in ways if _rows(one, cards, width) <= lines), ways[-1])
    crowded = _rows(texts, cards, width) > lines
    pen = Pen(drawing).write(" ")
    for number, (card, text) in enumerate(zip(cards, texts, strict=True)):
        last = crowded and len(drawing.lines) > lines
        more = f"+{len(cards) - number}"
        if pen.x + _cells(card, text) > width - 2 - (len(more) if last else 0) and pen.x > 1:
            if last:
                pen.write(more, scene.look.dim)
                return
            pen = Pen(drawing).write(" ")
        pen.write(f"{card.letter} " if card.letter else "", scene.look.title)
        pen.thing("district", card.key, text, card.style).write("  ")


WAYS: Final = ((True, True), (False, True), (True, False), (False, False))
"""Names in full or short, with and without what stands against building; the first that fits is shown."""


def lines_wanted(scene: Scene, width: int) -> int:
    """Lines of the hand in which every card has its full name, with the line above them."""
    if scene.seat is None or scene.hidden:
        return 2
    cards = _held(scene, scene.seat)
    return 1 + _rows([_in_words(scene, card, full=True, why=False) for card in cards], cards, width)


def _rows(texts: list[str], cards: list[_Card], width: int) -> int:
    """How many lines these need, two cells apart."""
    lines, x = 1, 1
    for text, card in zip(texts, cards, strict=True):
        cells = _cells(card, text)
        if x + cells > width - 2 and x > 1:
            lines, x = lines + 1, 1
        x += cells + 2
    return lines


def _cells(card: _Card, text: str) -> int:
    """With the letter before it."""
    return cell_len(text) + (2 if card.letter else 0)


def _in_words(scene: Scene, card: _Card, *, full: bool, why: bool) -> str:
    texts, edition = scene.texts, scene.edition
    name = texts.district(card.key) if full else texts.short_district(card.key)
    after = f" ({card.said})" if why and card.said and not card.ready else ""
    return f"{texts.letter(edition.types[card.key])}{edition.costs[card.key]} {name}{after}"


def _cards(scene: Scene, drawing: Drawing, cards: list[_Card], width: int) -> None:
    """The cards as cards: letter, cost, name, and whether it can be built."""
    pens = [Pen(drawing) for _ in range(5)]
    glyphs, texts, edition = scene.look.glyphs, scene.texts, scene.edition
    each = min(CARD, (width - 2) // len(cards))
    inner = each - 3
    for number, card in enumerate(cards):
        x, kind = 1 + number * each, edition.types[card.key]
        cost = f"{texts.letter(kind)}{edition.costs[card.key]} {texts.type(kind)}"
        lines = (cost, district_name(scene, card.key, inner), card.said)
        pens[0].to(x).write(glyphs.corners[0], card.style)
        pens[0].write(card.letter or glyphs.rule, scene.look.title)
        pens[0].write(f"{glyphs.rule * (inner - 1)}{glyphs.corners[1]}", card.style)
        drawing.hits.append(Hit("district", card.key, pens[0].y, x, x + inner + 2, 5))
        for pen, text in zip(pens[1:4], lines, strict=True):
            pen.to(x).write(f"{glyphs.side}{pad(text, inner, '')}{glyphs.side}", card.style)
        pens[4].to(x).write(f"{glyphs.corners[2]}{glyphs.rule * inner}{glyphs.corners[3]}", card.style)
