"""`replay`: step through a finished game, all hands open."""

import argparse
import sys
from pathlib import Path

from .console import Console
from .failures import REFUSED, UNREADABLE, USAGE, Failure
from .parsing import Parser
from .preferences import save_language


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument("file", metavar=say("FILE"), help=say("a transcript, a file ending in .ctr"))
    parser.epilog = say("What it shows is not checked: `citadels-lan verify FILE` does that.")


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.front.recording import NotReplayable
    from citadels_lan.ui import run_replay

    say = console.texts.say
    if options.file == "-":
        raise Failure(USAGE, say("A replay reads keys from standard input, so it takes a file and not `-`."))
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Failure(REFUSED, say("A replay needs a terminal; `citadels-lan show FILE` prints a game as text."))
    path = Path(options.file)
    try:
        return run_replay(console.texts, path, save_language)
    except NotReplayable:
        raise Failure(
            UNREADABLE,
            say("{file} is no whole transcript of a finished game; `citadels-lan verify` says more.", file=path),
        ) from None
