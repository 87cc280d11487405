"""The commands there are. Each stands in a module of its name, which is imported when the command is called.

Such a module has `arguments(parser)`, which declares what the command takes, and `run(console, options)`, which
does it and returns the exit code.
"""

import argparse
from importlib import import_module
from typing import Any, Final, Protocol, cast

from citadels_lan.texts import LANGUAGES, Message, Texts, msg

from .console import Console
from .parsing import Parser


class Command(Protocol):
    """A command's module."""

    def arguments(self, parser: Parser) -> None: ...

    def run(self, console: Console, options: argparse.Namespace) -> int: ...


PROGRAM: Final = "citadels-lan"
COMMANDS: Final[dict[str, Message]] = {
    "play": msg("play against bots on this machine"),
    "host": msg("open a table on the network and sit at it"),
    "join": msg("sit at a table on the network, or watch one"),
    "verify": msg("check the proofs in transcripts, offline"),
    "replay": msg("step through a finished game, all hands open"),
    "show": msg("a transcript as text, a line for each move"),
    "games": msg("your games, finished and unfinished"),
    "people": msg("whom you have played with, and the words of their keys"),
    "rules": msg("what a character, a district or a rule says"),
    "doctor": msg("can this machine host and join, and what to do about it"),
    "simulate": msg("games without network and screen, for numbers"),
    "arena": msg("how strong a bot is: matches between bots, and bots of your own"),
    "completion": msg("what a shell needs to complete these commands"),
}
"""What each command does, in the order of the help."""


def load_command(name: str) -> Command:
    """The module of a command; `name` is one of COMMANDS."""
    return cast(Command, import_module(f"{__package__}.{name}"))


def whole_parser(texts: Texts) -> argparse.ArgumentParser:
    """One parser of all commands: for a shell's completion and the manual, which want to see them together."""

    class Part(Parser):
        def __init__(self, *, prog: str, description: str, **_: Any) -> None:
            super().__init__(texts, prog, description)

    whole = argparse.ArgumentParser(
        PROGRAM, description=texts.say("Citadels for friends on one network, each in a terminal of their own.")
    )
    whole.add_argument(
        "--lang", choices=LANGUAGES, help=texts.say("the language; else CITADELS_LANG, the settings, the system")
    )
    whole.add_argument("--plain", action="store_true", help=texts.say("lines of text instead of screens"))
    whole.add_argument(
        "--version", action="store_true", help=texts.say("the versions of the program and of the protocol")
    )
    parts = whole.add_subparsers(title=texts.say("Commands"), metavar=texts.say("COMMAND"), parser_class=Part)
    for name, summary in COMMANDS.items():
        said = texts.say(summary)
        load_command(name).arguments(parts.add_parser(name, description=said, help=said))
    return whole
