"""Home in lines: the tables on the network, a table of one's own, playing alone."""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Sequence
from typing import TextIO

from citadels_lan.engine import DEFAULT, Unplayable
from citadels_lan.front.archive import PastGame, result
from citadels_lan.front.cells import clean
from citadels_lan.front.door.typed_code import ASKED, ELSEWHERE, TypedCode, elsewhere, read_place
from citadels_lan.front.evening import Evening
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
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import reason
from citadels_lan.front.table_session import Settings
from citadels_lan.systems.process import printable
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.commands import in_english, whole_number, whole_numbers, word

from .input_lines import InputLines
from .setup import edition_called
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

    def say(self, line: str) -> None:
        print(printable(line), file=self.out, flush=True)

    async def run(self) -> int:
        """Until somebody says quit or the input ends; 0."""
        lines = InputLines(self.source)
        self._menu()
        while (line := await lines.next()) is not None:
            words = in_english(self.texts, line.strip()).split()
            if words[:1] in (["quit"], ["exit"]):
                break
            await self._do(words, lines)
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

    async def _do(self, words: list[str], lines: InputLines) -> None:
        match words:
            case ["go", "on"] | ["go", "on", _]:
                await self._go_on(lines, whole_number((*words, "1")[2]) or 0)
            case ["learn"]:
                await self._start(lines, self.launcher.alone(first_lesson()))
            case ["tables"]:
                await self._look()
            case ["join", address, *rest]:
                place, code = read_place(" ".join((address, *rest)))
                await self._sit(lines, *((place, code) if code else (address, " ".join(rest))))
            case ["host" | "alone" as what, *said] if (numbers := whole_numbers(said)) is not None:
                await self._open(lines, what, DEFAULT, numbers)
            case ["host" | "alone" as what, name, *said] if (numbers := whole_numbers(said)) is not None:
                try:
                    edition = edition_called(name)
                except Unplayable as why:
                    self.say(reason(self.texts, why))
                else:
                    await self._open(lines, what, edition, numbers)
            case ["again", *drawn] if self.launcher.may_again and drawn in ([], ["drawn"]):
                await self._again(lines, drawn=bool(drawn))
            case []:
                pass
            case _:
                self.say(self.texts.say(msg("There is no such choice.")))

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

    async def _go_on(self, lines: InputLines, number: int) -> None:
        games = self._unfinished()
        if not isinstance(self.launcher, Resumer) or not 0 < number <= len(games):
            self.say(self.texts.say(msg("There is no such choice.")))
            return
        try:
            place = await self.launcher.go_on(games[number - 1])
        except CannotOpen as refused:
            self.say(refused.text)
            return
        await self._play(lines, place)

    async def _open(self, lines: InputLines, what: str, edition: str, numbers: list[int]) -> None:
        plan = Plan.of(Settings().config).in_edition(edition)
        allowed = plan.edition.players
        players = min(max(numbers[0] if numbers else plan.players, min(allowed)), max(allowed))
        bots = players - 1 if what == "alone" else min(numbers[1] if len(numbers) > 1 else 0, players - 1)
        options = TableOptions(Settings(plan.for_players(players).config, bots))
        await self._start(lines, self.launcher.alone(options) if what == "alone" else self.launcher.host(options))

    async def _start(self, lines: InputLines, opening: Awaitable[Place]) -> None:
        """Play at a table that is being opened, or say why it cannot be."""
        try:
            place = await opening
        except CannotOpen as refused:
            self.say(refused.text)
            return
        await self._play(lines, place)

    async def _again(self, lines: InputLines, *, drawn: bool) -> None:
        """The next table for the people of the last one."""
        try:
            place = await self.launcher.again(drawn=drawn)
        except CannotOpen as refused:
            self.say(refused.text)
            return
        await self._play(lines, place)

    async def _sit(self, lines: InputLines, address: str, code: str) -> None:
        """Join, at first without a code where none was given, and ask for it as long as it is wanted."""
        while True:
            try:
                place = await self.launcher.join(address, code)
            except CodeWanted as wanted:
                code = await self._ask_code(lines, wanted.text if code else "")
                if not code:
                    return
                if other := elsewhere(code, address):
                    address = other
                    self.say(self.texts.say(ELSEWHERE, address=other))
            except CannotOpen as refused:
                self.say(refused.text)
                return
            else:
                await self._play(lines, place)
                return

    async def _ask_code(self, lines: InputLines, why: str) -> str:
        """The code that the person types, in one line or several; empty for `quit` or the end of the input."""
        if why:
            self.say(why)
        self.say(self.texts.say(ASKED))
        typed = TypedCode(self.texts)
        while (line := await lines.next()) is not None and in_english(self.texts, line.strip()) != "quit":
            if code := typed.add(line):
                return code
            for sentence in typed.sentences:
                self.say(sentence)
        return ""

    async def _play(self, lines: InputLines, place: Place) -> None:
        """Play. A table opened here stays until something else is done, so that its people can play again."""
        place = as_preferred(self.launcher, place)
        await play_plain(place, self.texts, lines=lines, out=self.out, spoken=self._speak, evening=self.evening)
        if not self.launcher.may_again or not _over(place):
            await self.launcher.close()


def _over(place: Place) -> bool:
    """Whether the game there has come to its end."""
    state = place.session.state
    return state is not None and state.phase == "over"
