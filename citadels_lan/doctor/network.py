"""The network: interfaces, the port of a table, the firewall, and every way in which tables are found.

What one machine can tell alone is whether it speaks and hears itself. Whether the network passes it on is seen
from another machine only: tables that are found now are the best sign.
"""

import asyncio
import contextlib
import errno
import secrets
import socket
from collections.abc import AsyncIterator, Sequence
from typing import Final

from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from citadels_lan.net.discovery.datagrams import PORT as BEACON
from citadels_lan.net.discovery.found import AdvertisedTable
from citadels_lan.net.discovery.interfaces import Interface, interfaces
from citadels_lan.net.discovery.mdns import Browser, Zone
from citadels_lan.net.host.listening import PORT
from citadels_lan.systems.firewall import firewall
from citadels_lan.systems.kind import Kind
from citadels_lan.texts import Message, msg, msgs

from .check import Check

PORTS: Final = {"tcp": PORT, "beacon": BEACON}
"""The usual ports, as remedies name them."""
SERVICE: Final = "_citadels-doctor._tcp.local."
"""What the doctor announces, so that no list of tables shows it."""
PATIENCE: Final = 3.0
"""Seconds for each thing that has to be waited for."""
NETWORK: Final = msg("Network")
LISTENING: Final = msg("Port")
MDNS: Final = msg("mDNS")


async def of_network(kind: Kind) -> AsyncIterator[Check]:
    """What there is to say of it, one after the other; some seconds."""
    there = interfaces()
    yield of_interfaces(there)
    yield _port()
    for check in await _own_addresses(there):
        yield check
    if name := firewall(kind):
        yield Check("firewall", msg("Firewall"), "note", _seen(name), {"name": name}, "firewall")
    yield _mdns(works=await hears_itself())
    yield _tables(await tables())


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


def _mdns(*, works: bool) -> Check:
    if works:
        return Check("mdns", MDNS, "fine", msg("This machine hears what it announces."))
    return Check("mdns", MDNS, "note", msg("This machine does not hear what it announces."), advice="mdns")


async def hears_itself(*, loopback: bool = False) -> bool:
    """Whether mDNS works: something is announced by one speaker and heard by another of this machine."""
    zone = Zone.here(loopback=loopback)
    name = f"{secrets.token_hex(6)}.{SERVICE}"
    heard = asyncio.Event()

    def on_change(**change: object) -> None:
        if change.get("name") == name:
            heard.set()

    try:
        async with _speaking(zone) as speaker, _speaking(zone) as listener:
            browser = AsyncServiceBrowser(listener.zeroconf, SERVICE, handlers=[on_change])
            info = AsyncServiceInfo(SERVICE, name, port=PORT, parsed_addresses=zone.addresses(),
                                    server=f"{name.split('.', maxsplit=1)[0]}.local.")  # fmt: skip
            await (await speaker.async_register_service(info, cooperating_responders=True))
            async with asyncio.timeout(PATIENCE):
                await heard.wait()
            await browser.async_cancel()
    except Exception:  # the library raises more than its own errors, and each says the same here
        return False
    return True


@contextlib.asynccontextmanager
async def _speaking(zone: Zone) -> AsyncIterator[AsyncZeroconf]:
    speaker = zone.open()
    try:
        yield speaker
    finally:
        with contextlib.suppress(Exception):
            await speaker.async_close()


async def tables(patience: float = PATIENCE) -> Sequence[AdvertisedTable]:
    """The tables that are announced on this network now."""
    async with Browser() as browser:
        await asyncio.sleep(patience)
        return tuple(browser.tables.values())


def _tables(found: Sequence[AdvertisedTable]) -> Check:
    what = msg("Tables")
    if not found:
        return Check("tables", what, "fine", msg("None is open on this network now."), {"count": 0})
    other = [table for table in found if not table.speaks]
    said = msgs("{count} is open on this network now: {names}.", "{count} are open on this network now: {names}.")
    values = {"count": len(found), "names": ", ".join(table.advert.name for table in found)}
    return Check("tables", what, "note" if other else "fine", said, values, "versions" if other else "")
