"""The door: finds the language and the command, and turns every failure into a sentence and an exit code."""

import sys
from collections.abc import Sequence
from typing import Final

from citadels_lan import PROTOCOL, __version__
from citadels_lan.cli.commands import COMMANDS, PROGRAM, Parser, load_command
from citadels_lan.cli.console import (
    DONE,
    INTERRUPTED,
    REFUSED,
    UNREADABLE,
    Console,
    Failure,
    OutputLost,
    write_report,
)
from citadels_lan.systems.process import drop_output, open_streams, told_to_stop
from citadels_lan.texts import LANGUAGES, Texts, load, msg
from citadels_lan.texts.language import SOURCE, UnreadableLanguage

from .preferences import first_language

KEPT: Final = {
    "join": msg("Your seat is still there: `citadels-lan join` takes you back to it."),
    "host": msg("The game is still there: `citadels-lan host --resume` goes on with it."),
    "home": msg("A game that you were in is still there: the first screen leads back to it."),
}
"""What a fault of ours leaves as it was, by the command in which it happened."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    with told_to_stop() as told:
        try:
            code = _main(words)
        except KeyboardInterrupt:
            code = INTERRUPTED
        return told[0] + 128 if told else code


def _main(words: list[str]) -> int:
    open_streams()
    console = Console(load(SOURCE))
    command = ""
    try:
        console = Console(load(first_language()))
        texts, words = _language(console, words)
        console = Console(texts)
        command, rest = _command(console, words)
        return _run(console, command, rest)
    except Failure as failure:
        console.complain(failure.text)
        return failure.code
    except BrokenPipeError:  # whoever read our output has gone
        drop_output()
        return DONE
    except OutputLost as reason:
        drop_output()
        console.complain(console.texts.say("The output cannot be written: {reason}.", reason=reason))
        return UNREADABLE if command in ("verify", "show") else REFUSED
    except UnreadableLanguage as reason:
        console.complain(console.texts.say("A language cannot be read: {reason}", reason=reason))
        return UNREADABLE
    except Exception as failure:
        return _unexpected(console, command, failure)


def _language(console: Console, words: Sequence[str]) -> tuple[Texts, list[str]]:
    """The language of `--lang`, wherever it stands, and the words without it."""
    texts = console.texts
    left: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word == "--":
            left.extend((word, *waiting))
        elif word == "--lang" or word.startswith("--lang="):
            language = word[7:] if word.startswith("--lang=") else next(waiting, "")
            if language not in LANGUAGES:
                raise console.wrong(msg("--lang is one of: {languages}."), languages=", ".join(LANGUAGES))
            texts = load(language)
        else:
            left.append(word)
    return texts, left


def _command(console: Console, words: list[str]) -> tuple[str, list[str]]:
    """The command and what follows it. Without one it is the home screen."""
    texts = console.texts
    before = words[:1] if words[:1] == ["--plain"] else []  # it may stand before the command as well
    words = words[len(before) :]
    if not words:
        return "home", before
    if words[0] in COMMANDS:
        return words[0], [*before, *words[1:]]
    if words[0] in ("-h", "--help"):
        console.line(_help(texts))
        raise SystemExit(DONE)
    if words[0] == "--version":
        console.line(f"{PROGRAM} {__version__}, {texts.say('protocol')} {PROTOCOL}")
        raise SystemExit(DONE)
    if words[0].startswith("-"):
        raise console.wrong(
            msg("There is no option {word}. `citadels-lan --help` lists what there is."), word=words[0]
        )
    raise console.wrong(
        msg("There is no command {word}. `citadels-lan --help` lists what there is."), word=words[0]
    )


def _help(texts: Texts) -> str:
    width, spoken = max(map(len, COMMANDS)) + 2, "|".join(LANGUAGES)
    lines = [
        texts.say("Usage: ") + f"{PROGRAM} [--lang {spoken}] [--plain] [{texts.say('COMMAND')} …]",
        "",
        texts.say("Citadels for friends on one network, each in a terminal of their own."),
        texts.say("Without a command: the home screen."),
        "",
        texts.say("Commands:"),
        *(f"  {name:{width}}{texts.say(summary)}" for name, summary in COMMANDS.items()),
        "",
        texts.say("Options:"),
        f"  {f'--lang {spoken}':16}{texts.say('the language; else CITADELS_LANG, the settings, the system')}",
        f"  {'--plain':16}{texts.say('lines of text instead of screens')}",
        f"  {'--version':16}{texts.say('the versions of the program and of the protocol')}",
        f"  {'-h, --help':16}{texts.say('this help; after a command, that of the command')}",
        "",
        texts.say("What a closed game promises: `citadels-lan verify --help`."),
    ]
    return "\n".join(lines)


def _run(console: Console, name: str, words: Sequence[str]) -> int:
    command = load_command(name)
    summary = console.texts.say(COMMANDS[name]) if name in COMMANDS else ""
    parser = Parser(console.texts, f"{PROGRAM} {name}" if name in COMMANDS else PROGRAM, summary)
    command.arguments(parser)
    return command.run(console, parser.parse_args(words))


def _unexpected(console: Console, command: str, failure: Exception) -> int:
    """Write the details of an internal error to a file, name the file, and return the exit code."""
    path = write_report(command, failure)
    if path is None:
        console.complain(
            console.texts.say("The program stopped because of an internal error, and no log could be written.")
        )
    else:
        console.complain(
            console.texts.say(
                "The program stopped because of an internal error; the details are in {path}.", path=path
            )
        )
    if command in KEPT:
        console.complain(console.texts.say(KEPT[command]))
    return UNREADABLE if command in ("verify", "show") else REFUSED
