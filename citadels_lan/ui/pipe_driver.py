"""The driver of a guest's screens: two pipes to the web server, which shows them in a browser.

Both directions carry packets: a letter, the length of the payload in four bytes (big-endian), and the payload:

    D    output for a terminal, or typed keys, in UTF-8
    M    JSON with a `type`. From here: `exit` and `pong`. To here: `resize` with `width` and `height`, and `ping`,
         which is answered by `pong` when everything before it has been handled

Before the first packet the program writes one line. Textual's WebDriver has the same format, but it does not end
when its pipe ends.
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
"""A ping is answered after this many seconds even if earlier messages are not handled yet."""
LAST: Final = 3.0
"""How many seconds the program may continue after its pipe has ended."""


class PipeDriver(WebDriver):
    """A Textual driver that draws to a pipe. The program ends when the pipe ends."""

    def write(self, data: str) -> None:
        self._packet(b"D", data.encode("utf-8", "replace"))

    def write_meta(self, data: dict[str, object]) -> None:
        if data.get("type") in ("exit", "pong"):  # nothing is opened and no file is delivered from here
            self._packet(b"M", json.dumps(data).encode())

    def _packet(self, kind: bytes, data: bytes) -> None:
        left = memoryview(kind + len(data).to_bytes(4, "big") + data)
        try:
            while left:
                left = left[os.write(self.fileno, left) :]
        except OSError:  # the reader has gone, and the input pipe has ended, too
            return

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Handle a message of the web server. The input thread does not read on before this is done, so that
        the app's message queue stays short."""
        if packet_type != "ping":
            super().on_meta(packet_type, payload)
            return
        with contextlib.suppress(concurrent.futures.CancelledError, RuntimeError):  # the app has ended
            asyncio.run_coroutine_threadsafe(self._answer_ping(), self._loop).result()

    async def _answer_ping(self) -> None:
        """Answer a ping after the app, the focused widget and the screen have handled their messages. Like
        all packets, the answer is written by the app's thread."""
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
        decode = getincrementaldecoder("utf-8")("replace").decode  # Textual decodes strictly
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
    """End this process LAST seconds from now, even if it is blocked."""
    timer = threading.Timer(LAST, os._exit, (0,))
    timer.daemon = True
    timer.start()
