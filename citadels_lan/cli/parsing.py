"""argparse in the user's language: its help, and one sentence for whatever it cannot take."""

import argparse
import re
from collections.abc import Iterable
from typing import Any, Final, NoReturn

from citadels_lan.texts import Message, Texts, msg

from .console import Console
from .failures import USAGE, Failure

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
