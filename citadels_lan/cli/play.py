"""`play`: a table on this machine, you against bots, through the same host and clients as on a network."""

import argparse
from functools import partial
from typing import TYPE_CHECKING

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, USAGE, Console, Failure
from citadels_lan.cli.open.options import DEFAULT_LEVEL, bot_levels, person_options, set_up, table_options

if TYPE_CHECKING:
    from citadels_lan.cli.open.launcher import TableLauncher
    from citadels_lan.cli.open.wanted import Wanted
    from citadels_lan.engine import TableConfig
    from citadels_lan.front.launcher import Place


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    table_options(parser)
    person_options(parser)
    parser.options.add_argument("--guide", action="store_true", help=say("explain the game while it is played"))
    parser.options.add_argument(
        "--auto", action="store_true", help=say("a bot plays your seat too, without a screen")
    )


def run(console: Console, options: argparse.Namespace) -> int:
    config = set_up(console, options)
    others = config.players - 1
    levels = bot_levels(console, options.bots, others) if options.bots else (DEFAULT_LEVEL,) * others
    from citadels_lan.cli.open.front_end import curtain

    with curtain(console.texts, plain=options.plain or options.auto):
        return _play(console, options, config, levels)


def _play(console: Console, options: argparse.Namespace, config: "TableConfig", levels: tuple[str, ...]) -> int:
    import asyncio

    from citadels_lan.cli.open.front_end import front
    from citadels_lan.cli.open.launcher import launcher_for
    from citadels_lan.cli.open.wanted import CALM, PAUSE, Wanted
    from citadels_lan.front.launcher import CannotOpen
    from citadels_lan.net.wire.messages import Settings

    launcher = launcher_for(console, options)
    wanted = Wanted(
        Settings(config, len(levels)), levels, launcher.preferences.name, launcher.data, launcher.out,
        network=False, pause=0.0 if options.auto else CALM if options.guide else PAUSE, begin=True,
    )  # fmt: skip
    try:
        if options.auto:
            return asyncio.run(_auto(console, launcher, wanted))
        opening = partial(_opened, launcher, wanted, guided=options.guide)
        return asyncio.run(front(console, launcher, opening, plain=options.plain))
    except CannotOpen as reason:
        raise Failure(USAGE, reason.text) from None


async def _opened(launcher: "TableLauncher", wanted: "Wanted", *, guided: bool) -> "Place":
    """The table, and whether the game is explained at it."""
    from dataclasses import replace

    return replace(await launcher.open(wanted), guided=guided)


async def _auto(console: Console, launcher: "TableLauncher", wanted: "Wanted") -> int:
    """A whole game without a person."""
    from citadels_lan.cli.open.hosting import standstills_told, tell_result, tell_transcripts
    from citadels_lan.cli.open.launcher import broken_off
    from citadels_lan.net.wire.errors import Refusal

    hosted = await launcher.serve(wanted)
    try:
        assert hosted.me is not None
        hosted.bots.play(hosted.me, DEFAULT_LEVEL)
        try:
            async with standstills_told(console, hosted.table):
                await hosted.over()
        except (Refusal, OSError) as error:
            raise broken_off(console, error) from None
        tell_result(console, hosted.me)
        tell_transcripts(console, hosted.bots.sessions)
    finally:
        await launcher.close()
    return DONE
