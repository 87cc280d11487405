"""When bytes came, by the system's word: one process reads for hundreds of connections, and is asked last.

To decrypt costs a reader far more than to send costs the host, and it would take a core from the host. So the
readers are to have a low priority, and the system notes when something came; what is measured is when the host has
sent, not when the reader had the time. Linux only.
"""

import asyncio
import socket
import struct
import time
from asyncio.sslproto import SSLProtocol
from typing import Final, cast

from tools.survival.watching import Watcher

SO_TIMESTAMPNS: Final = 35
"""The option by which Linux says when something came, and the kind of that word."""
PIECE: Final = 65_536
"""Bytes read at once."""
TIME: Final = struct.Struct("@ll")
"""Seconds and nanoseconds."""


class Note:
    """Reads in place of a connection's transport, and tells the watcher when data arrived.

    The times are those of the kernel. asyncio offers no public way to them, hence the private attributes."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._tls = cast(SSLProtocol, watcher.link._transport._ssl_protocol)  # type: ignore[attr-defined]  # asyncio's own
        self._transport = cast(asyncio.Transport, self._tls._transport)
        self._socket: socket.socket = self._transport.get_extra_info("socket")._sock
        self._socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._transport.pause_reading()
        self._loop = asyncio.get_running_loop()
        self._loop._add_reader(self._socket.fileno(), self._read)  # type: ignore[attr-defined]  # asyncio's own

    def end(self) -> None:
        """The transport reads again, and finds the end itself."""
        if not self._transport.is_closing():
            self._loop._remove_reader(self._socket.fileno())  # type: ignore[attr-defined]  # asyncio's own
            self._transport.resume_reading()

    def _read(self) -> None:
        try:
            data, said, _, _ = self._socket.recvmsg(PIECE, socket.CMSG_SPACE(TIME.size))
        except BlockingIOError:
            return
        except OSError:
            data, said = b"", []
        if not data:
            self.end()
            return
        if said:  # what came before the constructor was called has no time
            self._watcher.now = _monotonic(said[0][2])
        view = memoryview(data)
        while view:
            buffer = self._tls.get_buffer(len(view))
            size = min(len(buffer), len(view))
            buffer[:size] = view[:size]
            self._tls.buffer_updated(size)
            view = view[size:]


def _monotonic(stamp: bytes) -> float:
    """The system's word on this machine's steady clock."""
    seconds, nanoseconds = cast(tuple[int, int], TIME.unpack(stamp))
    return time.monotonic() - (time.time() - seconds - nanoseconds / 1e9)
