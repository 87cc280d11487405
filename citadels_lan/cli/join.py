"""`join`: find a game on the network, and join it, watch it, or send a bot."""

import argparse
import asyncio
import contextlib
import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from citadels_lan.cli.addresses import read_address
from citadels_lan.cli.commands import UNATTENDED
from citadels_lan.cli.console import DONE, INTERRUPTED, NOT_FOUND, USAGE, Console, Failure
from citadels_lan.cli.launch import NoSeat, TableLauncher, launcher_for, show
from citadels_lan.net.join.join_code import read_secret
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.platform.process import read_line
from citadels_lan.presenter import launcher as launching
from citadels_lan.presenter.archive import PastGame, result
from citadels_lan.presenter.join_form import ASKED, ELSEWHERE, TypedCode, elsewhere, read_place
from citadels_lan.texts import Message, msg
from citadels_lan.texts.commands import whole_number

MORE: Final = 0.6
"""Seconds to wait for another game after the first one."""
SEARCHING: Final = msg("Searching for games on this network… (Ctrl-C to stop)")
NO_GAME: Final = msg(
    "No game found in {seconds} s. Type the host's address: `citadels-lan join ADDRESS`. Or run"
    " `citadels-lan doctor`."
)
OVER: Final = msg("Your last game is over. Show the result? Type y, or wait for another game.")
YES: Final = ("y", "yes", "s", "si", "sì")
OFFERED: Final = 2.0
"""Seconds without a game until the result of the last one is offered."""
WHICH: Final = msg("Which one? Type its number:")


def join(console: Console, options: argparse.Namespace) -> int:
    """Join a game, and return the exit code. Raises Failure."""
    address, named = read_place(options.address or "")
    if options.address is not None:
        read_address(console, address)
    code = _given_code(console, [read_line().strip()] if options.pipe else options.code) or named
    launcher = launcher_for(console, options)
    launcher.guest = options.pipe
    if options.address is None:
        found = _find(console, launcher, options.timeout)
        if isinstance(found, PastGame):
            return _show_result(console, found)
        address = found

    # A pasted invitation can name another address than the command line.
    def sit(code: str) -> int:
        nonlocal address
        if other := elsewhere(code, address):
            address = other
            console.say(ELSEWHERE, address=other)
        where, fp = launcher.where(address)
        by_bot = options.bot is not None
        opening = partial(launcher.sit, where, watching=options.spectate, bot=by_bot, code=code, fp=fp)
        if by_bot:
            from citadels_lan.cli.host import join_by_bot  # A player who joins needs no bots.

            return asyncio.run(join_by_bot(console, launcher, opening, options.bot))
        return asyncio.run(show(console, launcher, opening, plain=options.plain, piped=options.pipe))

    try:
        return _with_code(console, sit, code)
    except NoSeat as reason:
        how = console.texts.say("To watch, join with --spectate.")
        raise Failure(USAGE, f"{reason.text} {how}") from None
    except launching.CannotOpen as reason:
        game = launcher.ended(address)
        if game is None:
            raise Failure(USAGE, reason.text) from None
        console.complain(reason.text)
        console.say(OVER)
        if not sys.stdin.isatty() or read_line().strip().lower() in YES:
            return _show_result(console, game)
        return USAGE


def _show_result(console: Console, game: PastGame) -> int:
    """Print how a game has ended, and how to see more."""
    from citadels_lan.presenter.statistics import own_game

    played = own_game(game.path)
    console.line(result(console.texts, game))
    scores = zip(played.names, played.scores, strict=False) if played else ()
    for name, points in sorted(scores, key=lambda score: -score[1]):
        console.line(f"{name}: {console.texts.plural('{count} point', '{count} points', points)}")
    console.say(msg("To replay the game, run `citadels-lan replay {path}`."), path=game.path)
    return DONE


def _given_code(console: Console, words: Sequence[str] | None) -> str:
    """Return the code of `--code`, "" without one. Raises Failure for words that are no code."""
    code = " ".join(words or ())
    try:
        read_secret(code)
    except Refusal:
        text = msg("--code needs the three words or the link. Put an address before it.")
        raise console.failure(text) from None
    return code


def _with_code(console: Console, sit: Callable[[str], int], code: str) -> int:
    """Call `sit` with the code, and again with a typed one while the host asks for it. Raises CannotOpen."""
    while True:
        try:
            return sit(code)
        except launching.CodeWanted as reason:
            text = reason.text
            if reason.seconds and sys.stdin.isatty():
                _count_down(console, text, reason.seconds)
                text = console.texts.say(launching.NOW)
            code = _ask_code(console, text, again=bool(code))


def _count_down(console: Console, text: str, seconds: int) -> None:
    """Show how long the host does not take another code."""
    console.complain(text)
    for left in range(seconds, 0, -1):
        console.passing(console.texts.say(launching.LATER, seconds=left))
        time.sleep(1)
    console.passing("")


def _ask_code(console: Console, text: str, *, again: bool) -> str:
    """Return the code that the person types, in one line or several. Raises Failure with `text` at the end of
    the input, or without a terminal."""
    if not sys.stdin.isatty():
        if again:
            raise Failure(USAGE, text)
        how = console.texts.say("Add --code and the words after the address, or join with the link.")
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


def _find(console: Console, launcher: TableLauncher, seconds: int | None) -> str | PastGame:
    """Search for games on this network. Return the address of the only one, or of the one that the player
    chooses; or the game that was joined last and is over, if the player wants its result. `seconds`: how long
    to search while there is no game; 0: without end; None: the default. Raises Failure."""
    asks = sys.stdin.isatty() and sys.stdout.isatty()
    if seconds is None:
        seconds = 0 if asks else UNATTENDED
    try:
        return asyncio.run(_search(console, launcher, seconds, asks=asks))
    except KeyboardInterrupt:
        stopped = console.texts.say(msg("Search stopped."))
        raise Failure(INTERRUPTED, f"\n{stopped}" if asks else stopped) from None  # a terminal has written ^C


async def _search(console: Console, launcher: TableLauncher, seconds: float, *, asks: bool) -> str | PastGame:
    """Follow the list of games until a game has been the only one for a moment, or the player has chosen one,
    or wants the result of the last game. `asks`: a player at a terminal can choose. Raises Failure."""
    loop, games = asyncio.get_running_loop(), _Games(console)
    end = loop.time() + seconds if seconds else math.inf
    offer_at, ended = loop.time() + OFFERED, launcher.ended()
    typed: asyncio.Future[str] | None = None
    console.say(SEARCHING)
    # The sockets of the search are closed before the game begins.
    async with contextlib.aclosing(launcher.browse()) as browsing:
        news = loop.create_task(anext(browsing))  # kept: awaited in this loop, or cancelled below
        try:
            while True:
                offered_at = math.inf if ended is None or not asks else offer_at
                until = math.inf if typed else games.joined_at if games.there else min(end, offered_at)
                seconds_left = None if until == math.inf else max(until - loop.time(), 0)
                awaited: list[asyncio.Future[Any]] = [news, typed] if typed else [news]
                done, _ = await asyncio.wait(awaited, timeout=seconds_left, return_when=asyncio.FIRST_COMPLETED)
                if typed and typed in done:
                    if chosen := _choice(console, typed.result(), games, ended):
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
                    table = games.there[0]
                    console.say(msg("Found {name}'s game at {address}."), name=table.host, address=table.address)
                    return table.place
                elif ended is not None and asks:
                    console.say(OVER)
                    games.choosing, typed = True, _typed()
                else:
                    raise _no_game(console, seconds, ended)
        finally:
            news.cancel()
            await asyncio.wait((news,))


def _choice(console: Console, line: str, games: "_Games", ended: PastGame | None) -> str | PastGame:
    """Return the choice that the player has typed: the place of a game, or the last game; "" if it is neither.
    Raises Failure at the end of the input."""
    if not line:
        raise _say_which(console)
    if ended is not None and line.strip().lower() in YES:
        return ended
    return games.chosen(line)


def _no_game(console: Console, seconds: float, ended: PastGame | None) -> Failure:
    text = console.texts.say(NO_GAME, seconds=seconds)
    if ended is not None:
        path = msg("Your last game is over. To see it, run `citadels-lan show {path}`.")
        text = f"{text} {console.texts.say(path, path=ended.path)}"
    return Failure(NOT_FOUND, text)


class _Games:
    """The games on this network, numbered in the order in which they appear, if there are several. `there` are
    the games that are announced now. A single game is joined at `joined_at`, in seconds of the loop's clock,
    unless the player is `choosing`."""

    def __init__(self, console: Console) -> None:
        self.there: Sequence[launching.FoundTable] = ()
        self.joined_at = math.inf
        self.choosing = False
        self._console = console
        self._single = ""
        self._listed: list[str] = []
        self._remarks: set[tuple[Message, object]] = set()

    def update(self, tables: Sequence[launching.FoundTable] | None, now: float, *, isolated: bool) -> None:
        """Take the games that were found at `now`; None while this machine cannot search."""
        every = [table for table in tables or () if table.address]
        self.there = [table for table in every if not table.needs]
        for table in every:
            if table.needs:
                needs = launching.playing(self._console.texts, table)
                other = msg("{name}'s game at {address} {needs}.")
                self._remark(other, name=table.host, address=table.address, needs=needs)
        # Another host may announce its game a moment later, so a single game is not joined at once.
        single = self.there[0].row if len(self.there) == 1 else ""
        if single != self._single:
            self._single, self.joined_at = single, now + MORE if single else math.inf
        if tables is None:
            self._remark(launching.UNFINDABLE)
        elif isolated:
            self._remark(launching.ISOLATED)
        new = [table for table in self.there if table.row not in self._listed]
        new = new if self.choosing or len(self.there) > 1 else []
        # Anyone can announce a hundred games: they hide none of the first ones.
        new = new[: launching.SHOWN - len(self._listed)]
        for table in new:
            self._list(table)
        if len(self.there) > launching.SHOWN:
            self._remark(launching.MORE_TABLES, count=len(self.there) - launching.SHOWN)
        if new:
            self._console.say(WHICH)

    def chosen(self, line: str) -> str:
        """Return the place of the game with the number in `line`; empty, after a sentence, if there is none."""
        number = whole_number(line.strip()) or 0
        if not 0 < number <= len(self._listed):
            self._console.say(msg("Type a number from 1 to {most}."), most=len(self._listed))
            return ""
        place = next((table.place for table in self.there if table.row == self._listed[number - 1]), "")
        if not place:
            self._console.say(msg("That game is no longer available. Choose another one."))
        return place

    def _list(self, table: launching.FoundTable) -> None:
        self._listed.append(table.row)
        seats = self._console.texts.say(
            msg("{number}. {name}: {taken} of {seats} seats, {address}"),
            number=len(self._listed), name=table.host, taken=table.players, seats=table.places,
            address=table.address,
        )  # fmt: skip
        state = launching.playing(self._console.texts, table)
        self._console.line(f"{seats} ({state})" if state else seats)

    def _remark(self, text: Message, **values: object) -> None:
        """Print a sentence at most once (for each game, by its address)."""
        remark = (text, values.get("address"))
        if remark not in self._remarks and len(self._remarks) < launching.SHOWN:
            self._remarks.add(remark)
            self._console.complain(self._console.texts.say(text, **values))


def _typed() -> asyncio.Future[str]:
    """Return the next line that the player types, empty at the end of the input. A thread reads it, so that a
    search that is stopped does not wait for it."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        text = read_line()
        with contextlib.suppress(RuntimeError):  # the search has ended, and its loop
            loop.call_soon_threadsafe(line.set_result, text)

    threading.Thread(target=read, daemon=True).start()
    return line


def _say_which(console: Console) -> Failure:
    return console.failure(msg("Several games were found. Choose one: `citadels-lan join ADDRESS`."))
