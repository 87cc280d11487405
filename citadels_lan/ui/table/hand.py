"""Drawing the own hand and characters."""

from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import HIDDEN
from citadels_lan.front.attacks import public_effects
from citadels_lan.front.cells import pad
from citadels_lan.front.city_view import verdict
from citadels_lan.front.glyphs import MARKS
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen

from .cast_row import marker_sign
from .city import district_name
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
    cards = [_judged(scene, scene.seat, card) for card in _held(scene, scene.seat)]
    if height >= 6 and cards and len(cards) * 10 <= width:
        _cards(scene, drawing, cards, width)
    else:
        _names(scene, drawing, cards, width, height - 1)
    return drawing


def hand_inputs(scene: Scene) -> tuple[object, ...]:
    """Return the inputs of the hand's drawing. In the player's own turn the whole view decides which cards can be
    built."""
    seat, view = scene.seat, scene.view
    own_turn = view.turn is not None and view.turn.seat == seat
    player = view.players[seat] if seat is not None else None
    parts = view if own_turn else (player, view.marks)
    return parts, seat, scene.names, scene.texts, scene.look, scene.hidden, scene.letters, scene.keys


def _title(scene: Scene, drawing: Drawing, seat: int) -> None:
    texts, look = scene.texts, scene.look
    player = scene.view.players[seat]
    pen = Pen(drawing).write(" ")
    if scene.hidden:
        count = texts.plural("{count} card", "{count} cards", len(player.hand))
        said = msg("Your hand is covered ({cards}). {key} shows it.")
        pen.write(texts.say(said, cards=count, key=scene.keys["hide"]), look.dim)
        return
    keys, turn = [*player.revealed, *player.concealed], scene.view.turn
    if scene.shared:  # there characters are called off a deck
        keys = [turn.character] if turn is not None and turn.seat == seat else []
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


def _character(scene: Scene, pen: Pen, seat: int, key: str) -> None:
    """Write one of the player's characters, with its marker's sign before the name and the meaning after it."""
    texts, look = scene.texts, scene.look
    name = texts.character(key) if scene.shared else f"{scene.edition.ranks[key]} {texts.character(key)}"
    kinds = [mark.kind for mark in public_effects(scene.view, seat) if mark.character == key]
    if kinds:
        said = ", ".join(texts.say(MARKS[kind]) for kind in kinds)
        pen.thing("character", key, f"{marker_sign(look.glyphs, kinds[0])} {name} ({said})", look.danger)
    else:
        pen.thing("character", key, name, look.title)


class _Card(NamedTuple):
    """A card of the hand: its letter, whether it can be built, the verdict in words, and its style."""

    key: str
    letter: str
    ready: bool = False
    said: str = ""
    style: Style = Style()


def _held(scene: Scene, seat: int) -> list[_Card]:
    """The cards of the hand with their letters, the cheap ones first."""
    cards = sorted(scene.view.players[seat].hand, key=lambda key: (scene.edition.costs[key], key))
    left = {key: list(letters) for key, letters in scene.letters.items()}
    return [_Card(key, left[key].pop(0) if left.get(key) else "") for key in cards]


def _judged(scene: Scene, seat: int, card: _Card) -> _Card:
    """Return a card with its verdict: bold if it can be built, dim if a rule forbids it."""
    found = verdict(scene.texts, scene.view, seat, card.key)
    style = scene.look.types[scene.edition.types[card.key]]
    style += Style(bold=True) if found.ready else Style(dim=bool(found.said))
    return card._replace(ready=found.ready, said=found.said, style=style)


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


def hand_lines(scene: Scene, width: int) -> int:
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
