"""The arrival times of bytes, from the kernel: one process reads for hundreds of connections.

Decrypting costs a reader far more processor time than sending costs the host. So the readers have a low
priority, and the kernel records when bytes arrived. So the times show when the host sent the bytes, not when
the reader had time to read them. Linux only.
"""

import asyncio
import socket
import struct
import time
from asyncio.sslproto import SSLProtocol
from typing import Final, cast

from tools.survival.watching import Watcher

SO_TIMESTAMPNS: Final = 35
"""The socket option that makes Linux report when data arrived. The messages with the report have the same
number."""
PIECE: Final = 65_536
"""Largest number of bytes read at once."""
TIME: Final = struct.Struct("@ll")
"""Format of the kernel's time: seconds and nanoseconds."""


class Note:
    """Takes over the reading of one connection from its transport, and reports to the watcher when data
    arrived, by the kernel's clock. asyncio offers no public way to do this, hence the private attributes."""

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
        """Let the transport read again, so that it notices the end of the connection."""
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
        if said:  # bytes that came before this object was created have no time
            self._watcher.now = _monotonic(said[0][2])
        view = memoryview(data)
        while view:
            buffer = self._tls.get_buffer(len(view))
            size = min(len(buffer), len(view))
            buffer[:size] = view[:size]
            self._tls.buffer_updated(size)
            view = view[size:]


def _monotonic(stamp: bytes) -> float:
    """Convert the kernel's time to this machine's monotonic clock."""
    seconds, nanoseconds = cast(tuple[int, int], TIME.unpack(stamp))
    return time.monotonic() - (time.time() - seconds - nanoseconds / 1e9)
