"""Draws the panels of the table around the question: the hand, the draft, the lesson of the tutorial."""

from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import HIDDEN
from citadels_lan.presenter.attacks import public_effects
from citadels_lan.presenter.facts import income, order, unknown, verdict
from citadels_lan.presenter.symbols import MARKS
from citadels_lan.presenter.text_width import cut, wrap
from citadels_lan.texts import msg
from citadels_lan.ui.table.board import marker_sign
from citadels_lan.ui.table.city import district_name
from citadels_lan.ui.table.scene import Scene
from citadels_lan.ui.widgets.canvas import Drawing, Hit, Pen, box

CARD = 15
"""Most cells of a card that is drawn as a box."""


def hand(scene: Scene, width: int, height: int) -> Drawing:
    """Draw the hand in `height` lines: as boxes from 6 lines on, otherwise as names in lines."""
    drawing = Drawing()
    if scene.seat is None:
        Pen(drawing).write(scene.texts.say(" You are watching: hands stay hidden."), scene.look.dim)
        return drawing
    _title(scene, drawing, scene.seat)
    if scene.hidden:
        return drawing
    cards = [_judged(scene, scene.seat, card) for card in _held(scene, scene.seat)]
    each = min(CARD, (width - 2) // max(len(cards), 1))
    fit = all(cell_len(scene.texts.short_district(card.key)) <= each - 3 for card in cards)
    if height >= 6 and cards and fit:
        _cards(scene, drawing, cards, each)
    else:
        _names(scene, drawing, cards, width, height - 1)
    return drawing


def hand_inputs(scene: Scene) -> tuple[object, ...]:
    """Return the values on which the drawing of the hand depends. In the player's own turn this is the whole
    view, because all of it can decide which cards can be built."""
    seat, view = scene.seat, scene.view
    own_turn = view.turn is not None and view.turn.seat == seat
    player = view.players[seat] if seat is not None else None
    # Outside the player's turn a gold coin of another player does not change the hand.
    parts = view if own_turn else (player, view.marks)
    return parts, seat, scene.names, scene.texts, scene.look, scene.hidden, scene.letters, scene.keys


def _title(scene: Scene, drawing: Drawing, seat: int) -> None:
    """Write the player's characters, gold and number of cards; if the hand is covered, write only that."""
    texts, look, player, turn = scene.texts, scene.look, scene.view.players[seat], scene.view.turn
    pen = Pen(drawing).write(" ")
    if scene.hidden:
        count = texts.plural("{count} card", "{count} cards", len(player.hand))
        covered = msg("Your hand is covered ({cards}). {key} shows it.")
        pen.write(texts.say(covered, cards=count, key=scene.keys["hide"]), look.dim)
        return
    keys = [*player.revealed, *player.concealed]
    if scene.shared:  # in such editions characters are called from a deck
        keys = [turn.character] if turn is not None and turn.seat == seat else []
    if HIDDEN in keys:
        keys = []
    if scene.reader is None:
        pen.write(f"{scene.names[seat]}: ", look.dim)
    elif keys:
        # Translators: the name of the player's character follows
        pen.write(texts.say("You are "), look.dim)
    for number, key in enumerate(keys):
        pen.write(", " if number else "")
        name = texts.character(key) if scene.shared else f"{scene.edition.ranks[key]} {texts.character(key)}"
        kinds = [mark.kind for mark in public_effects(scene.view, seat) if mark.character == key]
        if kinds:
            effects = ", ".join(texts.say(MARKS[kind]) for kind in kinds)
            name = f"{marker_sign(look.glyphs, kinds[0])} {name} ({effects})"
        pen.thing("character", key, name, look.danger if kinds else look.title)
    if pen.x == 1:
        pen.write(texts.say("Your hand"), look.dim)


class _Card(NamedTuple):
    """A card of the hand as it is drawn: its letter, whether it can be built, the reason if it cannot, and
    its style."""

    key: str
    letter: str
    ready: bool = False
    said: str = ""
    style: Style = Style()


def _held(scene: Scene, seat: int) -> list[_Card]:
    """Return the cards of the hand with their letters, in order of cost."""
    cards = sorted(scene.view.players[seat].hand, key=lambda key: (scene.edition.costs[key], key))
    left = {key: list(letters) for key, letters in scene.letters.items()}
    return [_Card(key, left[key].pop(0) if left.get(key) else "") for key in cards]


def _judged(scene: Scene, seat: int, card: _Card) -> _Card:
    """Return the card with the verdict whether it can be built, and its style: bold if it can be built now,
    dim if a rule or its price forbids it."""
    result = verdict(scene.texts, scene.view, seat, card.key)
    style = scene.look.types[scene.edition.types[card.key]]
    style += Style(bold=True) if result.ready else Style(dim=result.barred)
    return card._replace(ready=result.ready, said=result.said, style=style)


WAYS: Final = ((True, True), (False, True), (True, False), (False, False))
"""The ways to write the cards of a hand, the longest first: whether with full names, and whether with the
reason why a card cannot be built. The first way that fits is used."""


def _names(scene: Scene, drawing: Drawing, cards: list[_Card], width: int, lines: int) -> None:
    """Draw the cards as names in `lines` lines: letter, type and cost, name, and the reason why a card cannot
    be built."""
    ways = [[_in_words(scene, card, full=full, why=why) for card in cards] for full, why in WAYS]
    texts = next((way for way in ways if _rows(way, cards, width) <= lines), ways[-1])
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


def hand_lines(scene: Scene, width: int) -> int:
    """Return how many lines the hand needs, including its title, if all names are complete."""
    if scene.seat is None or scene.hidden:
        return 2
    cards = _held(scene, scene.seat)
    return 1 + _rows([_in_words(scene, card, full=True, why=False) for card in cards], cards, width)


def _rows(texts: list[str], cards: list[_Card], width: int) -> int:
    """Return how many lines the texts of these cards need."""
    lines, x = 1, 1
    for text, card in zip(texts, cards, strict=True):
        cells = _cells(card, text)
        if x + cells > width - 2 and x > 1:
            lines, x = lines + 1, 1
        x += cells + 2
    return lines


def _cells(card: _Card, text: str) -> int:
    """Return how many cells a card needs: its letter and `text`."""
    return cell_len(text) + (2 if card.letter else 0)


def _in_words(scene: Scene, card: _Card, *, full: bool, why: bool) -> str:
    texts, edition = scene.texts, scene.edition
    name = texts.district(card.key) if full else texts.short_district(card.key)
    after = f" ({card.said})" if why and card.said and not card.ready else ""
    return f"{texts.letter(edition.types[card.key])}{edition.costs[card.key]} {name}{after}"


def _cards(scene: Scene, drawing: Drawing, cards: list[_Card], each: int) -> None:
    """Draw the cards as boxes of `each` cells: letter, type, cost, name, and the verdict."""
    pens = [Pen(drawing) for _ in range(5)]
    texts, edition = scene.texts, scene.edition
    for number, card in enumerate(cards):
        x, kind = 1 + number * each, edition.types[card.key]
        for pen in pens:
            pen.to(x)
        cost = f"{texts.letter(kind)}{edition.costs[card.key]}"
        lines = (cost, district_name(scene, card.key, each - 3), card.said)
        drawing.hits.append(Hit("district", card.key, pens[0].y, x, x + each - 1, 5))
        head = (card.letter or scene.look.glyphs.rule, scene.look.title)
        box(scene.look, pens, each - 1, card.style, [(line, card.style) for line in lines], head)


DRAFT: Final = 2
"""Lines of the draft, which are above the question."""
DRAFTER: Final = 14
"""Most cells of a player's name in the line with the order of choosing."""


def draft(scene: Scene, width: int, height: int) -> Drawing:
    """Draw two lines: the order in which players choose characters, and the characters that this player
    cannot get."""
    drawing, look, glyphs = Drawing(), scene.look, scene.look.glyphs
    pen = Pen(drawing).write(" ")
    for number, one in enumerate(order(scene.view)):
        now = "" if scene.offline or one.seat == scene.reader else glyphs.turn
        sign = {"done": glyphs.tick, "now": now, "ahead": ""}[one.progress]
        name = f"{' ' + glyphs.to + ' ' if number else ''}{sign}{cut(scene.called(one.seat), DRAFTER)}"
        if pen.x + cell_len(name) > width - 2:
            pen.write(glyphs.cut, look.dim)
            break
        pen.write(name, {"now": look.title, "ahead": None}.get(one.progress, look.dim))
    if height > 1 and not scene.hidden:
        Pen(drawing).write(f" {cut(_missing(scene), width - 2, glyphs.cut)}", look.dim)
    return drawing


def _missing(scene: Scene) -> str:
    """Return a text with the characters that were discarded face up, and those that are face down or that
    other players have chosen, as far as this player knows."""
    texts, view = scene.texts, scene.view
    parts = []
    if view.faceup:
        parts.append(texts.say(msg("discarded: {characters}"), characters=texts.characters(view.faceup)))
    # Before the first packet any character may be anywhere.
    seen = scene.seat is not None and view.players[scene.seat].seen
    keys = unknown(view, scene.seat) if seen else ()
    if keys:
        unseen = ", ".join(map(texts.character, keys))
        chosen = len(keys) > len(view.facedown)
        said = msg("face down or chosen: {characters}") if chosen else msg("face down: {characters}")
        parts.append(texts.say(said, characters=unseen))
    elif view.facedown:
        parts.append(texts.say(msg("face down {count}"), count=len(view.facedown)))
    return f" {scene.look.glyphs.dot} ".join(parts)


def paid(scene: Scene, key: str) -> str:
    """Return a text with the income of a character from the player's present city; "" if it has no income."""
    kind = scene.edition.characters[key].income
    count = income(scene.view, scene.seat, key) if scene.seat is not None else None
    if kind is None or count is None:
        return ""
    return scene.texts.say("income {count} ({letter})", count=count, letter=scene.texts.letter(kind))


# The tutorial


LESSON: Final = 4
"""Cells of a lesson that its lines of text cannot use."""


def lesson(scene: Scene, width: int, height: int) -> Drawing:
    """Draw the tutorial's lesson."""
    drawing, look = Drawing(), scene.look
    for number, row in enumerate(wrap(scene.lesson, width - LESSON)[:height]):
        pen = Pen(drawing).write(f" {look.glyphs.mark if not number else ' '} ", look.title)
        pen.write(row, look.strong)
    return drawing


def lesson_lines(scene: Scene, width: int) -> int:
    """Return how many lines the lesson needs."""
    return len(wrap(scene.lesson, width - LESSON)) if scene.lesson else 0
