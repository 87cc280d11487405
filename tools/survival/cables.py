"""A simulated cable to a host that can be cut: a proxy that copies bytes between another port and the host's
port."""

import contextlib
import socket
import threading


class Cable:
    """Forwards connections to `port` on loopback. While it is cut, it refuses connections."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        self._whole = True
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End all connections, and refuse new ones until `mend`."""
        with self._lock:
            self._whole = False
            ends, self._ends = self._ends, []
        for end in ends:
            _close(end)

    def mend(self) -> None:
        """Forward connections again."""
        self._whole = True

    def close(self) -> None:
        self.cut()
        _close(self._listening)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._to), 2) if self._whole else None
            except OSError:
                far = None
            if far is None or far.getsockname() == far.getpeername():  # on loopback a port may connect to itself
                for end in filter(None, (near, far)):
                    _close(end)
                continue
            with self._lock:
                self._ends += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=_carry, args=(one, other), daemon=True).start()


def _carry(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    _close(one)
    _close(other)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
