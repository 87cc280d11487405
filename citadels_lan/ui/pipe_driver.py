"""Screens for the program at the other end of two pipes, which shows them somewhere else: in a browser.

What goes both ways are packets: a letter, the length of what follows in four bytes, the highest first, and that:

    D    what a terminal gets, or what is typed at one, in UTF-8
    M    JSON with a `type`: from here `exit` and `pong`; from there `resize` with `width` and `height`, and
         `ping`, which `pong` answers once all that came before has been handled

Before its first packet the program writes a line of its own. Textual's WebDriver draws so, too; but it goes on
when nobody is there any more.
"""

import asyncio
import concurrent.futures
import contextlib
import json
import os
import threading
from codecs import getincrementaldecoder
from typing import Final

from textual._xterm_parser import XTermParser
from textual.app import ScreenStackError
from textual.drivers._byte_stream import ByteStream
from textual.drivers.web_driver import WebDriver

HANDLED: Final = 2.0
"""Seconds after which a ping is answered in any case."""
LAST: Final = 3.0
"""Seconds that the program has to end by itself once its pipe has ended."""


class PipeDriver(WebDriver):
    """The program ends with its pipe."""

    def write(self, data: str) -> None:
        self._packet(b"D", data.encode("utf-8", "replace"))

    def write_meta(self, data: dict[str, object]) -> None:
        if data.get("type") in ("exit", "pong"):  # nothing is opened and no file is fetched from here
            self._packet(b"M", json.dumps(data).encode())

    def _packet(self, kind: bytes, data: bytes) -> None:
        left = memoryview(kind + len(data).to_bytes(4, "big") + data)
        try:
            while left:
                left = left[os.write(self.fileno, left) :]
        except OSError:  # nobody is there; the pipe from there has ended, too
            return

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Called in the input thread, which reads on when this returns: so the app's queue stays short."""
        if packet_type != "ping":
            super().on_meta(packet_type, payload)
            return
        with contextlib.suppress(concurrent.futures.CancelledError, RuntimeError):  # the app has ended
            asyncio.run_coroutine_threadsafe(self._answer_ping(), self._loop).result()

    async def _answer_ping(self) -> None:
        """Answer once the app, and then what it passes keys on to, has handled all messages that it has now. It
        answers in the app's thread, which writes all other packets."""
        app = self._app
        with contextlib.suppress(TimeoutError, ScreenStackError):
            async with asyncio.timeout(HANDLED):
                for here in (lambda: app, lambda: app.focused or app.screen, lambda: app.screen):
                    done = asyncio.Event()
                    if here().call_later(done.set):
                        await done.wait()
        self.write_meta({"type": "pong"})

    def run_input_thread(self) -> None:
        parser, packets = XTermParser(self._debug), ByteStream()
        decode = getincrementaldecoder("utf-8")("replace").decode  # Textual's own ends at a byte that is not UTF-8
        for data in self._input_reader:
            for kind, payload in packets.feed(data) if data else ():
                if kind != "D":
                    self._on_meta(kind, payload)
                elif text := decode(payload):
                    for message in parser.feed(text):
                        self.process_message(message)
            for message in parser.tick():
                self.process_message(message)
        if not self.exit_event.is_set():
            end_soon()
            self._app.call_from_thread(self._app.exit)


def end_soon() -> None:
    """End this process, whatever it is busy with."""
    timer = threading.Timer(LAST, os._exit, (0,))
    timer.daemon = True
    timer.start()
