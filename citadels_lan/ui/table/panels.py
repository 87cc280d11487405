"""The panels next to the question: the card under the cursor, the suspects, the hints of the tutorial."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine.turn.cities import standing
from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.city_view import price
from citadels_lan.front.identities import possible
from citadels_lan.front.tutorial.guide import Guide, Hint, Kind
from citadels_lan.texts import msg
from citadels_lan.texts.cards import explanation, facts, summary
from citadels_lan.ui.widgets.drawing import Drawing, Pen, heading
from citadels_lan.ui.widgets.look import Look

from .scene import Scene, SceneView

NAME = 12
"""Cells of a player's name at most."""
LINES: Final = 3
"""Lines above the question: as many as the longest idea has."""
LARGE: Final = 14
"""From so many lines on it has room for three ideas."""
PANEL: Final = 8
"""From so many lines on it is a panel, with a heading and with everything that can be said."""


def detail(scene: Scene, key: str, width: int, height: int) -> Drawing:
    """The card `key` in full. If there is none, the character on turn or the player's own; if there is none
    either, what the signs mean."""
    drawing, key = Drawing(), key or in_hand(scene)
    if key in scene.edition.characters or key in scene.edition.districts:
        _card(scene, drawing, key, width, height)
    else:
        _legend(scene, drawing, width, height)
    return drawing


def detail_inputs(scene: Scene) -> tuple[object, ...]:
    """Return the inputs of the panel with a card."""
    own = scene.view.players[scene.seat] if scene.seat is not None else None
    return in_hand(scene), own, scene.hidden, scene.texts, scene.look


def in_hand(scene: Scene) -> str:
    """Return the character to show while the player points at nothing: the one on turn, else the player's own."""
    if scene.view.turn is not None:
        return scene.view.turn.character
    own = scene.view.players[scene.seat].concealed if scene.seat is not None and not scene.hidden else ()
    return next(iter(own), "")


def _card(scene: Scene, drawing: Drawing, key: str, width: int, height: int) -> None:
    """Draw name, facts, the result of building it, and the text of the card."""
    texts, look, edition = scene.texts, scene.look, scene.edition
    name = texts.character(key) if key in edition.characters else texts.district(key)
    style = look.card(edition, key) + Style(bold=True)
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
    """Return what the player has after building a card of the hand: gold, districts, types."""
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
    """Explain the signs while there is no card to show."""
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


# The tutorial


class GuideView(SceneView):
    """Shows the hints of the tutorial. A hint that was drawn counts as told."""

    def __init__(self, guide: Guide) -> None:
        super().__init__(hints_shown, lambda scene: (scene.texts, scene.look), id="guide")
        self._guide = guide

    def draw(self, width: int, height: int) -> Drawing:
        if self._shown and self._shown[1]:
            self._guide.tell()
        return super().draw(width, height)


def hints_shown(scene: Scene, hints: Sequence[Hint], waiting: int, width: int, height: int) -> Drawing:
    """A panel if there is room, else lines."""
    return (panel if height >= PANEL else lines)(scene, hints, waiting, width, height)


def ideas(height: int) -> int:
    """Return how many ideas have room in so many lines."""
    return 1 if height < PANEL else 2 if height < LARGE else 3


def panel(scene: Scene, hints: Sequence[Hint], waiting: int, width: int, height: int) -> Drawing:
    """Everything, one below the other; how far one is at the end."""
    drawing, texts, look = Drawing(), scene.texts, scene.look
    title, said = texts.say(msg("Learn while you play")), _waiting(scene, waiting)
    room = cell_len(title) + cell_len(said) + 5 <= width
    pen = heading(look, Pen(drawing), title, width - 2 - cell_len(said) if said and room else width - 1)
    _next(scene, pen, waiting, width)
    far = [hint for hint in hints if hint.kind == "far"]
    below = [row for hint in far for row in wrap(hint.text, width - 2)]
    for hint in hints:
        rows = wrap(hint.text, width - 4)
        if hint.kind != "far" and len(drawing.lines) + len(rows) + len(below) <= height:
            _write(look, drawing, hint, rows)
    spare = height - len(drawing.lines) - len(below)
    for _ in range(spare - (spare > 1)):  # the last free line stands below, before the log
        Pen(drawing)
    for row in below:
        Pen(drawing).write(f" {row}", look.gold)
    return drawing


def lines(scene: Scene, hints: Sequence[Hint], waiting: int, width: int, height: int) -> Drawing:
    """The first of all, and what follows as far as there is room."""
    drawing, look = Drawing(), scene.look
    for number, hint in enumerate(hints):
        room = height - len(drawing.lines)
        rows = wrap(hint.text, width - 4)
        if len(rows) <= room or not number:
            _write(look, drawing, hint, rows[:room])
    if drawing.lines and waiting:
        _next(scene, Pen.after(drawing), waiting, width)
    return drawing


def _next(scene: Scene, pen: Pen, waiting: int, width: int) -> None:
    """Write the key for the next hint at the end of a line that has room for it."""
    said = _waiting(scene, waiting)
    if said and pen.x + cell_len(said) + 2 <= width:
        pen.to(width - cell_len(said) - 1).thing("key", "Esc", said, scene.look.dim)


def _waiting(scene: Scene, waiting: int) -> str:
    """How many hints there are still, and how they come."""
    return scene.texts.say(msg("Esc: next ({count})"), count=waiting) if waiting else ""


def _write(look: Look, drawing: Drawing, hint: Hint, rows: Sequence[str]) -> None:
    sign, style = _looks(look)[hint.kind]
    for number, row in enumerate(rows):
        pen = Pen(drawing).write(f" {sign if not number else ' '} ", look.title)
        pen.thing("guide", "", row, style)


def _looks(look: Look) -> Mapping[Kind, tuple[str, Style]]:
    """The sign before a sentence and its style, by what it is about."""
    glyphs = look.glyphs
    return {
        "idea": (glyphs.house[0], look.strong),
        "now": (glyphs.to, look.accent),
        "may": (glyphs.dot, Style()),
        "barred": (glyphs.gone, look.dim),
        "happened": (glyphs.mark, Style()),
        "far": (glyphs.complete, look.gold),
    }
