"""What the doctor says of the ways in which tables are found."""

import pytest
from msgspec.structs import replace

from citadels_lan.doctor.advice import ADVICE
from citadels_lan.doctor.machine import Check
from citadels_lan.doctor.network import OnInterface, ask, beacon_echo, mdns_echo, of_ways
from citadels_lan.net.discovery.found import Advert, AdvertisedTable
from citadels_lan.net.discovery.interfaces import here

TABLE = AdvertisedTable(Advert(bytes(16), "Anna", 1, 4, "lobby", "2016", bytes(32)), (("10.0.0.5", 47110),))
WELL = OnInterface("eth0", True, True, (), True)
ALONE = OnInterface("wlan0", True, True, (), False)


def said(*asked: OnInterface) -> dict[str, Check]:
    return {check.key: check for check in of_ways(asked)}


def test_where_all_is_well_there_is_no_advice() -> None:
    assert {key: (one.state, one.advice) for key, one in said(WELL).items()} == {
        "mdns": ("fine", ""),
        "beacon": ("fine", ""),
        "tables": ("fine", ""),
    }


@pytest.mark.parametrize("way", ["mdns", "beacon"])
def test_the_interfaces_on_which_a_way_does_not_work_are_named(way: str) -> None:
    deaf = OnInterface("wlan0", way != "mdns", way != "beacon", (), False)
    check = said(WELL, deaf)[way]
    assert (check.state, check.advice, check.values["names"]) == ("note", way, "wlan0")
    assert check.advice in ADVICE


def test_without_any_interface_there_is_nothing_to_say() -> None:
    assert said() == {}


def test_a_network_may_keep_its_guests_apart_where_nobody_was_heard() -> None:
    assert said(ALONE, ALONE)["others"].advice == "isolated"
    assert "others" not in said(ALONE, WELL)
    assert "others" not in said(ALONE, OnInterface("eth0", True, True, (TABLE,), False))


def test_a_table_without_a_name_is_known_by_its_address() -> None:
    nameless = AdvertisedTable(replace(TABLE.advert, name=""), TABLE.addresses)
    assert said(OnInterface("eth0", True, True, (nameless,), True))["tables"].values["names"] == "10.0.0.5"


def test_a_table_that_two_ways_have_found_is_one() -> None:
    assert said(OnInterface("eth0", True, True, (TABLE, TABLE), True))["tables"].values["count"] == 1


@pytest.mark.slow
@pytest.mark.usefixtures("on_loopback")
async def test_this_machine_hears_itself_on_loopback() -> None:
    (lo,) = await ask(here())
    assert (lo.mdns, lo.beacon) == (True, True)


@pytest.mark.usefixtures("on_loopback")
async def test_on_an_interface_that_is_not_there_nothing_is_heard() -> None:
    assert not await beacon_echo("nowhere0", 0.1)
    assert not await mdns_echo("nowhere0", 0.1)


async def test_where_the_library_fails_nothing_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("citadels_lan.net.discovery.mdns.open_zeroconf", broken)
    assert not await mdns_echo("lo", 1.0)
