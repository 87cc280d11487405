"""`verify`: check transcripts, offline; several of one game are compared with each other."""

import argparse
import json

from .console import Console
from .parsing import Parser


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
    parser.epilog = say(
        "Ends with 0 where everything is verified, 1 with a proof of cheating, 3 where a file is damaged, no\n"
        "transcript, or of another version, 4 where something is missing; 2 is for a wrong command only."
    )


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.crypto.report.report_json import figures
    from citadels_lan.crypto.report.report_text import lines
    from citadels_lan.crypto.report.verify import verify
    from citadels_lan.front.acquaintances import Reader, acquaintances
    from citadels_lan.systems.folders import data_folder

    from .profiles import Profiles
    from .transcripts import named

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
