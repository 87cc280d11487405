"""No command: the home screen, from which everything else can be reached."""

import argparse

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import Console


def arguments(parser: Parser) -> None:
    parser.options.add_argument(
        "--plain", action="store_true", help=parser.texts.say("lines of text instead of screens")
    )


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.cli.open.front_end import curtain

    with curtain(console.texts, plain=options.plain):
        import asyncio

        from citadels_lan.cli.open.front_end import front
        from citadels_lan.cli.open.launcher import launcher_for

        return asyncio.run(front(console, launcher_for(console, options), plain=options.plain))
