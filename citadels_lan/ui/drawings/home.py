"""Drawing the first screen: the tables of the network, what can be done, the own games, and a city below."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from citadels_lan.engine.cards import TYPES
from citadels_lan.front.archive import PastGame, result
from citadels_lan.front.cells import clean, cut, pad, wrap
from citadels_lan.front.glyphs import ASCII
from citadels_lan.front.launcher import FoundTable
from citadels_lan.front.seen_tables import SeenTable
from citadels_lan.texts import Message, Texts, editions, msg
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen
from citadels_lan.ui.widgets.letters import large
from citadels_lan.ui.widgets.look import Look

from .doing import Doing, draw_doings, fits

WIDE: Final = (110, 32)
"""Cells and lines from which games stand beside the tables."""
TITLE: Final = "citadels"
SHOWN: Final = 9
"""As many tables as there are digits."""
COLUMNS: Final = ((22, 14, 13), (28, 16, 20))
"""Cells of a table's name, seats and edition, in a narrow box and in a wide one."""
ROOMY: Final = 88
"""Cells of a wide box."""
HIGHEST: Final = 20
"""Lines of houses at most."""
BLOCK: Final = (
    (5, 6), (7, 3), (4, 8), (6, 5), (8, 2), (5, 7), (7, 4), (4, 9), (6, 6), (9, 3), (5, 5), (8, 4), (4, 7), (7, 2),
    (6, 8), (5, 3), (9, 5), (4, 6), (7, 9), (6, 4), (8, 3), (5, 8), (7, 5),
)  # fmt: skip
"""Widths of the houses below, and how high each is, in tenths of the room there is."""


@dataclass(frozen=True)
class Home:
    """All that the first screen shows. `remarks` stand in the place of tables, or below them. `cursor` is the key
    of what is pointed at: a table's address or a command's letter."""

    texts: Texts
    look: Look
    name: str
    tables: Sequence[SeenTable]
    remarks: Sequence[str]
    commands: Sequence[Doing]
    games: Sequence[PastGame]
    cursor: str = ""


def draw_home(home: Home, width: int, height: int) -> Drawing:
    """The whole screen at this size."""
    drawing = Drawing()
    wide = width >= WIDE[0] and height >= WIDE[1]
    _title(home, drawing, width, height, wide)
    if wide:
        _side_by_side(home, drawing, width, height)
        columns = 3 if fits(home.commands, width, 3) else 2
        spaced = height - len(drawing.lines) > 2 * len(home.commands)
        draw_doings(
            home.look, drawing, home.commands, home.cursor, width, columns=columns, details=True, spaced=spaced
        )
    else:
        lines = -(-len(home.commands) // 2)
        _box(home, drawing, 0, width, min(SHOWN, height - len(drawing.lines) - lines - 3), games=False)
        Pen(drawing)
        columns = 2 if width >= 70 else 1
        draw_doings(home.look, drawing, home.commands, home.cursor, width, columns=columns)
    _houses(home.look, drawing, width, height - len(drawing.lines))
    return drawing


def _title(home: Home, drawing: Drawing, width: int, height: int, wide: bool) -> None:
    say, look = home.texts.say, home.look
    who = say(msg("You are {name}"), name=home.name) if home.name else ""
    under = say(msg("Friends on one Wi-Fi, each in a terminal."))
    letters = large(TITLE, width - 8) if wide and look.glyphs is not ASCII else []
    for row in letters:
        Pen(drawing).to(4).write(row, look.title)
    if not letters:
        pen = Pen(drawing).write(f" {look.glyphs.crown} ", look.gold).write("C I T A D E L S", look.title)
        _right(pen, who, width, look.bold)
        Pen(drawing).to(3).write(cut(under, width - 4), look.dim)
        if height >= 20:
            Pen(drawing)
        return
    pen = Pen(drawing).to(4).write(under, look.dim)
    _right(pen, who, width, look.bold)
    Pen(drawing)


def _right(pen: Pen, text: str, width: int, style: Style) -> None:
    room = width - pen.x - 4
    if text and room > 4:
        said = cut(text, room)
        pen.to(width - cell_len(said) - 2).write(said, style)


# Tables


def _box(home: Home, drawing: Drawing, start: int, width: int, rows: int, *, games: bool) -> None:
    """A frame with the tables in it."""
    say, look = home.texts.say, home.look
    _edge(look, drawing, say(msg("Tables on this network")), width, above=True)
    shown = list(home.tables)[: max(rows, 1)]
    for number, seen in enumerate(shown, 1):
        _table(home, drawing, number, seen, width)
    remarks = [line for remark in home.remarks for line in wrap(remark, width - 6)]
    for line in remarks[: max(rows - len(shown), 0 if shown else 2)]:
        _framed(look, drawing, width).write(line, look.dim)
        _close(look, drawing, width)
    for _ in range(rows - len(shown) - len(remarks) if games else 0):
        _framed(look, drawing, width)
        _close(look, drawing, width)
    _edge(look, drawing, "", width, above=False)


def _edge(look: Look, drawing: Drawing, title: str, width: int, *, above: bool) -> None:
    left, right = tuple(look.glyphs.corners[:2] if above else look.glyphs.corners[2:])
    pen = Pen(drawing).write(f" {left}{look.glyphs.rule}", look.faint)
    if title:
        pen.write(f" {cut(title, width - 8)} ", look.bold)
    pen.write(look.glyphs.rule * (width - pen.x - 2) + right, look.faint)


def _framed(look: Look, drawing: Drawing, width: int) -> Pen:
    return Pen(drawing).write(f" {look.glyphs.side} ", look.faint)


def _close(look: Look, drawing: Drawing, width: int, background: Style | None = None) -> None:
    """The right side of the frame of the last line."""
    line = drawing.lines[-1]
    line.truncate(width - 3)
    room = width - 2 - cell_len(line.plain)
    line.append(" " * room)
    if background is not None:
        line.stylize_before(background, 2, width - 2)
    line.append(look.glyphs.side, look.faint)


def _table(home: Home, drawing: Drawing, number: int, seen: SeenTable, width: int) -> None:
    say, look, table = home.texts.say, home.look, seen.table
    here = home.cursor == table.address
    pen = _framed(look, drawing, width)
    plain = look.dim if seen.gone else None
    pen.write(f"{look.glyphs.turn if here else ' '} ", look.title)
    pen.write(f"{number if number <= SHOWN else ' '} ", look.dim if seen.gone else look.title)
    name, seats, edition = COLUMNS[width >= ROOMY]
    whose = say(msg("{name}'s table"), name=clean(table.host, 24) or "?")
    pen.write(pad(whose, name), plain or (look.strong if here else look.bold))
    pen.write(pad(f" {table.players}/{table.places} {_seats(look, table)}", seats), plain or look.gold)
    pen.write(f" {pad(clean(editions.name(home.texts, table.edition), 24), edition)}", plain)
    state = say(_state(seen))
    pen.write(f" {cut(state, width - pen.x - 4)}", plain or (look.accent if table.mine else look.dim))
    if cell_len(table.address) < width - pen.x - 6:
        pen.write(f"  {clean(table.address, 60)}", look.dim)
    _close(look, drawing, width, look.cursor if here else None)
    drawing.hits.append(Hit("choose", table.address, pen.y, 2, width - 2))


def _state(seen: SeenTable) -> Message:
    if seen.gone:
        return msg("gone")
    if not seen.table.started:
        return msg("waiting")
    return msg("back to your seat") if seen.table.mine else msg("playing: watch")


def _seats(look: Look, table: FoundTable) -> str:
    places = min(table.places, 9)
    taken = min(table.players, places)
    return look.glyphs.seat * taken + look.glyphs.free * (places - taken)


# Beside the tables


def _side_by_side(home: Home, drawing: Drawing, width: int, height: int) -> None:
    """Tables to the left, the own games to the right, both of one height."""
    rows = SHOWN if height >= 44 else min(max(len(home.tables), 6), SHOWN)
    left, right = Drawing(), Drawing()
    half = width * 6 // 10
    _box(home, left, 0, half, rows, games=True)
    _games(home, right, width - half, rows)
    top = len(drawing.lines)
    for first, second in zip(left.lines, right.lines, strict=True):
        line = Text.assemble(first, " " * (half - cell_len(first.plain)), second, no_wrap=True, end="")
        drawing.lines.append(line)
    drawing.hits += [Hit(hit.kind, hit.key, hit.y + top, hit.start, hit.end) for hit in left.hits]
    Pen(drawing)


def _games(home: Home, drawing: Drawing, width: int, rows: int) -> None:
    say, look = home.texts.say, home.look
    _edge(look, drawing, say(msg("Your games")), width, above=True)
    games = list(home.games)[:rows]
    for game in games:
        names = clean(", ".join(game.names), 60)
        pen = _framed(look, drawing, width).write(f"{game.date[:10]}  ", look.dim)
        pen.write(cut(f"{result(home.texts, game)}", width - pen.x - 4), None if game.over else look.accent)
        pen.write(cut(f"   {names}", width - pen.x - 4), look.dim)
        _close(look, drawing, width)
    if not games:
        _framed(look, drawing, width).write(say(msg("None yet: play one first.")), look.dim)
        _close(look, drawing, width)
    for _ in range(rows - max(len(games), 1)):
        _framed(look, drawing, width)
        _close(look, drawing, width)
    _edge(look, drawing, "", width, above=False)


# The city below


def _houses(look: Look, drawing: Drawing, width: int, room: int) -> None:
    """As many lines of houses as there is room for; none in less than four."""
    rows = min(room - 1, HIGHEST)
    if rows < 3:
        return
    for _ in range(room - rows):
        Pen(drawing)
    houses = _row_of_houses(width - 6, rows)
    start = (width - sum(wide + 1 for wide, _ in houses) + 1) // 2
    for y in range(rows, 0, -1):
        pen = Pen(drawing).to(start)
        for number, (wide, high) in enumerate(houses):
            style = Style.combine([look.types[TYPES[number % len(TYPES)]], Style(dim=True)])
            pen.write(_floor(look, wide, high, y), style).write(" ")


def _row_of_houses(width: int, rows: int) -> list[tuple[int, int]]:
    """Widths and heights of houses side by side, in so many cells; a narrower one where the next has no room."""
    houses: list[tuple[int, int]] = []
    used = 0
    while used + min(BLOCK)[0] <= width:
        following = (BLOCK[(len(houses) + more) % len(BLOCK)] for more in range(len(BLOCK)))
        wide, tenths = next(house for house in following if used + house[0] <= width)
        houses.append((wide, max(1, rows * tenths // 10)))
        used += wide + 1
    return houses


def _floor(look: Look, wide: int, high: int, y: int) -> str:
    """One line of a house: its roof, a floor with windows, or the air above it."""
    wall, window, roof = tuple(look.glyphs.house)
    if y > high:
        return " " * wide
    if y == high and high > 1:
        return roof * wide
    return wall + "".join(window if place % 2 and y % 2 else wall for place in range(1, wide - 1)) + wall
