"""The driver that reads the terminal, on Linux and macOS.

Textual's own driver decodes strictly: one byte that is not UTF-8 (an `è` typed in a Latin-1 terminal) ends its
input thread and with it the program (Textual's issue 6456). Textual has no option for that, so this module reads
the terminal itself.
"""

import errno
import os
import selectors
from codecs import getincrementaldecoder
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, Final, TextIO, cast

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from citadels_lan.platform.process import TERMINAL_GONE

BLOCK: Final = 4096
"""How many bytes are read at once."""
WAIT: Final = 0.1
"""The input thread checks with this interval, in seconds, whether the program has ended and whether an escape
sequence stays incomplete."""
HUNG_UP: Final = 129
"""The exit code if the terminal is gone. It is the code that shells use for the signal SIGHUP."""


class TerminalOutput:
    """Output to a terminal. If the terminal is gone, the output is dropped. Without this class, Textual's
    writer thread would end with an error, and the program would wait forever until that thread empties its
    queue."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.fileno = file.fileno

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()


class TerminalDriver(LinuxDriver):
    """A Textual driver that reads a byte that is not UTF-8 as U+FFFD. Any other error in the input thread is
    raised in the app."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._file = cast("TextIOWrapper", TerminalOutput(cast("TextIO", self._file)))

    def run_input_thread(self) -> None:
        try:
            self._read_input()
        except Exception as fault:
            self._app.call_later(self._app._handle_exception, fault)

    def _read_input(self) -> None:
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:  # on macOS other selectors cannot watch a terminal
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(WAIT):
                    data = self._read()
                    if not data:
                        TERMINAL_GONE.set()
                        self._app.call_later(self._app.exit, return_code=HUNG_UP)
                        return
                    if text := decode(data):  # "" would tell the parser that the input has ended
                        # All keys of one read are older than the effect of the first, which may leave a screen.
                        for message in [*parser.feed(text)]:
                            self.process_message(message)
                for message in parser.tick():
                    self.process_message(message)

    def _read(self) -> bytes:
        """Return the bytes that were typed; b"" if the terminal is gone. Raises OSError."""
        try:
            return os.read(self.fileno, BLOCK)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return b""
