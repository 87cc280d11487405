"""Draws the cities. If each player has a city, it is drawn as a skyline: a row of blocks, one for each
district. The height of a block shows the cost; its colour and letter show the type. If all players build one
common city, its districts are listed by name, each with the digit of its owner."""

from collections.abc import Sequence
from typing import TypeAlias

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine.cards import TYPES, DistrictType
from citadels_lan.engine.state import District
from citadels_lan.engine.turn.cities import size
from citadels_lan.presenter.facts import Plot, names_standing, names_wanted, plots
from citadels_lan.presenter.text_width import cut, flow, pad
from citadels_lan.ui.widgets.canvas import Drawing, Hit, Pen, write_lines

from .scene import Scene

FULL = 8
"""The height of one cell in eighths, and so the highest block of a skyline in one line."""
HOUSE = 16
"""Most cells of a drawn district that shows its name."""
LEAST = 6
"""Fewest cells of a drawn district that shows its name."""
CELLS = 13
"""Cells of a district in a common city that is drawn in lines."""
COLUMN = 22
"""Cells of a column in a common city that is drawn in columns."""
Item: TypeAlias = Plot | DistrictType | None
"""A cell of a column in the common city: a district, a type as the heading, or nothing."""
OWNER = 14
"""Most cells of a player's name below the common city."""
COLUMNS = 5
"""Columns of the common city: two for the four ordinary types, three for the unique districts."""


def type_marks(scene: Scene, pen: Pen, seat: int) -> None:
    """Draw five cells, one for each type of district: the letter of the type if the city has a district of
    it, else a dot."""
    has = {scene.edition.types[district.key] for district in scene.view.players[seat].city}
    for kind in TYPES:
        if kind in has:
            pen.write(scene.texts.letter(kind), scene.look.types[kind] + Style(bold=True))
        else:
            pen.write(scene.look.glyphs.dot, scene.look.dim)


def brief(scene: Scene, district: District) -> str:
    """Return a district in a few cells: the letter of its type, its cost, and its state ("+" if beautified, a
    symbol if turned, the number of cards under a Museum)."""
    more = "+" if district.beautified else ""
    more += scene.look.glyphs.turned if district.turned else ""
    more += f":{len(district.under)}" if district.under else ""
    return f"{scene.texts.letter(scene.edition.types[district.key])}{district.cost}{more}"


def district_name(scene: Scene, key: str, room: int) -> str:
    """Return the full name of a district if it fits into `room` cells, otherwise the short name, cut if
    necessary."""
    name = scene.texts.district(key)
    return name if cell_len(name) <= room else cut(scene.texts.short_district(key), max(room, 0), "")


# One line


def low_skyline(scene: Scene, pen: Pen, seat: int, room: int) -> None:
    """Draw a city in one line: a block, the type and the cost of each district. While the question offers a
    district, its key is drawn in place of the block, or of the type if there is no room for blocks."""
    city = scene.view.players[seat].city
    blocks = [(block(scene, district.cost), brief(scene, district)) for district in city]
    spaced = sum(len(high + name) + 1 for high, name in blocks)
    # Blocks move together before one of them is left out.
    gap = int(spaced - 1 <= room)
    fits = spaced - len(blocks) * (1 - gap) <= room
    start = pen.x
    for place, (district, (high, name)) in enumerate(zip(city, blocks, strict=True)):
        key, begin = scene.places.get((seat, place), ""), len(pen.line)
        text = f"{key or high}{name}" if fits else f"{key}{name[len(key) :]}"
        if pen.x - start + len(text) > room:
            pen.write(scene.look.glyphs.cut, scene.look.dim)
            return
        pen.thing("district", district.key, text, _style(scene, district)).write(" " * gap)
        pen.line.stylize(scene.look.title, begin, begin + len(key))


def block(scene: Scene, cost: int) -> str:
    """Return the character that shows the cost of a district in a skyline of one line."""
    return scene.look.glyphs.heights[min(cost + 1, FULL)]


def _style(scene: Scene, district: District) -> Style:
    return scene.look.types[scene.edition.types[district.key]]


# Houses


def high_skyline(scene: Scene, pens: Sequence[Pen], seat: int, room: int) -> None:
    """Draw a city in two or more lines: for each district a coloured rectangle with its name in the last
    line. With three or more lines, the height of the rectangle shows the cost. `pens` has a pen for each
    line, the top one first."""
    city = scene.view.players[seat].city
    plots = len(city) + max((scene.goal or 0) - size(scene.view, seat), 0)
    each = min(HOUSE + 1, room // max(plots, 1))
    x = max(pen.x for pen in pens)
    for pen in pens:
        pen.to(x)
    if each <= LEAST:  # there are too many houses to show names on them
        low_skyline(scene, pens[-1], seat, room)
        return
    for place, district in enumerate(city):
        key = scene.places.get((seat, place), "")
        (_tower if len(pens) > 2 else _house)(scene, pens, district, each - 1, key)
        for pen in pens:
            pen.write(" ")


def _house(scene: Scene, pens: Sequence[Pen], district: District, width: int, key: str) -> None:
    """Draw a district in two lines. First line: the key in the question (if any), type and cost, and a block
    for the cost. Second line: the name."""
    roof, wall = pens
    style = _style(scene, district)
    said = cut(f"{key} {brief(scene, district)}".lstrip(), width, "")
    text = f"{said}{_roof(scene, district.cost, width - len(said))}"
    roof.thing("district", district.key, text, style + Style(bold=True), rows=2)
    wall.write(pad(district_name(scene, district.key, width), width, ""), style + scene.look.reverse)


def _tower(scene: Scene, pens: Sequence[Pen], district: District, width: int, key: str) -> None:
    """Draw a district as a rectangle whose height shows the cost. Its name is in the last line; key, type and
    cost are above the rectangle, or inside it if there is no room above."""
    *air, wall = pens
    style, said = _style(scene, district), pad(f"{key} {brief(scene, district)}".lstrip(), width, "")
    full, rest = divmod(min(district.cost * len(air), FULL * len(air)), FULL)
    above = full + bool(rest)
    label = above if above < len(air) else full - 1
    for line, pen in enumerate(reversed(air)):
        if line == label:
            text, worn = said, style + (scene.look.reverse if line < full else Style(bold=True))
        elif line < full:
            text, worn = " " * width, style + scene.look.reverse
        else:
            text, worn = _roof(scene, rest if line == full else 0, width), style
        pen.write(text, worn)
    wall.write(pad(district_name(scene, district.key, width), width, ""), style + scene.look.reverse)
    top = pens[0]
    top.drawing.hits.append(Hit("district", district.key, top.y, top.x - width, top.x, len(pens)))


def _roof(scene: Scene, eighths: int, width: int) -> str:
    return scene.look.glyphs.heights[min(eighths, FULL)] * width


# The common city


def height(names: int, width: int) -> int:
    """Return how many lines the common city needs in this width for `names` districts."""
    if width >= COLUMN * COLUMNS:
        return 11
    return 1 + -(-names // (width // CELLS))


def common_city(scene: Scene, width: int, height: int) -> Drawing:
    """Draw the common city. With one line: how many districts of each type are built. If the width is enough:
    a column for each type. Otherwise: all districts in lines, and below them, if there is room, the numbers
    and names of the players."""
    drawing = Drawing()
    if height == 1:
        _counts(scene, Pen(drawing).write(" "))
    elif width >= COLUMN * COLUMNS:
        _columns(scene, drawing)
    else:
        _lines(scene, drawing, width)
        _letters(scene, drawing, width, height)
    return drawing


def _lines(scene: Scene, drawing: Drawing, width: int) -> None:
    all_plots = [plot for kind in plots(scene.view).values() for plot in kind]
    _legend(scene, Pen(drawing))
    each = width // CELLS
    for first in range(0, len(all_plots), each):
        pen = Pen(drawing).write(" ")
        for number, plot in enumerate(all_plots[first : first + each]):
            pen.to(1 + number * CELLS)
            letter = scene.texts.letter(plot.type)
            _plot(scene, pen, plot, f"{letter}{plot.cost} ", CELLS - 6)


def _legend(scene: Scene, pen: Pen) -> None:
    """Write how many districts are built, and the meaning of the signs: the owner's digit, missing, and
    missing but in the player's hand."""
    say, look, view = scene.texts.say, scene.look, scene.view
    pen.write(f" {say('City {count}/{all}', count=names_standing(view), all=names_wanted(view))}", look.bold)
    pen.write(f"   1-{len(view.players)} {say('whose')}", look.dim)
    pen.write(f"  {look.glyphs.dot} {say('missing')}", look.dim)
    if scene.seat is not None and not scene.hidden:
        # Translators: a district of the common city
        pen.write(f"  + {say('missing, and in your hand')}", look.dim)


def _letters(scene: Scene, drawing: Drawing, width: int, height: int) -> None:
    """Write the digit and the name of each player below the common city, as far as there is room."""
    names = [f"{seat + 1} {cut(scene.called(seat), OWNER)}" for seat in range(len(scene.names))]
    write_lines(drawing, flow(names, "  ", width - 2)[: max(height - len(drawing.lines), 0)], scene.look.dim)


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
                height = block(scene, item.cost) if item.owners else scene.look.glyphs.plot
                _plot(scene, pen, item, f"{height}{item.cost} ", COLUMN - 6)
            elif item is not None:
                say, stands = scene.texts.say, sum(bool(plot.owners) for plot in found[item])
                said = say("{count} of {all}", count=stands, all=len(found[item]))
                heading = f"{scene.texts.letter(item)} {scene.texts.type(item)}: {said}"
                pen.write(heading, scene.look.types[item] + Style(bold=True))


def _counts(scene: Scene, pen: Pen) -> None:
    """Write how many districts of each type are built, and the key that shows all of them."""
    texts, look = scene.texts, scene.look
    for kind, of_type in plots(scene.view).items():
        stands = sum(bool(plot.owners) for plot in of_type)
        pen.write(f"{texts.letter(kind)} {stands}/{len(of_type)}  ", look.types[kind])
    if "map" in scene.keys:
        pen.write(texts.say("{key}: all names", key=scene.keys["map"]), look.dim)


def _plot(scene: Scene, pen: Pen, plot: Plot, before: str, room: int) -> None:
    """Draw a district of the common city: the digit of its owner or a sign if it is not built, then the text
    `before`, then its name."""
    look, style = scene.look, scene.look.types[plot.type]
    name = pad(district_name(scene, plot.key, room), room, "")
    own = scene.view.players[scene.seat].hand if scene.seat is not None and not scene.hidden else ()
    if plot.owners:
        pen.write(str(plot.owners[-1] + 1), look.title if scene.seat in plot.owners else look.strong)
    elif plot.key in own:
        style += Style(dim=True)
        pen.write("+", look.title)
    else:
        style = look.dim
        pen.write(look.glyphs.dot, style)
    pen.thing("district", plot.key, f"{before}{name}", style).write(" ")
