"""The commands, and their parsers with argparse. Each command is a module, imported when it is called.

Such a module has `arguments(parser)`, which declares the arguments, and `run(console, options)`, which runs the
command and returns the exit code.
"""

import argparse
import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final, NoReturn, Protocol, cast

from citadels_lan.cli.console import USAGE, Console, Failure
from citadels_lan.texts import LANGUAGES, Message, Texts, msg

COMPLAINTS: Final[tuple[tuple[re.Pattern[str], Message], ...]] = (
    (re.compile(r"unrecognized arguments: (?P<words>.+)"), msg("This is not understood here: {words}.")),
    (re.compile(r"the following arguments are required: (?P<words>.+)"), msg("Something is missing: {words}.")),
    (
        re.compile(r"argument (?P<option>\S+): invalid choice: .+ \(choose from (?P<words>.+)\)"),
        msg("{option} is one of: {words}."),
    ),
    (re.compile(r"argument (?P<option>\S+): expected .+"), msg("{option} needs a value.")),
    (re.compile(r"argument (?P<option>\S+): ignored explicit argument .+"), msg("{option} takes no value.")),
)
"""What argparse says, and how it is said here."""


class Parser(argparse.ArgumentParser):
    """A parser that explains itself in the language of `texts` and raises Failure where argparse would exit.

    Every option belongs to a group with a title of its own: `options` is the general one.
    """

    def __init__(self, texts: Texts, prog: str, description: str, epilog: str = "") -> None:
        class Formatter(argparse.RawDescriptionHelpFormatter):
            def add_usage(
                self, usage: str | None, actions: Iterable[Any], groups: Iterable[Any], prefix: str | None = None
            ) -> None:
                super().add_usage(usage, actions, groups, texts.say("Usage: ") if prefix is None else prefix)

        super().__init__(
            prog,
            description=description,
            epilog=epilog,
            formatter_class=Formatter,
            add_help=False,
            allow_abbrev=False,
        )
        self.texts = texts
        self.arguments = self.add_argument_group(texts.say("Arguments"))
        self.options = self.add_argument_group(texts.say("Options"))
        self.options.add_argument("-h", "--help", action="help", help=texts.say("show this help and end"))

    def print_help(self, file: Any = None) -> None:
        """Flushed, so that a reader who has gone is noticed here and not when Python ends."""
        Console(self.texts).line(self.format_help().rstrip("\n"))

    def error(self, message: str) -> NoReturn:
        text = message
        if "invalid choice" in message:  # older Pythons put every word between quotes
            message = message.replace("'", "")
        for pattern, complaint in COMPLAINTS:
            found = pattern.fullmatch(message)
            if found:
                text = self.texts.say(complaint, **found.groupdict())
        hint = self.texts.say("`{command} --help` lists what there is.", command=self.prog)
        raise Failure(USAGE, f"{text} {hint}")


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
