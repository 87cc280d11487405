"""`show`: a transcript as text."""

import argparse
from pathlib import Path

from .console import Console
from .failures import DONE, UNREADABLE, Failure
from .parsing import Parser


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument("file", metavar=say("FILE"), help=say("a transcript, a file ending in .ctr"))
    parser.epilog = say("What it shows is not checked: `citadels-lan verify FILE` does that.")


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.crypto.messages import SENTENCES
    from citadels_lan.crypto.show import TEXTS, lines
    from citadels_lan.crypto.transcript import Damaged, read

    say = console.texts.say
    path = Path(options.file)
    try:
        transcript = read(path)
    except Damaged as damage:
        raise Failure(UNREADABLE, f"{path}: {say(SENTENCES[damage.code], at=damage.at)}") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Failure(UNREADABLE, f"{path}: {say(SENTENCES['unreadable'], reason=reason)}") from None
    damaged = False

    def translated(message: str, /, **values: object) -> str:
        nonlocal damaged
        damaged = damaged or message == TEXTS["damaged"]
        return say(message, **values)

    for line in lines(transcript, translated):
        console.line(line)
    return UNREADABLE if damaged else DONE
