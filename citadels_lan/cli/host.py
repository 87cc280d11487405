"""`host`, and games without a screen: a host that only hosts, and bots in the seats of players."""

import argparse
import asyncio
import contextlib
import os
import secrets
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NoReturn

from citadels_lan.bots import make_policy
from citadels_lan.bots.driving import Pauses, drive
from citadels_lan.bots.thinking import ThinkingPool
from citadels_lan.cli.addresses import Address
from citadels_lan.cli.console import DONE, REFUSED, UNREADABLE, USAGE, Console, Failure
from citadels_lan.cli.game_config import DEFAULT_LEVEL, game_config
from citadels_lan.cli.hosted import LOOPBACK, Hosted, HostOptions, takeover_of
from citadels_lan.cli.launch import BadFile, TableLauncher, addresses, broken_off, launcher_for, show
from citadels_lan.engine import State
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import OpenTable
from citadels_lan.net.join.join_code import STRONG, bits, read_words
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.platform.files import read_file
from citadels_lan.platform.process import ASKING, asked, forget_typed, read_line
from citadels_lan.platform.system import terminal
from citadels_lan.presenter.archive import PastGame, any_open, of_journal, result
from citadels_lan.presenter.error_messages import because, why
from citadels_lan.presenter.invitation import UNANNOUNCED, code_news, qr_lines
from citadels_lan.presenter.launcher import CannotOpen, Place
from citadels_lan.texts import msg
from citadels_lan.texts.commands import whole_number
from citadels_lan.texts.record import NO_WINNER
from citadels_lan.web.beside import WebGuests

LOOK: Final = 0.2
"""Seconds between two looks of a bot at the lobby."""
NEW_CODE: Final = "n"
HAND: Final = "hand "


def host(console: Console, options: argparse.Namespace) -> int:
    """Host a game, and return the exit code. Raises Failure."""
    config, levels = game_config(console, options), options.bots
    if len(levels) + (not options.headless) > config.players:
        text = msg("{bots} bots are too many at a table for {players}.")
        raise console.wrong(text, bots=len(levels), players=config.players)
    if options.web is not None and find_spec("aiohttp") is None:
        text = msg("--web needs {package}, which is not installed: `pip install 'citadels-lan[web]'` installs it.")
        raise console.wrong(text, package="aiohttp")
    code, warning = join_code(console, options.code, options.open)
    launcher = launcher_for(console, options)
    resume = None if options.resume is None else _journal(console, options.resume, launcher)
    web_port = None if options.web is True else options.web
    game = replace(
        launcher.game(Settings(config, len(levels), hints=not options.no_hints), levels),
        announce=not options.no_mdns, port=options.port, resume=resume, code=code, clock=options.clock,
        title="" if resume and not (options.name or options.headless) else launcher.preferences.name,
        renamed=options.name is not None,
        takeover=takeover_of(options.takeover, options.takeover_level, headless=options.headless),
        web=None if options.web is None else WebGuests(launcher.data / "web", web_port),
    )  # fmt: skip
    if options.headless:
        game = replace(game, name=None, pauses=Pauses())
    # A game that was handed over has no seat here: the program only passes its journal on.
    try:
        record = of_journal(resume) if resume is not None else None
        if options.headless or (record is not None and record.handed is not None):
            return asyncio.run(serve(console, launcher, game, warning))

        async def opening() -> Place:
            place = await launcher.open(game)
            if warning:
                console.complain(warning)
            return place

        return asyncio.run(show(console, launcher, opening, plain=options.plain))
    except CannotOpen as reason:
        raise Failure(UNREADABLE if isinstance(reason, BadFile) else USAGE, reason.text) from None


def join_code(console: Console, words: Sequence[str] | None, open_to_all: bool) -> tuple[str | None, str]:
    """Return the code of `--code` and `--open` as `open_table` takes it: "" for a new one, None for none; and the
    warning about a weak code or none. Raises Failure."""
    say = console.texts.say
    if open_to_all:
        return None, say(
            "The table is open: anyone on this network can join, and your friends cannot recognize a false table."
        )
    if words is None:
        return "", ""
    try:
        code = read_words(" ".join(words))
    except Refusal as reason:
        raise Failure(USAGE, f"--code: {why(console.texts, reason)}") from None
    weak = say("This code is easy to guess: without --code the table gets a better one.")
    return " ".join(code), weak if bits(code) < STRONG else ""


def _journal(console: Console, word: str, launcher: TableLauncher) -> Path:
    """Return the journal that a word names: a file, a number in the list of unfinished games, or the only one.
    Raises Failure."""
    number = whole_number(word)
    if word and (number is None or Path(word).exists()):
        try:
            read_file(Path(word), 0)
        except OSError as error:
            text = console.texts.say("{path} cannot be read: {reason}.", path=word, reason=error.strerror or error)
            raise Failure(UNREADABLE, text) from None
        return Path(word)
    games = launcher.unfinished()
    if not games and any_open(launcher.data / "tables"):
        raise console.wrong(msg("Your table is open in another terminal."))
    if not games:
        raise console.wrong(msg("No table of yours is unfinished: `citadels-lan games` lists what there is."))
    if not word and len(games) > 1:
        word = _choose(console, games)
        number = whole_number(word) or 0
    number = 1 if number is None else number
    if not 1 <= number <= len(games):
        text = msg("There is no unfinished table {word}: choose from 1 to {most}.")
        raise console.wrong(text, word=word, most=len(games))
    return games[number - 1].path


def _choose(console: Console, games: Sequence[PastGame]) -> str:
    """List the games, and return the number that the person types. Raises Failure without a terminal."""
    for number, game in enumerate(games, 1):
        console.line(f"{number}. {', '.join(game.names)}: {result(console.texts, game)}  {game.date}")
    if not sys.stdin.isatty():
        raise console.wrong(msg("Several tables are unfinished: choose one of the list, `host --resume NUMBER`."))
    console.say(msg("Which one? Type its number:"))
    return sys.stdin.readline().strip() or "1"


# Without a screen


async def serve(console: Console, launcher: TableLauncher, options: HostOptions, warning: str = "") -> int:
    """Host a game to its end, and print a line for each thing that other players need to join. `warning` is
    printed once the table is open."""
    hosted = await launcher.serve(options)
    table = hosted.table
    try:
        if warning:
            console.complain(warning)
        if (handed := table.table.handover.now) is not None:
            console.line(why(console.texts, handed))
            name = handed.details["name"]
            console.say(msg("Keep this program open until {name}'s computer hosts the game."), name=name)
        where = _print_invitation(console, hosted)
        watching = (watch(console, table) for watch in (_standstills, _unannounced))
        await _over(console, hosted, keep_door(console, table, where), *watching)
        if not hosted.handed:
            if (game := table.table.game) is not None:
                names = [place.name for place in table.table.lobby.places]
                print_scores(console, game.state, names, closed=game.closed)
            print_transcripts(console, hosted.bots)
    except Exception:
        await launcher.close(failed=True)
        raise
    finally:
        await launcher.close()
    return DONE


async def play_by_bots(console: Console, launcher: TableLauncher, options: HostOptions) -> int:
    """Play a whole game with a bot in the player's seat."""
    hosted = await launcher.serve(options)
    try:
        assert hosted.me is not None
        hosted.play(hosted.me, DEFAULT_LEVEL)
        await _over(console, hosted, _standstills(console, hosted.table))
        print_result(console, hosted.me)
        print_transcripts(console, hosted.bots)
    finally:
        await launcher.close()
    return DONE


async def join_by_bot(
    console: Console, launcher: TableLauncher, sit: Callable[[], Awaitable[object]], level: str
) -> int:
    """Join a game by `sit`, and let a bot play it to its end. Raises CannotOpen."""
    await sit()
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
            print_result(console, session)
        print_transcripts(console, [session])
        if session.table.status == "over":
            return DONE
        if session.table.reason is not None:
            console.complain(why(console.texts, session.table.reason))
        return REFUSED
    finally:
        getting_ready.cancel()
        await launcher.close()


async def _stay_ready(session: Session) -> None:
    """Declare the player of a session ready, again after each change of the settings."""
    while True:
        table = session.table
        if table.status == "lobby" and table.seat is not None and not table.lobby[table.seat].ready:
            with contextlib.suppress(Rejected):  # the connection is gone
                await session.ready()
        await asyncio.sleep(LOOK)


async def _over(console: Console, hosted: Hosted, *watching: Coroutine[Any, Any, NoReturn]) -> None:
    """Wait for the end of the game, while coroutines that never return watch the table. Raises Failure."""
    loop = asyncio.get_running_loop()
    # kept: the first that ends is awaited, the others are cancelled. (A TaskGroup would wrap what they raise.)
    tasks = [loop.create_task(each) for each in (hosted.over(), *watching)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            await task
    except (Refusal, OSError) as error:
        raise broken_off(console, error) from None
    finally:
        for task in tasks:
            task.cancel()


async def _standstills(console: Console, table: OpenTable) -> NoReturn:
    """Print the reason for each pause of the table, and its end."""
    while True:
        await table.standstill.wait()
        table.standstill.clear()
        halted = table.table.halted
        console.complain(
            because(console.texts, halted, {}) if halted else console.texts.say("The game continues.")
        )


async def _unannounced(console: Console, table: OpenTable) -> NoReturn:
    """Print, once, that friends do not find the table on the network."""
    await table.unannounced.wait()
    console.complain(console.texts.say(UNANNOUNCED))
    await asyncio.Future()
    raise AssertionError


def _print_invitation(console: Console, hosted: Hosted) -> Address:
    """Print how other players join, and return the first address."""
    say = console.texts.say
    reachable = addresses(hosted)
    if not reachable:
        console.complain(say("This machine has no network now: only programs on it can join."))
        reachable = (Address(LOOPBACK, hosted.table.port),)
    console.line(f"{say('address')}: {' '.join(map(str, reachable))}")
    print_code(console, hosted.table, reachable[0])
    if hosted.options.web is not None:
        console.line(f"web {hosted.options.web.link(reachable[0].host, hosted.table)}")
    console.line(f"{say('game')}: {hosted.table.game_id.hex()}")
    console.line(f"{say('journal')}: {hosted.table.journal}")
    return reachable[0]


def print_code(console: Console, table: OpenTable, where: Address) -> None:
    """Print the code and the link, and on a terminal the link as a QR code."""
    say, door = console.texts.say, table.join_code
    code = say("none: anyone on this network can join") if door.open else door.code
    console.line(f"{say('code')}: {code}")
    link = door.link(where.host, where.port)
    console.line(f"link: {link}")
    # A QR code in a file or on a dumb terminal is unreadable.
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        for line in qr_lines(link, ascii_only=not terminal().unicode):
            console.line(line)


async def keep_door(console: Console, table: OpenTable, where: Address) -> NoReturn:
    """Warn if someone guesses the code. A line `n` of standard input or a signal makes a new code; a line
    `hand NAME` hands the game over to that player."""
    loop, handing = asyncio.get_running_loop(), list[asyncio.Task[None]]()

    def obey(line: str) -> None:
        if line == NEW_CODE:
            table.join_code.renew()
        elif line.startswith(HAND):
            # kept: in `handing`; each task prints its result
            handing.append(loop.create_task(_hand_over(console, table, line.removeprefix(HAND).strip())))

    with asked(table.join_code.renew), _lines(obey):
        if not table.join_code.open:
            by_signal = msg("For a new code type n and Enter, or send the signal {signal} to process {number}.")
            how = by_signal if ASKING else msg("For a new code type n and Enter.")
            console.say(how, signal=ASKING, number=os.getpid())
        while True:
            await table.code_changed.wait()
            table.code_changed.clear()
            if not table.join_code.guessed and table.join_code.wrong[1]:
                text, values = code_news(table.join_code)
                console.say(text, **values)
            elif table.join_code.guessed:
                console.say(msg("Many wrong codes arrive. Friends can join with the link, or wait."))
            else:
                print_code(console, table, where)


async def _hand_over(console: Console, table: OpenTable, name: str) -> None:
    try:
        await table.hand_to(name)
    except Refusal as reason:
        console.complain(why(console.texts, reason))
    else:
        if (handed := table.table.handover.now) is not None:
            console.line(why(console.texts, handed))


@contextlib.contextmanager
def _lines(obey: Callable[[str], None]) -> Iterator[None]:
    """Inside, call `obey` in the running loop with each line of standard input, until that ends."""
    loop, inside = asyncio.get_running_loop(), True

    def take(line: str) -> None:
        if inside:
            obey(line)

    def read() -> None:
        while line := read_line():
            with contextlib.suppress(RuntimeError):  # The table is gone and its loop closed.
                loop.call_soon_threadsafe(take, line.strip().lower())

    with contextlib.suppress(OSError, ValueError):  # There may be no standard input.
        forget_typed(sys.stdin.fileno())  # What was typed before is no answer to this.
        threading.Thread(target=read, daemon=True).start()
    yield
    inside = False


def print_result(console: Console, session: Session) -> None:
    """Print who won, as a session knows it."""
    if session.table.state is not None:
        print_scores(console, session.table.state, session.table.names, closed=session.table.record_closed)


def print_scores(console: Console, state: State, names: Sequence[str], *, closed: bool) -> None:
    """Print the points of all players, the winner first. While the record is not `closed` there is no winner,
    and the points are in order of seats."""
    if not state.scores:
        console.say(msg("The game was not finished."))
        return
    seats: Sequence[int] = range(len(state.scores))
    if closed:
        seats = sorted(seats, key=lambda seat: (seat not in state.winners, -state.scores[seat].total))
    for place, seat in enumerate(seats, 1):
        points = console.texts.plural("{count} point", "{count} points", state.scores[seat].total)
        console.line(f"{f'{place}. ' if closed else ''}{names[seat]}: {points}")
    if not closed:
        console.say(NO_WINNER)


def print_transcripts(console: Console, sessions: Sequence[Session]) -> None:
    """Print where the transcripts are."""
    for session in sessions:
        if session.table.transcript is not None:
            console.say(msg("Transcript: {path}"), path=session.table.transcript)
