"""Announcements reach other programs on this machine, and pass no router, whatever the system's defaults are."""

import contextlib
import socket
from collections.abc import Callable

import pytest

from citadels_lan.net.discovery import beacon

V4, V6 = socket.IPPROTO_IP, socket.IPPROTO_IPV6
NEAR = {
    V4: {(V4, socket.IP_MULTICAST_TTL, 1), (V4, socket.IP_MULTICAST_LOOP, 1)},
    V6: {(V6, socket.IPV6_MULTICAST_HOPS, 1), (V6, socket.IPV6_MULTICAST_LOOP, 1)},
}
SENDERS: dict[str, tuple[int, Callable[[], object]]] = {
    "of the beacon": (V4, lambda: beacon._sender(socket.AF_INET, "10.0.0.2")),
    "of the beacon by IPv6": (V6, lambda: beacon._sender(socket.AF_INET6, 3)),
}


class Noting:
    """A socket that notes which options are set."""

    def __init__(self) -> None:
        self.options: set[tuple[int, int, object]] = set()

    def setsockopt(self, level: int, name: int, value: object) -> None:
        self.options.add((level, name, value))

    def bind(self, address: object) -> None: ...


@pytest.mark.parametrize("sender", SENDERS)
def test_it_goes_to_this_network_and_no_further(sender: str, monkeypatch: pytest.MonkeyPatch) -> None:
    family, speak = SENDERS[sender]
    sock = Noting()
    monkeypatch.setattr(beacon, "datagrams", lambda _: contextlib.nullcontext(sock))
    speak()
    assert sock.options >= NEAR[family]
