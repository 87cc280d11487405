"""Run a command line: find its language, run the command, and turn failures into sentences and exit codes."""

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from citadels_lan.cli import commands
from citadels_lan.platform.process import drop_output, open_streams, told_to_stop
from citadels_lan.texts import LANGUAGES, load, msg
from citadels_lan.texts.language import SOURCE, UnreadableLanguage

from .console import DONE, INTERRUPTED, REFUSED, UNREADABLE, Console, Failure, OutputLost, write_report
from .preferences import first_language

KEPT: Final = {
    "join": msg("Your seat is kept. To return to it, run `citadels-lan join`."),
    "host": msg("The game is saved. To resume it, run `citadels-lan host --resume`."),
    "home": msg("Your game continues. You can return to it from the home screen."),
}
"""By command: the sentence that says which data is intact after an internal error."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program, and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    with told_to_stop() as signals:
        try:
            code = _main(words)
        except KeyboardInterrupt:
            code = INTERRUPTED
        return signals[0] + 128 if signals else code


def _main(words: list[str]) -> int:
    open_streams()
    # An error in the files of a language is reported in English.
    console = Console(load(SOURCE))
    command, verbose = "", False
    try:
        console = Console(load(_language(words)))
        options = commands.parse(console.texts, words)
        command, verbose = options.command, options.verbose
        return commands.run(console, options)
    except Failure as failure:
        console.complain(failure.text)
        return failure.code
    except BrokenPipeError:  # The reader of the output has gone.
        drop_output()
        return DONE
    except OutputLost as reason:  # The error is none of the program, and no proof of cheating.
        drop_output()
        console.complain(console.texts.say("Cannot write the output: {reason}.", reason=reason))
        return _failed(command)
    except UnreadableLanguage as reason:
        console.complain(console.texts.say("Cannot read a language: {reason}", reason=reason))
        return UNREADABLE
    except Exception as failure:
        if verbose:
            from citadels_lan.platform.logs import bare

            console.complain(bare(failure))
        return _unexpected(console, command, failure)


def _language(words: Sequence[str]) -> str:
    """Return the language of the command line, because the parser needs it for its texts. An invalid `--lang`
    is ignored here, and reported by the parser."""
    option = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    option.add_argument("--lang", nargs="?")
    language = option.parse_known_args(words)[0].lang
    return language if language in LANGUAGES else first_language()


def _unexpected(console: Console, command: str, failure: Exception) -> int:
    """Write the details of an internal error to a file, name the file, and return the exit code."""
    path = write_report(command, failure)
    if path is None:
        text = msg("The program stopped because of an internal error, and no log could be written.")
    else:
        text = msg("The program stopped because of an internal error; the details are in {path}.")
    console.complain(console.texts.say(text, path=path))
    if command in KEPT:
        console.complain(console.texts.say(KEPT[command]))
    return _failed(command)


def _failed(command: str) -> int:
    """Return the exit code of a failure: not 1 for `verify`, where 1 means proven cheating."""
    return UNREADABLE if command in ("verify", "show") else REFUSED
