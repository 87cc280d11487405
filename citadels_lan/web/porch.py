"""Who may have a connection at all: so many, so many of one address, and none that says nothing."""

import asyncio
from collections import Counter
from collections.abc import Callable

from .limits import PATIENCE, SOCKETS, SOCKETS_EACH

HEADERS_END = b"\r\n\r\n"


class WebPorch:
    """Counts connections. `make` makes what answers one."""

    def __init__(self, make: Callable[[], asyncio.Protocol]) -> None:
        self.make = make
        self.open: Counter[str] = Counter()

    def __call__(self) -> asyncio.Protocol:
        return Visitor(self)

    def admit(self, address: str) -> bool:
        """Whether there is room for one more of that address."""
        return self.open.total() < SOCKETS and self.open[address] < SOCKETS_EACH


class Visitor(asyncio.Protocol):
    """One connection: handed on to what answers it, if there is room, and closed if its first request does not
    come."""

    def __init__(self, porch: WebPorch) -> None:
        self._porch = porch
        self._inner: asyncio.Protocol | None = None
        self._address = ""
        self._begun = b""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        if not self._porch.admit(self._address):
            transport.abort()
            return
        self._porch.open[self._address] += 1
        self._inner = self._porch.make()
        self._inner.connection_made(transport)
        self._deadline = asyncio.get_running_loop().call_later(PATIENCE, transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._inner is None:
            return
        if self._deadline is not None:
            self._begun = self._begun[-len(HEADERS_END) :] + data
            if HEADERS_END in self._begun:
                self._in_time()
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._inner is not None else None

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        if self._inner is not None:
            self._inner.connection_lost(exc)
            self._inner = None
            self._porch.open -= Counter((self._address,))

    def pause_writing(self) -> None:
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        if self._inner is not None:
            self._inner.resume_writing()

    def _in_time(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline, self._begun = None, b""
