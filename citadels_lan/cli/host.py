"""`host`, and games without a screen: a host that does not play, and bots in the seats of players."""

import argparse
import asyncio
import contextlib
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from citadels_lan.bots import make_policy
from citadels_lan.bots.pauses import Pauses
from citadels_lan.bots.thinking import ThinkingPool
from citadels_lan.cli.console import DONE, REFUSED, UNREADABLE, USAGE, Console, Failure
from citadels_lan.cli.game_config import game_config
from citadels_lan.cli.hosted import LOOPBACK, Hosted, HostOptions, drive, takeover_of
from citadels_lan.engine import State
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.opening import OpenTable
from citadels_lan.net.join.join_code import STRONG, bits, read_words
from citadels_lan.net.join.join_code import link as invitation_link
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.platform.files import read_file
from citadels_lan.platform.process import forget_typed
from citadels_lan.platform.system import terminal
from citadels_lan.presenter.archive import PastGame, any_open, of_journal, result
from citadels_lan.presenter.error_messages import because, why
from citadels_lan.presenter.invitation import NOWHERE, OPEN, RENEWED, UNANNOUNCED, qr_lines, watch_table
from citadels_lan.presenter.launcher import CannotOpen, Place
from citadels_lan.texts import Message, msg
from citadels_lan.texts.commands import whole_number
from citadels_lan.texts.log import score_lines
from citadels_lan.texts.record import NO_WINNER
from citadels_lan.web.beside import WebGuests

from .launch import Address, BadFile, TableLauncher, addresses, broken_off, launcher_for, name_player, show

LOOK: Final = 0.2
"""Seconds between two checks of the lobby by a bot."""
NEW_CODE: Final = "n"
HAND: Final = "hand "


def host(console: Console, options: argparse.Namespace) -> int:
    """Host a game, and return the exit code. Raises Failure."""
    config, levels = game_config(console, options), options.bots
    if len(levels) + (not options.headless) > config.players:
        text = msg("{bots} bots are too many for {players} seats.")
        raise console.failure(text, bots=len(levels), players=config.players)
    if options.web is not None and find_spec("aiohttp") is None:
        text = msg("--web needs {package}. Install it with `pip install 'citadels-lan[web]'`.")
        raise console.failure(text, package="aiohttp")
    code, warning = join_code(console, options.code, options.open)
    launcher = launcher_for(console, options)
    name_player(console, launcher, plain=options.plain or options.headless)
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
    """Return two values: the join code for `open_table` from `--code` and `--open`, and a warning. The code
    is "" for a new random one and None for an open table; the warning is "" unless the code is weak or
    missing. Raises Failure."""
    say = console.texts.say
    if open_to_all:
        return None, say(OPEN)
    if words is None:
        return "", ""
    try:
        code = read_words(" ".join(words))
    except Refusal as reason:
        raise Failure(USAGE, f"--code: {why(console.texts, reason)}") from None
    weak = say("This code is easy to guess. Without --code the program makes a better one.")
    return " ".join(code), weak if bits(code) < STRONG else ""


def _journal(console: Console, word: str, launcher: TableLauncher) -> Path:
    """Return the path of the journal to resume. `word` is a file, or a number in the list of unfinished
    games; if it is "", the only unfinished game is used. Raises Failure."""
    if word and (whole_number(word) is None or Path(word).exists()):
        try:
            read_file(Path(word), 0)
        except OSError as error:
            text, reason = msg("Cannot read {path}: {reason}."), error.strerror or error
            raise console.failure(text, UNREADABLE, path=word, reason=reason) from None
        return Path(word)
    games = launcher.unfinished()
    if not games and any_open(launcher.data / "tables"):
        raise console.failure(msg("Your game is already open in another terminal."))
    if not games:
        raise console.failure(msg("You host no unfinished games. To see your games, run `citadels-lan games`."))
    if not word:
        word = _choose(console, games) if len(games) > 1 else "1"
    number = whole_number(word) or 0
    if not 1 <= number <= len(games):
        text = msg("There is no unfinished game {word}. Choose from 1 to {most}.")
        raise console.failure(text, word=word, most=len(games))
    return games[number - 1].path


def _choose(console: Console, games: Sequence[PastGame]) -> str:
    """Print the unfinished games and return the number that the person types. Raises Failure if there is no
    terminal."""
    for number, game in enumerate(games, 1):
        console.line(f"{number}. {', '.join(game.names)}: {result(console.texts, game)}  {game.date}")
    if not sys.stdin.isatty():
        raise console.failure(msg("Several games are unfinished. Choose one with `host --resume NUMBER`."))
    console.say(msg("Which one? Type its number:"))
    return sys.stdin.readline().strip() or "1"


# Without a screen


async def serve(console: Console, launcher: TableLauncher, options: HostOptions, warning: str = "") -> int:
    """Host a game to its end. On a network, print the address, the code and the link, which other players
    need to join. `warning` is printed once the table is open."""
    hosted = await launcher.serve(options)
    table = hosted.table
    try:
        if warning:
            console.complain(warning)
        if (handed := table.table.handover.now) is not None:
            console.line(why(console.texts, handed))
            name = handed.details["name"]
            console.say(msg("Keep this program open until {name}'s computer hosts the game."), name=name)
        where = _print_invitation(console, hosted) if options.network else None
        doors = [keep_door(console, table, where)] if where is not None else []
        await _over(console, hosted, _standstills(console, table), *doors)
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


async def join_by_bot(
    console: Console, launcher: TableLauncher, sit: Callable[[], Awaitable[object]], level: str
) -> int:
    """Join a game by calling `sit`, and let a bot of `level` play it to its end. Raises CannotOpen."""
    await sit()
    session = launcher.session
    assert session is not None
    console.say(
        msg("{name} joined from {address}."),
        name=session.table.names[session.table.seat or 0],
        address=Address(*session.table.addresses[0]),
    )
    getting_ready = asyncio.get_running_loop().create_task(_stay_ready(session))  # kept: cancelled below
    try:
        with ThinkingPool(1) as pool:
            await drive(session, make_policy(level, secrets.token_hex(16)), think=pool.choose)
        if session.table.state is not None and session.table.state.phase == "over":
            print_scores(console, session.table.state, session.table.names, closed=session.table.record_closed)
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
    """Declare the player of a session ready, and again whenever the host changes the settings."""
    while True:
        table = session.table
        if table.status == "lobby" and table.seat is not None and not table.lobby[table.seat].ready:
            with contextlib.suppress(Rejected):  # the connection is gone
                await session.ready()
        await asyncio.sleep(LOOK)


async def _over(console: Console, hosted: Hosted, *watching: Coroutine[Any, Any, None]) -> None:
    """Wait for the end of the game. Meanwhile run the coroutines `watching`, which never return by
    themselves. Raises Failure."""
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


async def _standstills(console: Console, table: OpenTable) -> None:
    """Print the reason whenever the game is paused or waits for an absent player, and print when it
    continues."""
    while True:
        await table.standstill.wait()
        table.standstill.clear()
        halted = table.table.halted
        console.complain(
            because(console.texts, halted, {}) if halted else console.texts.say("The game continues.")
        )


def _print_invitation(console: Console, hosted: Hosted) -> Address:
    """Print how other players join, and return the first address."""
    say = console.texts.say
    reachable = addresses(hosted)
    if not reachable:
        console.complain(say(NOWHERE))
        reachable = (Address(LOOPBACK, hosted.table.port),)
    console.line(f"{say('address')}: {' '.join(map(str, reachable))}")
    print_code(console, hosted.table, reachable[0])
    if hosted.options.web is not None:
        console.line(f"web {hosted.options.web.link(reachable[0].host, hosted.table)}")
    console.line(f"{say('game')}: {hosted.table.game_id.hex()}")
    console.line(f"{say('save file')}: {hosted.table.journal}")
    return reachable[0]


def print_code(console: Console, table: OpenTable, where: Address) -> None:
    """Print the code and the link, and on a terminal the link as a QR code."""
    say, door = console.texts.say, table.join_code
    code = say("none: anyone on this network can join") if door.open else door.code
    console.line(f"{say('code')}: {code}")
    link = invitation_link(where.host, where.port, door.token)
    console.line(f"link: {link}")
    # A QR code in a file or on a dumb terminal is unreadable.
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        for line in qr_lines(link, ascii_only=not terminal().unicode):
            console.line(line)


async def keep_door(console: Console, table: OpenTable, where: Address) -> None:
    """While the table is open, warn if someone guesses the code or if friends cannot find the table. A line
    `n` of standard input makes a new code; a line `hand NAME` hands the game over to that player."""

    def tell(text: Message, **values: str) -> None:
        if text == RENEWED:
            print_code(console, table, where)
        elif text == UNANNOUNCED:
            console.complain(console.texts.say(text))
        else:
            console.say(text, **values)

    if not table.join_code.open:
        console.say(msg("For a new code, type n and press Enter."))
    await asyncio.gather(watch_table(table, tell), _obey(console, table))


async def _obey(console: Console, table: OpenTable) -> None:
    """Read lines from standard input until cancelled, and carry out the commands `n` and `hand NAME` (see
    `keep_door`)."""
    from citadels_lan.line_mode.streams import InputLines  # not needed by a player at the screens

    with contextlib.suppress(OSError, ValueError):  # There may be no standard input.
        forget_typed(sys.stdin.fileno())  # What was typed earlier was not meant for this.
    lines = InputLines(sys.stdin)
    while True:
        line = (await lines.next() or "").strip().lower()  # After the end of the input this waits forever.
        if line == NEW_CODE:
            table.join_code.renew()
        elif line.startswith(HAND):
            await _hand_over(console, table, line.removeprefix(HAND).strip())


async def _hand_over(console: Console, table: OpenTable, name: str) -> None:
    try:
        await table.hand_to(name)
    except Refusal as reason:
        console.complain(why(console.texts, reason))
    else:
        if (handed := table.table.handover.now) is not None:
            console.line(why(console.texts, handed))


def print_scores(console: Console, state: State, names: Sequence[str], *, closed: bool) -> None:
    """Print the points of all players, the winner first. `closed` says whether the record of the game is
    closed; if it is not, no winner is named."""
    if not state.scores:
        console.say(msg("The game was not finished."))
        return
    for line in score_lines(console.texts, names, state.scores, state.winners if closed else ()):
        console.line(line)
    if not closed:
        console.say(NO_WINNER)


def print_transcripts(console: Console, sessions: Sequence[Session]) -> None:
    """Print the paths of the transcripts of these sessions."""
    for session in sessions:
        if session.table.transcript is not None:
            console.say(msg("Transcript: {path}"), path=session.table.transcript)
