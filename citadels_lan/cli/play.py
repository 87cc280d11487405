"""`play`: a table on this machine, you against bots, through the same host and clients as on a network."""

import argparse
from functools import partial
from typing import TYPE_CHECKING

from .console import Console
from .failures import DONE, USAGE, Failure
from .options import bot_levels, person_options, set_up, table_options, table_settings
from .parsing import Parser

if TYPE_CHECKING:
    from .hosted import Wanted
    from .launcher import TableLauncher


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    table_options(parser)
    person_options(parser)
    parser.options.add_argument(
        "--auto", action="store_true", help=say("a bot plays your seat too, without a screen")
    )


def run(console: Console, options: argparse.Namespace) -> int:
    import asyncio

    players = set_up(console, options).players
    levels = bot_levels(console, options.bots or "sensible", players - 1)
    settings = table_settings(console, options, len(levels))
    from citadels_lan.ui.launcher import CannotOpen

    from .front import front
    from .hosted import Wanted
    from .people import launcher_for
    from .seating import PAUSE

    launcher = launcher_for(console, options)
    wanted = Wanted(
        settings, levels, launcher.preferences.name, launcher.data, launcher.out,
        network=False, pause=0.0 if options.auto else PAUSE, begin=True,
    )  # fmt: skip
    try:
        if options.auto:
            return asyncio.run(_auto(console, launcher, wanted))
        return asyncio.run(front(console, launcher, partial(launcher.open, wanted), plain=options.plain))
    except CannotOpen as reason:
        raise Failure(USAGE, reason.text) from None


async def _auto(console: Console, launcher: "TableLauncher", wanted: "Wanted") -> int:
    """A whole game without a person."""
    from citadels_lan.net.reasons import Turned

    from .launcher import broken_off
    from .seating import tell_result, tell_transcripts

    hosted = await launcher.serve(wanted)
    try:
        assert hosted.me is not None
        hosted.bots.play(hosted.me, "sensible")
        try:
            await hosted.over()
        except (Turned, OSError) as error:
            raise broken_off(console, error) from None
        tell_result(console, hosted.me)
        tell_transcripts(console, hosted.bots.sessions)
    finally:
        await launcher.close()
    return DONE
