"""`replay`: step through a game with all hands visible, or save it as text, as a picture, as a film."""

import argparse
import asyncio
import sys
from pathlib import Path

from citadels_lan.cli.console import DONE, REFUSED, Console, Failure, not_replayable
from citadels_lan.presenter.recording import NotReplayable, as_text, load_recording
from citadels_lan.texts import msg
from citadels_lan.ui import run_replay

from .preferences import save_language


def replay(console: Console, options: argparse.Namespace) -> int:
    """Show or save a game, and return the exit code. Raises Failure."""
    if options.file == "-":  # Its standard input is the keyboard.
        raise console.wrong(msg("A replay reads keys from standard input, so it takes a file and not `-`."))
    if options.plain and options.text is None:
        options.text = "-"
    outputs = [out for out in (options.text, options.svg, options.cast) if out is not None]
    if options.at is not None and options.svg is None:
        raise console.wrong(msg("--at selects the moment for --svg. Use both."))
    if options.speed is not None and options.cast is None:
        raise console.wrong(msg("--speed is that of the film, and needs --cast."))
    if options.force and not outputs:
        raise console.wrong(msg("--force replaces a file. Name it with --text, --svg or --cast."))
    for out in outputs:
        if out != "-" and _same(Path(out), Path(options.file)):
            raise console.wrong(msg("{path} is the transcript itself: choose another name."), path=out)
        console.require_free(out, replace=options.force)
    try:
        return _save(console, options) if outputs else _watch(console, Path(options.file))
    except NotReplayable as reason:
        raise not_replayable(reason, options.file, console.texts) from None


def _same(out: Path, file: Path) -> bool:
    return out.exists() and file.exists() and out.samefile(file)


def _watch(console: Console, path: Path) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        text = msg("A replay on the screen needs a terminal; `citadels-lan replay {file} --text` prints the game.")
        raise Failure(REFUSED, console.texts.say(text, file=path))
    return run_replay(console.texts, path, save_language)


def _save(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.ui.pictures import film, picture

    recording, texts = load_recording(Path(options.file)), console.texts
    moves = len(recording.steps)
    if options.at is not None and options.at > moves:
        raise console.wrong(msg("--at is a move from 1 to {moves}."), moves=moves)
    if options.text is not None:
        console.save(options.text, as_text(recording, texts), replace=options.force)
    if options.svg is not None:
        drawing = picture(recording, texts, options.size, (options.at or moves) - 1, plain=options.ascii)
        console.save(options.svg, asyncio.run(drawing), replace=options.force)
    if options.cast is not None:
        filming = film(recording, texts, options.size, options.speed or 2.0, plain=options.ascii)
        console.save(options.cast, asyncio.run(filming), replace=options.force)
    return DONE
