"""The network: interfaces, the port of a table, the firewall, and every way in which tables are found."""

import asyncio
import errno
import socket
from collections.abc import AsyncIterator, Sequence
from typing import Final

from citadels_lan.net.discovery.datagrams import PORT as BEACON
from citadels_lan.net.discovery.interfaces import Interface, here, interfaces
from citadels_lan.net.host.listening import PORT
from citadels_lan.systems.firewall import firewall
from citadels_lan.systems.kind import Kind
from citadels_lan.texts import Message, msg

from .check import Check
from .ways import PATIENCE, ask, of_ways

PORTS: Final = {"tcp": PORT, "beacon": BEACON}
"""The usual ports, as remedies name them."""
NETWORK: Final = msg("Network")
LISTENING: Final = msg("Port")


async def of_network(kind: Kind) -> AsyncIterator[Check]:
    """What there is to say of it, one after the other; some seconds."""
    there = interfaces()
    yield of_interfaces(there)
    yield _port()
    for check in await _own_addresses(there):
        yield check
    if name := firewall(kind):
        yield Check("firewall", msg("Firewall"), "note", _seen(name), {"name": name}, "firewall")
    for check in of_ways(await ask(here())):
        yield check


def _seen(name: str) -> Message:
    return (
        msg("Windows has its own, which asks at the first table.") if name == "Windows" else msg("{name} is on.")
    )


def of_interfaces(there: Sequence[Interface]) -> Check:
    """Which of them lead to people in the room."""
    near = [interface for interface in there if interface.far == 0 and (interface.ipv4 or interface.ipv6)]
    far = [interface.name for interface in there if interface.far == 1 and (interface.ipv4 or interface.ipv6)]
    values = {"addresses": ", ".join(f"{_shown(one)} ({one.name})" for one in near), "tunnels": ", ".join(far)}
    if near and far:
        said = msg("{addresses}. There is a VPN besides ({tunnels}), which tables do not need.")
        return Check("network", NETWORK, "fine", said, values)
    if near:
        return Check("network", NETWORK, "fine", msg("{addresses}."), values)
    if far:
        return Check("network", NETWORK, "trouble", msg("There is only a VPN: {tunnels}."), values, "tunnel_only")
    return Check("network", NETWORK, "trouble", msg("There is none."), values, "no_network")


def _shown(interface: Interface) -> str:
    """The address by which a friend would join."""
    return next(iter((*interface.ipv4, *interface.ipv6)))


def _port() -> Check:
    if _free(PORT):
        return Check("port", LISTENING, "fine", msg("{port} is free for a table."), {"port": PORT})
    if _free(0):
        return Check("port", LISTENING, "note", msg("{port} is taken."), {"port": PORT}, "port_taken")
    return Check("port", LISTENING, "trouble", msg("None can be listened on."), {}, "no_port")


def _free(port: int) -> bool:
    """Whether a table could listen there: on IPv6 or IPv4, and taken by others on neither."""
    refusals = [_refusal(family, port) for family in (socket.AF_INET6, socket.AF_INET)]
    return 0 in refusals and errno.EADDRINUSE not in refusals


def _refusal(family: socket.AddressFamily, port: int) -> int:
    """Why nothing can listen there: the system's number for it, 0 where it can."""
    try:
        socket.create_server(("", port), family=family).close()
    except OSError as reason:
        return reason.errno or -1
    return 0


async def _own_addresses(there: Sequence[Interface]) -> list[Check]:
    """Whether a table here is reached at the addresses that friends would be told."""
    addresses = [ip for one in there if one.far == 0 for ip in one.ipv4]
    shut = [ip for ip in addresses if not await _reached(ip)]
    if not addresses:
        return []
    what = msg("Way in")
    if shut:
        closed = msg("A table here is not reached at {addresses}.")
        return [Check("way_in", what, "trouble", closed, {"addresses": ", ".join(shut)}, "closed")]
    return [Check("way_in", what, "fine", msg("This machine reaches itself at its own addresses."))]


async def _reached(ip: str) -> bool:
    served = asyncio.Event()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.set()
        writer.close()

    try:
        async with asyncio.timeout(PATIENCE), await asyncio.start_server(serve, ip, 0) as server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
            await served.wait()
            writer.close()
    except OSError:
        return False
    return True
