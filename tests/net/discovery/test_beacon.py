"""The beacon: its datagrams, its limits, and tables that are found by it on loopback."""

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
import zeroconf
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace
from zeroconf import ServiceStateChange, Zeroconf

from citadels_lan.crypto.codec import Malformed, pack, pad
from citadels_lan.net.discovery import adverts, beacon, mdns, table_list
from citadels_lan.net.discovery.adverts import MOST, AdvertisedTable, merged, ranked
from citadels_lan.net.discovery.beacon import Announcement, DatagramSockets, Listener, Responder
from citadels_lan.net.discovery.interfaces import Interface, choose
from citadels_lan.net.discovery.mdns import Browser, from_txt, to_txt
from citadels_lan.net.discovery.table_list import Remembered, TableList, locate
from citadels_lan.net.host.opening import open_table
from tests.effort import one_case, quick
from tests.facts import first_table
from tests.net.discovery import ADVERT, GAME, seen
from tests.net.playing import until

LOOPBACK = Interface("lo", 1, ("127.0.0.1",), ())


def heard(*datagrams: tuple[bytes, str]) -> Listener:
    hearing = Listener()
    for count, (datagram, source) in enumerate(datagrams):
        hearing.take(datagram, source, 1000.0 + count / 10)
    return hearing


def changed(**fields: Any) -> bytes:
    """Return the datagram of an announcement with these fields changed."""
    said = to_builtins(beacon.read(beacon.say(ADVERT, 47110, ["10.0.0.1"])), builtin_types=(bytes,))
    names = Announcement.__struct_fields__
    return pad(pack([fields.get(name, value) for name, value in zip(names, said, strict=True)]))


def test_announcement_is_decoded_as_it_was_sent() -> None:
    said = beacon.read(beacon.say(ADVERT, 47110, ["10.0.0.1", "fd00::1", "fe80::1", "fe80::1%3"]))
    assert isinstance(said, Announcement)
    table = beacon.table_of(said, "10.0.0.9")
    assert table.advert == ADVERT
    assert table.addresses == (("10.0.0.9", 47110), ("10.0.0.1", 47110), ("fd00::1", 47110))


@one_case(
    ("field", "value"),
    [("magic", "other"), ("format", 2), ("kind", "else"), ("game_id", b"short"), ("name", "x" * 25),
     ("taken", 100), ("state", "?"), ("fp", b""), ("port", 0), ("numbers", [b"12345"])],
)  # fmt: skip
def test_announcement_with_a_wrong_field_is_malformed(field: str, value: Any) -> None:
    assert isinstance(beacon.read(changed()), Announcement)
    with pytest.raises(Malformed):
        beacon.read(changed(**{field: value}))


@given(st.binary(max_size=600))
def test_random_datagrams_are_ignored(datagram: bytes) -> None:
    assert not Listener().take(datagram, "10.0.0.1", 1000.0)
    assert not Responder().wants(datagram, GAME, "10.0.0.1", 1000.0)


@one_case(
    ("quiet", "game", "answered"),
    [(False, None, True), (False, GAME, True), (False, bytes(16), False), (True, None, False), (True, GAME, True)],
)
def test_quiet_table_answers_only_questions_for_its_game(quiet: bool, game: bytes | None, answered: bool) -> None:
    assert Responder(quiet=quiet).wants(beacon.ask(game), GAME, "10.0.0.1", 1000.0) is answered


def test_false_announcement_does_not_change_another_table() -> None:
    over, false = replace(ADVERT, state="over"), replace(ADVERT, name="Eve", state="over", fp=bytes(32))
    hearing = heard(
        (beacon.say(ADVERT, 1, []), "10.0.0.1"),
        (beacon.say(false, 2, []), "10.0.0.66"),
        (beacon.say(over, 3, []), "10.0.0.66"),
    )
    table = hearing.tables[GAME, ADVERT.fp]
    assert table.advert == ADVERT, "a table is over only if all announcements say so"
    assert set(table.addresses) == {("10.0.0.1", 1), ("10.0.0.66", 3)}


# Sockets


async def test_sockets_open_again_when_the_interfaces_change(monkeypatch: pytest.MonkeyPatch) -> None:
    there = [(LOOPBACK,), (LOOPBACK,), (), (LOOPBACK,)]
    monkeypatch.setattr(beacon, "FIRST", ())
    monkeypatch.setattr(beacon, "REGULAR", 0.0)
    monkeypatch.setattr(beacon, "here", lambda: there.pop(0))
    sockets, works, senders = DatagramSockets(lambda *_: None), list[bool](), list[Any]()
    with contextlib.closing(sockets):
        async for _ in beacon.calls(sockets, works.append):
            senders.append(sockets._senders[0][0] if sockets.works else None)
            if not there:
                break
    first, second, none, last = senders
    assert first is second
    assert none is None
    assert last is not first
    assert first.is_closing()
    assert works == [True, False, True]


def test_announcements_pass_no_router_and_reach_other_programs_of_this_machine() -> None:
    with beacon._sender(socket.AF_INET, "127.0.0.1") as sock:
        options = (socket.IP_MULTICAST_TTL, socket.IP_MULTICAST_LOOP)
        assert [sock.getsockopt(socket.IPPROTO_IP, option) for option in options] == [1, 1]
    with beacon._sender(socket.AF_INET6, 1) as sock:
        options = (socket.IPV6_MULTICAST_HOPS, socket.IPV6_MULTICAST_LOOP)
        assert [sock.getsockopt(socket.IPPROTO_IPV6, option) for option in options] == [1, 1]


@pytest.mark.usefixtures("on_loopback")
@pytest.mark.parametrize("quiet", [False, True])
async def test_beacon_finds_a_table_and_its_changes_on_loopback(
    quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beacon, "REGULAR", 0.05)
    works: list[bool] = []
    said = [ADVERT]
    async with TableList(Listener(GAME)) as listed, asyncio.TaskGroup() as tasks:
        task = tasks.create_task(beacon.announce(4711, lambda: said[0], works.append, quiet=quiet))
        assert ("127.0.0.1", 4711) in (await seen(listed)).addresses
        said[0] = replace(ADVERT, taken=4, state="playing")
        await seen(listed, state="playing", taken=4)
        task.cancel()
    assert works == [True]


@pytest.mark.usefixtures("on_loopback")
async def test_locate_yields_the_remembered_address_and_then_the_announced_one(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "tables.json")
    remembered.keep(GAME, [("127.0.0.1", 1)])
    async with asyncio.TaskGroup() as tasks, asyncio.timeout(60):
        task = tasks.create_task(beacon.announce(4711, lambda: ADVERT, lambda _: None))
        async with contextlib.aclosing(locate(GAME, remembered)) as located:
            assert list(await anext(located)) == [("127.0.0.1", 1)]
            assert ("127.0.0.1", 4711) in await anext(located)
        task.cancel()


@one_case(("version", "speaks"), [(1, False), (2, True), (3, True), (4, True), (5, False)])
def test_table_that_supports_a_protocol_version_of_this_program_can_be_joined(
    version: int, speaks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adverts, "VERSIONS", (2, 4))
    assert AdvertisedTable(replace(ADVERT, version=version), ()).speaks is speaks


def test_tables_of_this_network_come_first_and_then_the_newest() -> None:
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


def test_beacon_broadcasts_in_each_network_of_an_interface() -> None:
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
def test_interfaces_that_cannot_reach_players_are_ignored(names: list[str], chosen: list[str]) -> None:
    there = [Interface("lo", 1, ("127.0.0.1",), ("::1",)), Interface("eth9", 9, (), ())]
    there += [Interface(name, 7, ("10.0.0.1",), ()) for name in names]
    assert [interface.name for interface in choose(there)] == chosen


def as_bytes(txt: dict[str, str]) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in txt.items()}


def test_mdns_txt_record_is_decoded_as_it_was_sent() -> None:
    assert from_txt(as_bytes(to_txt(ADVERT))) == ADVERT
    hostile = from_txt(as_bytes(to_txt(ADVERT) | {"name": "A\u202e\x1b[31mnna\n"}))
    assert hostile is not None
    assert hostile.name == "A[31mnna"


@one_case(
    "change", [{"id": "00"}, {"id": "xyz"}, {"fp": ""}, {"seats": "many"}, {"seats": "1/4/5"}, {"state": "?"}]
)
def test_invalid_mdns_txt_record_is_ignored(change: dict[str, str]) -> None:
    assert from_txt(as_bytes(to_txt(ADVERT) | change)) is None


@pytest.mark.usefixtures("on_loopback")
async def test_mdns_browser_finds_updates_and_removes_a_table_on_loopback() -> None:
    said, changed, works = [ADVERT], asyncio.Event(), list[bool]()
    async with TableList(Browser()) as listed, asyncio.TaskGroup() as tasks:
        announcing = table_list.announce(4711, lambda: said[0], changed, works.append)
        task = tasks.create_task(announcing)
        table = await seen(listed, game_id=GAME)
        assert (table.advert, table.speaks) == (ADVERT, True)
        assert ("127.0.0.1", 4711) in table.addresses
        async with contextlib.aclosing(locate(GAME)) as located:
            assert ("127.0.0.1", 4711) in await anext(located)
        said[0] = replace(ADVERT, taken=4, state="playing")
        changed.set()
        await seen(listed, state="playing")
        task.cancel()
        await until(lambda: listed.tables == {})
        assert set(works) == {True}


async def test_browser_asks_for_a_limited_number_of_announcements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any machine on the network can announce thousands of tables. A known table is queried again."""

    def hear(*names: str) -> set[str]:
        for name in names:
            browser._heard(Zeroconf.__new__(Zeroconf), mdns.SERVICE, name, ServiceStateChange.Added)
        return set(browser._resolving)

    monkeypatch.setattr(Browser, "_resolve", AsyncMock())
    browser, names = Browser(), [f"{number}.{mdns.SERVICE}" for number in range(MOST + 9)]
    browser.announced = {names[0]: (AdvertisedTable(ADVERT, ()), 0.0)}
    assert hear(*names[1:]) == set(names[1:MOST])
    assert hear(names[0]) == set(names[:MOST])


# Failures of the library

FAILURES = (
    *sorted(zeroconf.Error.__subclasses__(), key=lambda kind: kind.__name__),
    OSError, TimeoutError, RuntimeError, AssertionError, ValueError,
)  # fmt: skip


PARTS = ("open", "start", "work", "close")


@pytest.mark.usefixtures("on_loopback")
@one_case("failure", quick(FAILURES, OSError), parts=4)
@pytest.mark.parametrize("part", PARTS)
async def test_failing_mdns_library_ends_neither_the_search_nor_the_table(
    tmp_path: Path, part: str, failure: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    fails = {name: failure if name == part else None for name in PARTS}
    library = Mock(async_close=AsyncMock(side_effect=fails["close"]))
    library.async_register_service = AsyncMock(side_effect=failure)
    library.zeroconf = Mock(started=True, async_wait_for_start=AsyncMock(side_effect=fails["start"]))
    monkeypatch.setattr(mdns, "AsyncZeroconf", Mock(side_effect=fails["open"], return_value=library))
    monkeypatch.setattr(mdns, "AsyncServiceBrowser", Mock(side_effect=failure))
    monkeypatch.setattr(DatagramSockets, "open", AsyncMock())  # the beacon finds nothing
    async with TableList(Browser()) as listed:
        await until(lambda: not listed.works)
        assert listed.tables == {}
    async with open_table(first_table(2), tmp_path, host="127.0.0.1", port=0, announce=True) as table:
        async with asyncio.timeout(60):
            await table.unannounced.wait()
