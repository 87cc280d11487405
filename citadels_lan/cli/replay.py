"""`replay`: step through a game, all hands open, or save it as text, as a picture, as a film."""

import argparse
import math
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, REFUSED, Console, Failure, not_replayable
from citadels_lan.texts import msg

from .preferences import save_language

if TYPE_CHECKING:
    from citadels_lan.front.recording import Recording
    from citadels_lan.ui.pictures import Size

SMALLEST, LARGEST = (40, 10), (400, 200)
"""Columns and lines of a picture."""


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument("file", metavar=say("FILE"), help=say("a transcript, a file ending in .ctr"))
    out = say("OUT")
    parser.options.add_argument(
        "--text", metavar=out, nargs="?", const="-", help=say("the whole game in sentences, to a file or here")
    )
    parser.options.add_argument(
        "--plain", action="store_true", help=say("lines of text instead of screens: the same as --text")
    )
    parser.options.add_argument("--svg", metavar=out, help=say("a picture of one moment, which --at says"))
    parser.options.add_argument("--cast", metavar=out, help=say("a film of the whole game, which asciinema plays"))
    parser.options.add_argument(
        "--at", metavar="N", help=say("the number of the move for --svg; without it the last one")
    )
    parser.options.add_argument("--speed", metavar="N", help=say("moves in a second of the film; without it 2"))
    parser.options.add_argument(
        "--size", metavar="CxL", default="120x40", help=say("columns and lines of picture and film; 120x40")
    )
    parser.options.add_argument(
        "--ascii", action="store_true", help=say("picture and film with signs of ASCII alone")
    )
    parser.options.add_argument("--force", action="store_true", help=say("replace files that are there already"))
    parser.epilog = say("What it shows is not checked: `citadels-lan verify FILE` does that.")


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.front.recording import NotReplayable

    if options.file == "-":
        raise console.wrong(msg("A replay reads keys from standard input, so it takes a file and not `-`."))
    if options.plain and options.text is None:
        options.text = "-"
    saving = any(one is not None for one in (options.text, options.svg, options.cast))
    _check(console, options, saving=saving)
    try:
        return _save(console, options) if saving else _watch(console, Path(options.file))
    except NotReplayable as reason:
        raise not_replayable(reason, options.file, console.texts) from None


def _check(console: Console, options: argparse.Namespace, *, saving: bool) -> None:
    """Raises Failure for what does not go together, and for numbers that cannot be."""
    if options.at is not None and options.svg is None:
        raise console.wrong(msg("--at says which moment --svg shows, and needs it."))
    if options.speed is not None and options.cast is None:
        raise console.wrong(msg("--speed is that of the film, and needs --cast."))
    if options.force and not saving:
        raise console.wrong(msg("--force replaces a file: say which, with --text, --svg or --cast."))
    size_of(console, options.size)
    speed_of(console, options.speed)
    for out in (options.text, options.svg, options.cast):
        if out not in (None, "-"):
            _check_free(console, Path(options.file), Path(out), replace=options.force)


def _check_free(console: Console, file: Path, out: Path, *, replace: bool) -> None:
    """Raises Failure where something would be lost: a file that is there, and in any case the transcript."""
    if out.exists() and file.exists() and out.samefile(file):
        raise console.wrong(msg("{path} is the transcript itself: choose another name."), path=out)
    if out.exists() and not replace:
        said = msg("There is a file {path} already; --force replaces it.")
        raise Failure(REFUSED, console.texts.say(said, path=out))


def speed_of(console: Console, word: str | None) -> float:
    """Moves in a second. Raises Failure."""
    try:
        speed = float(word or "2")
    except ValueError:
        speed = math.nan
    if not 0.1 <= speed <= 100:
        raise console.wrong(msg("--speed is between 0.1 and 100 moves in a second."))
    return speed


def size_of(console: Console, word: str) -> "Size":
    """Columns and lines as people write them, such as 120x40. Raises Failure."""
    found = re.fullmatch(r"(\d{1,4})x(\d{1,4})", word)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(low <= number <= high for low, number, high in zip(SMALLEST, size, LARGEST, strict=True)):
        raise console.wrong(msg("--size is columns x lines, such as 120x40: from 40x10 to 400x200."))
    return size


def _watch(console: Console, path: Path) -> int:
    from citadels_lan.ui import run_replay

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        said = msg("A replay on the screen needs a terminal; `citadels-lan replay {file} --text` prints the game.")
        raise Failure(REFUSED, console.texts.say(said, file=path))
    return run_replay(console.texts, path, save_language)


def _save(console: Console, options: argparse.Namespace) -> int:
    import asyncio

    from citadels_lan.front.recording import load_recording
    from citadels_lan.front.retelling import as_text
    from citadels_lan.ui.pictures import film, picture

    recording, texts = load_recording(Path(options.file)), console.texts
    step = _step(console, options.at, recording)
    size = size_of(console, options.size)
    if options.text is not None:
        _write(console, options.text, as_text(recording, texts), replace=options.force)
    if options.svg is not None:
        drawn = asyncio.run(picture(recording, texts, size, step, plain=options.ascii))
        _write(console, options.svg, drawn, replace=options.force)
    if options.cast is not None:
        filmed = asyncio.run(film(recording, texts, size, speed_of(console, options.speed), plain=options.ascii))
        _write(console, options.cast, filmed, replace=options.force)
    return DONE


def _step(console: Console, word: str | None, recording: "Recording") -> int:
    """The step of the number of a move, as the screen counts them. Raises Failure."""
    moves = len(recording.steps)
    at = moves if word is None else int(word) if re.fullmatch(r"[0-9]{1,6}", word) else 0
    if not 1 <= at <= moves:
        raise console.wrong(msg("--at is a move from 1 to {moves}."), moves=moves)
    return at - 1


def _write(console: Console, out: str, lines: Iterable[str], *, replace: bool) -> None:
    """Lines into a file, or to standard output for `-`. Raises Failure."""
    from citadels_lan.front.retelling import not_saved, save

    if out == "-":
        for line in lines:
            console.line(line)
        return
    try:
        save(Path(out), lines, replace=replace)
    except OSError as reason:
        raise Failure(REFUSED, not_saved(console.texts, Path(out), reason)) from None
