"""What only a large screen has room for: the card under the cursor, and who could be who."""

from collections.abc import Callable, Sequence

from rich.style import Style

from citadels_lan.engine.turn.cities import standing
from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.guess import possible
from citadels_lan.front.shown.hand_card import price
from citadels_lan.texts import msg
from citadels_lan.texts.cards import explanation, facts, summary
from citadels_lan.ui.widgets import card_style
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.heading import heading

from .scene import Scene

NAME = 12
"""Cells of a player's name at most."""


class DetailView(Canvas):
    """The card that the question or a cursor points at, in full; `shown` is its key, empty for none. Then it is
    the character on turn, or one's own, and where there is neither, what the signs mean."""

    def __init__(self, scene: Callable[[], Scene], shown: Callable[[], str]) -> None:
        super().__init__(id="detail")
        self._scene = scene
        self._shown = shown

    def draw(self, width: int, height: int) -> Drawing:
        scene, drawing = self._scene(), Drawing()
        key = self._shown() or in_hand(scene)
        if key and key in {**scene.edition.characters, **scene.edition.districts}:
            _card(scene, drawing, key, width, height)
        else:
            _legend(scene, drawing, width, height)
        return drawing


def in_hand(scene: Scene) -> str:
    """The character to read about while nothing is pointed at: the one on turn, else one's own."""
    if scene.view.turn is not None:
        return scene.view.turn.character
    own = scene.view.players[scene.seat].concealed if scene.seat is not None and not scene.hidden else ()
    return next(iter(own), "")


def _card(scene: Scene, drawing: Drawing, key: str, width: int, height: int) -> None:
    """Name, facts, what comes of building it, what it does."""
    texts, look, edition = scene.texts, scene.look, scene.edition
    name = texts.character(key) if key in edition.characters else texts.district(key)
    style = card_style.style(look, edition, key) + Style(bold=True)
    Pen(drawing).write(f" {cut(name.upper(), width - 2, look.glyphs.cut)}", style)
    for line in wrap(facts(texts, edition, key), width - 2):
        Pen(drawing).write(f" {line}", look.dim)
    if after := after_it(scene, key):
        Pen(drawing).write(f" {cut(after, width - 2, look.glyphs.cut)}", look.accent)
    Pen(drawing)
    lines = wrap(summary(texts, edition, key), width - 2)
    full = wrap(explanation(texts, edition, key), width - 2)
    if len(drawing.lines) + len(lines) + 1 + len(full) <= height:
        lines += ["", *full]
    for line in lines[: max(height - len(drawing.lines), 0)]:
        Pen(drawing).write(f" {line}")


def after_it(scene: Scene, key: str) -> str:
    """What building a card of the own hand leaves: gold, districts, types."""
    view, seat, texts = scene.view, scene.seat, scene.texts
    if seat is None or scene.hidden or key not in view.players[seat].hand or standing(view.players[seat], key):
        return ""
    player, types = view.players[seat], scene.edition.types
    left = player.gold - price(view, seat, key)
    if left < 0:
        return ""
    kinds = {types[district.key] for district in player.city} | {types[key]}
    return texts.say(
        msg("After it: {gold} gold left, {count} districts, {types} of 5 types."),
        gold=left,
        count=len(player.city) + 1,
        types=len(kinds),
    )


def _legend(scene: Scene, drawing: Drawing, width: int, height: int) -> None:
    """What the signs mean, while there is no card to show."""
    look, say, glyphs = scene.look, scene.texts.say, scene.look.glyphs
    signs = (
        (glyphs.turn, msg("whose move it is")),
        (glyphs.crown, msg("has the crown: chooses first")),
        (glyphs.tick, msg("has been played")),
        (glyphs.gone, msg("out of play in this round")),
        (glyphs.killed, msg("murdered")),
        (glyphs.robbed, msg("to be robbed")),
        (glyphs.complete, msg("the city is complete")),
        (glyphs.plot * 2, msg("an empty plot")),
    )
    Pen(drawing).write(f" {say(msg('What the signs mean'))}", look.title)
    for sign, meaning in signs[: max(height - 1, 0)]:
        Pen(drawing).write(f" {sign}", look.gold).to(5).write(cut(say(meaning), width - 6, glyphs.cut), look.dim)


class SuspectsView(Canvas):
    """Who could still be who, as far as the draft and the calls tell."""

    def __init__(self, scene: Callable[[], Scene]) -> None:
        super().__init__(id="suspects")
        self._scene = scene

    def draw(self, width: int, height: int) -> Drawing:
        return suspects(self._scene(), width, height)


def suspects(scene: Scene, width: int, height: int) -> Drawing:
    """A line for every player."""
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
