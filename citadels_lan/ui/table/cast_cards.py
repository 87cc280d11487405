"""Drawing the characters of the table as cards side by side: rank, name, what is known of each, and who it is."""

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.front.cells import cut, pad
from citadels_lan.front.waiting.calling import asked_for
from citadels_lan.texts import Message, msg, msg_in
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen

from .cast_row import character_state
from .scene import Scene

CARD_LINES = 3
"""Lines of the cards."""
WIDEST = 18
"""Cells of a card at most."""


def cast_cards(scene: Scene, drawing: Drawing, width: int) -> None:
    """A card for every character, by rank."""
    top, name, state = (Pen(drawing) for _ in range(CARD_LINES))
    cast = scene.view.cast
    if not cast:
        return
    each = min((width - 1) // len(cast), WIDEST)
    for number, key in enumerate(cast):
        for pen in (top, name, state):
            pen.to(1 + number * each)
        _card(scene, (top, name, state), key, each - 1)


def _card(scene: Scene, pens: tuple[Pen, Pen, Pen], key: str, width: int) -> None:
    glyphs = scene.look.glyphs
    sign, more, style = character_state(scene, key)
    head = f"{scene.edition.ranks[key]}{f' {sign}{more} ' if sign.strip() else ''}"
    top, middle, bottom = pens
    frame = style if style in (scene.look.title, scene.look.accent, scene.look.danger) else scene.look.faint
    top.drawing.hits.append(Hit("character", key, top.y, top.x, top.x + width, CARD_LINES))
    top.write(f"{glyphs.corners[0]}{glyphs.rule}", frame).write(head, style)
    top.write(f"{glyphs.rule * (width - len(head) - 3)}{glyphs.corners[1]}", frame)
    title = scene.texts.character(key)
    title = title if len(title) <= width - 2 else scene.texts.short_character(key)
    middle.write(glyphs.side, frame).write(pad(title, width - 2, ""), style).write(glyphs.side, frame)
    text, text_style = state(scene, key)
    said = cut(text, width - 2, glyphs.cut)
    bottom.write(glyphs.corners[2], frame).write(said, text_style)
    bottom.write(f"{glyphs.rule * (width - 2 - cell_len(said))}{glyphs.corners[3]}", frame)


def state(scene: Scene, key: str) -> tuple[str, Style]:
    """Who is known to be a character, or what is known of it otherwise."""
    view, look, say = scene.view, scene.look, scene.texts.say
    if key in view.faceup:
        return say(OUT), look.dim
    for seat, player in enumerate(view.players):
        if key in player.revealed:
            return (say(msg("you")) if seat == scene.reader else scene.names[seat]), look.accent
    if any(mark.kind == "killed" and mark.character == key for mark in view.marks):
        return say(KILLED), look.danger
    own = view.players[scene.seat].concealed if scene.seat is not None and not scene.hidden else []
    if key in own:
        return say(msg("you")) if scene.reader is not None else scene.names[scene.seat or 0], look.title
    if view.phase == "turns" and scene.edition.ranks[key] <= view.rank and key != asked_for(view):
        return say(SILENT), look.dim
    return "", look.dim


OUT: Message = msg_in("character", "out")
KILLED: Message = msg_in("marker", "killed")
SILENT: Message = msg_in("character", "nobody")
