"""The network interfaces on which tables are announced and searched for.

If a VPN is the default route, the system would not send to the local network. So the program sends on every
interface that has an address. It uses tunnels and virtual interfaces only if there is no real one."""

import ipaddress
import logging
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from ifaddr import Adapter

log = logging.getLogger(__name__)
_LOOPBACK: Final = re.compile(r"lo\d*$|loopback", re.IGNORECASE)
_VIRTUAL: Final = re.compile(r"(docker|br-|veth|virbr|vmnet|vboxnet|awdl|llw|virtualbox|vmware)", re.IGNORECASE)
_TUNNEL: Final = re.compile(r"(tun|tap|wg|ppp|utun|ipsec|zt|tailscale|wireguard)", re.IGNORECASE)


class Interface(Struct, frozen=True):
    """A network interface with its number and addresses. Link-local IPv6 addresses are given without a
    scope."""

    name: str
    index: int
    ipv4: tuple[str, ...]
    ipv6: tuple[str, ...]
    nets: tuple[str, ...] = ()
    """The networks of its addresses, such as 10.0.0.0/24 and fd00::/64."""

    @property
    def broadcasts(self) -> tuple[str, ...]:
        """The broadcast addresses of its IPv4 networks."""
        nets = [ipaddress.IPv4Network(net) for net in self.nets if ":" not in net]
        return tuple(str(net.broadcast_address) for net in nets if net.prefixlen < 31)

    @property
    def far(self) -> int:
        """How unlikely other players are on this interface: 0 real, 1 tunnel, 2 virtual, 3 loopback."""
        if _LOOPBACK.match(self.name) or any(ip.startswith("127.") for ip in self.ipv4):
            return 3
        if _VIRTUAL.match(self.name):
            return 2
        return 1 if _TUNNEL.match(self.name) else 0


def choose(interfaces: Iterable[Interface]) -> list[Interface]:
    """Return the interfaces to use: all real ones. If there are none: tunnels, then virtual ones (a network
    namespace may have only these), then loopback."""
    usable = [interface for interface in interfaces if interface.ipv4 or interface.ipv6]
    nearest = min((interface.far for interface in usable), default=3)
    return [interface for interface in usable if interface.far == nearest]


def here(only: str = "") -> tuple[Interface, ...]:
    """Return the interfaces of this computer that are used now; with `only`, just the one of that name."""
    return tuple(interface for interface in choose(interfaces()) if only in ("", interface.name))


def numbers(there: Iterable[Interface]) -> list[str]:
    """Return all IP addresses of these interfaces."""
    return [ip for interface in there for ip in (*interface.ipv4, *interface.ipv6)]


def interfaces() -> list[Interface]:
    """Return the interfaces of this computer that have an address; [] if the system does not list them.

    The library `ifaddr` may raise OSError, UnicodeDecodeError for the name of an interface, and
    AssertionError for an address without a mask."""
    try:
        import ifaddr

        return [_interface(adapter) for adapter in ifaddr.get_adapters()]
    except Exception as failure:
        log.info("the interfaces of this machine are not known: %r", failure)
        return []


def _interface(adapter: "Adapter") -> Interface:
    # ifaddr has an IPv4 address as text, and an IPv6 address as a tuple that begins with its text.
    ips = [(ip.ip if isinstance(ip.ip, str) else ip.ip[0], ip.network_prefix) for ip in adapter.ips]
    nets = tuple(str(ipaddress.ip_interface(f"{ip}/{prefix}").network) for ip, prefix in ips)
    ipv4, ipv6 = (tuple(ip for ip, _ in ips if (":" in ip) is v6) for v6 in (False, True))
    return Interface(str(adapter.nice_name), adapter.index or 0, ipv4, ipv6, nets)
