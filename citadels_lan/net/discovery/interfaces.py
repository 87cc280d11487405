"""Which network interfaces a table is announced on and looked for.

The system's default is not good enough: with a VPN as default route the local network would never hear of it. So
every interface with an address is taken, except those that lead to nobody in the room.
"""

import ipaddress
import logging
import re
from collections.abc import Iterable
from typing import Final

import ifaddr
from msgspec import Struct

log = logging.getLogger(__name__)
_LOOPBACK: Final = re.compile(r"lo\d*$|loopback", re.IGNORECASE)
_VIRTUAL: Final = re.compile(r"(docker|br-|veth|virbr|vmnet|vboxnet|awdl|llw|virtualbox|vmware)", re.IGNORECASE)
_TUNNEL: Final = re.compile(r"(tun|tap|wg|ppp|utun|ipsec|zt|tailscale|wireguard)", re.IGNORECASE)


class Interface(Struct, frozen=True):
    """An interface with its addresses; link-local IPv6 ones have no scope in them."""

    name: str
    index: int
    ipv4: tuple[str, ...]
    ipv6: tuple[str, ...]
    nets: tuple[str, ...] = ()
    """The networks it is in, as in 10.0.0.0/24 and fd00::/64."""

    @property
    def broadcasts(self) -> tuple[str, ...]:
        """Where everybody in its IPv4 networks hears it."""
        known = [ipaddress.IPv4Network(net) for net in self.nets if ":" not in net]
        return tuple(str(net.broadcast_address) for net in known if net.prefixlen < 31)

    @property
    def far(self) -> int:
        """How far from the people in the room: 0 real, 1 tunnel, 2 virtual, 3 this machine alone."""
        if _LOOPBACK.match(self.name) or any(ip.startswith("127.") for ip in self.ipv4):
            return 3
        if _VIRTUAL.match(self.name):
            return 2
        return 1 if _TUNNEL.match(self.name) else 0


def choose(interfaces: Iterable[Interface], *, loopback: bool = False) -> list[Interface]:
    """Those to use: the real ones; where there are none, tunnels; then virtual ones (which may be all that a
    network namespace has); then loopback. `loopback` asks for that alone."""
    known = [interface for interface in interfaces if interface.ipv4 or interface.ipv6]
    nearest = 3 if loopback else min((interface.far for interface in known), default=3)
    return [interface for interface in known if interface.far == nearest]


def here(*, loopback: bool = False, only: str = "") -> tuple[Interface, ...]:
    """Those of this machine on which tables are announced and looked for, now; `only`: the one of this name."""
    return tuple(one for one in choose(interfaces(), loopback=loopback) if only in ("", one.name))


def own_nets() -> tuple[str, ...]:
    """The networks that these are in."""
    return tuple(net for interface in here() for net in interface.nets)


def interfaces() -> list[Interface]:
    """The interfaces of this machine that have an address; none where the system does not tell.

    The library asks the C library of the system, and gives OSError, UnicodeDecodeError for an interface's name,
    AssertionError for an address without a mask. Whoever needs an interface has to do without one anyway."""
    try:
        return [_interface(adapter) for adapter in ifaddr.get_adapters()]
    except Exception as failure:
        log.info("the interfaces of this machine are not known: %r", failure)
        return []


def _interface(adapter: ifaddr.Adapter) -> Interface:
    ipv4 = tuple(address.ip for address in adapter.ips if isinstance(address.ip, str))
    ipv6 = tuple(address.ip[0] for address in adapter.ips if isinstance(address.ip, tuple))
    nets = [f"{address.ip[0] if isinstance(address.ip, tuple) else address.ip}/{address.network_prefix}"
            for address in adapter.ips]  # fmt: skip
    return Interface(str(adapter.nice_name), adapter.index or 0, ipv4, ipv6, tuple(map(_net, nets)))


def _net(address: str) -> str:
    return str(ipaddress.ip_interface(address).network)
