"""Drawing the characters of the table in a line or as cards: what is known of each, and what lies on it."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import acting
from citadels_lan.front.cells import cut, pad
from citadels_lan.front.city_view import in_force
from citadels_lan.front.glyphs import Glyphs
from citadels_lan.front.pending import asked_for
from citadels_lan.texts import Message, msg, msg_in
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen

from .scene import Scene

BEFORE = 3
"""Cells of a character beside its name: rank, sign, and a space to the next."""
CARD_LINES = 3
"""Lines of the cards."""
WIDEST = 18
"""Cells of a card at most."""
OUT: Message = msg_in("character", "out")
KILLED: Message = msg_in("marker", "killed")
SILENT: Message = msg_in("character", "nobody")


def cast_row(scene: Scene, drawing: Drawing, width: int, lines: int = 1) -> None:
    """Draw rank, sign and name of every character in so many lines; the sign shows its public state."""
    if scene.shared:
        _columns(scene, drawing, tuple(scene.edition.characters), width, lines)
    elif lines > 1:
        _columns(scene, drawing, scene.view.cast, width, lines)
    elif scene.view.cast:  # else chance has not drawn it yet
        _in_a_line(scene, Pen(drawing), width)


def lines_wanted(scene: Scene, width: int) -> int:
    """Lines in which every character of a cast by ranks has its full name: one, or two."""
    names = map(scene.texts.character, scene.view.cast)
    return 1 if sum(len(name) + BEFORE for name in names) < width else 2


def _in_a_line(scene: Scene, pen: Pen, width: int) -> None:
    cast = scene.view.cast
    names = _fitting(scene, width - 1 - BEFORE * len(cast))
    spare = width - 1 - sum(len(name) + BEFORE for name in names)
    gap = 1 + max(0, min(3, spare // len(cast)))
    for key, name in zip(cast, names, strict=True):
        sign, more, style = character_state(scene, key)
        kept = max(len(name) + gap - 1 - len(more), 0)  # rather letters unseen than marks
        shown = f"{name[:kept]}{more}"
        pen.write("" if pen.x else " ").thing("character", key, f"{scene.edition.ranks[key]}{sign}{shown}", style)
        pen.write(" " * (len(name) + gap - len(shown)))


def _columns(scene: Scene, drawing: Drawing, cast: Sequence[str], width: int, lines: int) -> None:
    """The characters in columns, with their ranks unless they are called off a deck."""
    across = -(-len(cast) // lines)
    each = max((width - 2) // across, 2)
    for first in range(0, len(cast), across):
        pen = Pen(drawing)
        for number, key in enumerate(cast[first : first + across]):
            sign, more, style = character_state(scene, key)
            rank = "" if scene.shared else str(scene.edition.ranks[key])
            name = _name(scene, key, each - 1 - len(more) - len(rank))
            pen.to(1 + number * each).thing("character", key, f"{rank}{sign}{name}{more}", style)


def _name(scene: Scene, key: str, room: int) -> str:
    """A character's name in so many cells: in full, short, or the beginning of it."""
    name = scene.texts.character(key)
    return name if len(name) <= room else cut(scene.texts.short_character(key), max(room, 0), "")


def _fitting(scene: Scene, room: int) -> list[str]:
    """The names of the cast in so many cells: in full, or short, or the longest ones cut, with a point at their
    ends."""
    names = [scene.texts.character(key) for key in scene.view.cast]
    short = [scene.texts.short_character(key) for key in scene.view.cast]
    if sum(map(len, names)) > room:
        names = short
    longest = max(map(len, names))
    while sum(map(len, names)) > room and longest > 1:
        longest -= 1
        names = [cut(name, longest, ".") if len(name) > longest else name for name in short]
    return names


def character_state(scene: Scene, key: str) -> tuple[str, str, Style]:
    """The sign between rank and name, more signs behind the name, and the style."""
    view, look = scene.view, scene.look
    glyphs = look.glyphs
    if key in view.faceup:
        return glyphs.gone, "", look.struck
    kinds = {mark.kind for mark in view.marks if mark.character == key}
    signs = [sign for kind, sign in mark_signs(glyphs) if kind in kinds]
    if signs:
        return signs[0], "".join(signs[1:]), look.danger
    if view.turn is not None and view.turn.character == key:
        own = scene.reader in acting(view)  # then the cursor is the only sign of a move
        return glyphs.tick if own else glyphs.turn, "", look.title
    if key in view.called:
        return glyphs.tick, "", look.accent if key in in_force(view) else look.struck
    if any(key in player.revealed for player in view.players):
        return glyphs.tick, "", look.accent
    if view.phase == "turns" and scene.edition.ranks[key] <= view.rank and key != asked_for(view):
        return glyphs.dot, "", look.dim
    return " ", "", look.bold


def mark_signs(glyphs: Glyphs) -> tuple[tuple[str, str], ...]:
    """Kinds of markers and their signs; the first that lies on a character is shown."""
    return (
        ("killed", glyphs.killed),
        ("bewitched", glyphs.bewitched),
        ("signed", glyphs.chosen),
        ("flower", glyphs.chosen),
        ("robbed", glyphs.robbed),
        ("warrant", glyphs.warrant),
        ("threat", glyphs.threat),
    )


def marker_sign(glyphs: Glyphs, kind: str) -> str:
    """The sign before a notice: that of a kind of marker, or one that only asks for attention."""
    return dict(mark_signs(glyphs)).get(kind, glyphs.threat)


# Cards


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
