"""The commands and their options, as `commands.toml` declares them. A --help imports no other command module."""

import shutil
import textwrap
import tomllib
from argparse import SUPPRESS, Action, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from citadels_lan import PROTOCOL, __version__
from citadels_lan.cli.console import NOT_FOUND, Console
from citadels_lan.cli.parser import PROGRAM, UNRECOGNIZED, Parser, Types, argparse_speaks
from citadels_lan.texts import LANGUAGES, Texts, language, msg, terms
from citadels_lan.texts.record import LIMITS, PROMISED, PROMISES

UNATTENDED: Final = 30
"""Seconds that `join` searches for a game without a terminal, unless --timeout says otherwise."""
TABLES: Final[Mapping[str, Any]] = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
COMMANDS: Final[Mapping[str, Any]] = TABLES["commands"]
"""The commands, in the order of the help."""


def parse(texts: Texts, words: Sequence[str]) -> Namespace:
    """Read a command line, and return its options. The option `command` is "home" if the line names no
    command. Raises Failure; SystemExit after --help or --version."""
    with argparse_speaks(texts):
        parser, commands = program(texts)
        options, extra = parser.parse_known_args(words)
        if extra:  # argparse would show the help of the program, and not that of the command
            commands.get(options.command, parser).error(texts.say(UNRECOGNIZED) % " ".join(extra))
    # A subparser has no default: `command` is None if no command was given.
    options.command = options.command or "home"
    return options


def run(console: Console, options: Namespace) -> int:
    """Run a command, and return its exit code."""
    module = "start" if options.command == "home" else COMMANDS[options.command]["module"]
    command = getattr(import_module(f"citadels_lan.cli.{module}"), options.command)
    return int(command(console, options))


def program(texts: Texts) -> tuple[Parser, dict[str, Parser]]:
    """Return the parser of all commands, and that of each command. The completion of shells, the manual page and
    the site use them, too."""
    say = texts.say
    about = say("Play Citadels with friends on one network, each in a terminal.")
    parser = Parser(
        texts,
        prog=PROGRAM,
        description=f"{about}\n{say('Without a command, the home screen opens.')}",
        epilog=say("To see what a closed game guarantees, run `citadels-lan verify --help`."),
    )
    _declare(parser, {"more": TABLES["program"]})
    title, word = say("Commands"), say("COMMAND")
    adding = parser.add_subparsers(title=title, metavar=word, dest="command", prog=PROGRAM)
    commands = {}
    for name, command in COMMANDS.items():
        summary = say(command["summary"])
        commands[name] = adding.add_parser(name, texts=texts, help=summary, description=summary)
        _declare(commands[name], command)
        _declare(commands[name], {"more": TABLES["everywhere"]})
        # The default of a command would replace a value that stands before the command.
        for action in commands[name]._actions:
            if action.dest in ("lang", "plain", "verbose"):
                action.default = SUPPRESS
        commands[name].epilog = _epilog(texts, name, command)
    return parser, commands


def _declare(parser: Parser, command: Mapping[str, Any]) -> None:
    """Add the options of `command` (a table of `commands.toml`) to its parser, grouped under headings."""
    headings, exclusive = TABLES["headings"], dict[str, Any]()
    for heading in (key for key in command if key in headings or key == "more"):
        group: Any = parser
        if heading != "more":
            group = parser.add_argument_group(parser.texts.say(headings[heading]))
        for key in command[heading]:
            option = dict(TABLES["options"][key])
            place = group
            if one_of := option.pop("one_of", ""):
                if one_of not in exclusive:
                    exclusive[one_of] = group.add_mutually_exclusive_group()
                place = exclusive[one_of]
            _add(place.add_argument, parser.texts, key, option)


def _add(add: Callable[..., Action], texts: Texts, key: str, option: dict[str, Any]) -> None:
    """Add an option or a positional argument; see `commands.toml` for the keys."""
    if "word" in option:
        option["metavar"] = texts.say(option.pop("word")) or None
        key = option.pop("key", key)
    else:
        key = f"--{key}"
    if "type" in option:
        name, *limits = option["type"]
        method = getattr(Types(texts), name)
        option["type"] = method(*limits) if limits else method
    if key == "--lang":
        option["choices"] = LANGUAGES
    if key == "--version":
        option["version"] = f"{PROGRAM} {__version__}, {texts.say('protocol')} {PROTOCOL}"
    about = texts.say(option["help"], seconds=UNATTENDED) if "help" in option else SUPPRESS
    add(option.pop("flag", key), **option | {"help": about})


def _epilog(texts: Texts, name: str, command: Mapping[str, Any]) -> str | None:
    """Return the text that --help shows below the options of a command; None if there is none."""
    parts = [texts.say(command["epilog"], code=NOT_FOUND)] if "epilog" in command else []
    if "editions" in command:
        # argparse does not wrap an epilog, because that would join the lines of the list.
        width = max(shutil.get_terminal_size().columns - 2, 40)
        parts.append("\n".join(_edition_lines(texts, width)))
    if name == "verify":
        promises = (f"{number}. {texts.say(text)}" for number, text in enumerate(PROMISES, 1))
        guarantee = (parts.pop(), texts.say(PROMISED), *promises, *map(texts.say, LIMITS))
        parts = ["\n".join(textwrap.fill(part, 80) for part in guarantee)]
    return "\n\n".join(parts) or None


def _edition_lines(texts: Texts, width: int) -> Iterator[str]:
    yield texts.say(msg("Editions:"))
    for key, edition in language.term_tables()["editions"].items():
        least, most = edition["players"]
        players = texts.say(msg("For {least} to {most} players."), least=least, most=most)
        yield from _entry(key, f"{terms.summary(texts, key)} {players}", width)
        if edition["options"]:
            yield from _entry("", texts.say("Options: {options}.", options=", ".join(edition["options"])), width)
    yield ""
    yield texts.say(msg("Options for --option (the first value is the default):"))
    for key, option in language.term_tables()["options"].items():
        yield f"  {key}={'|'.join(option['values'])}"
        yield from _entry("", terms.about(texts, key), width)


def _entry(key: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=f"  {key:14}", subsequent_indent=" " * 16)
