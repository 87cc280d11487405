"""Draws the board: the characters of the game with their markers, as lines or as cards, and below them each
player with gold, cards and city."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import HIDDEN, State
from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.turn.cities import size
from citadels_lan.presenter.facts import in_force, names_standing, names_wanted, open_points
from citadels_lan.presenter.symbols import MARKS, Glyphs
from citadels_lan.presenter.text_width import cut, pad
from citadels_lan.texts import Message, msg, msg_in
from citadels_lan.ui.table.city import high_skyline, low_skyline, type_marks
from citadels_lan.ui.table.scene import YOU, Scene
from citadels_lan.ui.widgets.canvas import Drawing, Hit, Pen, box

BEFORE = 3
"""Cells that a character needs besides its name: for the rank, the symbol and the gap."""
CARD_LINES = 3
"""Lines of a character that is drawn as a card."""
WIDEST = 18
"""Most cells of a character that is drawn as a card."""
OUT: Message = msg_in("character", "out")
KILLED: Message = msg_in("marker", "killed")
SILENT: Message = msg_in("character", "no player")


def cast_row(scene: Scene, drawing: Drawing, width: int, lines: int = 1) -> None:
    """Draw all characters in `lines` lines, each with its rank, its name, and a symbol for its public state
    (called, killed, discarded, …)."""
    cast = tuple(scene.edition.characters) if scene.shared else scene.view.cast
    if scene.shared or lines > 1:
        _in_columns(scene, drawing, cast, width, lines)
    elif cast:  # else chance has not drawn it yet
        _in_a_line(scene, Pen(drawing), width)


def lines_wanted(scene: Scene, width: int) -> int:
    """Return how many lines the names of all characters need: one or two, in an edition with a common city up
    to three."""
    if scene.shared:
        widest = max(cell_len(scene.texts.short_character(key)) for key in scene.edition.characters)
        return min(-(-len(scene.edition.characters) * (widest + 2) // (width - 2)), CAST)
    cast = map(scene.texts.character, scene.view.cast)
    return 1 if sum(len(name) + BEFORE for name in cast) < width else 2


def _in_a_line(scene: Scene, pen: Pen, width: int) -> None:
    cast = scene.view.cast
    names = _fitting(scene, width - 1 - BEFORE * len(cast))
    spare = width - 1 - sum(len(name) + BEFORE for name in names)
    gap = 1 + max(0, min(3, spare // len(cast)))
    for key, name in zip(cast, names, strict=True):
        sign, more, style = character_state(scene, key)
        kept = max(len(name) + gap - 1 - len(more), 0)  # letters may be hidden rather than marks
        shown = f"{name[:kept]}{more}"
        pen.write("" if pen.x else " ").thing("character", key, f"{scene.edition.ranks[key]}{sign}{shown}", style)
        pen.write(" " * (len(name) + gap - len(shown)))


def _in_columns(scene: Scene, drawing: Drawing, cast: Sequence[str], width: int, lines: int) -> None:
    """Draw the characters in columns of equal width. In an edition with a common city they have no ranks."""
    across = -(-len(cast) // lines)
    each = max((width - 2) // across, 2)
    for first in range(0, len(cast), across):
        pen = Pen(drawing)
        for number, key in enumerate(cast[first : first + across]):
            sign, more, style = character_state(scene, key)
            rank = "" if scene.shared else str(scene.edition.ranks[key])
            name = _character_name(scene, key, each - 2 - len(more) - len(rank))
            pen.to(1 + number * each).thing("character", key, f"{rank}{sign}{name}{more}", style)


def _character_name(scene: Scene, key: str, room: int) -> str:
    """Return the full name of a character if it fits into `room` cells, otherwise the short name, cut if
    necessary."""
    name = scene.texts.character(key)
    return name if len(name) <= room else cut(scene.texts.short_character(key), max(room, 0), "")


def _fitting(scene: Scene, room: int) -> list[str]:
    """Return the names of all characters in the longest form that fits into `room` cells: full names, else
    short names, else short names of which the longest are cut."""
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
    """Return how the public state of a character is drawn: the symbol before its name, further symbols after
    its name ("" if there are none), and the style."""
    view, look, glyphs = scene.view, scene.look, scene.look.glyphs
    if key in view.faceup:
        return glyphs.gone, "", look.struck
    kinds = {mark.kind for mark in view.marks if mark.character == key}
    if kinds:
        first, *others = (sign for kind, sign in mark_signs(glyphs) if kind in kinds)
        return first, "".join(others), look.danger
    if view.turn is not None and view.turn.character == key:
        own = scene.reader in scene.acting  # then only the cursor shows where a move is
        return glyphs.tick if own else glyphs.turn, "", look.title
    if key in view.called:
        return glyphs.tick, "", look.accent if key in in_force(view) else look.struck
    if any(key in player.revealed for player in view.players):
        return glyphs.tick, "", look.accent
    return (glyphs.dot, "", look.dim) if scene.passed(key) else (" ", "", look.bold)


def mark_signs(glyphs: Glyphs) -> Sequence[tuple[str, str]]:
    """Return each kind of marker with its symbol, the most important kind first."""
    return tuple((kind, getattr(glyphs, kind, glyphs.chosen)) for kind in MARKS)


def marker_sign(glyphs: Glyphs, kind: str) -> str:
    """Return the symbol before a notice about a marker of this kind; for other notices (`kind` is empty) a
    general symbol."""
    return dict(mark_signs(glyphs)).get(kind, glyphs.threat)


# Cards


def cast_cards(scene: Scene, drawing: Drawing, width: int) -> None:
    """Draw every character as a card, in order of rank."""
    pens, look = [Pen(drawing) for _ in range(CARD_LINES)], scene.look
    each = min((width - 1) // max(len(scene.view.cast), 1), WIDEST)
    for number, key in enumerate(scene.view.cast):
        for pen in pens:
            pen.to(1 + number * each)
        sign, more, style = character_state(scene, key)
        name, (text, text_style) = scene.texts.character(key), holder(scene, key)
        title = name if len(name) <= each - 3 else scene.texts.short_character(key)
        drawing.hits.append(Hit("character", key, pens[0].y, pens[0].x, pens[0].x + each - 1, CARD_LINES))
        head = f"{look.glyphs.rule}{scene.edition.ranks[key]}{f' {sign}{more} ' if sign.strip() else ''}"
        foot = cut(text, each - 3, look.glyphs.cut)
        frame = style if style in (look.title, look.accent, look.danger) else look.faint
        box(look, pens, each - 1, frame, [(title, style)], (head, style), (foot, text_style))


def holder(scene: Scene, key: str) -> tuple[str, Style]:
    """Return a text about a character and its style: who holds it if that is known, else whether it is out of
    play, killed, or was called without an answer. The text is "" if nothing is known."""
    view, look, say = scene.view, scene.look, scene.texts.say
    if key in view.faceup:
        return say(OUT), look.dim
    holder = next((seat for seat, player in enumerate(view.players) if key in player.revealed), None)
    if holder is not None:
        return say("you") if holder == scene.reader else scene.names[holder], look.accent
    if any(mark.kind == "killed" and mark.character == key for mark in view.marks):
        return say(KILLED), look.danger
    if scene.seat is not None and not scene.hidden and key in view.players[scene.seat].concealed:
        return say("you") if scene.reader is not None else scene.names[scene.seat], look.title
    return (say(SILENT) if scene.passed(key) else ""), look.dim


HEAD = 1
"""Lines of the headings above the players."""
CAST = 3
"""Most lines for the characters in an edition with a common city."""
NAME = 11
"""Cells of a player's name if each player has one line."""
CITY = 34
"""The column in which the drawing of a city begins."""
HIGHEST = 5
"""Most lines of a player."""
WHO = 12
"""Cells for the character if each player has one line."""
NUMBERS: Final = (
    ("gold", msg("Gold"), 4), ("hand", msg_in("cards in hand", "Hand"), 5), ("points", msg_in("score", "Pts"), 4),
)  # fmt: skip
"""The numbers of each player: the name of the value, its heading, and the width of its column in cells."""
# Translators: at most 5 letters
TYPE_HEAD: Message = msg_in("column of the table", "Types")
# Translators: at most 12 letters
CHARACTER_HEAD: Message = msg_in("column of the table", "Character")
FEW = 4
"""If more characters than this are possible for a player, none of them is listed."""


def board(scene: Scene, width: int, height: int) -> Drawing:
    """Draw the board. Each player gets as many lines as the height allows, at least one. While other players
    move, the characters are drawn above the players."""
    drawing, head = Drawing(), HEAD + scene.calling
    players = max(len(scene.view.players), 1)
    rows = min(max((height - head) // players, 1), HIGHEST)
    spare = height - rows * players - head
    if scene.calling and not scene.shared and spare >= CARD_LINES - 1:
        cast_cards(scene, drawing, width)
    elif scene.calling:
        cast_row(scene, drawing, width, 1 + max(min(spare, CAST - 1), 0))
    who = width - (WHO + 6 if scene.shared else WHO)
    _heads(scene, Pen(drawing), rows, width, who)
    for seat in range(players):
        pens = [Pen(drawing) for _ in range(rows)]
        _row(scene, pens, seat, width, who)
        # The whole row is tinted, so that the player on move is seen from a distance.
        for pen in pens if seat in scene.deciding else ():
            pen.to(width).line.stylize_before(scene.look.turn)
    return drawing


def _heads(scene: Scene, pen: Pen, rows: int, width: int, who: int) -> None:
    """Write the line above the players. It begins with the headings of the numbers. After them, one of these:
    the public facts of `_facts`, if there are any; if each player has one line, the headings of the district
    types and of the character; otherwise the names of the district types."""
    look = scene.look
    pen.to(NAME + 4)
    for _, head, room in NUMBERS:
        pen.write(scene.texts.say(head).rjust(room)[:room], look.dim)
    if facts := f" {look.glyphs.dot} ".join(_facts(scene)):
        pen.to(width - cell_len(facts) - 1)
        pen.thing("pile", "pile", facts, look.bold) if scene.view.discards else pen.write(facts, look.bold)
    elif scene.shared:
        return
    elif rows == 1:
        types = scene.texts.say(TYPE_HEAD)
        pen.to(who - len(TYPES) - 1).write(types.center(len(TYPES)), look.dim)
        pen.to(who).write(cut(scene.texts.say(CHARACTER_HEAD), width - who), look.dim)
    else:
        pen.to(CITY)
        for kind in TYPES:
            name = f"{scene.texts.letter(kind)} {scene.texts.type(kind)}"
            if pen.x + cell_len(name) < width:
                pen.write(name, look.types[kind]).write("  ")


def _facts(scene: Scene) -> list[str]:
    """Return the public facts that the turn bar does not show: in an edition with a common city, how many of
    its districts are built and the top card of the discard pile; otherwise the taxes, if there are any."""
    say, view, pile = scene.texts.say, scene.view, scene.view.discards
    if not scene.shared:
        return [say("taxes {count}", count=view.taxes)] if view.taxes else []
    facts = [say("City {count}/{all}", count=names_standing(view), all=names_wanted(view))]
    if pile:
        facts.append(say("pile {count}: {card}", count=len(pile), card=scene.texts.short_district(pile[-1])))
    return facts


# Players


def _row(scene: Scene, pens: Sequence[Pen], seat: int, width: int, who: int) -> None:
    """Draw a player with their city, one line for each of `pens`. With one line, everything is side by side,
    and the character begins in the column `who`. With more lines, the character is below the player's name,
    and the districts show their names if there is room."""
    count, last = len(pens), pens[-1]
    name = pens[max(count - 3, 0)]
    _name(scene, name, seat, NAME if count == 1 else NAME + 12)
    if count > 1:
        _character(scene, pens[-2 if count > 2 else -1].to(2), seat, NAME + (1 if count == 2 else 19))
    if count > 2 and not scene.shared:
        type_marks(scene, last.to(2), seat)
    _numbers(scene, last.to(NAME + 4), seat)
    marks = 0 if scene.shared or count > 2 else len(TYPES) + count
    right = who if count == 1 else width
    for pen in pens:
        pen.to(CITY)
    if count == 1:
        low_skyline(scene, last, seat, right - marks - CITY)
    else:
        high_skyline(scene, pens, seat, right - CITY - marks)
    if marks:
        type_marks(scene, last.to(right - marks + count - 1), seat)
    if count == 1:
        _character(scene, last.to(right), seat, width - right)


def numbers_of(view: State) -> Mapping[tuple[int, str], int]:
    """Return the displayed numbers of all players. The key is the seat and the name of the number, such as
    "gold"."""
    points = open_points(view)
    return {
        (seat, name): number
        for seat, player in enumerate(view.players)
        for name, number in (("gold", player.gold), ("hand", len(player.hand)), ("points", points[seat]),
                             ("city", size(view, seat)))
    }  # fmt: skip


def _numbers(scene: Scene, pen: Pen, seat: int) -> None:
    """Write a player's gold, number of cards, points and districts. A number that has just changed is drawn
    inverse."""
    look, player = scene.look, scene.view.players[seat]
    values = {"gold": player.gold, "hand": len(player.hand), "points": scene.points[seat]}
    styles = {"gold": look.gold, "hand": Style(), "points": look.bold}
    for what, _, room in NUMBERS:
        number = str(values[what])
        changed = look.reverse if (seat, what) in scene.changed else Style()
        pen.write(" " * (room - len(number))).write(number, styles[what] + changed)
    _progress(scene, pen, seat)


def _name(scene: Scene, pen: Pen, seat: int, width: int) -> None:
    """Write the digit and the name of a player; the player at this screen is marked."""
    look, view = scene.look, scene.view
    deciding, own = seat in scene.deciding, seat == scene.reader
    pen.write(look.glyphs.turn if deciding and not own else " ", look.title)  # the cursor marks this player
    pen.write(str(seat + 1), look.title if deciding else look.dim).write(" ")
    name = scene.names[seat]
    style = look.title if deciding or own else look.bold
    if own:
        name = f"{scene.texts.say(YOU)} {name}" if width > NAME else scene.called(seat)
    if seat in scene.substituted:
        bot = f" ({scene.texts.say('bot')})"
        name, style = f"{cut(name, width - 1 - cell_len(bot), look.glyphs.cut)}{bot}", look.dim
    elif seat in scene.away:
        name, style = f"({name})", look.dim
    pen.thing("player", str(seat), pad(name, width - 1, look.glyphs.cut), style)
    pen.write(f" {look.glyphs.crown}" if view.crown == seat else "  ", look.gold)


def _progress(scene: Scene, pen: Pen, seat: int) -> None:
    """Draw how many districts a player has built. If cities can be complete, add the number of a complete
    city."""
    look, player, wanted = scene.look, scene.view.players[seat], scene.goal
    changed = look.reverse if (seat, "city") in scene.changed else Style()
    pen.write(" ")
    if wanted is None:
        pen.write(f"{len(player.city):>2}", changed)
    else:
        style, sign = (look.complete, look.glyphs.complete) if player.completed else (look.dim, "")
        pen.write(f"{size(scene.view, seat)}/{wanted}{sign}", style + changed)


def _character(scene: Scene, pen: Pen, seat: int, room: int) -> None:
    """Draw the character of a player: the known one, or the possible ones if there are few."""
    name, style, key = _who(scene, seat, room)
    shown = cut(name, room, scene.look.glyphs.cut)
    pen.thing("character", key, shown, style) if key else pen.write(shown, style)


def _who(scene: Scene, seat: int, room: int) -> tuple[str, Style, str]:
    """Return the text about a player's character, the style of the text, and the key of the character ("" if
    it is not known)."""
    view, look, player = scene.view, scene.look, scene.view.players[seat]
    if scene.shared:
        return _called(scene, seat)
    if player.revealed:
        return _named(scene, player.revealed, room), look.accent, player.revealed[-1]
    own = [key for key in player.concealed if key != HIDDEN]
    if (seat == scene.seat or view.whole) and own and not scene.hidden:
        return f"({_named(scene, own, room - 2)})", look.dim, own[0]
    if view.phase == "draft" and player.concealed:
        return scene.texts.say("has chosen"), look.dim, ""
    might_be = scene.suspects.get(seat, ())
    if 0 < len(might_be) <= FEW and view.phase == "turns":
        names = ", ".join(map(scene.texts.character, might_be))
        if cell_len(names) < room:
            return f"{names}?", look.dim, ""
        return f"{','.join(str(scene.edition.ranks[key]) for key in might_be)}?", look.dim, ""
    return "", look.dim, ""


def _named(scene: Scene, keys: Sequence[str], room: int) -> str:
    """Return the names of characters, shortened or cut to fit into `room` cells."""
    full = " ".join(map(scene.texts.character, keys))
    if cell_len(full) <= room:
        return full
    return cut(" ".join(map(scene.texts.short_character, keys)), room, scene.look.glyphs.cut)


def _called(scene: Scene, seat: int) -> tuple[str, Style, str]:
    """For an edition with a common city: return the last character that this seat has called and its
    characters whose effect still continues; then the style, and the key of the first of these characters."""
    view, look = scene.view, scene.look
    last = view.players[seat].revealed[-1:]
    lasting = [key for key, user in in_force(view).items() if user == seat and key not in last]
    named = scene.texts.short_character if lasting else scene.texts.character
    said = " ".join((*map(named, last), *(f"+{named(key)}" for key in lasting)))
    on_turn = view.turn is not None and view.turn.seat == seat
    return said, look.title if on_turn else look.accent if lasting else look.dim, (*last, *lasting, "")[0]
