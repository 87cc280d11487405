"""Home: tables on the network, a table of one's own, playing alone, rules, settings."""

from collections.abc import Coroutine, Sequence
from typing import Any, ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.front.archive import PastGame, result, tallies
from citadels_lan.front.cells import clean
from citadels_lan.front.door.typed_code import ELSEWHERE, elsewhere, read_place
from citadels_lan.front.launcher import (
    ISOLATED,
    UNFINDABLE,
    Archive,
    CannotOpen,
    CodeWanted,
    Contradiction,
    Launcher,
    Place,
    Resumer,
    first_lesson,
    more,
)
from citadels_lan.front.seen_tables import SeenTables
from citadels_lan.texts import msg
from citadels_lan.ui.drawings.doing import Doing
from citadels_lan.ui.drawings.home import SHOWN, Home, draw_home
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.choice_list import Row
from citadels_lan.ui.widgets.code_prompt import CodePrompt
from citadels_lan.ui.widgets.drawing import Drawing
from citadels_lan.ui.widgets.line_prompt import LinePrompt

from .games import GamesScreen
from .list_screen import CssPath, Foot, ListScreen
from .rules import RulesScreen
from .settings import SettingsScreen
from .table_setup import SetupScreen

LETTERS: Final = "ctojpgrs"
"""Those of the commands."""


class HomeView(Canvas, can_focus=True):
    """The tables, the commands, the own games; the cursor goes over tables and commands alike."""

    def __init__(self, screen: "HomeScreen") -> None:
        super().__init__(id="home")
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        return draw_home(self._screen.shown(), width, height)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("up", "down"):
            self._screen.move(-1 if event.key == "up" else 1)
            event.stop()


class HomeScreen(ListScreen):
    """Where everything begins. Each letter does one thing, each digit is one table, as long as it is shown."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "home.tcss"]
    AUTO_FOCUS = "#home"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,Q", "app.quit", show=False),
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
        yield HomeView(self)
        yield Foot(self)

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        if self.app.screen is not self:  # who follows a link is at the table before home is ever seen
            return
        self._look_back()
        if not self._browsing:
            self._browsing = True
            self._browse()

    @work(thread=True, exclusive=True, group="past")
    def _look_back(self) -> None:
        """Which games there were and which can go on: files are read, so beside the screen."""
        unfinished = self.launcher.unfinished() if isinstance(self.launcher, Resumer) else ()
        games = self.launcher.finished() if isinstance(self.launcher, Archive) else ()
        self.app.call_from_thread(self._remembered, unfinished, games)

    def _remembered(self, unfinished: Sequence[PastGame], games: Sequence[PastGame]) -> None:
        self.unfinished, self.games = unfinished, games
        self.retell()

    @work
    async def _browse(self) -> None:
        """Keep the list of tables as the network has it."""
        async for tables in self.launcher.browse():
            self.findable = tables is not None
            self.tables.update(tables or ())
            first = next((seen.table.address for seen in self.tables if not seen.gone), "")
            if first and not self._pointed:
                self.cursor = first
            self.retell()

    # What it shows

    def shown(self) -> Home:
        """All of it."""
        name = clean(self.launcher.preferences.name, 40)
        tables = list(self.tables)[:SHOWN]
        return Home(
            self.texts, self.look, name, tables, self._remarks(), self._commands(),
            [*self.unfinished, *self.games], self.cursor,
        )  # fmt: skip

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [
            ("↑↓", say(msg("point"))),
            ("Enter", say(msg("choose"))),
            *([("1-9", say(msg("that table")))] if len(self.tables) else []),
            ("L", say(msg("language"))),
            ("?", say(msg("help"))),
            ("Q", say(msg("quit"))),
        ]

    def title_text(self) -> str:
        return "Citadels"

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            say(msg("One of you opens a table, the others then find it here.")),
            say(msg("A letter does what stands beside it; a digit points at a table, and again sits down at it.")),
        ]

    def rows(self) -> list[Row]:
        return []

    def _commands(self) -> list[Doing]:
        say = self.texts.say
        go_on = (
            [Doing("c", say(msg("Continue your table")), self._told(self.unfinished[0]))]
            if self.unfinished
            else []
        )
        every = tallies(self.games)[0]
        counted = say(msg("{count} played, {won} won"), count=every.played, won=every.won) if self.games else ""
        return [
            *go_on,
            Doing("t", say(msg("Learn in five minutes")), say(msg("a game that explains itself"))),
            Doing("o", say(msg("Open a table…")), say(msg("your friends join it, bots can fill it"))),
            Doing("j", say(msg("Join by address or link…")), say(msg("as the host's screen shows it"))),
            Doing("p", say(msg("Play alone…")), say(msg("against bots, on this machine"))),
            *([Doing("g", say(msg("Your games")), counted)] if isinstance(self.launcher, Archive) else []),
            Doing("r", say(msg("Rules and cards"))),
            Doing("s", say(msg("Settings")), say(msg("name, language, colours"))),
        ]

    def _told(self, game: PastGame) -> str:
        names = clean(", ".join(game.names), 40)
        return f"{names}: {result(self.texts, game)}" if names else result(self.texts, game)

    def _remarks(self) -> list[str]:
        """What stands where no table is."""
        say = self.texts.say
        if not self.findable:
            return [say(UNFINDABLE)]
        if not len(self.tables):
            looking = [
                say(msg("None yet; looking.")),
                say(msg("One of you opens a table, the others then find it here.")),
            ]
            return [*looking, *([say(ISOLATED)] if self.launcher.isolated else [])]
        left = more(self.texts, [seen.table for seen in self.tables])
        return [left] if left else []

    # The cursor

    def _keys(self) -> list[str]:
        """What can be pointed at, from above to below."""
        home = self.shown()
        return [*(seen.table.address for seen in home.tables), *(command.letter for command in home.commands)]

    def move(self, step: int) -> None:
        """Up or down; it goes round."""
        keys = self._keys()
        here = keys.index(self.cursor) if self.cursor in keys else -1 if step > 0 else 0
        self._point(keys[(here + step) % len(keys)])

    def _point(self, key: str) -> None:
        self.cursor, self._pointed = key, True
        self.query_one(HomeView).redraw()

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
        tables = list(self.tables)[:SHOWN]
        if number > len(tables):
            return
        address = tables[number - 1].table.address
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
                address = await self._prompt(question, "192.168.1.7:47110")
                if address:
                    await self._join(address)
            case "t":
                await self._sit(self.launcher.alone(first_lesson()))
            case "o" | "p":
                await self._open(alone=key == "p")
            case "g" if isinstance(self.launcher, Archive):
                self.app.push_screen(GamesScreen(self.unfinished, self.games), self._go_on_if)
            case "r":
                self.app.push_screen(RulesScreen(self.launcher.preferences.edition))
            case "s":
                self.app.push_screen(SettingsScreen(self.launcher))
            case _:
                await self._join(key)

    def _go_on_if(self, game: PastGame | None) -> None:
        if game is not None:
            self._go_on(game)

    @work
    async def _go_on(self, game: PastGame) -> None:
        """Open a table again that was open here."""
        if isinstance(self.launcher, Resumer):
            await self._sit(self.launcher.go_on(game))

    async def _join(self, address: str) -> None:
        """Join, first with the code of a pasted invitation or without one: a player with a seat needs none."""
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

    async def _prompt(self, question: str, hint: str = "") -> str:
        """The answer to a question; empty where there is none."""
        answer: str | None = await self.app.push_screen_wait(LinePrompt(question, hint=hint))
        return answer or ""

    async def _open(self, *, alone: bool) -> None:
        options = await self.app.push_screen_wait(SetupScreen(self.launcher, alone=alone))
        if options is not None:
            await self._sit(self.launcher.alone(options) if alone else self.launcher.host(options))

    async def _sit(self, opening: Coroutine[Any, Any, Place]) -> None:
        """Sit down at a table, or say why not; at no other one while that is being opened. Raises CodeWanted."""
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
