"""Drawing the table: the cast with what happened to each character, and a row for every player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import HIDDEN
from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.turn.cities import size
from citadels_lan.front.cells import cut, pad
from citadels_lan.front.city_view import in_force, names_standing, names_wanted, open_points
from citadels_lan.front.identities import possible
from citadels_lan.texts import Message, msg, msg_in
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .cast_row import CARD_LINES, cast_cards, cast_row
from .city import high_skyline, low_skyline, type_marks
from .scene import YOU, Scene

HEAD = 2
"""Lines above the players, with the cast in one line."""
CAST = 3
"""Lines of the many characters of a common city at most."""
NAME = 11
"""Cells of a name in rows of one line."""
CITY = 34
"""Where a skyline begins, in rows of one line."""
HIGHEST = 5
"""Lines of a player at most."""
WHO = 11
"""Cells of a character in rows of one line."""
CARDS = 33
"""Where a skyline begins, in rows of three lines or more."""
GOLD: Final = msg("Gold")
HAND: Final = msg_in("cards in hand", "Hand")
POINTS: Final = msg_in("score", "Pts")
CITY_HEADS: Final = (msg("City: height is cost, points lie open"), msg("City: height is cost"))
"""What stands above the cities, the first that has room."""
FEW = 4
"""As many characters a player may still be, at most, to be listed in the row."""


@dataclass(frozen=True)
class _Table:
    """The inputs of every row."""

    scene: Scene
    points: Sequence[int]
    suspects: Mapping[int, Sequence[str]]
    width: int


def board(scene: Scene, width: int, height: int) -> Drawing:
    """The whole table in so many lines, for each player one line, two, or more."""
    drawing = Drawing()
    players = max(len(scene.view.players), 1)
    rows = min(max((height - HEAD) // players, 1), HIGHEST)
    spare = height - rows * players - HEAD
    if not scene.shared and spare >= CARD_LINES - 1:
        cast_cards(scene, drawing, width)
    else:
        cast_row(scene, drawing, width, 1 + max(min(spare, CAST - 1), 0))
    suspects = possible(scene.view, scene.seat) if not (scene.shared or scene.view.whole or scene.hidden) else {}
    table = _Table(scene, open_points(scene.view), suspects, width)
    _heads(table, Pen(drawing), rows)
    for seat in range(players):
        pens = [Pen(drawing) for _ in range(rows)]
        (_tall_row if rows > 2 else _low_row)(table, pens, seat)
        for pen in pens if seat in scene.deciding else ():
            pen.to(width).line.stylize_before(scene.look.turn)
    return drawing


# Heads


def _heads(table: _Table, pen: Pen, rows: int) -> None:
    scene, dim = table.scene, table.scene.look.dim
    say = scene.texts.say
    if rows < 3:
        pen.to(2).write(say(msg("Player")), dim).to(NAME + 4)
        for head, room in ((GOLD, 4), (HAND, 5), (POINTS, 4)):
            pen.write(say(head).rjust(room)[:room], dim)
        pen.to(CITY)
    else:
        pen.to(CARDS)
    facts = f" {scene.look.glyphs.dot} ".join(_facts(scene))
    marks = "".join(map(scene.texts.letter, TYPES))
    right = table.width - cell_len(facts) - 1 if facts else _who_at(table) - len(marks) - 1
    room = right - pen.x - 1
    heads = [say(head) for head in ((msg("City"),) if scene.shared else CITY_HEADS)]
    city = next((head for head in heads if cell_len(head) <= room), heads[-1])
    pen.write(cut(city, room, scene.look.glyphs.cut), dim).to(right)
    if facts and scene.view.discards:
        pen.thing("pile", "pile", facts, scene.look.bold)
    elif facts:
        pen.write(facts, scene.look.bold)
    elif rows == 1 and not scene.shared:
        pen.write(marks, dim)


def _facts(scene: Scene) -> list[str]:
    """Return the public facts that the bar above does not show: taxes, or the size of the common city and the
    pile."""
    texts, view, pile = scene.texts, scene.view, scene.view.discards
    if not scene.shared:
        return [texts.say(msg("taxes {count}"), count=view.taxes)] if view.taxes else []
    city = texts.say(msg("City {count}/{all}"), count=names_standing(view), all=names_wanted(view))
    if not pile:
        return [city]
    top = texts.short_district(pile[-1])
    return [city, texts.say(msg("pile {count}: {card}"), count=len(pile), card=top)]


# Players


def _who_at(table: _Table) -> int:
    """Return the column of the character in a row of one line."""
    return table.width - (WHO + 6 if table.scene.shared else WHO)


def _low_row(table: _Table, pens: Sequence[Pen], seat: int) -> None:
    """A player in one line, or in two: then the character stands below the name, and houses have their names."""
    scene, player, name, pen = table.scene, table.scene.view.players[seat], pens[0], pens[-1]
    double = len(pens) == 2
    _name(scene, name, seat, NAME + 12 if double else NAME)
    if double:
        _character(table, pen.to(2), seat, NAME + 1)
    pen.to(NAME + 4).write(f"{player.gold:>4}", scene.look.gold).write(f"{len(player.hand):>5}")
    pen.write(f"{table.points[seat]:>4}", scene.look.bold)
    _progress(scene, pen, seat)
    marks = 0 if scene.shared else len(TYPES) + 1 + double
    right = table.width if double else _who_at(table)
    name.to(CITY)
    pen.to(CITY)
    if double:
        high_skyline(scene, pens, seat, table.width - CITY - marks)
    else:
        low_skyline(scene, pen, seat, right - marks - pen.x - 1)
    if marks:
        type_marks(scene, pen.to(right - marks + double), seat)
    if not double:
        _character(table, pen.to(right), seat, table.width - right)


def _tall_row(table: _Table, pens: Sequence[Pen], seat: int) -> None:
    scene, look = table.scene, table.scene.look
    top, middle, wall = pens[-3:]
    player = scene.view.players[seat]
    _name(scene, top, seat, CARDS - 6)
    counts: tuple[tuple[Message, int, Style | None], ...] = (
        (GOLD, player.gold, look.gold),
        (HAND, len(player.hand), None),
        (POINTS, table.points[seat], look.bold),
    )
    for number, (name, count, style) in enumerate(counts):
        middle.write(f" {look.glyphs.dot} " if number else "  ", look.dim)
        middle.write(f"{scene.texts.say(name)} ", look.dim).write(str(count), style)
    _progress(scene, wall.to(2), seat)
    wall.write(" ")
    if not scene.shared:
        type_marks(scene, wall, seat)
        wall.write(" ")
    _character(table, wall, seat, CARDS - 1 - wall.x)
    for pen in pens:
        pen.to(CARDS)
    high_skyline(scene, pens, seat, table.width - CARDS)


def _name(scene: Scene, pen: Pen, seat: int, width: int) -> None:
    """Write the digit and the name of a player; the player at this screen is marked."""
    look, view = scene.look, scene.view
    deciding, own = seat in scene.deciding, seat == scene.reader
    pen.write(look.glyphs.turn if deciding and not own else " ", look.title)  # the own move has the cursor
    pen.write(str(seat + 1), look.title if deciding else look.dim).write(" ")
    name = scene.names[seat]
    style = look.title if deciding or own else look.bold
    if own:
        name = f"{scene.texts.say(YOU)} {name}" if width > NAME else scene.called(seat)
    if seat in scene.substituted:
        bot = f" ({scene.texts.say(msg('bot'))})"
        name, style = f"{cut(name, width - 1 - cell_len(bot), look.glyphs.cut)}{bot}", look.dim
    elif seat in scene.away:
        name, style = f"({name})", look.dim
    pen.thing("player", str(seat), pad(name, width - 1, look.glyphs.cut), style)
    pen.write(f" {look.glyphs.crown}" if view.crown == seat else "  ", look.gold)


def _progress(scene: Scene, pen: Pen, seat: int) -> None:
    """How far a city is, a complete one to be seen from afar; where no city is ever complete, how many districts
    it has."""
    player, wanted = scene.view.players[seat], scene.goal
    pen.write(" " if pen.x > NAME else "")
    if wanted is None:
        pen.write(f"{len(player.city):>2} ")
    elif player.completed:
        pen.write(f"{size(scene.view, seat)}/{wanted}{scene.look.glyphs.complete}", scene.look.complete)
    else:
        pen.write(f"{size(scene.view, seat)}/{wanted} ", scene.look.dim)


def _character(table: _Table, pen: Pen, seat: int, room: int) -> None:
    """What is known of the seat's character."""
    name, style, key = _who(table, seat, room)
    shown = cut(name, room, table.scene.look.glyphs.cut)
    pen.thing("character", key, shown, style) if key else pen.write(shown, style)


def _who(table: _Table, seat: int, room: int) -> tuple[str, Style, str]:
    """What is known of the seat's character: the text, its style, and the character's key if it is one."""
    scene = table.scene
    view, look, texts = scene.view, scene.look, scene.texts
    player = view.players[seat]
    if scene.shared:
        return _called(scene, seat)
    if player.revealed:
        key = player.revealed[-1]
        named = cut(_named(scene, player.revealed, room - 2), room - 2, look.glyphs.cut)
        return f"{named} {look.glyphs.tick}", look.accent, key
    own = [key for key in player.concealed if key != HIDDEN]
    if (seat == scene.seat or view.whole) and own and not scene.hidden:
        return f"({cut(_named(scene, own, room - 2), room - 2, look.glyphs.cut)})", look.dim, own[0]
    if view.phase == "draft" and player.concealed:
        return texts.say(msg("has chosen")), look.dim, ""
    might_be = table.suspects.get(seat, ())
    if 0 < len(might_be) <= FEW and view.phase == "turns":
        return f"{','.join(str(scene.edition.ranks[key]) for key in might_be)}?", look.dim, ""
    return "", look.dim, ""


def _named(scene: Scene, keys: Sequence[str], room: int) -> str:
    """Names of characters, in full where they have room."""
    full = " ".join(map(scene.texts.character, keys))
    return full if cell_len(full) <= room else " ".join(map(scene.texts.short_character, keys))


def _called(scene: Scene, seat: int) -> tuple[str, Style, str]:
    """The character that a seat has called last, and those that still have an effect for it."""
    view, look = scene.view, scene.look
    last = view.players[seat].revealed[-1:]
    lasting = [key for key, user in in_force(view).items() if user == seat and key not in last]
    named = scene.texts.short_character if lasting else scene.texts.character
    said = " ".join((*map(named, last), *(f"+{named(key)}" for key in lasting)))
    on_turn = view.turn is not None and view.turn.seat == seat
    return said, look.title if on_turn else look.accent if lasting else look.dim, (*last, *lasting, "")[0]
