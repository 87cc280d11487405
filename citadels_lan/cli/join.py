"""`join`: sit at a table on the network, send a bot, or watch."""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.open.options import bot_levels, person_options
from citadels_lan.texts import msg

from .addresses import Address, read_address, read_token
from .console import Console
from .failures import DONE, REFUSED, USAGE, Failure
from .parsing import Parser

if TYPE_CHECKING:
    from citadels_lan.cli.open.launcher import TableLauncher
    from citadels_lan.net.discovery.found import AdvertisedTable
    from citadels_lan.net.discovery.ladder import Ladder

PATIENCE: Final = 5.0
"""Seconds to wait for the first table."""
MORE: Final = 0.6
"""Seconds to wait for others after it."""
ASKED: Final = 3
"""So often a person may type the code, before it is left to them to start again."""


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
    # For a program that shows this one elsewhere (`host --web`): the code is the first line of standard input, and
    # the screens go to standard output as packets (ui.pipe_driver).
    parser.options.add_argument("--pipe", action="store_true", help=argparse.SUPPRESS)
    person_options(parser)


def run(console: Console, options: argparse.Namespace) -> int:
    import asyncio

    level = None if options.bot is None else bot_levels(console, options.bot, 1, "--bot")[0]
    if level is not None and options.spectate:
        raise console.wrong(msg("--bot and --spectate do not go together: a bot plays, or somebody watches."))
    where = None if options.address is None else [read_address(console, options.address)]
    from citadels_lan.cli.open.code import first_line, given_code
    from citadels_lan.cli.open.front_end import front
    from citadels_lan.cli.open.launcher import NoSeat
    from citadels_lan.cli.open.person import launcher_for
    from citadels_lan.front.launcher import CannotOpen

    words = [first_line()] if options.pipe else options.code
    code = given_code(console, words) or read_token(options.address or "")
    launcher = launcher_for(console, options)
    launcher.guest = options.pipe
    table = None if where else _find(console, launcher)
    found, fp = (where or (), b"") if table is None else (_addresses(table), table.advert.fp)

    def sit(code: str) -> int:
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

    for asked in range(ASKED + 1):
        try:
            return sit(code)
        except CodeWanted as reason:
            if asked == ASKED:
                raise
            code = _ask_code(console, reason.text, again=bool(code))
    raise AssertionError


def _ask_code(console: Console, text: str, *, again: bool) -> str:
    """What the person types; a Failure with `text` where there is nobody to ask or nothing typed. Words that are
    nearly of the list are said, and taken only when they come a second time."""
    from citadels_lan.front.door.typed_code import AGAIN, ASKED, unknown, wrong

    if not sys.stdin.isatty():
        if again:
            raise Failure(USAGE, text)
        how = console.texts.say("Say it behind the address: --code and the words, or join by the link.")
        raise Failure(USAGE, f"{text} {how}")
    if again:
        console.complain(text)
    warned = ""
    while True:
        try:
            answer = input(console.texts.say(ASKED) + " ").strip()
        except EOFError:
            answer = ""
        if not answer:
            raise Failure(USAGE, text)
        if not (doubtful := wrong(answer)) or answer == warned:
            return answer
        warned = answer
        for one in doubtful:
            console.complain(unknown(console.texts, one))
        console.complain(console.texts.say(AGAIN))


async def _bot(
    console: Console, launcher: "TableLauncher", where: Sequence[Address], level: str, code: str, fp: bytes
) -> int:
    """A bot plays to the end of the game."""
    import secrets

    from citadels_lan.bots import make_policy
    from citadels_lan.bots.driving import drive
    from citadels_lan.bots.thinking.pool import ThinkingPool
    from citadels_lan.cli.open.bots import tell_result, tell_transcripts
    from citadels_lan.front.refused import why
    from citadels_lan.net.wire.errors import Rejected

    await launcher.sit(where, bot=True, code=code, fp=fp)
    session = launcher.session
    assert session is not None
    console.say(
        msg("{name} sits at {address}."), name=session.names[session.seat or 0], address=Address(*session.address)
    )
    try:
        with ThinkingPool(1) as pool:
            await drive(session, make_policy(level, secrets.token_hex(16)), later=Rejected, think=pool.choose)
        if session.status == "over":
            tell_result(console, session)
        tell_transcripts(console, [session])
        if session.status == "over":
            return DONE
        if session.reason is not None:
            console.complain(why(console.texts, session.reason))
        return REFUSED
    finally:
        await launcher.close()


def _find(console: Console, launcher: "TableLauncher") -> "AdvertisedTable":
    """The only table on this network, or the one that the person chooses."""
    import asyncio

    from citadels_lan.front.launcher import MORE_TABLES, SHOWN

    tables = asyncio.run(_tables(console, launcher.ladder()))
    if not tables:
        raise console.wrong(
            msg(
                "No table was found on this network: ask whoever hosts for the address and say it after `join`."
                " `citadels-lan doctor` looks for what is in the way."
            )
        )
    if len(tables) == 1:
        only = tables[0]
        console.say(msg("The table of {name}, at {address}."), name=only.advert.name, address=_addresses(only)[0])
        return only
    for count, table in enumerate(tables[:SHOWN], 1):
        advert = table.advert
        console.say(
            msg("{number}. {name}: {taken} of {seats} seats, {address}"),
            number=count, name=advert.name, taken=advert.taken, seats=advert.seats,
            address=_addresses(table)[0],
        )  # fmt: skip
    if len(tables) > SHOWN:
        console.say(MORE_TABLES, count=len(tables) - SHOWN)
    if not sys.stdin.isatty():
        raise _say_which(console)
    while True:
        try:
            answer = input(console.texts.say("Which one? "))
        except EOFError:
            raise _say_which(console) from None
        if answer.strip().isdecimal() and 1 <= int(answer) <= len(tables):
            return tables[int(answer) - 1]


def _say_which(console: Console) -> Failure:
    return console.wrong(msg("There is more than one table: say which, `citadels-lan join ADDRESS`."))


def _addresses(table: "AdvertisedTable") -> Sequence[Address]:
    return [Address(*address) for address in table.addresses]


def _may_join(table: "AdvertisedTable") -> bool:
    return bool(table.addresses) and table.speaks and table.advert.state != "over"


async def _tables(console: Console, ladder: "Ladder") -> Sequence["AdvertisedTable"]:
    """The tables that one may join, once none comes any more."""
    import asyncio

    from citadels_lan.front.launcher import ISOLATED, UNFINDABLE
    from citadels_lan.net.discovery.found import ranked
    from citadels_lan.net.discovery.interfaces import own_nets

    async with ladder as browser:
        changes = browser.changes()
        wait = PATIENCE
        while True:
            try:
                async with asyncio.timeout(wait):
                    await anext(changes)
            except TimeoutError:
                if browser.works and browser.isolated:
                    console.complain(console.texts.say(ISOLATED))
                tables = ranked(tuple(browser.tables.values()), own_nets())
                return [table for table in tables if _may_join(table)]
            if not browser.works:
                raise console.wrong(UNFINDABLE)
            if browser.tables:
                wait = MORE
