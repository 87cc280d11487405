"""Checks of the network: interfaces, port, firewall, and each way to find a game on each interface.

One computer can only check whether it hears its own messages. Only another computer can check whether the
network forwards them. Games that are found now, and other computers that search, are the best sign.
"""

import asyncio
import errno
import secrets
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Final

from msgspec import Struct
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

from citadels_lan.doctor.machine import Check, Machine, of_machine
from citadels_lan.net.discovery import beacon
from citadels_lan.net.discovery.beacon import PORT as BEACON
from citadels_lan.net.discovery.finding import TableList
from citadels_lan.net.discovery.found import Advert, AdvertisedTable, merged
from citadels_lan.net.discovery.interfaces import Interface, here, interfaces, numbers
from citadels_lan.net.discovery.mdns import Browser, speaking
from citadels_lan.net.host.listening import PORT
from citadels_lan.systems.system import Kind, firewall
from citadels_lan.texts import Message, msg, msgs

PATIENCE: Final = 3.0
"""Seconds for each thing that has to be waited for."""
SERVICE: Final = "_citadels-doctor._tcp.local."
"""A service of its own: no list of tables shows what is announced here."""
SILENT: Final = 9
"""No program listens there."""
HEARS: Final = msg("This machine hears what it says.")
DEAF: Final = msg("This machine does not hear what it says on {names}.")


class OnInterface(Struct, frozen=True):
    """What an interface has told: whether this machine hears itself there by mDNS and by the beacon, the tables of
    both, and whether the beacon has heard any other machine."""

    name: str
    mdns: bool
    beacon: bool
    tables: Sequence[AdvertisedTable]
    others: bool


async def ask(there: Sequence[Interface]) -> Sequence[OnInterface]:
    """Ask in every way on each interface, all at once; some seconds."""
    return await asyncio.gather(*(_ask(one.name) for one in there))


async def _ask(name: str) -> OnInterface:
    by_beacon = beacon.Listener(only=name)
    async with TableList(Browser(name), by_beacon) as found:
        hears_mdns, hears_beacon, _ = await asyncio.gather(
            mdns_echo(name, PATIENCE), beacon_echo(name, PATIENCE), asyncio.sleep(PATIENCE)
        )
        return OnInterface(name, hears_mdns, hears_beacon, tuple(found.tables.values()), by_beacon.others > 0)


async def mdns_echo(only: str, patience: float) -> bool:
    """Whether something is announced by one speaker and heard by another one, within `patience` seconds."""
    name = f"{secrets.token_hex(6)}.{SERVICE}"
    heard = asyncio.Event()

    def on_change(**change: object) -> None:
        if change.get("name") == name:
            heard.set()

    try:
        there = here(only)
        async with speaking(there) as speaker, speaking(there) as listener:
            browser = AsyncServiceBrowser(listener.zeroconf, SERVICE, handlers=[on_change])
            info = AsyncServiceInfo(SERVICE, name, port=SILENT, parsed_addresses=numbers(there),
                                    server=f"{name.split('.', maxsplit=1)[0]}.local.")  # fmt: skip
            await (await speaker.async_register_service(info, cooperating_responders=True))
            async with asyncio.timeout(patience):
                await heard.wait()
            await browser.async_cancel()
    except Exception:  # the library raises more than its own errors, and each says the same here
        return False
    return True


async def beacon_echo(only: str, patience: float) -> bool:
    """Whether this machine hears and answers its own question for all: one for a game that no one knows."""
    advert = Advert(secrets.token_bytes(16), "doctor", 0, 0, "lobby", "", bytes(32))
    host = beacon.announce(SILENT, lambda: advert, lambda _: None, quiet=True)
    answering = asyncio.get_running_loop().create_task(host)  # kept: ended below
    try:
        async with asyncio.timeout(patience), TableList(beacon.Listener(advert.game_id, only=only)) as found:
            async for _ in found.news():
                if found.tables:
                    return True
    except TimeoutError:
        pass
    finally:
        answering.cancel()
        await asyncio.wait((answering,))
    return False


def of_ways(asked: Sequence[OnInterface]) -> Iterator[Check]:
    """What there is to say of it; nothing where there is no interface to ask on."""
    if not asked:
        return
    yield _way("mdns", msg("mDNS"), [one.name for one in asked if not one.mdns])
    yield _way("beacon", msg("Beacon"), [one.name for one in asked if not one.beacon])
    found = tuple(merged(table for one in asked for table in one.tables).values())
    yield _tables(found)
    if not found and not any(one.others for one in asked):
        alone = msg("No other machine was heard. If a table is open in the room, the network is in the way.")
        yield Check("others", msg("Others"), "note", alone, {}, "isolated")


def _way(key: str, what: Message, deaf: Sequence[str]) -> Check:
    if deaf:
        return Check(key, what, "note", DEAF, {"names": ", ".join(deaf)}, key)
    return Check(key, what, "fine", HEARS)


def _tables(found: Sequence[AdvertisedTable]) -> Check:
    what = msg("Tables")
    if not found:
        return Check("tables", what, "fine", msg("None is open on this network now."), {"count": 0})
    other = [table for table in found if not table.speaks]
    said = msgs("{count} is open on this network now: {names}.", "{count} are open on this network now: {names}.")
    values = {"count": len(found), "names": ", ".join(map(_named, found))}
    return Check("tables", what, "note" if other else "fine", said, values, "versions" if other else "")


def _named(table: AdvertisedTable) -> str:
    """Its name, or where it is."""
    return table.advert.name or " ".join(host for host, _ in table.addresses[:1])


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


async def examine(machine: Machine) -> AsyncIterator[Check]:
    """Look at this machine and at its network; some seconds."""
    for check in of_machine(machine):
        yield check
    async for check in of_network(machine.kind):
        yield check
