"""Drawing the common city: every name there is, by type, with the digit of the player before whom it stands."""

from collections.abc import Sequence
from typing import TypeAlias

from rich.style import Style

from citadels_lan.engine.cards import DistrictType
from citadels_lan.front.cells import cut, pad, wrap
from citadels_lan.front.common_city import Plot, plots, standing, wanted
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .scene import Scene
from .skyline import block, district_name

PLOT = 13
"""Cells of a name in lines that go through all types."""
COLUMN = 22
"""Cells of a name in columns of one type each."""
Item: TypeAlias = Plot | DistrictType | None
"""What stands in a column: a name, the heading of a type, or nothing beside one."""
NAME = 14
"""Cells of a player's name."""
NO_BREAK = "\u00a0"
COLUMNS = 5
"""Columns of a drawing by types: two of them for the four ordinary types, the others for the unique districts."""


def height(names: int, width: int) -> int:
    """Lines that so many names need."""
    if width >= COLUMN * COLUMNS:
        return 11
    return 1 + -(-names // (width // PLOT))


def common_city(scene: Scene, width: int, height: int) -> Drawing:
    """All names, in columns by type where there is room, else one after the other; below them the players, as far
    as there are lines left."""
    drawing = Drawing()
    if width >= COLUMN * COLUMNS:
        _columns(scene, drawing)
    else:
        _lines(scene, drawing, width)
        _letters(scene, drawing, width, height)
    return drawing


def _lines(scene: Scene, drawing: Drawing, width: int) -> None:
    all_plots = [plot for kind in plots(scene.view).values() for plot in kind]
    _legend(scene, Pen(drawing))
    each = width // PLOT
    for first in range(0, len(all_plots), each):
        pen = Pen(drawing).write(" ")
        for number, plot in enumerate(all_plots[first : first + each]):
            pen.to(1 + number * PLOT)
            letter = scene.texts.letter(plot.type)
            _plot(scene, pen, plot, f"{letter}{plot.cost} ", PLOT - 6)


def _legend(scene: Scene, pen: Pen) -> None:
    """What the signs before the names mean."""
    say, look, view = scene.texts.say, scene.look, scene.view
    pen.write(f" {say(msg('City {count}/{all}'), count=standing(view), all=wanted(view))}", look.bold)
    pen.write(f"   1-{len(view.players)} {say(msg('whose'))}", look.dim)
    pen.write(f"  {look.glyphs.dot} {say(msg('missing'))}", look.dim)
    if scene.seat is not None and not scene.hidden:
        pen.write(f"  + {say(msg('missing, and in your hand'))}", look.dim)


def _letters(scene: Scene, drawing: Drawing, width: int, height: int) -> None:
    """Who is which digit."""
    names = [f"{seat + 1} {cut(scene.called(seat), NAME)}" for seat in range(len(scene.names))]
    lines = wrap("  ".join(name.replace(" ", NO_BREAK) for name in names), width - 2)
    for line in lines[: max(height - len(drawing.lines), 0)]:
        Pen(drawing).write(f" {line.replace(NO_BREAK, ' ')}", scene.look.dim)


def _columns(scene: Scene, drawing: Drawing) -> None:
    found = plots(scene.view)
    unique = found["unique"]
    rows = -(-len(unique) // (COLUMNS - 2))
    more: list[list[Item]] = [[None, *unique[first : first + rows]] for first in range(rows, len(unique), rows)]
    columns: list[list[Item]] = [
        ["noble", *found["noble"], "trade", *found["trade"]],
        ["religious", *found["religious"], "military", *found["military"]],
        ["unique", *unique[:rows]],
        *more,
    ]
    for row in range(max(map(len, columns))):
        pen = Pen(drawing)
        for number, column in enumerate(columns):
            pen.to(1 + number * COLUMN)
            item = column[row] if row < len(column) else None
            if isinstance(item, Plot):
                _plot(scene, pen, item, f"{_block(scene, item)}{item.cost} ", COLUMN - 6)
            elif item is not None:
                _type(scene, pen, item, found[item])


def _type(scene: Scene, pen: Pen, kind: DistrictType, of_type: Sequence[Plot]) -> None:
    """The heading of a type: how many of its names stand."""
    texts = scene.texts
    stands = sum(bool(plot.owners) for plot in of_type)
    said = texts.say(msg("{count} of {all}"), count=stands, all=len(of_type))
    pen.write(f"{texts.letter(kind)} {texts.type(kind)}: {said}", scene.look.types[kind] + Style(bold=True))


def _plot(scene: Scene, pen: Pen, plot: Plot, before: str, room: int) -> None:
    """A name with the digit of its owner, or a sign where it does not stand."""
    look = scene.look
    name = pad(district_name(scene, plot.key, room), room, "")
    if plot.owners:
        sign, style = str(plot.owners[-1] + 1), look.types[plot.type]
        pen.write(sign, look.title if scene.seat in plot.owners else look.strong)
    elif _held(scene, plot.key):
        sign, style = "+", look.types[plot.type] + Style(dim=True)
        pen.write(sign, look.title)
    else:
        style = look.dim
        pen.write(look.glyphs.dot, style)
    pen.thing("district", plot.key, f"{before}{name}", style).write(" ")


def _block(scene: Scene, plot: Plot) -> str:
    """As high as the district costs, or an empty plot."""
    return block(scene, plot.cost) if plot.owners else scene.look.glyphs.plot


def _held(scene: Scene, key: str) -> bool:
    """Whether this person could build it: it is in the own hand."""
    return scene.seat is not None and not scene.hidden and key in scene.view.players[scene.seat].hand
