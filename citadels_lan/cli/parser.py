"""The parser of the command line: argparse, with the language of the program, and the types of option values.

`commands` declares the commands and their options.
"""

import argparse
import gettext
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

from citadels_lan.cli.console import USAGE, Console, Failure
from citadels_lan.texts import LANGUAGES, Texts, msg
from citadels_lan.texts.commands import whole_number

PROGRAM: Final = "citadels-lan"
LONGEST_NAME: Final = 24
A_DAY: Final = 86_400
"""The seconds of a day."""
INVALID: Final = msg("invalid choice: %(value)r (choose from %(choices)s)")
UNRECOGNIZED: Final = msg("unrecognized arguments: %s")


@contextmanager
def argparse_speaks(texts: Texts) -> Iterator[None]:
    """Context in which argparse translates its own messages into the language of `texts`. argparse uses
    gettext, which would take the language from the environment."""
    language, before = LANGUAGES[texts.language], os.environ.get("LANGUAGE")
    gettext.bindtextdomain("texts", os.path.dirname(language.folder))
    gettext.textdomain("texts")
    os.environ["LANGUAGE"] = language.code
    try:
        yield
    finally:  # child processes and later parsers choose for themselves
        os.environ.pop("LANGUAGE")
        os.environ.update({} if before is None else {"LANGUAGE": before})


class Parser(argparse.ArgumentParser):
    """A parser that speaks the language of `texts`, and raises Failure where argparse would exit."""

    def __init__(self, texts: Texts, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)
        self.texts = texts

    def error(self, message: str) -> NoReturn:
        """Raise the Failure for a wrong command line, with the most similar valid word or a hint to use
        --help."""
        text = re.sub(r"\x1b\[[\d;]*m", "", self.format_help())  # Python 3.14 colours the help.
        # argparse does not list its options: the help does, and commands are indented by four spaces there.
        names = set(re.findall(r"--[a-z][a-z-]*|(?<=^    )[a-z]+", text, re.MULTILINE))
        wrong = [word for word in re.findall(r"(?<=')[\w-]+(?=')|--[\w-]+", message) if word not in names]
        import difflib  # only an error needs it

        near = [name for word in wrong for name in difflib.get_close_matches(word, names, 1, 0.75)]
        if near:
            hint = self.texts.say(msg("Did you mean {word}?"), word=near[0])
        else:
            hint = self.texts.say("For help, run `{command} --help`.", command=self.prog)
        raise Failure(USAGE, f"{self.prog}: {message.rstrip('.')}. {hint}")

    def print_help(self, file: Any = None) -> None:
        """Print the help. argparse ignores an output that cannot be written; this raises OutputLost."""
        Console(self.texts).line(self.format_help().rstrip("\n"))

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """End after --help or --version. Raises OutputLost if buffered output cannot be written."""
        Console(self.texts).flush()
        super().exit(status, message)


class Types:
    """Types of option values, for `add_argument`. Their errors are in the language of `texts`."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def whole(self, least: int, most: int) -> Callable[[str], int]:
        """Return the type of whole numbers from `least` to `most`."""

        def read(word: str) -> int:
            if (number := whole_number(word)) is None or not least <= number <= most:
                raise self._error(
                    msg("{word} is not a whole number from {least} to {most}"), word, least=least, most=most
                )
            return number

        return read

    def real(self, least: float, most: float) -> Callable[[str], float]:
        """Return the type of numbers from `least` to `most`."""

        def read(word: str) -> float:
            try:  # float() also reads digits of other alphabets, nan and inf.
                number = float(word) if word.isascii() else math.nan
            except ValueError:
                number = math.nan
            if not least <= number <= most:
                raise self._error(
                    msg("{word} is not a number from {least} to {most}"), word, least=least, most=most
                )
            return number

        return read

    def seed(self, word: str) -> bytes:
        """Read a seed of 32 bytes, written in up to 64 hexadecimal digits; a shorter number is padded with
        zeros on the left. The seed determines all random results of a game."""
        message = msg("{word} must have 1 to 64 hexadecimal digits (0-9, a-f)")
        return bytes.fromhex(self._match("([0-9a-fA-F]{1,64})", word, message)[1].rjust(64, "0"))

    def name(self, word: str) -> str:
        """Read the name of a player."""
        # On a system without UTF-8, Python keeps the bytes of an argument that it cannot decode.
        if not word.isprintable():
            word = os.fsencode(word).decode(errors="replace")
        name = word.strip()
        if not (name.isprintable() and 0 < len(name) <= LONGEST_NAME):
            raise self._error(msg("must have 1 to {most} visible characters"), word, most=LONGEST_NAME)
        return name

    def one_of(self, module: str, table: str) -> Callable[[str], str]:
        """Return an option type that accepts the keys of the mapping `table` in `module`. The module is
        imported only when a value is read."""

        def read(word: str) -> str:
            choices = getattr(import_module(module), table)
            if word not in choices:
                values = {"value": word, "choices": ", ".join(choices)}
                raise argparse.ArgumentTypeError(self._texts.say(INVALID) % values)
            return word

        return read

    def levels_or_plugins(self, word: str) -> Sequence[str]:
        """Read levels of bots and files of plug-in bots, separated by commas. Each plug-in is registered as a
        level."""
        plugins = [self._plugin(level) if level.endswith(".py") else level for level in word.split(",")]
        return self.levels(",".join(plugins))

    def _plugin(self, word: str) -> str:
        from functools import partial

        from citadels_lan.bots import LEVELS
        from citadels_lan.bots.arena.plugins import PluginFault, PluginPolicy, function_of, read_plugin
        from citadels_lan.cli.arena import FAULTS

        try:
            plugin = read_plugin(Path(word).expanduser())
            function_of(plugin)
        except PluginFault as fault:
            text = self._texts.say(FAULTS[fault.code], name=fault.plugin, detail=fault.detail)
            raise argparse.ArgumentTypeError(text) from None
        LEVELS.plugins[plugin.name] = partial(PluginPolicy, plugin)
        return plugin.name

    def levels(self, word: str) -> Sequence[str]:
        """Read levels of bots, separated by commas."""
        level = self.one_of("citadels_lan.bots", "LEVELS")
        return [level(name.strip()) for name in word.split(",")]

    def takeover(self, word: str) -> int | str:
        """Read when a bot moves for an absent player: after this many seconds, `ask` or `never`."""
        if word in ("ask", "never"):
            return word
        if (seconds := whole_number(word)) is None or seconds > A_DAY:
            raise self._error(
                msg("{word} must be a number of seconds up to {most}, ask or never"), word, most=A_DAY
            )
        return seconds

    def size(self, word: str) -> tuple[int, int]:
        """Read the columns and rows of a picture, such as 120x40."""
        message = msg("{word} must be columns x lines, such as 120x40, from 40x10 to 400x200")
        size = self._match("([1-9][0-9]{1,2})x([1-9][0-9]{1,2})", word, message)
        columns, rows = int(size[1]), int(size[2])
        if not (40 <= columns <= 400 and rows <= 200):
            raise self._error(message, word)
        return columns, rows

    def keys(self, word: str) -> list[str]:
        """Read keys of cards, or their English names, separated by commas."""
        return [key.strip().lower().replace(" ", "_").replace("-", "_") for key in word.split(",")]

    def scheduler(self, word: str) -> str:
        """Read the address of a Dask scheduler."""
        message = msg("{word} must be the address of a scheduler, such as tcp://192.168.1.20:8786")
        return self._match(r"(tcp://|tls://)?[^\s/]+:[0-9]{1,5}", word, message)[0]

    def _match(self, pattern: str, word: str, message: str) -> re.Match[str]:
        if (match := re.fullmatch(pattern, word)) is None:
            raise self._error(message, word)
        return match

    def _error(self, message: str, word: str, **values: object) -> argparse.ArgumentTypeError:
        return argparse.ArgumentTypeError(self._texts.say(message, word=repr(word), **values))
