"""The home menu of line mode: find tables, host a game, play alone."""

import asyncio
import contextlib
import math
import sys
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Final, TextIO

from citadels_lan.engine import DEFAULT, Unplayable
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter import launcher as launching
from citadels_lan.presenter.archive import PastGame, result
from citadels_lan.presenter.join_form import ASKED, ELSEWHERE, TypedCode, elsewhere, read_place
from citadels_lan.presenter.known_players import Evening
from citadels_lan.presenter.launcher import FoundTable, Launcher, Place, TableOptions
from citadels_lan.presenter.plan import Plan, reason
from citadels_lan.presenter.symbols import suitable
from citadels_lan.presenter.text_width import clean
from citadels_lan.texts import Texts, load, msg
from citadels_lan.texts.commands import in_english, whole_number, whole_numbers, word
from citadels_lan.texts.tables import sentences

from .lobby import edition_called
from .question import NONE as NO_CHOICE
from .streams import InputLines, Output
from .table import play_plain

MOST: Final = 3
"""How many unfinished tables are listed at most."""
STEP: Final = 10
"""How many seconds pass between two printed lines of a countdown."""
LOOKING = 3.0
"""How many seconds the command that lists tables searches the network."""


def table_line(texts: Texts, table: FoundTable) -> str:
    """Return a line about a table that was found, with the command that joins it."""
    seats = texts.say(msg("{players} of {places} seats"), players=table.players, places=table.places)
    join = "" if table.needs else f"{word(texts, 'join')} {clean(table.address, 60)}"
    return ": ".join(filter(None, (clean(table.host, 24), seats, launching.playing(texts, table), join)))


class PlainHome:
    """Asks the player for a command, runs it, and asks again."""

    def __init__(
        self, texts: Texts, launcher: Launcher, *, source: TextIO | None = None, out: TextIO | None = None
    ) -> None:
        """`source` is the input and `out` the output; by default standard input and output."""
        self.texts = texts
        self._launcher = launcher
        self._source = source or sys.stdin
        self._out = out or sys.stdout
        self._say = Output(self._out).say
        self._evening = Evening()
        self._lines: InputLines

    async def run(self, joining: str = "") -> int:
        """Join the table at the address `joining`, unless it is empty. Then run commands until `quit` or the
        end of the input. Return 0."""
        self._lines = InputLines(self._source)
        kept = self._launcher.preferences
        if kept.unnamed and not self._lines.piped:
            self._say(f"{self.texts.say(launching.NAME_ASKED)} ({kept.name})")
            launching.remember_name(self._launcher, await self._lines.next() or "")
        if joining:
            await self._start(self._join(joining, ""))
        self._menu()
        while (line := await self._lines.next()) is not None:
            words = in_english(self.texts, line.strip()).split()
            if words[:1] in (["quit"], ["exit"]):
                break
            await self._do(words)
            self._menu()
        await self._launcher.close()
        return 0

    def _menu(self) -> None:
        commands = sentences(__package__, "help.toml")["home"].items()
        again = self._launcher.may_again
        self._say(self.texts.say(text) for key, text in commands if key != "again" or again)
        resume = word(self.texts, "continue")
        for number, game in enumerate(self._unfinished(), 1):
            self._say(f"{resume} {number}: {', '.join(game.names)}: {result(self.texts, game)}  {game.date}")

    def _unfinished(self) -> Sequence[PastGame]:
        """Return the newest unfinished games that this computer hosted, at most MOST; none if the launcher
        cannot resume games."""
        return self._launcher.unfinished()[:MOST] if isinstance(self._launcher, launching.Resumer) else ()

    async def _do(self, words: list[str]) -> None:
        match words:
            case ["continue"] | ["continue", _]:
                await self._go_on(whole_number((*words, "1")[1]) or 0)
            case ["learn"]:
                await self._start(launching.lessons(self._launcher))
            case ["tables"]:
                await self._look()
            case ["join", address, *rest]:
                # A pasted link or join command may contain spaces.
                place, code = read_place(" ".join((address, *rest)))
                await self._start(self._join(*((place, code) if code else (address, " ".join(rest)))))
            case ["host" | "alone" as what, *rest] if (numbers := whole_numbers(rest)) is not None:
                await self._open(what, DEFAULT, numbers)
            case ["host" | "alone" as what, name, *rest] if (numbers := whole_numbers(rest)) is not None:
                try:
                    await self._open(what, edition_called(name), numbers)
                except Unplayable as why:
                    self._say(reason(self.texts, why))
            case ["statistics"] if isinstance(self._launcher, launching.Archive):
                from citadels_lan.presenter.statistics import own_games, statistics, statistics_lines

                games = await asyncio.to_thread(own_games, self._launcher.finished())
                self._say(statistics_lines(self.texts, statistics(games), suitable()))
            case ["speed", speed] if speed in launching.BOT_SPEEDS:
                self._launcher.remember(replace(self._launcher.preferences, bot_speed=speed))
            case ["again", *drawn] if self._launcher.may_again and drawn in ([], ["drawn"]):
                await self._start(self._launcher.again(drawn=bool(drawn)))
            case [_, *_]:
                self._say(self.texts.say(NO_CHOICE))

    async def _look(self) -> None:
        say = self.texts.say
        tables: Sequence[FoundTable] = ()
        searching = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOKING):
                async for found in self._launcher.browse():
                    tables, searching = found or (), found is not None
        if not searching:
            self._say(say(launching.UNFINDABLE))
        elif not tables:
            self._say(say(msg("No games found on this network.")))
            self._say([say(launching.ISOLATED)] if self._launcher.isolated else ())
        self._say(table_line(self.texts, table) for table in tables[: launching.SHOWN])
        if rest := launching.more(self.texts, tables):
            self._say(rest)

    async def _go_on(self, number: int) -> None:
        games = self._unfinished()
        if isinstance(self._launcher, launching.Resumer) and 0 < number <= len(games):
            await self._start(self._launcher.go_on(games[number - 1]))
        else:
            self._say(self.texts.say(NO_CHOICE))

    async def _open(self, what: str, edition: str, numbers: list[int]) -> None:
        plan = Plan.of(Settings().config).in_edition(edition)
        allowed = plan.edition.players
        # A number outside the limits of the edition becomes the nearest allowed one.
        players = min(max(numbers[0] if numbers else plan.config.players, min(allowed)), max(allowed))
        bots = players - 1 if what == "alone" else min(numbers[1] if len(numbers) > 1 else 0, players - 1)
        options = TableOptions(Settings(plan.for_players(players).config, bots))
        await self._start(self._launcher.alone(options) if what == "alone" else self._launcher.host(options))

    async def _start(self, opening: Awaitable[Place | None]) -> None:
        """Play at the table that `opening` returns, or print why it could not be opened or joined. If this
        program hosts the table, the table stays open until the next command, so that the same players can
        play again."""
        try:
            place = await opening
        except launching.CannotOpen as refused:
            self._say(refused.text)
            return
        if place is None:
            return
        await play_plain(
            place, self.texts, self._launcher, lines=self._lines, out=self._out, evening=self._evening
        )
        self.texts = load(self._launcher.preferences.language)  # The player can change it at a table.
        state = place.session.table.state
        if not self._launcher.may_again or state is None or state.phase != "over":
            await self._launcher.close()

    async def _join(self, address: str, code: str) -> Place | None:
        """Join the table at `address` with `code`, which may be empty. While the table rejects the code, ask
        the player for another one. Return None if the player enters no code. Raises CannotOpen."""
        while True:
            try:
                return await self._launcher.join(address, code)
            except launching.CodeWanted as wanted:
                self._say(filter(None, (wanted.notice, wanted.text if code else "")))
                code = await self._ask_code(wanted.seconds)
                if not code:
                    return None
                if other := elsewhere(code, address):
                    address = other
                    self._say(self.texts.say(ELSEWHERE, address=other))

    async def _ask_code(self, wait: int = 0) -> str:
        """Ask the player for a code after a delay of `wait` seconds, and return it. The code may be typed in
        several lines. Return "" for `quit` or the end of the input."""
        loop = asyncio.get_running_loop()
        until = loop.time() + wait
        counting = loop.create_task(self._count_down(wait))  # kept: cancelled below
        self._say(self.texts.say(ASKED))
        typed = TypedCode(self.texts)
        try:
            while (line := await self._lines.next()) is not None:
                if in_english(self.texts, line.strip()) == "quit":
                    break
                if (left := math.ceil(until - loop.time())) > 0:
                    self._say(self.texts.say(launching.LATER, seconds=left))
                elif code := typed.add(line):
                    return code
                else:
                    self._say(typed.sentences)
        finally:
            counting.cancel()
        return ""

    async def _count_down(self, seconds: int) -> None:
        for left in range(seconds, 0, -1):
            if left % STEP == 0:
                self._say(self.texts.say(launching.LATER, seconds=left))
            await asyncio.sleep(1)
        if seconds:
            self._say(self.texts.say(launching.NOW))
