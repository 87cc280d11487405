"""`join`: sit at a table on the network, send a bot, or watch."""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, INTERRUPTED, NOT_FOUND, REFUSED, USAGE, Console, Failure
from citadels_lan.cli.open.options import bot_levels, number, person_options
from citadels_lan.texts import msg
from citadels_lan.texts.commands import whole_number

from .addresses import Address, read_address

if TYPE_CHECKING:
    import asyncio

    from citadels_lan.cli.open.launcher import TableLauncher
    from citadels_lan.front.launcher import FoundTable
    from citadels_lan.net.client.session import Session
    from citadels_lan.texts import Message

LOOK: Final = 0.2
"""Seconds between two looks of a bot at the lobby."""
UNATTENDED: Final = 30
"""Seconds to search without a terminal, unless --timeout says otherwise."""
LONGEST: Final = 86_400
MORE: Final = 0.6
"""Seconds to wait for another game after the first one."""
ATTEMPTS: Final = 3
"""The number of times that the program asks for the code."""
SEARCHING: Final = msg("Searching for games on this network… (Ctrl-C to stop)")
NO_GAME: Final = msg(
    "No game found in {seconds} s. Type the host's address: `citadels-lan join ADDRESS`. Or run"
    " `citadels-lan doctor`."
)
WHICH: Final = msg("Which one? Type its number:")


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument(
        "address", nargs="?", metavar=say("ADDRESS"), help=say("an address or a link; else the tables found here")
    )
    parser.options.add_argument(
        "--code", nargs="+", metavar="WORD", help=say("the words that let in, as the host tells them; or a link")
    )
    parser.options.add_argument("--spectate", action="store_true", help=say("only watch"))
    parser.options.add_argument(
        "--bot", metavar="LEVEL", help=say("send a bot: easy, normal, hard, expert, sensible or random")
    )
    parser.options.add_argument(
        "--timeout",
        metavar="SECONDS",
        help=say(
            "search this long for a game; 0: until Ctrl-C (0; without a terminal {seconds})", seconds=UNATTENDED
        ),
    )
    # For a program that shows this one elsewhere (`host --web`): the code is the first line of standard input, and
    # the screens go to standard output as packets (ui.pipe_driver).
    parser.options.add_argument("--pipe", action="store_true", help=argparse.SUPPRESS)
    person_options(parser)
    parser.epilog = say("Exit code {code}: no game was found on this network.", code=NOT_FOUND)


def run(console: Console, options: argparse.Namespace) -> int:
    import asyncio

    level = None if options.bot is None else bot_levels(console, options.bot, 1, "--bot")[0]
    if level is not None and options.spectate:
        raise console.wrong(msg("--bot and --spectate do not go together: a bot plays, or somebody watches."))
    seconds = None if options.timeout is None else number(console, "--timeout", options.timeout, 0, LONGEST)
    from citadels_lan.front.join_form import ELSEWHERE, elsewhere, read_place

    address, named = read_place(options.address or "")
    if options.address is not None:
        read_address(console, address)
    from citadels_lan.cli.open.code import first_line, given_code
    from citadels_lan.cli.open.front_end import front
    from citadels_lan.cli.open.launcher import NoSeat, launcher_for
    from citadels_lan.front.launcher import CannotOpen

    words = [first_line()] if options.pipe else options.code
    code = given_code(console, words) or named
    launcher = launcher_for(console, options)
    launcher.guest = options.pipe
    if options.address is None:
        address = _find(console, launcher, seconds)

    def sit(code: str) -> int:
        nonlocal address
        if other := elsewhere(code, address):
            address = other
            console.say(ELSEWHERE, address=other)
        found, fp = launcher.where(address)
        if level is not None:
            return asyncio.run(_bot(console, launcher, found, level, code, fp))
        opening = partial(launcher.sit, found, watching=options.spectate, code=code, fp=fp)
        return asyncio.run(front(console, launcher, opening, plain=options.plain, piped=options.pipe))

    try:
        return _with_code(console, sit, code)
    except NoSeat as reason:
        how = console.texts.say("To watch: join with --spectate.")
        raise Failure(USAGE, f"{reason.text} {how}") from None
    except CannotOpen as reason:
        raise Failure(USAGE, reason.text) from None


def _with_code(console: Console, sit: Callable[[str], int], code: str) -> int:
    """Sit down, and ask for the code where the table does. Raises CannotOpen."""
    from citadels_lan.front.launcher import CodeWanted

    for attempt in range(ATTEMPTS + 1):
        try:
            return sit(code)
        except CodeWanted as reason:
            if attempt == ATTEMPTS:
                raise
            code = _ask_code(console, reason.text, again=bool(code))
    raise AssertionError


def _ask_code(console: Console, text: str, *, again: bool) -> str:
    """Return the code that the person types, in one line or several. Raises Failure with `text` at the end of the
    input, or without a terminal."""
    from citadels_lan.front.join_form import ASKED, TypedCode, elsewhere

    if not sys.stdin.isatty():
        if again:
            raise Failure(USAGE, text)
        how = console.texts.say("Say it behind the address: --code and the words, or join by the link.")
        raise Failure(USAGE, f"{text} {how}")
    if again:
        console.complain(text)
    typed = TypedCode(console.texts)
    while True:
        try:
            if code := typed.add(input(console.texts.say(ASKED) + " ")):
                if other := elsewhere(code, ""):
                    read_address(console, other)
                return code
        except EOFError:
            raise Failure(USAGE, text) from None
        except Failure as wrong:  # the address of a pasted invitation
            console.complain(wrong.text)
        for sentence in typed.sentences:
            console.complain(sentence)


async def _bot(
    console: Console, launcher: "TableLauncher", where: Sequence[Address], level: str, code: str, fp: bytes
) -> int:
    """A bot plays to the end of the game, in the seat of a player."""
    import asyncio
    import secrets

    from citadels_lan.bots import make_policy
    from citadels_lan.bots.driving import drive
    from citadels_lan.bots.thinking import ThinkingPool
    from citadels_lan.cli.open.hosting import tell_result, tell_transcripts
    from citadels_lan.front.failures import why
    from citadels_lan.net.wire.errors import Rejected

    await launcher.sit(where, bot=True, code=code, fp=fp)
    session = launcher.session
    assert session is not None
    console.say(
        msg("{name} sits at {address}."),
        name=session.table.names[session.table.seat or 0],
        address=Address(*session.table.addresses[0]),
    )
    getting_ready = asyncio.get_running_loop().create_task(_stay_ready(session))  # kept: cancelled below
    try:
        with ThinkingPool(1) as pool:
            await drive(session, make_policy(level, secrets.token_hex(16)), later=Rejected, think=pool.choose)
        if session.table.state is not None and session.table.state.phase == "over":
            tell_result(console, session)
        tell_transcripts(console, [session])
        if session.table.status == "over":
            return DONE
        if session.table.reason is not None:
            console.complain(why(console.texts, session.table.reason))
        return REFUSED
    finally:
        getting_ready.cancel()
        await launcher.close()


async def _stay_ready(session: "Session") -> None:
    """Say that the player of this session is ready, again after each change of the settings."""
    import asyncio
    import contextlib

    from citadels_lan.net.wire.errors import Rejected

    while True:
        table = session.table
        if table.status == "lobby" and table.seat is not None and not table.lobby[table.seat].ready:
            with contextlib.suppress(Rejected):  # the connection is gone
                await session.ready()
        await asyncio.sleep(LOOK)


def _find(console: Console, launcher: "TableLauncher", seconds: int | None) -> str:
    """Search for games on this network, and return the address of the only one, or of the one that the person
    chooses. `seconds`: how long to search while there is no game; 0: without end; None: the default. Raises
    Failure."""
    import asyncio

    asks = sys.stdin.isatty() and sys.stdout.isatty()
    if seconds is None:
        seconds = 0 if asks else UNATTENDED
    try:
        return asyncio.run(_search(console, launcher, seconds, asks=asks))
    except KeyboardInterrupt:
        stopped = console.texts.say(msg("Search stopped."))
        raise Failure(INTERRUPTED, f"\n{stopped}" if asks else stopped) from None  # a terminal has written ^C


async def _search(console: Console, launcher: "TableLauncher", seconds: float, *, asks: bool) -> str:
    """Follow the list of games until a game has been the only one for a moment, or the person has chosen one.
    `asks`: a person at a terminal can choose. Raises Failure."""
    import asyncio
    from contextlib import aclosing

    loop, games = asyncio.get_running_loop(), _Games(console)
    end = loop.time() + seconds if seconds else math.inf
    typed: asyncio.Future[str] | None = None
    console.say(SEARCHING)
    async with aclosing(launcher.browse()) as browsing:
        news = loop.create_task(anext(browsing))  # kept: awaited in this loop, or cancelled below
        try:
            while True:
                until = math.inf if typed else games.joined_at if games.there else end
                seconds_left = None if until == math.inf else max(until - loop.time(), 0)
                awaited: list[asyncio.Future[Any]] = [news, typed] if typed else [news]
                done, _ = await asyncio.wait(awaited, timeout=seconds_left, return_when=asyncio.FIRST_COMPLETED)
                if typed and typed in done:
                    if not (line := typed.result()):
                        raise _say_which(console)
                    if chosen := games.chosen(line):
                        return chosen
                    typed = _typed()
                elif news in done:
                    games.update(news.result(), loop.time(), isolated=launcher.isolated)
                    news = loop.create_task(anext(browsing))  # kept: as before
                    if len(games.there) > 1 and not asks:
                        raise _say_which(console)
                    if len(games.there) > 1 and typed is None:
                        typed = _typed()
                elif games.there:
                    return games.only()
                else:
                    raise Failure(NOT_FOUND, console.texts.say(NO_GAME, seconds=seconds))
        finally:
            news.cancel()
            await asyncio.wait((news,))


class _Games:
    """The games on this network, numbered in the order in which they appear, if there are several. `there` are the
    games of this moment. A single game is joined at `joined_at`, in seconds of the loop's clock."""

    def __init__(self, console: Console) -> None:
        self.there: Sequence[FoundTable] = ()
        self.joined_at = math.inf
        self._console = console
        self._single = ""
        self._listed: list[str] = []
        self._remarks: set[Message] = set()

    def update(self, found: "Sequence[FoundTable] | None", now: float, *, isolated: bool) -> None:
        """Take the games that were found at `now`; None while this machine cannot search."""
        from citadels_lan.front.launcher import ISOLATED, MORE_TABLES, SHOWN, UNFINDABLE

        self.there = [table for table in found or () if table.address]
        single = self.there[0].address if len(self.there) == 1 else ""
        if single != self._single:
            self._single, self.joined_at = single, now + MORE if single else math.inf
        if found is None:
            self._remark(UNFINDABLE)
        elif isolated:
            self._remark(ISOLATED)
        new = [table for table in self.there if table.address not in self._listed] if len(self.there) > 1 else []
        new = new[: SHOWN - len(self._listed)]
        for table in new:
            self._list(table)
        if len(self.there) > SHOWN:
            self._remark(MORE_TABLES, count=len(self.there) - SHOWN)
        if new:
            self._console.say(WHICH)

    def only(self) -> str:
        """Name the only game, and return its address."""
        table = self.there[0]
        self._console.say(msg("Found {name}'s game at {address}."), name=table.host, address=table.address)
        return table.address

    def chosen(self, line: str) -> str:
        """Return the address of the game with the number in `line`; empty, after a sentence, if there is none."""
        number = whole_number(line.strip()) or 0
        address = self._listed[number - 1] if 0 < number <= len(self._listed) else ""
        if not address:
            self._console.say(msg("Type a number from 1 to {most}."), most=len(self._listed))
        elif address not in [table.address for table in self.there]:
            self._console.say(msg("That game is gone. Choose another one."))
            return ""
        return address

    def _list(self, table: "FoundTable") -> None:
        from citadels_lan.front.launcher import playing

        self._listed.append(table.address)
        seats = self._console.texts.say(
            msg("{number}. {name}: {taken} of {seats} seats, {address}"),
            number=len(self._listed), name=table.host, taken=table.players, seats=table.places,
            address=table.address,
        )  # fmt: skip
        self._console.line(f"{seats} ({playing(self._console.texts, table)})" if table.started else seats)

    def _remark(self, text: "Message", **values: object) -> None:
        """Print a sentence, the first time that it is true."""
        if text not in self._remarks:
            self._remarks.add(text)
            self._console.complain(self._console.texts.say(text, **values))


def _typed() -> "asyncio.Future[str]":
    """The next line that the person types, empty at the end of the input. A thread reads this line and no more,
    so that the game that follows loses no input, and a search that is stopped does not wait for the line."""
    import asyncio
    import contextlib
    import threading

    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        try:
            text = sys.stdin.readline()
        except ValueError:  # bytes that are no text
            text = "?"
        except OSError:  # the terminal is gone
            text = ""
        with contextlib.suppress(RuntimeError):  # the search has ended, and its loop
            loop.call_soon_threadsafe(line.set_result, text)

    threading.Thread(target=read, daemon=True).start()
    return line


def _say_which(console: Console) -> Failure:
    return console.wrong(msg("There is more than one table: say which, `citadels-lan join ADDRESS`."))
