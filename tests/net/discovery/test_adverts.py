"""Announcements: which can be joined, how several of one table are merged, their order, and the interfaces."""

import pytest
from msgspec.structs import replace

from citadels_lan.net.discovery import adverts
from citadels_lan.net.discovery.adverts import AdvertisedTable, merged, ranked
from citadels_lan.net.discovery.interfaces import Interface, choose
from tests.effort import one_case

from . import ADVERT


@one_case(("version", "speaks"), [(1, False), (2, True), (3, True), (4, True), (5, False)])
def test_table_with_a_version_of_this_program_can_be_joined(
    version: int, speaks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adverts, "VERSIONS", (2, 4))
    assert AdvertisedTable(replace(ADVERT, version=version), ()).speaks is speaks


def test_tables_of_the_own_network_come_first_and_then_the_newest() -> None:
    hosts = ("10.0.0.1", "192.168.9.1", "10.0.0.2", "no number", "fe80::1%eth0")
    tables = [
        AdvertisedTable(replace(ADVERT, game_id=bytes([number]) * 16), ((host, 1),))
        for number, host in enumerate(hosts)
    ]
    order = [table.addresses[0][0] for table in ranked(tuple(merged(tables).values()), ["10.0.0.0/24"])]
    assert order == ["fe80::1%eth0", "10.0.0.2", "10.0.0.1", "no number", "192.168.9.1"]


def test_ipv4_address_comes_first_in_any_order_of_announcements() -> None:
    tables = [AdvertisedTable(ADVERT, ((host, 1),)) for host in ("10.0.0.1", "fe80::1%eth0")]
    for announced in (tables, tables[::-1]):
        (table,) = merged(announced).values()
        assert [host for host, _ in table.addresses] == ["10.0.0.1", "fe80::1%eth0"]


def test_interface_broadcasts_in_each_of_its_networks() -> None:
    nets = ("10.1.2.0/24", "10.9.0.4/30", "10.8.0.1/32", "fd00::/64")
    assert Interface("eth0", 2, (), (), nets).broadcasts == ("10.1.2.255", "10.9.0.7")


@one_case(
    ("names", "chosen"),
    [
        (["eth0", "docker0", "br-1a2b", "veth12", "virbr0", "vmnet8", "vboxnet0", "awdl0", "llw0"], ["eth0"]),
        (["wlan0", "en0", "tun0", "wg0", "tailscale0"], ["wlan0", "en0"]),
        (["wg0", "docker0"], ["wg0"]),
        (["veth12"], ["veth12"]),
        ([], ["lo"]),
    ],
)
def test_interfaces_that_lead_to_no_player_are_dropped(names: list[str], chosen: list[str]) -> None:
    there = [Interface("lo", 1, ("127.0.0.1",), ("::1",)), Interface("eth9", 9, (), ())]
    there += [Interface(name, 7, ("10.0.0.1",), ()) for name in names]
    assert [interface.name for interface in choose(there)] == chosen
