"""Checks of this computer and its network, each with advice if something is in the way.

One computer can only check whether it hears its own messages. Only another computer can check whether the
network forwards them. Games that are found now, and other computers that search, are the best sign.
"""

import asyncio
import errno
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

from citadels_lan import __version__
from citadels_lan.net.discovery import beacon
from citadels_lan.net.discovery.adverts import Advert, AdvertisedTable, merged
from citadels_lan.net.discovery.beacon import PORT as BEACON
from citadels_lan.net.discovery.interfaces import Interface, here, interfaces, numbers
from citadels_lan.net.discovery.mdns import Browser, speaking
from citadels_lan.net.discovery.table_list import TableList
from citadels_lan.net.wire.link import PORT
from citadels_lan.net.wire.messages import VERSIONS
from citadels_lan.platform.files import data_folder, free_space
from citadels_lan.platform.system import NAMES, Kind, Terminal, firewall, system_kind, terminal
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.tables import sentences

State: TypeAlias = Literal["fine", "note", "trouble"]
"""`fine`: nothing to report. `note`: games can be hosted and joined, but there is advice. `trouble`:
something must be done first."""

ADVICE: Final = sentences("citadels_lan.doctor", "advice.toml")
"""The advice by its key: its `title`, what it means (`why`), and what to do on each kind of system, or on
`any`."""
TROUBLES: Final = frozenset({"no_network", "tunnel_only", "no_port", "closed", "folder", "room"})
FOUND: Final = sentences("citadels_lan.doctor", "checks.toml")
"""The texts of each check by its key: its `subject`, and a text for each possible result."""
STATES: Final[Mapping[State, Message]] = {"fine": msg("ok"), "note": msg("note"), "trouble": msg("problem")}
LIBRARIES: Final = ("textual", "zeroconf", "msgpack", "cryptography")
PORTS: Final = {"tcp": PORT, "beacon": BEACON}
"""The default ports, as the advice shows them."""
RELEASED: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""The date of this version. A clock that shows an earlier time is wrong."""
ROOM: Final = 20 * 2**20
"""Bytes that a game can need: the journal, and the transcripts of nine seats."""
PATIENCE: Final = 3.0
"""Largest number of seconds for each check that waits for the network."""
SERVICE: Final = "_citadels-doctor._tcp.local."
"""The mDNS service name of the checks: announcements under it appear in no list of games."""
SILENT: Final = 9
"""A port on which no program is expected to listen."""


class Check(Struct, frozen=True):
    """The result of a check: the `text` of FOUND with `values`. `advice` is a key of ADVICE, empty if all
    is well."""

    key: str
    text: str
    values: Mapping[str, object] = MappingProxyType({})
    advice: str = ""

    @property
    def state(self) -> State:
        """`fine` without advice, `trouble` if the advice must be followed before games can be hosted and
        joined, otherwise `note`."""
        return "fine" if not self.advice else "trouble" if self.advice in TROUBLES else "note"

    def said(self, texts: Texts) -> str:
        """Return the sentence with the result of the check."""
        return texts.say(FOUND[self.key][self.text], **self.values)

    def remedy(self, texts: Texts, kind: Kind) -> str:
        """Return what to do about the problem on this kind of system; "" if there is nothing to do."""
        if not self.advice:
            return ""
        remedies = ADVICE[self.advice]
        return texts.say(remedies.get(kind) or remedies["any"], **PORTS)

    def lines(self, texts: Texts, kind: Kind) -> Iterator[str]:
        """Yield a line with the result, and a second line with the advice if something is in the way."""
        subject = texts.say(FOUND[self.key]["subject"])
        yield f"{texts.say(STATES[self.state]):>8}  {subject}: {self.said(texts)}"
        if self.advice:
            yield f"{'':10}{self.remedy(texts, kind)}"

    def figures(self, texts: Texts, kind: Kind) -> dict[str, Any]:
        """Return the check as plain data, for JSON."""
        values = {name: value if isinstance(value, int) else str(value) for name, value in self.values.items()}
        return {
            "key": self.key, "state": self.state, "said": self.said(texts), "values": values,
            "advice": self.advice, "remedy": self.remedy(texts, kind),
        }  # fmt: skip


def good(checks: Sequence[Check]) -> bool:
    """Return whether games can be hosted and joined here."""
    return all(check.state != "trouble" for check in checks)


async def examine() -> AsyncIterator[Check]:
    """Yield each check of this computer and its network when it is done; takes some seconds."""
    kind, there = system_kind(), interfaces()
    yield _program(kind)
    for check in screen_checks(terminal()):
        yield check
    yield clock_check(datetime.now(UTC))
    yield folder_check(data_folder())
    if kind == "wsl":
        yield Check("wsl", "inside", advice="wsl")
    yield network_check(there)
    yield port_check()
    if (own := [ip for each in there if each.far == 0 for ip in each.ipv4]) != []:
        yield await _own_addresses(own)
    if name := firewall(kind):
        yield Check("firewall", "asks" if name == "Windows" else "on", {"name": name}, "firewall")
    for check in discovery_checks(await hear(here())):
        yield check


# This computer


def _program(kind: Kind) -> Check:
    python = ".".join(map(str, sys.version_info[:3]))
    libraries = ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    values = {"version": __version__, "protocol": VERSIONS[1], "system": NAMES[kind]}
    return Check("program", "found", {**values, "python": python, "libraries": libraries})


def _version(library: str) -> str:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return "?"


def screen_checks(screen: Terminal) -> Iterator[Check]:
    """Yield the checks of a terminal."""
    size = {"columns": screen.columns, "rows": screen.rows}
    if not screen.there or screen.dumb:
        yield Check("terminal", "dumb" if screen.there else "missing", advice="terminal")
    elif screen.columns < 80 or screen.rows < 20:
        yield Check("terminal", "small", size, "small")
    else:
        yield Check("terminal", "colours" if screen.colours else "grey", size)
    if screen.there and not screen.unicode:
        yield Check("letters", "few", {"encoding": screen.encoding}, "letters")


def clock_check(now: datetime) -> Check:
    """Check whether the time `now` of the clock can be right."""
    wrong, shown = now < RELEASED, now.astimezone().isoformat(sep=" ", timespec="minutes")
    return Check("clock", "wrong" if wrong else "right", {"now": shown}, "clock" if wrong else "")


def folder_check(folder: Path) -> Check:
    """Check whether a game can be stored in a folder."""
    try:
        free = free_space(folder)
    except OSError:
        free = 0
    if not free:
        return Check("folder", "closed", {"folder": folder}, "folder")
    values = {"folder": folder, "free": free // 2**20}
    return Check("folder", "free", values, "room" if free < ROOM else "")


# The network


def network_check(there: Sequence[Interface]) -> Check:
    """Check which of the network interfaces lead to other players."""
    usable = [each for each in there if each.ipv4 or each.ipv6]
    near = ", ".join(f"{(*each.ipv4, *each.ipv6)[0]} ({each.name})" for each in usable if each.far == 0)
    tunnels = ", ".join(each.name for each in usable if each.far == 1)
    values = {"addresses": near, "tunnels": tunnels}
    if near:
        return Check("network", "both" if tunnels else "near", values)
    if tunnels:
        return Check("network", "tunnels", values, "tunnel_only")
    return Check("network", "none", values, "no_network")


def port_check() -> Check:
    """Check whether a game can listen on its default port or, if that is in use, on any other port."""
    if _is_free(PORT):
        return Check("port", "free", {"port": PORT})
    if _is_free(0):
        return Check("port", "taken", {"port": PORT}, "port_taken")
    return Check("port", "none", advice="no_port")


def _is_free(port: int) -> bool:
    """Return whether a game can listen on a port, on IPv6 or IPv4, and no other program listens on either."""
    # On some systems a socket for IPv6 accepts no IPv4 connections, so both are tried.
    errors = [_listen_error(family, port) for family in (socket.AF_INET6, socket.AF_INET)]
    return 0 in errors and errno.EADDRINUSE not in errors


def _listen_error(family: socket.AddressFamily, port: int) -> int:
    try:
        socket.create_server(("", port), family=family).close()
    except OSError as error:
        return error.errno or -1
    return 0


async def _own_addresses(addresses: Sequence[str]) -> Check:
    """Check whether this computer can connect to itself at the addresses that friends would use."""
    closed = [ip for ip in addresses if not await _is_reached(ip)]
    if closed:
        return Check("way_in", "closed", {"addresses": ", ".join(closed)}, "closed")
    return Check("way_in", "open")


async def _is_reached(ip: str) -> bool:
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


class Heard(Struct, frozen=True):
    """What was received on one interface: whether this computer receives its own messages by mDNS (`mdns`)
    and by the beacon (`beacon`), which games both found, and whether the beacon received anything from
    another computer."""

    name: str
    mdns: bool
    beacon: bool
    tables: Sequence[AdvertisedTable]
    others: bool


async def hear(there: Sequence[Interface]) -> Sequence[Heard]:
    """Search for games by mDNS and by the beacon, on all interfaces at the same time, and return what each
    interface received. Takes some seconds."""
    return await asyncio.gather(*(_hear(each.name) for each in there))


async def _hear(name: str) -> Heard:
    # The listener counts the other computers that it hears, also those that only search.
    by_beacon = beacon.Listener(only=name)
    async with TableList(Browser(name), by_beacon) as search:
        hears_mdns, hears_beacon, _ = await asyncio.gather(
            mdns_echo(name, PATIENCE), beacon_echo(name, PATIENCE), asyncio.sleep(PATIENCE)
        )
        return Heard(name, hears_mdns, hears_beacon, tuple(search.tables.values()), by_beacon.others > 0)


async def mdns_echo(only: str, patience: float) -> bool:
    """Start two mDNS speakers on an interface. Return whether one receives what the other announces, within
    `patience` seconds."""
    name = f"{secrets.token_hex(6)}.{SERVICE}"
    heard = asyncio.Event()

    def on_change(**change: object) -> None:
        if change.get("name") == name:
            heard.set()

    try:
        there = here(only)
        async with speaking(there) as speaker, speaking(there) as listener:
            browser = AsyncServiceBrowser(listener.zeroconf, SERVICE, handlers=[on_change])
            server = f"{name.partition('.')[0]}.local."
            info = AsyncServiceInfo(SERVICE, name, port=SILENT, parsed_addresses=numbers(there), server=server)
            await (await speaker.async_register_service(info, cooperating_responders=True))
            async with asyncio.timeout(patience):
                await heard.wait()
            await browser.async_cancel()
    except Exception:  # The library raises more than its own errors, and each means the same here.
        return False
    return True


async def beacon_echo(only: str, patience: float) -> bool:
    """Return whether this computer receives its own search by the beacon on an interface, and answers it,
    within `patience` seconds. The search is for a random game id."""
    advert = Advert(secrets.token_bytes(16), "doctor", 0, 0, "lobby", "", bytes(32))
    host = beacon.announce(SILENT, lambda: advert, lambda _: None, quiet=True)
    answering = asyncio.get_running_loop().create_task(host)  # kept: ended below
    try:
        async with asyncio.timeout(patience), TableList(beacon.Listener(advert.game_id, only=only)) as search:
            async for _ in search.news():
                if search.tables:
                    return True
    except TimeoutError:
        pass
    finally:
        answering.cancel()
        await asyncio.wait((answering,))
    return False


def discovery_checks(heard: Sequence[Heard]) -> Iterator[Check]:
    """Yield the checks of what each interface received: whether games can be found by mDNS and by the beacon,
    and which were found. Yields nothing if `heard` is empty."""
    if not heard:
        return
    yield _way("mdns", [each.name for each in heard if not each.mdns])
    yield _way("beacon", [each.name for each in heard if not each.beacon])
    tables = tuple(merged(table for each in heard for table in each.tables).values())
    if tables:
        names = ", ".join(
            table.advert.name or " ".join(host for host, _ in table.addresses[:1]) for table in tables
        )
        others = any(not table.speaks for table in tables)
        yield Check("tables", "found", {"count": len(tables), "names": names}, "versions" if others else "")
        return
    yield Check("tables", "none", {"count": 0})
    # A network that separates its guests looks like an empty one.
    if not any(each.others for each in heard):
        yield Check("others", "none", advice="isolated")


def _way(key: str, deaf: Sequence[str]) -> Check:
    return Check(key, "deaf", {"names": ", ".join(deaf)}, key) if deaf else Check(key, "well")
