"""The home screen: play against bots, join, host, learn; and the tables on the network."""

from collections.abc import Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType

from citadels_lan.presenter import launcher as launching
from citadels_lan.presenter.launcher import Archive, FoundTable, Launcher, Place, Resumer, SeenTable, SeenTables
from citadels_lan.presenter.symbols import ASCII
from citadels_lan.presenter.text_width import clean, pad
from citadels_lan.texts import Message, msg, terms
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.program import ChoiceList, LinePrompt, Row, ScreenCommand, letters

from .list_screen import CHOOSE, COMMANDS, HELP, LANGUAGE, Hint, ListScreen

if TYPE_CHECKING:  # each screen is loaded when it is opened
    from citadels_lan.presenter.archive import PastGame

LETTERS: Final = "cpjotgrs"
"""The letter keys of the commands, in the order of the list."""
DIGITS: Final = 9
"""How many tables have a digit as their key, at most."""
LARGE: Final = (110, 30)
"""Columns and lines from which on the title is written in large letters."""
COLUMNS: Final = ((22, 14, 12), (28, 16, 18))
"""The widths of the columns for a table's host, seats and edition: on a narrow screen, and on a wide one."""
ROOMY: Final = 86
"""From this width of the list on, its columns are wide."""
LIST: Final = 76
"""Fewest columns of the list of tables."""
GAMES: Final = 70
"""Most columns of the list of finished games."""
MOST: Final = 8
"""How many finished games are listed to the right of the tables, at most."""


class HomeScreen(ListScreen):
    """The first screen. Each letter key is a command. Each digit key stands for one table, as long as that
    table is listed."""

    NUMBERS = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *letters(q="app.quit", **{letter: f"do('{letter}')" for letter in LETTERS}),
        *(Binding(str(digit), f"table({digit})", show=False) for digit in range(1, DIGITS + 1)),
    ]

    def __init__(self, launcher: Launcher, joining: str = "") -> None:
        """`joining` is the address of a table to join at once."""
        super().__init__()
        self._joining = joining
        self.launcher = launcher
        self.tables = SeenTables()
        self.findable = True
        self.unfinished: Sequence[PastGame] = ()
        self.games: Sequence[PastGame] = ()
        self._placed = "p"
        self._opening = self._tried = False
        self._doing = ""

    def on_mount(self) -> None:
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Ask for the name at the first start, and begin to search for tables. The search starts after the
        first drawing of the screen, because loading it takes longer."""
        # The question for the name waits for an answer, so the search starts beside it. A player who has left a
        # table wants to see the way back, which the question would cover.
        if self.program.evening is None:
            self._ask_name()
        self._browse()
        if self._joining:
            self.run_worker(self._join(self._joining))

    @work
    async def _ask_name(self) -> None:
        """Ask for the name of the player at the first start."""
        kept = self.launcher.preferences
        if kept.unnamed:
            prompt = LinePrompt(self.texts.say(launching.NAME_ASKED), kept.name)
            name: str | None = await self.app.push_screen_wait(prompt)
            launching.remember_name(self.launcher, name or "")
            self.retell()

    def on_screen_resume(self) -> None:
        choices = self.query(ChoiceList)
        # The next list of tables may have the seat that the player has just left: the cursor moves to it.
        if self.program.evening is not None and choices and (current := choices.first().current) is not None:
            self._placed = current.key
        self.call_after_refresh(self._look_back)

    @work(thread=True, exclusive=True, group="past")
    def _look_back(self) -> None:
        """Read the files of finished and unfinished games in a thread, and then show them."""
        # Reading many transcripts takes longer than a frame.
        unfinished = self.launcher.unfinished() if isinstance(self.launcher, Resumer) else ()
        games = self.launcher.finished() if isinstance(self.launcher, Archive) else ()
        self.app.call_from_thread(self._remembered, unfinished, games)

    def _remembered(self, unfinished: "Sequence[PastGame]", games: "Sequence[PastGame]") -> None:
        self.unfinished, self.games = unfinished, games
        self.retell()

    @work
    async def _browse(self) -> None:
        """Update the list of tables while tables appear and disappear."""
        async for tables in self.launcher.browse():
            self.findable = tables is not None
            self.tables.update(tables or ())
            # Behind a table, changes of this screen would make Textual paint the whole table again.
            if self.app.screen is self or self.app.screen.is_modal:
                self.retell()
                joinable = (seen.table for seen in self.tables if not seen.gone and not seen.table.needs)
                first = next((table.row for table in joinable if table.mine or self._placed == "p"), "")
                choices = self.query_one(ChoiceList)
                if first and choices.current is not None and choices.current.key == self._placed:
                    self._placed = first  # the player has not moved the cursor
                    choices.point(first)

    # Contents

    @property
    def listed(self) -> Sequence[SeenTable]:
        """The tables on the network that the list shows."""
        return list(self.tables)[:DIGITS]

    def hints(self) -> Sequence[Hint]:
        digits = [("1-9", msg("select game"))] if len(self.tables) else []
        return (("↑↓", msg("select")), CHOOSE, *digits, LANGUAGE, HELP, ("Q", msg("quit")), COMMANDS)

    def title_text(self) -> str:
        return "Citadels"

    def heading(self) -> Text:
        """Return the name of the game, and the name of the player."""
        look, say = self.look, self.texts.say
        name = clean(self.launcher.preferences.name, 40)
        who = say("You are {name}", name=name) if name else ""
        width, height = self.app.size
        if width >= LARGE[0] and height >= LARGE[1] and look.glyphs is not ASCII:
            from citadels_lan.ui.widgets.letters import large

            title = Text("\n".join(large(self.title_text().lower(), width)), look.title)
        else:
            title = Text.assemble((f"{look.glyphs.crown} ", look.gold), ("C I T A D E L S", look.title))
        friends, wait = msg("Citadels with friends on your Wi-Fi."), msg("One moment…")
        under = say(wait if self._opening else friends)
        return title.append(f"\n{under}  ", look.dim).append(who, look.bold)

    def rows(self) -> list[Row]:
        say = self.texts.say
        tables = [self._table(number, seen) for number, seen in enumerate(self.listed, 1)]
        remarks = [row for remark in self.remarks() for row in self.about(remark)]
        return [*self.buttons(), Row("", ""), Row("", say("Games on this network")), *tables, *remarks]

    def commands(self) -> Iterator[ScreenCommand]:
        yield from super().commands()
        shared = ("r", "s")  # the app has these on every screen
        for title, letter, _ in self._entries():
            if letter not in shared:
                yield ScreenCommand(letter.upper(), title, f"do('{letter}')")

    def buttons(self) -> list[Row]:
        """Return a row for each command, with its letter key."""
        say = self.texts.say
        return [Row(letter, say(title), remark, letter=letter) for title, letter, remark in self._entries()]

    def _entries(self) -> Sequence[tuple[Message, str, str]]:
        """Return title, letter key and remark of each command."""
        say = self.texts.say
        counted = ""
        if self.games:
            from citadels_lan.presenter.archive import tallies

            every = tallies(self.games)[0]
            counted = say("{count} played, {won} won", count=every.played, won=every.won)
        return [
            *((msg("Continue your game"), "c", self._result(game)) for game in self.unfinished[:1]),
            (msg("Play against bots"), "p", say("on this computer")),
            (msg("Join a game"), "j", say("by link or address")),
            (msg("Host a game"), "o", say("for friends and bots")),
            (msg("Learn to play"), "t", say("a tutorial against bots")),
            *([(msg("Your games"), "g", counted)] if isinstance(self.launcher, Archive) else []),
            (msg("Rules and cards"), "r", ""),
            (msg("Settings"), "s", say("name, language, colours")),
        ]

    def _result(self, game: "PastGame") -> str:
        from citadels_lan.presenter.archive import result

        names = clean(", ".join(game.names), 40)
        return f"{names}: {result(self.texts, game)}" if names else result(self.texts, game)

    def _table(self, number: int, seen: SeenTable) -> Row:
        """Return the row of a table: digit, host, seats, edition, state."""
        say, look, table = self.texts.say, self.look, seen.table
        style = look.dim if seen.gone or table.needs else None
        name, seats, edition = COLUMNS[self.app.size.width - self.beside_width() >= ROOMY]
        host = say("{name}'s game", name=clean(table.host, 24) or "?")
        count = f"{table.players}/{table.places} {_seats(look, table)}"
        text = Text(no_wrap=True)
        text.append(f"{number} ", style or look.title).append(pad(host, name), style or look.bold)
        text.append(f" {pad(count, seats)}", style or look.gold)
        text.append(f" {pad(clean(terms.name(self.texts, table.edition), 24), edition)}", style)
        state = say(_state(seen), version=clean(table.needs, 16))
        text.append(f" {state}", style or (look.accent if table.mine else look.dim))
        return Row(table.row, "", text=text)

    def remarks(self) -> list[str]:
        """Return the sentences below the list of tables. That the network may be isolated is mentioned only
        after a failed attempt to join."""
        say = self.texts.say
        if not self.findable:
            return [say(launching.UNFINDABLE)]
        if not len(self.tables):
            isolated = self._tried and self.launcher.isolated
            searching = msg("Searching… Press O to host. Games on this Wi-Fi appear here.")
            return [say(searching), *([say(launching.ISOLATED)] if isolated else [])]
        left = launching.more(self.texts, [seen.table for seen in self.tables])
        return [left] if left else []

    def beside_width(self) -> int:
        return min(self.app.size.width - LIST, GAMES) if super().beside_width() else 0

    def beside(self) -> tuple[str, Text] | None:
        """Return the list of the player's newest games."""
        look, games = self.look, [*self.unfinished, *self.games][:MOST]
        text = Text("" if games else self.texts.say("No games yet. Your finished games appear here."), look.dim)
        for game in games:
            from citadels_lan.presenter.archive import result

            text.append(f"{game.date[:10]}  ", look.dim)
            text.append(result(self.texts, game), None if game.over else look.accent)
            text.append(f"   {clean(', '.join(game.names), 60)}\n", look.dim)
        return self.texts.say("Your games"), text

    # Selection

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        self._do(message.key)

    def action_do(self, letter: str) -> None:
        if any(row.key == letter for row in self.buttons()):
            self.query_one(ChoiceList).point(letter)
            self._do(letter)

    def action_table(self, number: int) -> None:
        """Move the cursor to the table with this digit; if it is already there, join the table."""
        if number > len(self.listed):
            return
        row, choices = self.listed[number - 1].table.row, self.query_one(ChoiceList)
        again = self.pointed is not None and self.pointed.key == row != self._placed
        choices.point(row)
        self._placed = ""
        if again:
            self._do(row)

    # Commands

    @work
    async def _do(self, key: str) -> None:
        """Run the command of the row with this key. A second Enter that arrives at the same time is
        ignored."""
        if self.is_active and key != self._doing:
            self._doing = key
            try:
                await self._follow(key)
            finally:
                self._doing = ""

    async def _follow(self, key: str) -> None:
        match key:
            case "c":
                self._go_on(self.unfinished[0])
            case "j":
                question = self.texts.say("The link or address on the host's screen:")
                hint = self.texts.say("for example 192.168.1.7:47110")
                if address := await self.app.push_screen_wait(LinePrompt(question, hint=hint)):
                    await self._join(address)
            case "t":
                await self._sit(launching.lessons(self.launcher))
            case "o" | "p":
                await self._open(alone=key == "p")
            case "g" if isinstance(self.launcher, Archive):
                from .games import GamesScreen

                self.app.push_screen(GamesScreen(self.unfinished, self.games), self._go_on)
            case "r" | "s":
                await self.run_action("app.rules" if key == "r" else "app.settings")
            case _:
                found = next((seen.table for seen in self.tables if seen.table.row == key), None)
                if found is not None and found.needs:
                    self.say(self.texts.say(launching.NEEDS_UPDATE, name=found.host, version=found.needs))
                elif found is not None:
                    await self._join(found.place)

    def _go_on(self, game: "PastGame | None") -> None:
        """Resume a game that this computer hosted."""
        if game is not None and isinstance(self.launcher, Resumer):
            self.run_worker(self._sit(self.launcher.go_on(game)))

    async def _join(self, address: str) -> None:
        """Join the table at `address`, which may be a pasted invitation with its code. If the table needs a
        code, ask for it."""
        from citadels_lan.presenter.join_form import ELSEWHERE, elsewhere, read_place
        from citadels_lan.ui.widgets.code_prompt import CodePrompt

        self._tried = True
        address, code = read_place(address)
        # A wrong code is asked for again, until the player gives up with an empty one.
        while True:
            try:
                await self._sit(self.launcher.join(address, code))
            except launching.CodeWanted as wanted:
                reason = "\n".join(
                    filter(None, (wanted.notice, wanted.text if code and not wanted.seconds else ""))
                )
                prompt = CodePrompt(self.texts, self.look.glyphs, reason, code, wanted.seconds)
                answer: str | None = await self.app.push_screen_wait(prompt)
                code = answer or ""
                if other := elsewhere(code, address):
                    address = other
                    self.notify(self.texts.say(ELSEWHERE, address=other), timeout=20, markup=False)
                if code:
                    continue
            return

    async def _open(self, *, alone: bool) -> None:
        from citadels_lan.ui.screens.table_setup import SetupScreen

        options = await self.app.push_screen_wait(SetupScreen(self.launcher, alone=alone))
        if options is not None:
            await self._sit(self.launcher.alone(options) if alone else self.launcher.host(options))

    async def _sit(self, opening: Coroutine[Any, Any, Place]) -> None:
        """Wait for `opening`, which joins or opens a table, and play there; show the error if it fails. Do
        nothing if another table is being opened. Raises CodeWanted."""
        if self._opening:
            # A coroutine that is never awaited would cause a warning.
            opening.close()
            return
        self._opening = True
        self.retell()
        try:
            place = await opening
        except launching.CodeWanted:
            raise
        except launching.Contradiction as found:
            self.program.raise_alarm(found.alarm)
        except launching.CannotOpen as reason:
            self.say(reason.text)
        else:
            self.program.sit_down(place)
        finally:
            self._opening = False
            self.retell()

    def action_back(self) -> None:
        self.say("")


def _state(seen: SeenTable) -> Message:
    if seen.gone:
        return msg("not found")
    if seen.table.needs:
        return launching.NEEDS
    if not seen.table.started:
        return msg("waiting")
    return msg("back to your seat") if seen.table.mine else msg("playing: watch")


def _seats(look: Look, table: FoundTable) -> str:
    places = min(table.places, 9)
    taken = min(table.players, places)
    return look.glyphs.seat * taken + look.glyphs.free * (places - taken)
