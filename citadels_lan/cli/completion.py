"""`completion`: what a shell reads so that it completes this program's words."""

import argparse

from citadels_lan.cli.commands import Parser, whole_parser
from citadels_lan.cli.console import DONE, Console

SHELLS = ("bash", "zsh", "fish")
FILES = frozenset({"file", "files", "resume", "plugin", "svg"})
"""The values that are paths of files, by the names argparse keeps them under."""
FOLDERS = frozenset({"out"})


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument("shell", choices=SHELLS, help=say("the shell that is to complete"))
    parser.epilog = say(
        "For bash: `citadels-lan completion bash > ~/.local/share/bash-completion/completions/citadels-lan`"
    )


def run(console: Console, options: argparse.Namespace) -> int:
    import shtab

    parser = whole_parser(console.texts)
    paths = dict.fromkeys(FILES, shtab.FILE) | dict.fromkeys(FOLDERS, shtab.DIRECTORY)
    for part in subparsers(parser):
        for action in part._actions:  # argparse shows them nowhere else
            if action.dest in paths:
                action.complete = paths[action.dest]  # type: ignore[attr-defined]  # where shtab looks for it
    console.line(shtab.complete(parser, options.shell).rstrip("\n"))
    return DONE


def subparsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Those of the commands."""
    found: list[argparse.ArgumentParser] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found += action.choices.values()
    return found
