"""The process of the web server: `python -m citadels_lan.web`, started by the host and ended with it."""

import asyncio
import sys
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web

from citadels_lan.line_mode.streams import InputLines
from citadels_lan.net.limits import Slots
from citadels_lan.net.wire.errors import no_report, note
from citadels_lan.net.wire.link import listen
from citadels_lan.platform.logs import log_to_file
from citadels_lan.platform.process import told_to_stop
from citadels_lan.web.beside import Listening, TableNow, WebStart, WrongCodes
from citadels_lan.web.browser import SOCKETS, SOCKETS_EACH
from citadels_lan.web.web_server import Answering, WebConnection, WebServer

LAST: Final = 1.0
"""After all clients have ended, pages have this many seconds to read their last message."""


async def serve() -> None:
    """Serve guests until standard input ends, because the host has ended or has closed the table."""
    lines = InputLines(sys.stdin)
    first, then = await lines.next(), await lines.next()
    if first is None or then is None:
        return
    start, table = msgspec.json.decode(first, type=WebStart), msgspec.json.decode(then, type=TableNow)
    try:
        server = WebServer(table, Path(start.folder), start.game)
        sockets = listen(None, start.port)
    except OSError as error:
        _answer(Listening(error=error.strerror or type(error).__name__))
        return
    runner = web.AppRunner(server.app, access_log=None, handle_signals=False, shutdown_timeout=LAST)
    await runner.setup()
    assert runner.server is not None
    loop, connections = asyncio.get_running_loop(), Slots[WebConnection](SOCKETS, SOCKETS_EACH)
    answering = partial(Answering, connections, runner.server)
    listening = [await loop.create_server(answering, sock=socket) for socket in sockets]
    server.warn = lambda *notice: _answer(WrongCodes(*notice))
    _answer(Listening(sockets[0].getsockname()[1]))
    try:
        while (line := await lines.next()) is not None:
            server.change(msgspec.json.decode(line, type=TableNow))
    finally:
        for each in listening:
            each.close()
        server.close()
        await server.seats.stop()
        await runner.cleanup()


def _answer(message: Listening | WrongCodes) -> None:
    print(msgspec.json.encode(message).decode(), flush=True)


def main() -> None:
    """Run the process until it ends."""
    log_to_file("web.log")
    with told_to_stop():
        try:
            asyncio.run(serve())
        except KeyboardInterrupt:
            return
        except Exception as fault:
            note(no_report, "the web server has failed", fault)
            sys.exit(1)


if __name__ == "__main__":
    main()
