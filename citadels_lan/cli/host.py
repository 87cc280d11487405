"""`host`: open a table on the network and sit at it, or only run it."""

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, UNREADABLE, USAGE, Console, Failure
from citadels_lan.cli.open.options import bot_levels, number, person_options, set_up, table_options, with_draft
from citadels_lan.cli.open.web import check_web
from citadels_lan.systems.files import read_file
from citadels_lan.texts import msg
from citadels_lan.texts.commands import whole_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citadels_lan.cli.open.hosting import Hosted
    from citadels_lan.cli.open.launcher import TableLauncher
    from citadels_lan.cli.open.wanted import Wanted
    from citadels_lan.front.archive import PastGame

    from .addresses import Address


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    table_options(parser)
    person_options(parser)
    host = parser.add_argument_group(say("The host"))
    host.add_argument("--port", metavar="N", help=say("the port to listen on (47110, or any free one)"))
    host.add_argument(
        "--no-mdns",
        action="store_true",
        help=say(
            "do not announce the table on the network, by mDNS or otherwise; who has a seat there still finds it"
        ),
    )
    host.add_argument(
        "--code", nargs="+", metavar="WORD", help=say("the words that let friends in (three, made for the table)")
    )
    host.add_argument(
        "--web", metavar="PORT", nargs="?", const="",
        help=say("let friends play in a browser, through this computer (port 47180, or any free one)"),
    )  # fmt: skip
    host.add_argument("--open", action="store_true", help=say("ask for no code"))
    host.add_argument(
        "--draft", metavar="open|sealed", default="open",
        help=say(
            "sealed: nobody, not even this machine, knows a player's character before it is called, and everybody"
            " must be there at every call (open)"
        ),
    )  # fmt: skip
    host.add_argument(
        "--no-hints", action="store_true", help=say("a table at which nobody takes hints; all have agreed to that")
    )
    host.add_argument("--headless", action="store_true", help=say("only run the table, nobody sits here"))
    host.add_argument(
        "--takeover",
        metavar="WHEN",
        help=say("seconds after which a bot moves for a player who is gone, or ask, or never (ask; headless: 60)"),
    )
    host.add_argument("--takeover-level", metavar="LEVEL", help=say("which bot that is (sensible)"))
    host.add_argument(
        "--clock",
        metavar="SECONDS",
        help=say(
            "show everybody how long a decision takes, and say when it takes longer; nothing is decided by it"
        ),
    )
    host.add_argument(
        "--resume", metavar="FILE", nargs="?", const="",
        help=say("go on with a table that was open here: its journal, or its number in the list"),
    )  # fmt: skip
    about = say(
        "--bots names one bot for each seat that a bot takes; without it all seats are for people.\n"
        "A table that is only run begins when all seats are taken, and ends with the game.\n"
        "A line n makes a new code for it; so does the signal SIGUSR1, where there is one.\n"
        "A line `hand NAME` hands the game over to that player's computer."
    )
    parser.epilog = f"{about}\n\n{parser.epilog}"


def run(console: Console, options: argparse.Namespace) -> int:
    import asyncio

    count = options.bots.count(",") + 1 if options.bots else 0
    levels = bot_levels(console, options.bots, count) if options.bots else ()
    config = with_draft(console, set_up(console, options), options.draft)
    if len(levels) + (not options.headless) > config.players:
        raise console.wrong(
            msg("{bots} bots are too many at a table for {players}."), bots=len(levels), players=config.players
        )
    port = None if options.port is None else number(console, "--port", options.port, 0, 65535)
    web = options.web is not None
    web_port = number(console, "--web", options.web, 0, 65535) if options.web else None
    if web:
        check_web(console)
    from citadels_lan.cli.open.code import wanted_code
    from citadels_lan.cli.open.front_end import front
    from citadels_lan.cli.open.hosting import takeover_of
    from citadels_lan.cli.open.launcher import BadFile, launcher_for
    from citadels_lan.cli.open.wanted import PAUSE, Wanted
    from citadels_lan.front.archive import of_journal
    from citadels_lan.front.launcher import CannotOpen
    from citadels_lan.net.wire.messages import LONGEST, Settings
    from citadels_lan.web.beside import WebGuests

    clock = 0 if options.clock is None else number(console, "--clock", options.clock, 1, LONGEST)
    takeover = takeover_of(console, options.takeover, options.takeover_level, headless=options.headless)
    code = wanted_code(console, options.code, options.open)
    launcher = launcher_for(console, options)
    resume = None if options.resume is None else _journal(console, options.resume, launcher.unfinished())
    name = launcher.preferences.name
    guests = WebGuests(launcher.data / "web", web_port) if web else None
    wanted = Wanted(
        Settings(config, len(levels), hints=not options.no_hints), levels, None if options.headless else name,
        launcher.data, launcher.out,
        announce=not options.no_mdns, title="" if resume else name, port=port, resume=resume,
        pause=0.0 if options.headless else PAUSE, code=code, takeover=takeover, clock=clock, web=guests,
    )  # fmt: skip
    try:
        kept = of_journal(resume) if resume is not None else None
        if options.headless or (kept is not None and kept.handed is not None):
            return asyncio.run(_headless(console, launcher, wanted))
        return asyncio.run(front(console, launcher, partial(launcher.open, wanted), plain=options.plain))
    except CannotOpen as reason:
        raise Failure(UNREADABLE if isinstance(reason, BadFile) else USAGE, reason.text) from None


def _journal(console: Console, word: str, games: "Sequence[PastGame]") -> Path:
    """The journal that a word stands for: a file, a number in the list of unfinished tables, or the only one."""
    at = whole_number(word)
    if word and (at is None or Path(word).exists()):
        return _readable(console, Path(word))
    if not games:
        raise console.wrong(msg("No table of yours is unfinished: `citadels-lan games` lists what there is."))
    if not word and len(games) > 1:
        word = _asked(console, games)
        at = whole_number(word) or 0
    at = 1 if at is None else at
    if not 1 <= at <= len(games):
        raise console.wrong(msg("There is no unfinished table {word}: choose from 1 to {most}."), word=word,
                            most=len(games))  # fmt: skip
    return games[at - 1].path


def _asked(console: Console, games: "Sequence[PastGame]") -> str:
    """Which of several; who cannot be asked is told how to choose. Raises Failure."""
    from citadels_lan.front.archive import result

    for place, game in enumerate(games, 1):
        console.line(f"{place}. {', '.join(game.names)}: {result(console.texts, game)}  {game.date}")
    if not sys.stdin.isatty():
        raise console.wrong(msg("Several tables are unfinished: choose one of the list, `host --resume NUMBER`."))
    console.say(msg("Which one? Type its number:"))
    return sys.stdin.readline().strip() or "1"


def _readable(console: Console, path: Path) -> Path:
    try:
        read_file(path, 0)
    except OSError as error:
        text = console.texts.say("{path} cannot be read: {reason}.", path=path, reason=error.strerror or error)
        raise Failure(UNREADABLE, text) from None
    return path


FETCHING: Final = msg("Keep this program open until {name}'s computer hosts the game.")


async def _headless(console: Console, launcher: "TableLauncher", wanted: "Wanted") -> int:
    """Run a table to the end of its game; one line for each thing that others need to come."""
    from citadels_lan.cli.open.hosting import standstills_told
    from citadels_lan.cli.open.launcher import broken_off
    from citadels_lan.front.failures import why
    from citadels_lan.net.wire.errors import Refusal

    hosted = await launcher.serve(wanted)
    try:
        if (handed := hosted.table.table.handing.now) is not None:
            console.line(why(console.texts, handed))
            console.say(FETCHING, name=handed.details["name"])
        where = _tell(console, hosted)
        try:
            async with standstills_told(console, hosted.table):
                await _until_over(console, hosted, where)
        except (Refusal, OSError) as error:
            raise broken_off(console, error) from None
        if not hosted.handed:
            _tell_result(console, hosted)
    except Exception:
        await launcher.close(failed=True)
        raise
    finally:
        await launcher.close()
    return DONE


async def _until_over(console: Console, hosted: "Hosted", where: "Address") -> None:
    """Wait for the end of the game, and look after the door until then."""
    import asyncio

    from citadels_lan.cli.open.code import keep_door

    # kept: whichever ends first is awaited, the other one cancelled. (A TaskGroup would wrap what they raise.)
    over = asyncio.get_running_loop().create_task(hosted.over())
    # kept: see above
    door = asyncio.get_running_loop().create_task(keep_door(console, hosted.table, where))
    # kept: it ends with the table, cancelled below; what it says is only for the person
    silence = asyncio.get_running_loop().create_task(_tell_silence(console, hosted))
    try:
        await asyncio.wait((over, door), return_when=asyncio.FIRST_COMPLETED)
        await (over if over.done() else door)
    finally:
        for task in (over, door, silence):
            task.cancel()


async def _tell_silence(console: Console, hosted: "Hosted") -> None:
    """Say once that friends do not find the table by themselves."""
    from citadels_lan.front.invitation import UNANNOUNCED

    await hosted.table.unannounced.wait()
    console.complain(console.texts.say(UNANNOUNCED))


def _tell(console: Console, hosted: "Hosted") -> "Address":
    """All that others need to come; the first address."""
    from citadels_lan.cli.open.code import tell_code
    from citadels_lan.cli.open.launcher import addresses

    from .addresses import Address

    say = console.texts.say
    found = addresses(hosted)
    if not found:
        console.complain(say("This machine has no network now: only programs on it can join."))
        found = (Address("127.0.0.1", hosted.table.port),)
    console.line(f"{say('address')}: {' '.join(map(str, found))}")
    tell_code(console, hosted.table, found[0])
    if hosted.wanted.web is not None:
        console.line(f"web {hosted.wanted.web.link(found[0].host, hosted.table)}")
    console.line(f"{say('game')}: {hosted.table.game_id.hex()}")
    console.line(f"{say('journal')}: {hosted.table.journal}")
    return found[0]


def _tell_result(console: Console, hosted: "Hosted") -> None:
    from citadels_lan.cli.open.hosting import tell_scores, tell_transcripts

    game = hosted.table.table.game
    if game is not None:
        names = [place.name for place in hosted.table.table.lobby.places]
        tell_scores(console, game.state, names, closed=game.closed)
    tell_transcripts(console, hosted.bots.sessions)
