"""What is typed, or comes out of a pipe."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Final, TextIO

UNREAD: Final = 64
"""Lines that wait to be read here; more of them wait in the pipe."""


class InputLines:
    """Lines of a stream, read in a thread of its own so that nothing waits for them. `piped`: nobody types.
    `heard` is called when one has come, or the end."""

    piped = False

    def __init__(self, stream: TextIO) -> None:
        self.piped = not stream.isatty()
        self.heard: Callable[[], None] = lambda: None
        self._stream = stream
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(UNREAD)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # the terminal is gone: the input ends
            for line in self._stream:
                self._room.acquire()
                if not self._put(line.rstrip("\n")):
                    return
        self._put(None)

    def _put(self, line: str | None) -> bool:
        try:
            self._loop.call_soon_threadsafe(self._arrive, line)
        except RuntimeError:  # the game is over and its loop closed
            return False
        return True

    def _arrive(self, line: str | None) -> None:
        self._queue.put_nowait(line)
        self.heard()

    @property
    def ready(self) -> bool:
        """Whether there is a line, or the end, that needs not be waited for."""
        return not self._queue.empty()

    async def next(self) -> str | None:
        """The next line; None at the end."""
        line = await self._queue.get()
        self._room.release()
        return line
