"""Drawing the table: the cast with what happened to each character, and a row for every player."""

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import HIDDEN, SEATS, acting
from citadels_lan.engine.state import District, Player
from citadels_lan.engine.turn.cities import goal, size
from citadels_lan.front.cells import cut, pad
from citadels_lan.front.common_city import in_force, standing, wanted
from citadels_lan.texts import msg, msg_in
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .cast_row import cast_row
from .scene import Scene

HEAD = 2
"""Lines above the players."""
TILE = 12
"""Cells of a district drawn with its name."""
NAME = 14
"""Cells of a name in rows of one line."""
NAMED = 20
"""Cells of a district in a line of names at most."""


def board(scene: Scene, width: int, rows: int) -> Drawing:
    """The whole table, `rows` lines for each player: 1, 2 with districts by name, 3 with cards drawn."""
    drawing = Drawing()
    cast_row(scene, drawing, width)
    _heads(scene, drawing, width, columns=rows < 3)
    for seat in range(len(scene.view.players)):
        if rows >= 3:
            _tall_row(scene, drawing, seat, width)
        elif rows == 2:
            _double_row(scene, drawing, seat, width)
        else:
            _single_row(scene, drawing, seat, width)
    return drawing


# Heads


def _heads(scene: Scene, drawing: Drawing, width: int, *, columns: bool) -> None:
    texts, look, view = scene.texts, scene.look, scene.view
    pen = Pen(drawing)
    pen.to(4).write(texts.say(msg("Player")), look.dim)
    if columns:
        pen.to(NAME + 6).write(_right(texts.say(msg("Gold")), 5), look.dim)
        pen.write(_right(texts.say(msg("Cards")), 6), look.dim)
        if scene.shared:
            pen.write(_right(texts.say(msg_in("score", "Pts")), 5), look.dim)
        else:
            pen.write("  ").write(texts.say(msg("City")), look.dim)
    facts = _facts(scene)
    between = f" {look.glyphs.dot} "
    part = f"  {texts.say(msg('Part'))}" if columns and scene.shared else ""
    if part and cell_len(part + between.join(facts)) <= width - pen.x - 2:
        pen.write(part, look.dim)
    while len(facts) > 1 and cell_len(between.join(facts)) > width - pen.x - 2:
        facts.pop()
    said = cut(between.join(facts), width - pen.x - 2, look.glyphs.cut)
    pen.to(width - cell_len(said) - 1)
    pen.thing("pile", "pile", said, look.bold) if view.discards else pen.write(said, look.bold)


def _facts(scene: Scene) -> list[str]:
    """What lies open beside the players, the most important first."""
    say, view = scene.texts.say, scene.view
    round_ = [say(msg("Round {round}"), round=view.round)]
    deck = [say(msg("Deck {count}"), count=len(view.deck))]
    if scene.shared:
        last = [say(msg("LAST TURN"))] if view.last_round else []
        city = [say(msg("City {count}/{all}"), count=standing(view), all=wanted(view))]
        return [*last, *city, *deck, *_pile(scene), *round_]
    last = [say(msg("LAST ROUND"))] if view.last_round else []
    down = [say(msg("face down {count}"), count=len(view.facedown))] if view.facedown else []
    taxes = [say(msg("taxes {count}"), count=view.taxes)] if view.taxes else []
    return [*round_, *last, *deck, *down, *taxes]


def _pile(scene: Scene) -> list[str]:
    """The face-up pile: how many cards, and the one on top."""
    pile, texts = scene.view.discards, scene.texts
    if not pile:
        return []
    return [texts.say(msg("pile {count}: {card}"), count=len(pile), card=texts.short_district(pile[-1]))]


def _right(text: str, width: int) -> str:
    return text.rjust(width)[:width]


# Players


def _single_row(scene: Scene, drawing: Drawing, seat: int, width: int) -> None:
    pen = Pen(drawing)
    player = scene.view.players[seat]
    _name(scene, pen, seat, NAME)
    _counts(scene, pen, player)
    pen.write(_progress(scene, seat), scene.look.strong if player.completed else None).write(" ")
    who = _who(scene, seat)
    most = 18 if scene.shared else 12
    room = width - pen.x - 1 - (min(len(who[0]), most) + 1 if who[0] else 0)
    _letters(scene, pen, seat, room)
    if who[0]:
        name = cut(who[0], min(most, width - pen.x - 2), scene.look.glyphs.cut)
        pen.to(width - len(name) - 1)
        pen.thing("character", who[2], name, who[1]) if who[2] else pen.write(name, who[1])
    _highlight(scene, pen, seat, width)


def _double_row(scene: Scene, drawing: Drawing, seat: int, width: int) -> None:
    pen = Pen(drawing)
    player = scene.view.players[seat]
    _name(scene, pen, seat, NAME)
    _counts(scene, pen, player)
    pen.write(_progress(scene, seat), scene.look.strong if player.completed else None).write("  ")
    name, style, key = _who(scene, seat)
    if name:
        shown = cut(name, width - pen.x - 1, scene.look.glyphs.cut)
        pen.thing("character", key, shown, style) if key else pen.write(shown, style)
    _highlight(scene, pen, seat, width)
    below = Pen(drawing)
    _named(scene, below.to(4), seat, width - 5)
    _highlight(scene, below, seat, width)


def _tall_row(scene: Scene, drawing: Drawing, seat: int, width: int) -> None:
    top, middle, bottom = Pen(drawing), Pen(drawing), Pen(drawing)
    look, texts = scene.look, scene.texts
    player = scene.view.players[seat]
    _name(scene, top, seat, 16)
    middle.to(4).write(f"{texts.say(msg('Gold'))} {player.gold}", look.gold)
    middle.write(f" {look.glyphs.dot} {texts.say(msg('Cards'))} {len(player.hand)}")
    bottom.to(4).write(_progress(scene, seat).strip(), look.strong if player.completed else None).write(" ")
    name, style, key = _who(scene, seat)
    if name:
        shown = cut(name, 17, look.glyphs.cut)
        bottom.thing("character", key, shown, style) if key else bottom.write(shown, style)
    _tiles(scene, (top, middle, bottom), seat, width - 28)
    for pen in (top, middle, bottom):
        _highlight(scene, pen, seat, width)


def _name(scene: Scene, pen: Pen, seat: int, width: int) -> None:
    look = scene.look
    deciding = seat in acting(scene.view)
    pen.write(look.glyphs.turn if deciding else " ", look.title)
    pen.write(SEATS[seat], look.dim).write(" ")
    style = look.title if deciding else look.bold
    name = scene.names[seat]
    if seat in scene.stood_in:
        name = f"[{scene.texts.say(msg('bot for'))} {name}]"
        style = look.dim
    elif seat in scene.away:
        name = f"({name})"
        style = look.dim
    pen.thing("player", str(seat), pad(name, width, look.glyphs.cut), style)
    pen.write(f" {look.glyphs.crown}" if scene.view.crown == seat else "  ", look.gold)


def _counts(scene: Scene, pen: Pen, player: Player) -> None:
    pen.to(NAME + 6)
    pen.write(f"{player.gold:>5}", scene.look.gold).write(f"{len(player.hand):>6}")
    pen.write(f"{player.points:>5}" if scene.shared else "", scene.look.strong).write("  ")


def _progress(scene: Scene, seat: int) -> str:
    """How far a city is; where no city is ever complete, how many districts it has."""
    player = scene.view.players[seat]
    if scene.shared:
        return f"{len(player.city):>2}"
    sign = scene.look.glyphs.complete if player.completed else " "
    return f"{size(scene.view, seat)}/{goal(scene.view)}{sign}"


def _who(scene: Scene, seat: int) -> tuple[str, Style, str]:
    """What is known of the seat's character: the text, its style, and the character's key if it is one."""
    view, look, texts = scene.view, scene.look, scene.texts
    player = view.players[seat]
    if scene.shared:
        return _called(scene, seat)
    if player.revealed:
        key = player.revealed[-1]
        return " ".join(map(texts.character, player.revealed)), look.accent, key
    own = [key for key in player.concealed if key != HIDDEN]
    if (seat == scene.seat or view.whole) and own and not scene.hidden:
        return f"({' '.join(map(texts.character, own))})", look.dim, own[0]
    if view.phase == "draft" and player.concealed:
        return texts.say(msg("has chosen")), look.dim, ""
    return "", look.dim, ""


def _called(scene: Scene, seat: int) -> tuple[str, Style, str]:
    """The character that a seat has called last, and those that go on doing something for it."""
    view, look = scene.view, scene.look
    last = view.players[seat].revealed[-1:]
    lasting = [key for key, user in in_force(view).items() if user == seat and key not in last]
    named = scene.texts.short_character if lasting else scene.texts.character
    said = " ".join((*map(named, last), *(f"+{named(key)}" for key in lasting)))
    on_turn = view.turn is not None and view.turn.seat == seat
    return said, look.title if on_turn else look.accent if lasting else look.dim, (*last, *lasting, "")[0]


def _highlight(scene: Scene, pen: Pen, seat: int, width: int) -> None:
    """The whole line in another shade where it is this seat's move."""
    if seat in acting(scene.view):
        pen.to(width)
        pen.line.stylize_before(scene.look.turn)


# Cities


def _letters(scene: Scene, pen: Pen, seat: int, room: int) -> None:
    """Type and cost of each district."""
    start = pen.x
    for district in scene.view.players[seat].city:
        text = _brief(scene, district)
        if pen.x - start + len(text) > room:
            pen.write(scene.look.glyphs.cut, scene.look.dim)
            return
        pen.thing("district", district.key, text, scene.look.types[scene.edition.types[district.key]]).write(" ")


def _brief(scene: Scene, district: District) -> str:
    """Type and cost; a plus where it is beautified, a sign where it is turned, a colon and the number of cards
    under a Museum."""
    more = "+" if district.beautified else ""
    more += scene.look.glyphs.turned if district.turned else ""
    more += f":{len(district.under)}" if district.under else ""
    return f"{scene.texts.letter(scene.edition.types[district.key])}{district.cost}{more}"


def _named(scene: Scene, pen: Pen, seat: int, room: int) -> None:
    """Type, cost and name of each district, as much of the name as there is room for."""
    city = scene.view.players[seat].city
    if not city:
        pen.write(scene.look.glyphs.dot, scene.look.dim)
        return
    each = min(NAMED, room // len(city))
    for district in city:
        brief = _brief(scene, district)
        name = district_name(scene, district.key, each - len(brief) - 2)
        text = f"{brief} {name}" if each > 5 else brief
        pen.thing("district", district.key, text, scene.look.types[scene.edition.types[district.key]])
        pen.write(" " * max(1, each - len(text)))


def district_name(scene: Scene, key: str, room: int) -> str:
    """A district's name in so many cells: in full, short, or the beginning of it."""
    name = scene.texts.district(key)
    return name if cell_len(name) <= room else cut(scene.texts.short_district(key), max(room, 0), "")


def _tiles(scene: Scene, pens: tuple[Pen, Pen, Pen], seat: int, room: int) -> None:
    """Districts as small cards: type and cost above, the name below."""
    city = scene.view.players[seat].city
    each = min(TILE + 1, room // max(len(city), 1))
    glyphs = scene.look.glyphs
    left_top, right_top, left_low, right_low = tuple(glyphs.corners)
    x = 28
    for district in city:
        style = scene.look.types[scene.edition.types[district.key]]
        inner = each - 3
        brief = _brief(scene, district)
        name = pad(scene.texts.short_district(district.key), inner, "")
        top, middle, bottom = pens
        head = f"{left_top}{brief}{glyphs.rule * (inner - len(brief))}{right_top}"
        top.to(x).thing("district", district.key, head, style, rows=3)
        middle.to(x).write(f"{glyphs.side}{name}{glyphs.side}", style)
        bottom.to(x).write(f"{left_low}{glyphs.rule * inner}{right_low}", style)
        x += each
