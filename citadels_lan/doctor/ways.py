"""Every way in which tables are found, asked alone on each interface.

What one machine can tell alone is whether it speaks and hears itself. Whether the network passes it on is seen
from another machine only: tables that are found now, and others who look for some, are the best sign.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from citadels_lan.net.discovery.echo import beacon_echo, mdns_echo
from citadels_lan.net.discovery.found import AdvertisedTable, merged
from citadels_lan.net.discovery.interfaces import Interface
from citadels_lan.net.discovery.ladder import beacon, mdns, probe
from citadels_lan.texts import Message, msg, msgs

from .check import Check

PATIENCE: Final = 3.0
"""Seconds for each thing that has to be waited for."""
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


async def ask(there: Sequence[Interface], *, loopback: bool = False) -> Sequence[OnInterface]:
    """Ask in every way on each interface, all at once; some seconds."""
    return await asyncio.gather(*(_ask(one.name, loopback=loopback) for one in there))


async def _ask(name: str, *, loopback: bool) -> OnInterface:
    by_mdns, by_beacon, *echoes = await asyncio.gather(
        probe(mdns(loopback=loopback, only=name), PATIENCE),
        probe(beacon(loopback=loopback, only=name), PATIENCE),
        mdns_echo(name, PATIENCE, loopback=loopback),
        beacon_echo(name, PATIENCE, loopback=loopback),
    )
    tables = (*by_mdns.tables, *by_beacon.tables)
    return OnInterface(name, by_mdns.works and echoes[0], by_beacon.works and echoes[1], tables, by_beacon.others)


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
