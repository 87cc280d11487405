"""`verify`: check transcripts, offline; several of one game are compared with each other."""

import argparse
from pathlib import Path

from .console import Console
from .parsing import Parser


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument(
        "files", nargs="+", metavar=say("FILE"), help=say("transcripts, files ending in .ctr")
    )
    parser.epilog = say(
        "Ends with 0 where everything is verified, 1 with a proof of cheating, 2 where something is missing,\n"
        "3 where a file is damaged, no transcript, or of another version."
    )


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.crypto.verify import verify

    report = verify([Path(name) for name in options.files])
    for line in report.text(console.texts.say).splitlines():
        console.line(line)
    return report.code
