"""Output of commands: lines of text in one language, errors with exit codes, and reports of internal errors."""

import contextlib
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, TextIO

from citadels_lan.platform.files import log_folder
from citadels_lan.platform.process import printable
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.language import Message

DONE: Final = 0
REFUSED: Final = 1
"""Exit code: the command failed, or a transcript proves cheating."""
USAGE: Final = 2
"""Exit code: an option, value or argument is wrong."""
UNREADABLE: Final = 3
"""Exit code: a file cannot be read, or is not of the expected kind."""
NOT_FOUND: Final = 5
"""Exit code: `join` found no game on this network. (For `verify`, 4 means an incomplete transcript, see
`crypto.report`.)"""
OTHER_RULES: Final = 5
"""Exit code: `verify`, `show` or `replay` read a game that was played with another version of the rules."""
INTERRUPTED: Final = 130
"""Exit code: the command was stopped with Ctrl-C; shells use the same code."""


class Failure(Exception):
    """Raised to end the command with an error. `text` is for the user, in one or two sentences; `code` is the
    exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def write_report(command: str, failure: BaseException) -> Path | None:
    """Write an unexpected error to a new file, and return its path; None if no file can be written.

    The file has neither the arguments of the command nor the text of the error: both can contain a card of
    another player's hand, or a key."""
    from citadels_lan.platform.files import write_private
    from citadels_lan.platform.logs import bare, without_keys

    when = datetime.now().astimezone()
    text = f"{when.isoformat()}\ncommand: {command}\n\n{without_keys(bare(failure))}\n"
    import tempfile

    for folder in (log_folder(), Path(tempfile.gettempdir())):
        path = folder / f"citadels-lan-{when:%Y%m%d-%H%M%S-%f}.log"
        try:
            write_private(path, text.encode(errors="backslashreplace"))
        except OSError:
            continue
        return path
    return None


SHOWN: Final = 40
"""This many characters of a very long word are shown in an error message."""
LONG_WORD: Final = re.compile(r"\S{400,}")
"""Matches a word that is shortened in an error message."""


class OutputLost(Exception):
    """Raised if standard output cannot be written, for example because the disk is full. The message is the
    system's reason."""


class Console:
    """Standard output and error of a command. Each line is flushed, so that the reader of a pipe gets it at
    once."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def line(self, text: str = "") -> None:
        """Write a line. Raises OutputLost, or BrokenPipeError if the reader has gone."""
        with _output():
            _write(sys.stdout, text)

    def flush(self) -> None:
        """Write what argparse has printed. Raises OutputLost, or BrokenPipeError if the reader has gone."""
        with _output():
            sys.stdout.flush()

    def say(self, message: Message, /, **values: object) -> None:
        """Write a text in the user's language."""
        self.line(self.texts.say(message, **values))

    def table(self, rows: Sequence[Sequence[object]], numbers: bool = False) -> None:
        """Write rows with aligned columns. `numbers`: all columns except the first are aligned to the right."""
        widths = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
        for row in rows:
            first, *cells = zip(map(str, row), widths, strict=True)
            aligned = [cell.rjust(width) if numbers else cell.ljust(width) for cell, width in cells]
            self.line("  ".join((first[0].ljust(first[1]), *aligned)).rstrip())

    def complain(self, text: str) -> None:
        """Write a line to standard error, with very long words shortened. If that fails, ignore it, because
        the error could not be shown."""
        with contextlib.suppress(OSError):
            _write(sys.stderr, LONG_WORD.sub(lambda word: f"{word[0][:SHOWN]}…", text))

    def passing(self, text: str) -> None:
        """Show a progress text on standard error, in place of the previous one; "" removes it. Does nothing
        if standard error is no terminal."""
        if sys.stderr.isatty():
            with contextlib.suppress(OSError):
                sys.stderr.write(f"\r\x1b[K{printable(text)}")
                sys.stderr.flush()

    def save(self, out: str, lines: Iterable[str], *, replace: bool) -> None:
        """Write lines to a file, or to standard output for `-`. An existing file is overwritten only if
        `replace` is True. Raises Failure."""
        if out == "-":
            for line in lines:
                self.line(line)
            return
        from citadels_lan.presenter.recording import not_saved, save

        try:
            save(Path(out), lines, replace=replace)
        except OSError as reason:
            raise Failure(REFUSED, not_saved(self.texts, Path(out), reason)) from None

    def require_free(self, out: str, *, replace: bool) -> None:
        """Raise Failure if the file `out` exists and may not be replaced. Call this first, so that no long
        work is lost."""
        if out != "-" and Path(out).exists() and not replace:
            text = msg("{path} exists already. Use --force to replace it.")
            raise self.failure(text, REFUSED, path=out)

    def failure(self, message: Message, /, code: int = USAGE, **values: object) -> Failure:
        """Return a Failure with `message` in the user's language. The default `code` is that of a wrong
        value."""
        return Failure(code, self.texts.say(message, **values))


def wants_lines(plain: bool) -> bool:
    """Return whether to use line mode, because the user wants it or screens are impossible here."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # Textual writes screens to standard error.
    return plain or os.environ.get("TERM") == "dumb" or not all(stream.isatty() for stream in streams)


@contextlib.contextmanager
def _output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(error.strerror or type(error).__name__) from None


def _write(stream: TextIO, text: str) -> None:
    stream.write(f"{printable(text)}\n")
    stream.flush()
