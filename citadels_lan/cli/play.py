"""`play`: a table on this machine, you against bots, through the same host and clients as on a network."""

import argparse
import asyncio
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from .console import Console
from .failures import DONE, USAGE, Failure
from .options import bot_levels, folder, player_name, set_up, table_options
from .parsing import Parser

if TYPE_CHECKING:
    from citadels_lan.net.messages import Settings


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    table_options(parser)
    you = parser.add_argument_group(say("You"))
    you.add_argument("--name", metavar="NAME", help=say("your name at the table"))
    you.add_argument("--out", metavar="DIR", help=say("where the transcripts go (your data folder)"))
    you.add_argument("--plain", action="store_true", help=say("lines of text instead of screens"))
    you.add_argument("--auto", action="store_true", help=say("a bot plays your seat too, without a screen"))


def run(console: Console, options: argparse.Namespace) -> int:
    setup = set_up(console, options)
    levels = bot_levels(console, options.bots or "sensible", setup.players - 1)
    name = player_name(console, options.name)
    out = folder(console, "--out", options.out)
    from citadels_lan.net.messages import Settings
    from citadels_lan.net.reasons import Turned
    from citadels_lan.ui.refused import why

    settings = Settings(setup.players, len(levels), "", False, setup.cast, setup.uniques)
    try:
        return asyncio.run(_play(console, options, settings, levels, name, out))
    except Turned as reason:
        raise Failure(USAGE, why(console.texts, reason)) from None


async def _play(
    console: Console,
    options: argparse.Namespace,
    settings: "Settings",
    levels: tuple[str, ...],
    name: str,
    out: Path,
) -> int:
    from citadels_lan.net.hosting import open_table

    from .front import sit
    from .homes import Homes, data_folder
    from .seating import PAUSE, Bots, tell_result, tell_transcripts

    with closing(Homes(data_folder())) as homes:
        async with (
            open_table(settings, homes.folder, host="127.0.0.1", port=0) as table,
            asyncio.TaskGroup() as tasks,
        ):
            me = await table.join(name, homes.person(), out_dir=out)
            bots = Bots(homes, tasks, out, 0.0 if options.auto else PAUSE)
            await bots.seat(table, levels)
            await me.start()
            if options.auto:
                bots.play(me, "sensible")
                await table.over()
                tell_result(console, me)
                tell_transcripts(console, bots.sessions)
            else:
                await sit(console, me, plain=options.plain)
                tell_transcripts(console, [me])
            await me.leave()
            await bots.leave()
    return DONE
