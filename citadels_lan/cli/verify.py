"""`verify`: check transcripts, offline; several of one game are compared with each other."""

import argparse
import json
import textwrap
from typing import Final

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import Console
from citadels_lan.texts.record import LIMITS, PROMISED, PROMISES

WIDTH: Final = 80


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument(
        "files",
        nargs="+",
        metavar=say("FILE"),
        help=say("transcripts, folders of files ending in .ctr, or - for standard input"),
    )
    parser.options.add_argument(
        "--json", action="store_true", help=say("the report as one JSON object, for programs")
    )
    promised = (f"{number}. {say(text)}" for number, text in enumerate(PROMISES, 1))
    parts = (
        say(
            "Exit codes: 0 verified, 1 proof of cheating, 2 wrong command, 3 damaged, no transcript, or an older\n"
            "format, 4 incomplete, 5 played with other rules than this program has. (5 of `join` means that it\n"
            "found no game.)"
        ),
        say(PROMISED),
        *promised,
        *map(say, LIMITS),
    )
    parser.epilog = "\n".join(textwrap.fill(part, WIDTH) for part in parts)


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.cli.profiles import Profiles, named
    from citadels_lan.crypto.report.report_json import figures
    from citadels_lan.crypto.report.report_text import lines
    from citadels_lan.crypto.report.verify import verify
    from citadels_lan.front.acquaintances import Reader, acquaintances
    from citadels_lan.systems.files import data_folder

    say = console.texts.say
    report = verify(named(options.files))
    known = acquaintances(data_folder())
    if known.trouble is not None:
        console.complain(say(known.trouble.text, **dict(known.trouble.values)))
    read = Reader(console.texts, known, frozenset(Profiles(data_folder()).keys()))
    if options.json:
        console.line(json.dumps(figures(report, say, read.figures)))
    else:
        for line in lines(report, say, read.about):
            console.line(line)
    return report.code
