"""The sockets on which a table waits for callers."""

import contextlib
import socket
from typing import Final

PORT: Final = 47110
BACKLOG: Final = 1024
"""Connections that the system keeps until they are accepted."""

INCOMING: Final = 65_536
"""Bytes of one connection that the system keeps until they are read: the more, the longer a flood goes on."""

MUTE: Final = 1
"""Seconds for which the system itself keeps a connection that has not said anything, where it can (Linux): whoever
joins speaks first, so a crowd of others costs this program nothing, and does not stand before them."""


def listen(host: str | None, port: int | None) -> list[socket.socket]:
    """Listening sockets, all on one port. `host` None: every IPv4 and IPv6 address. `port` None: the usual one, or
    any free one if that is taken; 0: any free one. Raises OSError."""
    wanted = [PORT, 0] if port is None else [port]
    for number in wanted:
        try:
            return _listen_on(host, number)
        except OSError:
            if number == wanted[-1]:
                raise
    raise AssertionError


def _listen_on(host: str | None, port: int) -> list[socket.socket]:
    if host is not None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return [_listening(family, host, port)]
    first = _listening(socket.AF_INET, "0.0.0.0", port)
    sockets = [first]
    if socket.has_ipv6:
        with contextlib.suppress(OSError):
            sockets.append(_listening(socket.AF_INET6, "::", first.getsockname()[1]))
    return sockets


def _listening(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        if socket.has_ipv6 and family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if hasattr(socket, "SO_REUSEADDR") and not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, INCOMING)  # what is accepted has that, too
        if hasattr(socket, "TCP_DEFER_ACCEPT"):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, MUTE)
        sock.bind((host, port))
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except BaseException:
        sock.close()
        raise
    return sock
