"""`completion`: print the script for a shell, and complete the word at its cursor.

The script calls this program with the words of the command line up to the cursor. The program prints a line for
each possible word. If it prints none, the shell completes the names of files.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from citadels_lan.cli.commands import COMMANDS, TABLES, program
from citadels_lan.cli.console import DONE, Console
from citadels_lan.texts import Texts

BETWEEN: Final = {"zsh": ":", "fish": "\t", "powershell": "\t"}
"""The separator between a word and its description. Bash shows no descriptions."""
LISTS: Final = ("bots", "cast", "uniques", "without")
"""Options whose value is a list, separated by commas."""

Words = Iterable[tuple[str, str]]


def completion(console: Console, options: argparse.Namespace) -> int:
    """Print the script for a shell, or the words at its cursor, with their descriptions if the shell shows any."""
    shell, words = options.shell, options.words
    if not words:
        console.line(TABLES["scripts"][shell].rstrip("\n"))
        return DONE
    if shell == "powershell":
        words[-1] = words[-1][:-1]
    hidden = 0
    if shell == "bash":  # It takes an equals sign for a word, and wants what follows it.
        words = "\0".join(words).replace("\0=\0", "=").replace("\0=", "=").split("\0")
        hidden = words[-1].rfind("=") + 1
    for word, about in candidates(console.texts, words[1:]):
        value = word[hidden:] if shell != "zsh" else word.replace(":", "\\:")
        print(f"{value}{BETWEEN[shell]}{about}" if about and shell in BETWEEN else value)
    return DONE


def candidates(texts: Texts, words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each word that can replace the last one of `words` (a command line), with its description."""
    parser, commands = program(texts)
    *before, begun = words or [""]
    command = next((word for word in before if word in commands), "")
    actions = commands.get(command, parser)._actions
    options = {name: action for action in actions for name in action.option_strings}
    found: Words
    if before and before[-1] in options and options[before[-1]].nargs != 0:
        found = _values(texts, options[before[-1]], command, before, begun)
    elif begun.startswith("-"):
        found = ((name, it.help or "") for name, it in options.items() if it.help != argparse.SUPPRESS)
    elif not command:
        found = ((name, texts.say(it["summary"])) for name, it in COMMANDS.items())
    else:
        positional = (action for action in actions if not action.option_strings)
        found = (each for action in positional for each in _values(texts, action, command, before, begun))
    yield from ((word, " ".join(about.split())) for word, about in found if word.startswith(begun))


def _values(texts: Texts, action: argparse.Action, command: str, before: Sequence[str], begun: str) -> Words:
    """Yield the values that complete `begun` for an option or argument; `before` are the words before the
    cursor's word."""
    if action.choices is not None:
        return ((str(value), "") for value in action.choices)
    values = _named(texts, action.dest, command, before)
    if action.dest not in LISTS:
        return values
    earlier = begun[: begun.rfind(",") + 1]
    return ((f"{earlier}{value}", about) for value, about in values if value not in earlier.split(","))


def _named(texts: Texts, dest: str, command: str, before: Sequence[str]) -> Words:
    from citadels_lan.engine import DEFAULT, EDITIONS
    from citadels_lan.texts import terms

    named = next((word for option, word in pairwise(before) if option == "--edition"), "")
    edition = EDITIONS.get(named, EDITIONS[DEFAULT])
    match dest:
        case "edition":
            return ((key, terms.summary(texts, key)) for key in EDITIONS)
        case "option":
            options = edition.options.items()
            return ((f"{key}={value}", terms.value(texts, key, value)) for key, it in options for value in it)
        case "scenario":
            return ((key, "") for key in edition.ways)
        case "cast":
            return ((key, texts.character(key)) for key in edition.characters)
        case "uniques" | "without":
            return ((key, texts.district(key)) for key in edition.uniques)
        case "bots" | "bot":
            return _levels()
        case "takeover_level":
            from citadels_lan.bots import SUBSTITUTES

            return ((level, "") for level in SUBSTITUTES)
        case "takeover":
            return (("ask", ""), ("never", ""))
        case "name" if command == "rules":
            from citadels_lan.texts.topics import title, topics_of

            return ((topic.key, title(texts, topic)) for topic in topics_of(edition))
        case "name" if command == "people":
            from citadels_lan.platform.files import data_folder
            from citadels_lan.presenter.known_players import known_players

            people = known_players(data_folder()).people or {}
            return ((person.nickname or person.name, person.name) for person in people.values())
    return ()


def _levels() -> Words:
    from citadels_lan.bots.heuristics.values import TASTES
    from citadels_lan.bots.levels import LEVELS, TASTEFUL_LEVELS

    yield from ((level, "") for level in LEVELS)
    yield from ((f"{level}/{taste}", "") for level in TASTEFUL_LEVELS for taste in TASTES)
