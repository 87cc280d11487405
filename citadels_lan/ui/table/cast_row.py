"""Drawing the characters of the table in a line: what is known of each, and what lies on it."""

from rich.style import Style

from citadels_lan.front.cells import cut
from citadels_lan.front.common_city import in_force
from citadels_lan.front.glyphs import Glyphs
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .scene import Scene


def cast_row(scene: Scene, drawing: Drawing, width: int, lines: int = 1) -> None:
    """Rank, sign and name of every character; the sign says what is known of it. `lines` may be several where the
    characters are called off a deck."""
    if scene.shared:
        _called(scene, drawing, width, lines)
        return
    pen = Pen(drawing)
    cast = scene.view.cast
    if not cast:  # chance has not drawn it yet
        return
    names = _fitting(scene, width - 1 - 3 * len(cast))
    spare = width - 1 - sum(len(name) + 3 for name in names)
    gap = 1 + max(0, min(3, spare // len(cast)))
    for key, name in zip(cast, names, strict=True):
        sign, more, style = character_state(scene, key)
        kept = max(len(name) + gap - 1 - len(more), 0)  # rather letters unseen than marks
        shown = f"{name[:kept]}{more}"
        pen.write("" if pen.x else " ").thing("character", key, f"{scene.edition.ranks[key]}{sign}{shown}", style)
        pen.write(" " * (len(name) + gap - len(shown)))


def _called(scene: Scene, drawing: Drawing, width: int, lines: int) -> None:
    """Sign and name of every character of a deck that they are called off: bold while it may still come."""
    cast = tuple(scene.edition.characters)
    across = -(-len(cast) // lines)
    each = max((width - 2) // across, 2)
    for first in range(0, len(cast), across):
        pen = Pen(drawing)
        for number, key in enumerate(cast[first : first + across]):
            sign, more, style = character_state(scene, key)
            name = _name(scene, key, each - 1 - len(more))
            pen.to(1 + number * each).thing("character", key, f"{sign}{name}{more}", style)


def _name(scene: Scene, key: str, room: int) -> str:
    """A character's name in so many cells: in full, short, or the beginning of it."""
    name = scene.texts.character(key)
    return name if len(name) <= room else cut(scene.texts.short_character(key), max(room, 0), "")


def _fitting(scene: Scene, room: int) -> list[str]:
    """The names of the cast in so many cells: in full, or short, or the longest ones cut."""
    names = [scene.texts.character(key) for key in scene.view.cast]
    if sum(map(len, names)) > room:
        names = [scene.texts.short_character(key) for key in scene.view.cast]
    longest = max(map(len, names))
    while sum(map(len, names)) > room and longest > 1:
        longest -= 1
        names = [cut(name, longest, "") for name in names]
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
        return glyphs.turn, "", look.title
    if key in view.called:
        return glyphs.tick, "", look.accent if key in in_force(view) else look.struck
    if any(key in player.revealed for player in view.players):
        return glyphs.tick, "", look.accent
    if view.phase == "turns" and scene.edition.ranks[key] <= view.rank:
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
