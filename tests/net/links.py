"""The other side of a connection, for tests: a server on this computer, and reading frames."""

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from typing import Any

from citadels_lan.net.wire.link import Link
from citadels_lan.net.wire.messages import FROM_HOST, KNOWN, Bye, Frame, decode, next_frame


async def serve_links(serve: Callable[[Link], Coroutine[Any, Any, None]], tls: ssl.SSLContext) -> asyncio.Server:
    """Run a server that passes each connection to `serve`."""
    tasks: set[asyncio.Task[None]] = set()

    class Met(Link):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            task = asyncio.get_running_loop().create_task(serve(self))  # kept: by the server, until it is done
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    return await asyncio.get_running_loop().create_server(lambda: Met(5), "127.0.0.1", 0, ssl=tls)


def frames_in(data: bytes, limit: int = KNOWN) -> list[Frame]:
    """Return all frames in `data`, the last of which must be complete. Raises Malformed."""
    buffer, frames = bytearray(data), list[Frame]()
    while (frame := next_frame(buffer, limit)) is not None:
        frames.append(frame)
    assert not buffer
    return frames


async def goodbye(link: Link) -> Bye:
    """Read from a link until the host's goodbye. Return that message."""
    while (frame := await link.frame()) is not None:
        if frame.type == Bye.type:
            bye = decode(frame, FROM_HOST)
            assert isinstance(bye, Bye)
            link.abort("left")
            return bye
    raise AssertionError
