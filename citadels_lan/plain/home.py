"""Home in lines: find tables, host a table, play alone."""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Sequence
from typing import TextIO

from citadels_lan.engine import DEFAULT, Unplayable
from citadels_lan.front.acquaintances import Evening
from citadels_lan.front.archive import PastGame, result
from citadels_lan.front.cells import clean
from citadels_lan.front.join_form import ASKED, ELSEWHERE, TypedCode, elsewhere, read_place
from citadels_lan.front.launcher import (
    ISOLATED,
    SHOWN,
    UNFINDABLE,
    CannotOpen,
    CodeWanted,
    FoundTable,
    Launcher,
    Place,
    Resumer,
    TableOptions,
    as_preferred,
    first_lesson,
    more,
    playing,
    remember_language,
)
from citadels_lan.front.plan import Plan, reason
from citadels_lan.net.wire.messages import Settings
from citadels_lan.systems.process import printable
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.commands import in_english, whole_number, whole_numbers, word

from .lobby import edition_called
from .question import NONE as NO_CHOICE
from .streams import InputLines
from .table import play_plain

AGAIN_HERE = msg("again [drawn]: play again with the same people; drawn: in seats drawn anew")
MOST = 3
"""So many unfinished tables are listed."""
LOOKING = 3.0
"""Seconds after which the list of tables is printed."""


class PlainHome:
    """Asks what to do, does it, and asks again."""

    def __init__(
        self, texts: Texts, launcher: Launcher, *, source: TextIO | None = None, out: TextIO | None = None
    ) -> None:
        """`source` and `out` are standard input and output, unless others are given."""
        self.texts = texts
        self.launcher = launcher
        self.source = source or sys.stdin
        self.out = out or sys.stdout
        self.tables: Sequence[FoundTable] = ()
        self.evening = Evening()
        self._lines: InputLines

    def say(self, line: str) -> None:
        print(printable(line), file=self.out, flush=True)

    async def run(self) -> int:
        """Answer commands until `quit` or the end of the input; 0."""
        self._lines = InputLines(self.source)
        self._menu()
        while (line := await self._lines.next()) is not None:
            words = in_english(self.texts, line.strip()).split()
            if words[:1] in (["quit"], ["exit"]):
                break
            await self._do(words)
            self._menu()
        await self.launcher.close()
        return 0

    def _speak(self, texts: Texts) -> None:
        """Another language was chosen at a table."""
        self.texts = texts
        remember_language(self.launcher, texts.language)

    def _menu(self) -> None:
        for line in (
            msg("tables: look for tables on this network"),
            msg("join ADDRESS [CODE]: sit at a table"),
            msg("host [EDITION] [PLAYERS [BOTS]]: open a table"),
            msg("learn: a game against bots that explains itself"),
            msg("alone [EDITION] [PLAYERS]: play against bots"),
            *((AGAIN_HERE,) if self.launcher.may_again else ()),
            msg("quit: leave the program"),
        ):
            self.say(self.texts.say(line))
        resume = word(self.texts, "go on")
        for number, game in enumerate(self._unfinished(), 1):
            self.say(f"{resume} {number}: {', '.join(game.names)}: {result(self.texts, game)}  {game.date}")

    def _unfinished(self) -> Sequence[PastGame]:
        """The tables that were open here when the program stopped."""
        return self.launcher.unfinished()[:MOST] if isinstance(self.launcher, Resumer) else ()

    async def _do(self, words: list[str]) -> None:
        match words:
            case ["go", "on"] | ["go", "on", _]:
                await self._go_on(whole_number((*words, "1")[2]) or 0)
            case ["learn"]:
                await self._start(self.launcher.alone(first_lesson()))
            case ["tables"]:
                await self._look()
            case ["join", address, *rest]:
                place, code = read_place(" ".join((address, *rest)))
                await self._start(self._join(*((place, code) if code else (address, " ".join(rest)))))
            case ["host" | "alone" as what, *said] if (numbers := whole_numbers(said)) is not None:
                await self._open(what, DEFAULT, numbers)
            case ["host" | "alone" as what, name, *said] if (numbers := whole_numbers(said)) is not None:
                try:
                    await self._open(what, edition_called(name), numbers)
                except Unplayable as why:
                    self.say(reason(self.texts, why))
            case ["again", *drawn] if self.launcher.may_again and drawn in ([], ["drawn"]):
                await self._start(self.launcher.again(drawn=bool(drawn)))
            case []:
                pass
            case _:
                self.say(self.texts.say(NO_CHOICE))

    async def _look(self) -> None:
        found: Sequence[FoundTable] | None = ()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOKING):
                async for found in self.launcher.browse():
                    self.tables = found or ()
        if found is None:
            self.say(self.texts.say(UNFINDABLE))
        elif not self.tables:
            self.say(self.texts.say(msg("No tables found on this network.")))
            if self.launcher.isolated:
                self.say(self.texts.say(ISOLATED))
        for table in self.tables[:SHOWN]:
            seats = self.texts.say(msg("{players} of {places} seats"), players=table.players, places=table.places)
            state = f"{playing(self.texts, table)}: " if table.started else ""
            self.say(
                f"{clean(table.host, 24)}: {seats}: {state}{word(self.texts, 'join')} {clean(table.address, 60)}"
            )
        if left := more(self.texts, self.tables):
            self.say(left)

    async def _go_on(self, number: int) -> None:
        games = self._unfinished()
        if isinstance(self.launcher, Resumer) and 0 < number <= len(games):
            await self._start(self.launcher.go_on(games[number - 1]))
        else:
            self.say(self.texts.say(NO_CHOICE))

    async def _open(self, what: str, edition: str, numbers: list[int]) -> None:
        plan = Plan.of(Settings().config).in_edition(edition)
        allowed = plan.edition.players
        players = min(max(numbers[0] if numbers else plan.config.players, min(allowed)), max(allowed))
        bots = players - 1 if what == "alone" else min(numbers[1] if len(numbers) > 1 else 0, players - 1)
        options = TableOptions(Settings(plan.for_players(players).config, bots))
        await self._start(self.launcher.alone(options) if what == "alone" else self.launcher.host(options))

    async def _start(self, opening: Awaitable[Place | None]) -> None:
        """Play at a table that is being opened or joined, or say why that fails. A table opened here stays until
        the next command, so that its people can play again."""
        try:
            place = await opening
        except CannotOpen as refused:
            self.say(refused.text)
            return
        if place is None:
            return
        place = as_preferred(self.launcher, place)
        await play_plain(
            place, self.texts, lines=self._lines, out=self.out, spoken=self._speak, evening=self.evening
        )
        state = place.session.table.state
        if not self.launcher.may_again or state is None or state.phase != "over":
            await self.launcher.close()

    async def _join(self, address: str, code: str) -> Place | None:
        """Join, at first without a code where none was given, and ask for it as long as it is wanted; None if the
        person gives up. Raises CannotOpen."""
        while True:
            try:
                return await self.launcher.join(address, code)
            except CodeWanted as wanted:
                code = await self._ask_code(wanted.text if code else "")
                if not code:
                    return None
                if other := elsewhere(code, address):
                    address = other
                    self.say(self.texts.say(ELSEWHERE, address=other))

    async def _ask_code(self, why: str) -> str:
        """The code that the person types, in one line or several; empty for `quit` or the end of the input."""
        if why:
            self.say(why)
        self.say(self.texts.say(ASKED))
        typed = TypedCode(self.texts)
        while (line := await self._lines.next()) is not None and in_english(self.texts, line.strip()) != "quit":
            if code := typed.add(line):
                return code
            for sentence in typed.sentences:
                self.say(sentence)
        return ""
