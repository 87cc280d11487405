"""`join`: find a game on the network, and join it, watch it, or send a bot."""

import argparse
import asyncio
import contextlib
import math
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from citadels_lan.cli.commands import UNATTENDED
from citadels_lan.cli.console import DONE, INTERRUPTED, NOT_FOUND, USAGE, Console, Failure
from citadels_lan.cli.launch import NoSeat, TableLauncher, launcher_for, name_player, read_address, show
from citadels_lan.line_mode.home import table_line
from citadels_lan.net.join.join_code import read_secret
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.presenter import launcher as launching
from citadels_lan.presenter.archive import result
from citadels_lan.presenter.join_form import ELSEWHERE, elsewhere, read_place
from citadels_lan.texts import msg

MORE: Final = 0.6
"""After the first game was found, `join` waits this many seconds for another one."""
SEARCHING: Final = msg("Searching for games on this network… (Ctrl-C to stop)")
NO_GAME: Final = msg(
    "No game found in {seconds} s. Type the host's address: `citadels-lan join ADDRESS`. Or run"
    " `citadels-lan doctor`."
)
OVER: Final = msg("Your last game is over: {result}. To replay it, run `citadels-lan replay {path}`.")
OFFERED: Final = 2.0
"""If no game is found for this many seconds, the result of the last game is printed."""


def join(console: Console, options: argparse.Namespace) -> int:
    """Join a game, and return the exit code. Raises Failure."""
    address, named = read_place(options.address or "")
    if options.address is not None:
        read_address(console, address)
    code = _given_code(console, [_piped_line()] if options.pipe else options.code) or named
    launcher = launcher_for(console, options)
    launcher.guest, launcher.watching = options.pipe, options.spectate
    # A player at a terminal can choose a game and type a code at home.
    asks = sys.stdin.isatty() and sys.stdout.isatty() and not options.pipe and options.bot is None
    name_player(console, launcher, plain=options.plain or not asks)
    if options.address is None:
        games = _find(console, launcher, options.timeout)
        if len(games) > 1 and asks:
            launcher.code = code
            return asyncio.run(show(console, launcher, plain=options.plain))
        if len(games) > 1:
            raise console.failure(msg("Several games were found. Choose one: `citadels-lan join ADDRESS`."))
        address = games[0].place
    # A pasted invitation can name another address than the command line.
    if other := elsewhere(code, address):
        address = other
        console.say(ELSEWHERE, address=other)
    try:
        return _sit(console, options, launcher, address, code)
    except launching.CodeWanted as reason:
        if asks:
            if code:
                console.complain(reason.text)
            return asyncio.run(show(console, launcher, plain=options.plain, joining=address))
        how = console.texts.say("Add --code and the words after the address, or join with the link.")
        raise Failure(USAGE, reason.text if code else f"{reason.text} {how}") from None
    except NoSeat as reason:
        how = console.texts.say("To watch, join with --spectate.")
        raise Failure(USAGE, f"{reason.text} {how}") from None
    except launching.CannotOpen as reason:
        if not (over := _over(console, launcher, address)):
            raise Failure(USAGE, reason.text) from None
        console.complain(reason.text)
        console.line(over)
        return DONE


def _sit(console: Console, options: argparse.Namespace, launcher: TableLauncher, address: str, code: str) -> int:
    """Join the game at an address, with a code, and play it to its end. Raises CannotOpen or Failure."""
    where, fp = launcher.where(address)
    by_bot = options.bot is not None
    opening = partial(launcher.sit, where, watching=options.spectate, bot=by_bot, code=code, fp=fp)
    if by_bot:
        from citadels_lan.cli.host import join_by_bot  # A player who joins needs no bots.

        return asyncio.run(join_by_bot(console, launcher, opening, options.bot))
    return asyncio.run(show(console, launcher, opening, plain=options.plain, piped=options.pipe))


def _over(console: Console, launcher: TableLauncher, address: str = "") -> str:
    """Return a sentence with the result of the game that was joined last (at `address`, if given); "" if that
    game is not over."""
    game = launcher.ended(address)
    return "" if game is None else console.texts.say(OVER, result=result(console.texts, game), path=game.path)


def _piped_line() -> str:
    """Read one line of standard input and not a byte more, because the screens or line mode read the bytes
    after it."""
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as stream:
        return stream.readline().decode(errors="replace").strip()


def _given_code(console: Console, words: Sequence[str] | None) -> str:
    """Return the code of `--code`; "" if the option is missing. Raises Failure if the words are no code."""
    code = " ".join(words or ())
    try:
        read_secret(code)
    except Refusal:
        text = msg("--code needs the three words or the link. An address goes before --code.")
        raise console.failure(text) from None
    return code


def _find(console: Console, launcher: TableLauncher, seconds: int | None) -> Sequence[launching.FoundTable]:
    """Search for games on this network and return them. If there are several, also print the list. `seconds`:
    how long to search if no game is found; 0: until interrupted; None: the default. Raises Failure."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if seconds is None:
        seconds = 0 if terminal else UNATTENDED
    try:
        games = asyncio.run(_search(console, launcher, seconds))
    except KeyboardInterrupt:
        stopped = console.texts.say(msg("Search stopped."))
        raise Failure(INTERRUPTED, f"\n{stopped}" if terminal else stopped) from None  # a terminal has written ^C
    if len(games) == 1:
        console.say(msg("Found {name}'s game at {address}."), name=games[0].host, address=games[0].address)
    for table in games[: launching.SHOWN] if len(games) > 1 else ():
        console.line(table_line(console.texts, table))
    return games


async def _search(console: Console, launcher: TableLauncher, seconds: float) -> Sequence[launching.FoundTable]:
    """Search until there are several games, or until a single game was alone for MORE seconds. Return these
    games. Raises Failure if no game is found within `seconds`; 0: no limit."""
    loop, remarks, games = asyncio.get_running_loop(), set[str](), list[launching.FoundTable]()
    end, over = loop.time() + seconds if seconds else None, _over(console, launcher)
    console.say(SEARCHING)
    # Without a last game there is nothing to print.
    telling = loop.call_later(OFFERED if over else math.inf, console.complain, over)
    try:
        # The sockets of the search are closed before the game begins.
        async with contextlib.aclosing(launcher.browse()) as browsing, asyncio.timeout_at(end) as limit:
            async for tables in browsing:
                for remark in _remarks(console, launcher, tables):
                    if remark not in remarks and len(remarks) < launching.SHOWN:
                        remarks.add(remark)
                        console.complain(remark)
                had_games = bool(games)
                games = [table for table in tables or () if table.address and not table.needs]
                if len(games) > 1:
                    break
                # Another host may announce its game a moment later, so a single game is not joined at once.
                if had_games != bool(games):
                    telling.cancel()
                    limit.reschedule(loop.time() + MORE if games else end)
    except TimeoutError:
        if not games:
            none = console.texts.say(NO_GAME, seconds=seconds)
            raise Failure(NOT_FOUND, f"{none} {over}".rstrip()) from None
    finally:
        telling.cancel()
    return games


def _remarks(
    console: Console, launcher: TableLauncher, tables: Sequence[launching.FoundTable] | None
) -> Iterator[str]:
    """Yield sentences that explain why games cannot be found, or why one of `tables` cannot be joined.
    `tables` is None while this computer cannot search."""
    say = console.texts.say
    if tables is None:
        yield say(launching.UNFINDABLE)
    elif launcher.isolated:
        yield say(launching.ISOLATED)
    for table in tables or ():
        if table.address and table.needs:
            needs = launching.playing(console.texts, table)
            yield say(
                msg("{name}'s game at {address} {needs}."), name=table.host, address=table.address, needs=needs
            )
