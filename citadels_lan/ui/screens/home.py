"""Home: tables on the network, a table of one's own, playing alone, rules, settings."""

from collections.abc import Awaitable, Sequence
from typing import ClassVar, Final

from textual import on, work
from textual.binding import Binding, BindingType

from citadels_lan.front.archive import PastGame, result
from citadels_lan.front.cells import clean
from citadels_lan.front.launcher import (
    ISOLATED,
    SHOWN,
    UNFINDABLE,
    Archive,
    CannotOpen,
    CodeWanted,
    Contradiction,
    FoundTable,
    Launcher,
    Place,
    Resumer,
    more,
    playing,
)
from citadels_lan.texts import editions, msg
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.code_prompt import CodePrompt
from citadels_lan.ui.widgets.line_prompt import LinePrompt

from .games import GamesScreen
from .list_screen import ListScreen
from .rules import RulesScreen
from .settings import SettingsScreen
from .table_setup import SetupScreen

MOST: Final = 3
"""So many unfinished tables are listed; `games` has all of them."""


class HomeScreen(ListScreen):
    """Where everything begins."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.quit", show=False)]

    def __init__(self, launcher: Launcher) -> None:
        super().__init__()
        self.launcher = launcher
        self.tables: Sequence[FoundTable] = ()
        self.findable = True
        self.unfinished: Sequence[PastGame] = ()

    def on_mount(self) -> None:
        self._look_back()
        super().on_mount()
        self._browse()

    def _look_back(self) -> None:
        """Which tables can be opened again."""
        if isinstance(self.launcher, Resumer):
            self.unfinished = self.launcher.unfinished()[:MOST]

    @work
    async def _browse(self) -> None:
        """Keep the list of tables as the network has it."""
        async for tables in self.launcher.browse():
            first = bool(tables) and not self.tables
            self.tables, self.findable = tables or (), tables is not None
            self.retell()
            if first:
                self.query_one(ChoiceList).point(0)

    # What it shows

    def title_text(self) -> str:
        return self.texts.say(msg("Citadels"))

    def below_title(self) -> list[str]:
        name = clean(self.launcher.preferences.name, 40)
        who = self.texts.say(msg("You are {name}."), name=name) if name else ""
        return [self.texts.say(msg("Friends on one Wi-Fi, each in a terminal.")) + (f" {who}" if who else "")]

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [("Enter", say(msg("choose"))), ("l", say(msg("language"))), ("q", say(msg("quit")))]

    def rows(self) -> list[Row]:
        say = self.texts.say
        return [
            *self._unfinished_rows(),
            Row("", say(msg("Tables on this network"))),
            *self._table_rows(),
            Row("", ""),
            Row("address", say(msg("Join by address…")), say(msg("as the host's screen shows it"))),
            Row("host", say(msg("Open a table…")), say(msg("your friends join it, bots can fill it"))),
            Row("alone", say(msg("Play alone…")), say(msg("against bots, on this machine"))),
            Row("", ""),
            *self._archive(),
            Row("rules", say(msg("Rules and cards"))),
            Row("settings", say(msg("Settings")), say(msg("name, language, colours"))),
            Row("quit", say(msg("Quit"))),
        ]

    def _unfinished_rows(self) -> list[Row]:
        """The tables that were open here when the program stopped."""
        say = self.texts.say
        return [
            Row(f"go on {at}", say(msg("Go on with your table")), f"{self._told(game)}   {game.date}")
            for at, game in enumerate(self.unfinished)
        ]

    def _told(self, game: PastGame) -> str:
        names = clean(", ".join(game.names), 40)
        return f"{names}: {result(self.texts, game)}" if names else result(self.texts, game)

    def _archive(self) -> list[Row]:
        if not isinstance(self.launcher, Archive):
            return []
        say = self.texts.say
        return [Row("games", say(msg("Finished games")), say(msg("replay them, check their proofs")))]

    def _table_rows(self) -> list[Row]:
        if not self.findable:
            return [Row("", f"  {self.texts.say(UNFINDABLE)}")]
        if not self.tables:
            say = self.texts.say
            return [
                Row("", f"  {say(msg('None yet; looking.'))}"),
                Row("", f"  {say(msg('One of you opens a table, the others then find it here.'))}"),
                *([Row("", f"  {say(ISOLATED)}")] if self.launcher.isolated else []),
            ]
        shown = self.tables[:SHOWN]
        rows = [Row(f"join {table.address}", self._label(table), self._detail(table)) for table in shown]
        left = more(self.texts, self.tables)
        return [*rows, Row("", f"  {left}")] if left else rows

    def _label(self, table: FoundTable) -> str:
        return self.texts.say(msg("{name}'s table"), name=clean(table.host, 24) or "?")

    def _detail(self, table: FoundTable) -> str:
        edition = clean(editions.name(self.texts, table.edition), 24)
        seats = self.texts.say(msg("{players} of {places} seats"), players=table.players, places=table.places)
        state = playing(self.texts, table) if table.started else ""
        return "   ".join(part for part in (seats, edition, state, clean(table.address, 60)) if part)

    # What it does

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        self._do(message.key)

    @work
    async def _do(self, key: str) -> None:
        if key.startswith("go on ") and isinstance(self.launcher, Resumer):
            await self._sit(self.launcher.go_on(self.unfinished[int(key.removeprefix("go on "))]))
        elif key.startswith("join "):
            await self._join(key.removeprefix("join "))
        elif key == "address":
            question = self.texts.say(msg("The address of the table, as its host sees it:"))
            address = await self._prompt(question, "192.168.1.7:47110")
            if address:
                await self._join(address)
        elif key in ("host", "alone"):
            await self._open(alone=key == "alone")
        elif key == "games" and isinstance(self.launcher, Archive):
            self.app.push_screen(GamesScreen(self.launcher))
        elif key == "rules":
            self.app.push_screen(RulesScreen())
        elif key == "settings":
            self.app.push_screen(SettingsScreen(self.launcher))
        else:
            self.app.exit()

    async def _join(self, address: str) -> None:
        """First without a code: whoever has a seat there already needs none."""
        code, reason = "", ""
        while True:
            try:
                await self._sit(self.launcher.join(address, code))
            except CodeWanted as wanted:
                self.say("")
                reason = wanted.text if code else ""
                prompt = CodePrompt(self.texts, self.look.glyphs, reason, code)
                answer: str | None = await self.app.push_screen_wait(prompt)
                code = answer or ""
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

    async def _sit(self, opening: Awaitable[Place]) -> None:
        """Sit down at a table, or say why not. Raises CodeWanted."""
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
        self.say("")
        self.program.sit_down(place)

    def action_back(self) -> None:
        self.say("")
