"""How far what is said to everybody goes: to other programs on this machine, and past no router. No system's own
choice is relied on."""

import contextlib
import socket
from collections.abc import Callable

import pytest

from citadels_lan.net.discovery import datagrams
from citadels_lan.net.discovery.interfaces import Interface

V4, V6 = socket.IPPROTO_IP, socket.IPPROTO_IPV6
NEAR = {
    V4: {(V4, socket.IP_MULTICAST_TTL, 1), (V4, socket.IP_MULTICAST_LOOP, 1)},
    V6: {(V6, socket.IPV6_MULTICAST_HOPS, 1), (V6, socket.IPV6_MULTICAST_LOOP, 1)},
}
MOUTHS: dict[str, tuple[int, Callable[[], object]]] = {
    "of the beacon": (V4, lambda: datagrams._mouth("10.0.0.2")),
    "of the beacon by IPv6": (V6, lambda: datagrams._mouth6(Interface("eth0", 3, (), ("fe80::1",)))),
}


class Noting:
    """A socket that notes which options are set."""

    def __init__(self) -> None:
        self.options: set[tuple[int, int, object]] = set()

    def setsockopt(self, level: int, name: int, value: object) -> None:
        self.options.add((level, name, value))

    def bind(self, address: object) -> None: ...


@pytest.mark.parametrize("mouth", MOUTHS)
def test_it_goes_to_this_network_and_no_further(mouth: str, monkeypatch: pytest.MonkeyPatch) -> None:
    family, speak = MOUTHS[mouth]
    sock = Noting()
    monkeypatch.setattr(datagrams, "datagrams", lambda _: contextlib.nullcontext(sock))
    speak()
    assert sock.options >= NEAR[family]
