"""Output of commands: lines of text in one language, errors with exit codes, and reports of internal errors."""

import contextlib
import re
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from citadels_lan.systems.files import log_folder
from citadels_lan.systems.process import printable
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.marks import Message

if TYPE_CHECKING:
    from citadels_lan.front.recording import NotReplayable

DONE: Final = 0
REFUSED: Final = 1
"""Refused, or proven wrong."""
USAGE: Final = 2
"""An option, a value or an argument that cannot be."""
UNREADABLE: Final = 3
"""A file that cannot be read, or is not what it should be."""
NOT_FOUND: Final = 5
"""`join` found no game on this network. (4 of `verify` is an incomplete transcript, see `crypto.report`.)"""
OTHER_RULES: Final = 5
"""`verify`, `show` or `replay` read a game that was played with other rules."""
INTERRUPTED: Final = 130
"""Stopped with Ctrl-C, as shells have it."""


class Failure(Exception):
    """The command ends here. `text` is for the user, in one or two sentences; `code` is the exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def not_replayable(reason: "NotReplayable", file: str, texts: Texts) -> Failure:
    """The failure of a command that cannot replay the game in a file."""
    from citadels_lan.crypto.report.model import sentence

    if reason.other_rules is not None:
        return Failure(OTHER_RULES, f"{file}: {sentence(reason.other_rules, None, texts.say)}")
    said = msg("{file} is no transcript of a game that can be replayed; `citadels-lan verify` says more.")
    return Failure(UNREADABLE, texts.say(said, file=file))


def write_report(command: str, failure: BaseException) -> Path | None:
    """Write an unexpected error to a file of its own and say where; None where no file can be written.

    Neither the arguments of the command nor the text of the error goes into it: that might name a card of somebody
    else's hand, or show a key.
    """
    from citadels_lan.systems.files import write_private
    from citadels_lan.systems.logs import bare, without_keys

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
"""Characters of a wrong value that are quoted at most."""
LONG_WORD: Final = re.compile(r"\S{400,}")
"""A word that is cut in an error message."""


class OutputLost(Exception):
    """Standard output cannot be written, say to a full disk. The message is the system's reason."""


class Console:
    """Standard output and error of a command. Lines are flushed, so that a pipe sees them as they come."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def line(self, text: str = "") -> None:
        """A line as it is. Raises OutputLost, or BrokenPipeError where the reader has gone."""
        try:
            _write(sys.stdout, text)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error.strerror or type(error).__name__) from None

    def say(self, message: Message, /, **values: object) -> None:
        """A text in the user's language."""
        self.line(self.texts.say(message, **values))

    def complain(self, text: str) -> None:
        """A line for standard error, with very long words cut. Where that cannot be written there is nobody left
        to tell."""
        with contextlib.suppress(OSError):
            _write(sys.stderr, LONG_WORD.sub(lambda word: f"{word[0][:SHOWN]}…", text))

    def passing(self, text: str) -> bool:
        """Say on a terminal's standard error how far something is, in place of what this said before; nothing
        takes it away. Whether there is a terminal."""
        if sys.stderr is None or not sys.stderr.isatty():
            return False
        with contextlib.suppress(OSError):
            sys.stderr.write(f"\r\x1b[K{printable(text)}")
            sys.stderr.flush()
        return True

    def wrong(self, message: Message, /, **values: object) -> Failure:
        """The failure of a value that cannot be."""
        return Failure(USAGE, self.texts.say(message, **values))


def quoted(word: str) -> str:
    """Return a wrong value between quotation marks, cut where it is long."""
    return repr(word if len(word) <= SHOWN else f"{word[:SHOWN]}…")


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(printable(text).encode(encoding, "replace").decode(encoding) + "\n")
    stream.flush()
