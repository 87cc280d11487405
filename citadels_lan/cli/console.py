"""Where a command says what it has to say: lines of text, in one language, at once."""

import contextlib
import re
import sys
from typing import Final, TextIO

from citadels_lan.systems.process import printable
from citadels_lan.texts import Texts
from citadels_lan.texts.marks import Message

from .failures import USAGE, Failure

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
