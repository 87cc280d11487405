"""Home: games on the network, hosting, playing alone, rules, settings."""

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.front.cells import clean, cut, pad, wrap
from citadels_lan.front.glyphs import ASCII
from citadels_lan.front.launcher import (
    ISOLATED,
    UNFINDABLE,
    Archive,
    CannotOpen,
    CodeWanted,
    Contradiction,
    FoundTable,
    Launcher,
    Place,
    Resumer,
    SeenTable,
    SeenTables,
    first_lesson,
    more,
)
from citadels_lan.texts import Message, msg, terms
from citadels_lan.ui.drawings.doing import Doing, draw_doings, fits
from citadels_lan.ui.drawings.frame import EDGES, SIDES, beside, frame, put
from citadels_lan.ui.widgets.canvas import Canvas, DrawnBy
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen
from citadels_lan.ui.widgets.letters import large
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.page import LinePrompt

from .list_screen import CHOOSE, HELP, LANGUAGE, Hint, ListScreen

if TYPE_CHECKING:  # each screen is loaded when it is opened
    from citadels_lan.front.archive import PastGame

LETTERS: Final = "ctojpgrs"
"""Those of the commands."""
WIDE: Final = (110, 32)
"""Cells and lines from which games stand beside the tables."""
TITLE: Final = "citadels"
SHOWN: Final = 9
"""As many tables as there are digits."""
COLUMNS: Final = ((22, 14, 13), (28, 16, 20))
"""Cells of a table's name, seats and edition, in a narrow frame and in a wide one."""
ROOMY: Final = 86
"""Cells of a wide frame."""
HIGHEST: Final = 20
"""Lines of houses at most."""
BLOCK: Final = (
    (5, 6), (7, 3), (4, 8), (6, 5), (8, 2), (5, 7), (7, 4), (4, 9), (6, 6), (9, 3), (5, 5), (8, 4), (4, 7), (7, 2),
    (6, 8), (5, 3), (9, 5), (4, 6), (7, 9), (6, 4), (8, 3), (5, 8), (7, 5),
)  # fmt: skip
"""Widths of the houses below, and how high each is, in tenths of the room there is."""


class HomeScreen(ListScreen):
    """The first screen. Each letter does one thing; each digit is one table, as long as the table is shown."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,Q", "app.quit", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("enter", "choose", show=False),
        *(Binding(f"{letter},{letter.upper()}", f"do('{letter}')", show=False) for letter in LETTERS),
        *(Binding(str(digit), f"table({digit})", show=False) for digit in range(1, SHOWN + 1)),
    ]

    def __init__(self, launcher: Launcher) -> None:
        super().__init__()
        self.launcher = launcher
        self.tables = SeenTables()
        self.findable = True
        self.unfinished: Sequence[PastGame] = ()
        self.games: Sequence[PastGame] = ()
        self.cursor = ""
        self._pointed = self._browsing = self._opening = False

    def compose(self) -> ComposeResult:
        yield DrawnBy("home", self._draw)
        yield DrawnBy("foot", self.draw_foot)

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        if self._browsing:
            self._look_back()

    def _draw(self, width: int, height: int) -> Drawing:
        if not self._browsing:  # the first frame: what takes longer begins after it
            self._browsing = True
            self.call_later(self._look_back)
            self.call_later(self._browse)
        return draw_home(self, width, height)

    @work(thread=True, exclusive=True, group="past")
    def _look_back(self) -> None:
        """Read the files of finished and unfinished games in a thread."""
        unfinished = self.launcher.unfinished() if isinstance(self.launcher, Resumer) else ()
        games = self.launcher.finished() if isinstance(self.launcher, Archive) else ()
        self.app.call_from_thread(self._remembered, unfinished, games)

    def _remembered(self, unfinished: "Sequence[PastGame]", games: "Sequence[PastGame]") -> None:
        self.unfinished, self.games = unfinished, games
        self.retell()

    @work
    async def _browse(self) -> None:
        """Keep the list of tables up to date."""
        async for tables in self.launcher.browse():
            self.findable = tables is not None
            self.tables.update(tables or ())
            first = next((seen.table.address for seen in self.tables if not seen.gone), "")
            if first and not self._pointed:
                self.cursor = first
            self.retell()

    # What it shows

    @property
    def listed(self) -> Sequence[SeenTable]:
        """The tables that are shown."""
        return list(self.tables)[:SHOWN]

    def hints(self) -> Sequence[Hint]:
        digits = [("1-9", msg("that table"))] if len(self.tables) else []
        return (("↑↓", msg("point")), CHOOSE, *digits, LANGUAGE, HELP, ("Q", msg("quit")))

    def title_text(self) -> str:
        return "Citadels"

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            say(msg("One of you opens a table, the others then find it here.")),
            say(msg("A letter does what stands beside it; a digit points at a table, and again sits down at it.")),
        ]

    def commands(self) -> list[Doing]:
        say = self.texts.say
        counted = ""
        if self.games:
            from citadels_lan.front.archive import tallies

            every = tallies(self.games)[0]
            counted = say(msg("{count} played, {won} won"), count=every.played, won=every.won)
        return [
            *(Doing("c", say(msg("Continue your table")), self._told(game)) for game in self.unfinished[:1]),
            Doing("t", say(msg("Learn in five minutes")), say(msg("a game that explains itself"))),
            Doing("o", say(msg("Open a table…")), say(msg("your friends join it, bots can fill it"))),
            Doing("j", say(msg("Join by address or link…")), say(msg("as the host's screen shows it"))),
            Doing("p", say(msg("Play alone…")), say(msg("against bots, on this machine"))),
            *([Doing("g", say(msg("Your games")), counted)] if isinstance(self.launcher, Archive) else []),
            Doing("r", say(msg("Rules and cards"))),
            Doing("s", say(msg("Settings")), say(msg("name, language, colours"))),
        ]

    def _told(self, game: "PastGame") -> str:
        from citadels_lan.front.archive import result

        names = clean(", ".join(game.names), 40)
        return f"{names}: {result(self.texts, game)}" if names else result(self.texts, game)

    def remarks(self) -> list[str]:
        """Remarks below the tables, or in their place."""
        say = self.texts.say
        if not self.findable:
            return [say(UNFINDABLE)]
        if not len(self.tables):
            opens = msg("One of you opens a table, the others then find it here.")
            looking = (msg("None yet; looking."), opens, *([ISOLATED] if self.launcher.isolated else []))
            return [*map(say, looking)]
        left = more(self.texts, [seen.table for seen in self.tables])
        return [left] if left else []

    # The cursor

    def _keys(self) -> list[str]:
        """The keys of all tables and commands, from top to bottom."""
        return [*(seen.table.address for seen in self.listed), *(command.letter for command in self.commands())]

    def action_move(self, step: int) -> None:
        """Up or down; it goes round."""
        keys = self._keys()
        here = keys.index(self.cursor) if self.cursor in keys else -1 if step > 0 else 0
        self._point(keys[(here + step) % len(keys)])

    def _point(self, key: str) -> None:
        self.cursor, self._pointed = key, True
        self.query_one("#home", Canvas).redraw()

    @on(Canvas.Pointed, "#home")
    def _clicked(self, message: Canvas.Pointed) -> None:
        self._point(message.hit.key)
        self.action_choose()

    def action_choose(self) -> None:
        """Do what is pointed at."""
        if self.cursor in self._keys():
            self._do(self.cursor)

    def action_do(self, letter: str) -> None:
        if letter in self._keys():
            self._point(letter)
            self._do(letter)

    def action_table(self, number: int) -> None:
        """Point at a table, and sit down there at the second time."""
        if number > len(self.listed):
            return
        address = self.listed[number - 1].table.address
        again = self.cursor == address and self._pointed
        self._point(address)
        if again:
            self._do(address)

    # What it does

    @work
    async def _do(self, key: str) -> None:
        if not self.is_active:  # a second Enter in the same read
            return
        match key:
            case "c":
                self._go_on(self.unfinished[0])
            case "j":
                question = self.texts.say(msg("The address of the table, as its host sees it:"))
                if address := await self.app.push_screen_wait(LinePrompt(question, hint="192.168.1.7:47110")):
                    await self._join(address)
            case "t":
                await self._sit(self.launcher.alone(first_lesson()))
            case "o" | "p":
                await self._open(alone=key == "p")
            case "g" if isinstance(self.launcher, Archive):
                from .games import GamesScreen

                self.app.push_screen(GamesScreen(self.unfinished, self.games), self._go_on)
            case "r":
                from .rules import RulesScreen

                self.app.push_screen(RulesScreen(self.launcher.preferences.edition))
            case "s":
                from .settings import SettingsScreen

                self.app.push_screen(SettingsScreen(self.launcher))
            case _:
                await self._join(key)

    def _go_on(self, game: "PastGame | None") -> None:
        """Open a table again that was open here."""
        if game is not None and isinstance(self.launcher, Resumer):
            self.run_worker(self._sit(self.launcher.go_on(game)))

    async def _join(self, address: str) -> None:
        """Join, first with the code of a pasted invitation or without one: a player with a seat needs none."""
        from citadels_lan.front.join_form import ELSEWHERE, elsewhere, read_place
        from citadels_lan.ui.widgets.code_prompt import CodePrompt

        reason = ""
        address, code = read_place(address)
        while True:
            try:
                await self._sit(self.launcher.join(address, code))
            except CodeWanted as wanted:
                self.say("")
                reason = wanted.text if code else ""
                prompt = CodePrompt(self.texts, self.look.glyphs, reason, code)
                answer: str | None = await self.app.push_screen_wait(prompt)
                code = answer or ""
                if other := elsewhere(code, address):
                    address = other
                    self.notify(self.texts.say(ELSEWHERE, address=other), timeout=20, markup=False)
                if code:
                    continue
            return

    async def _open(self, *, alone: bool) -> None:
        from .table_setup import SetupScreen

        options = await self.app.push_screen_wait(SetupScreen(self.launcher, alone=alone))
        if options is not None:
            await self._sit(self.launcher.alone(options) if alone else self.launcher.host(options))

    async def _sit(self, opening: Coroutine[Any, Any, Place]) -> None:
        """Join or open a table, or explain why that failed. One table at a time. Raises CodeWanted."""
        if self._opening:
            opening.close()
            return
        self._opening = True
        self.say(self.texts.say(msg("One moment…")))
        try:
            place = await opening
        except CodeWanted:
            raise
        except Contradiction as found:
            self.say("")
            self.program.raise_alarm(found.alarm)
            return
        except CannotOpen as reason:
            self.say(reason.text)
            return
        finally:
            self._opening = False
        self.say("")
        self.program.sit_down(place)

    def action_back(self) -> None:
        self.say("")


# Drawing it


def draw_home(home: "HomeScreen", width: int, height: int) -> Drawing:
    """The whole screen at this size."""
    drawing = Drawing()
    wide = width >= WIDE[0] and height >= WIDE[1]
    _title(home, drawing, width, height, wide)
    look, commands, cursor = home.look, home.commands(), home.cursor
    if wide:
        rows = SHOWN if height >= 44 else min(max(len(home.listed), 6), SHOWN)
        left, right = width * 6 // 10 - 2, width - width * 6 // 10 - 2
        parts = [(_tables(home, left, rows, rows), left), (_games(home, right, rows), right)]
        put(drawing, beside(parts, gap=2), 1)
        Pen(drawing)
        columns = 3 if fits(commands, width, 3) else 2
        spaced = height - len(drawing.lines) > 2 * len(commands)
        draw_doings(look, drawing, commands, cursor, width, columns=columns, details=True, spaced=spaced)
    else:
        lines = -(-len(commands) // 2)
        put(drawing, _tables(home, width - 2, 0, min(SHOWN, height - len(drawing.lines) - lines - 3)), 1)
        Pen(drawing)
        draw_doings(look, drawing, commands, cursor, width, columns=2 if width >= 70 else 1)
    _houses(look, drawing, width, height - len(drawing.lines))
    return drawing


def _title(home: "HomeScreen", drawing: Drawing, width: int, height: int, wide: bool) -> None:
    say, look = home.texts.say, home.look
    name = clean(home.launcher.preferences.name, 40)
    who = say(msg("You are {name}"), name=name) if name else ""
    under = say(msg("Friends on one Wi-Fi, each in a terminal."))
    letters = large(TITLE, width - 8) if wide and look.glyphs is not ASCII else []
    for row in letters:
        Pen(drawing).to(4).write(row, look.title)
    if letters:
        _right(Pen(drawing).to(4).write(under, look.dim), who, width, look.bold)
    else:
        pen = Pen(drawing).write(f" {look.glyphs.crown} ", look.gold).write("C I T A D E L S", look.title)
        _right(pen, who, width, look.bold)
        Pen(drawing).to(3).write(cut(under, width - 4), look.dim)
    if letters or height >= 20:
        Pen(drawing)


def _right(pen: Pen, text: str, width: int, style: Style) -> None:
    room = width - pen.x - 4
    if text and room > 4:
        said = cut(text, room)
        pen.to(width - cell_len(said) - 2).write(said, style)


def _tables(home: "HomeScreen", width: int, least: int, most: int) -> Drawing:
    """The tables of the network and remarks on them, in a frame with room for `least` to `most` lines."""
    inside = Drawing()
    for number, seen in enumerate(home.listed[: max(most, 1)], 1):
        _table(home, inside, number, seen, width - SIDES)
    remarks = [line for remark in home.remarks() for line in wrap(remark, width - SIDES)]
    for line in remarks[: max(most - len(inside.lines), 0 if inside.lines else 2)]:
        Pen(inside).write(line, home.look.dim)
    title = home.texts.say(msg("Tables on this network"))
    return frame(home.look, title, inside, width, max(least, len(inside.lines)) + EDGES)


def _table(home: "HomeScreen", drawing: Drawing, number: int, seen: SeenTable, width: int) -> None:
    say, look, table = home.texts.say, home.look, seen.table
    here = home.cursor == table.address
    plain = look.dim if seen.gone else None
    pen = Pen(drawing).write(f"{look.glyphs.turn if here else ' '} ", look.title)
    pen.write(f"{number} ", plain or look.title)
    name, seats, edition = COLUMNS[width + SIDES >= ROOMY]
    whose = say(msg("{name}'s table"), name=clean(table.host, 24) or "?")
    pen.write(pad(whose, name), plain or (look.strong if here else look.bold))
    pen.write(pad(f" {table.players}/{table.places} {_seats(look, table)}", seats), plain or look.gold)
    pen.write(f" {pad(clean(terms.name(home.texts, table.edition), 24), edition)}", plain)
    state = say(_state(seen))
    pen.write(f" {cut(state, width - pen.x - 1)}", plain or (look.accent if table.mine else look.dim))
    if cell_len(table.address) < width - pen.x - 3:
        pen.write(f"  {clean(table.address, 60)}", look.dim)
    if here:
        pen.to(width).line.stylize_before(look.cursor)
    drawing.hits.append(Hit("choose", table.address, pen.y, 0, width))


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


def _games(home: "HomeScreen", width: int, rows: int) -> Drawing:
    """The newest of the person's own games."""
    look, inside, say = home.look, Drawing(), home.texts.say
    games = [*home.unfinished, *home.games][:rows]
    for game in games:
        from citadels_lan.front.archive import result

        pen = Pen(inside).write(f"{game.date[:10]}  ", look.dim)
        pen.write(cut(result(home.texts, game), width - SIDES - pen.x), None if game.over else look.accent)
        pen.write(cut(f"   {clean(', '.join(game.names), 60)}", width - SIDES - pen.x), look.dim)
    if not games:
        Pen(inside).write(say(msg("None yet: play one first.")), look.dim)
    return frame(look, say(msg("Your games")), inside, width, rows + EDGES)


# The city below


def _houses(look: Look, drawing: Drawing, width: int, room: int) -> None:
    """As many lines of houses as there is room for; none in less than four."""
    rows = min(room - 1, HIGHEST)
    if rows < 3:
        return
    for _ in range(room - rows):
        Pen(drawing)
    houses, colours = _row_of_houses(width - 6, rows), list(look.types.values())
    start = (width - sum(wide + 1 for wide, _ in houses) + 1) // 2
    for y in range(rows, 0, -1):
        pen = Pen(drawing).to(start)
        for number, (wide, high) in enumerate(houses):
            style = colours[number % len(colours)] + Style(dim=True)
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
