"""The beacon: its datagrams, its limits, and tables that are found by it on loopback."""

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace

from citadels_lan.crypto.codec import Malformed, pack, pad
from citadels_lan.net.discovery import beacon
from citadels_lan.net.discovery.beacon import Announcement, DatagramSockets, HeardTables, Listener, Responder
from citadels_lan.net.discovery.interfaces import Interface
from citadels_lan.net.discovery.table_list import Remembered, TableList, locate
from tests.effort import one_case

from . import ADVERT, GAME, seen

LOOPBACK = Interface("lo", 1, ("127.0.0.1",), ())


def heard(*datagrams: tuple[bytes, str]) -> HeardTables:
    hearing = HeardTables()
    for count, (datagram, source) in enumerate(datagrams):
        hearing.take(datagram, source, 1000.0 + count / 10)
    return hearing


def changed(**fields: Any) -> bytes:
    """The datagram of an announcement with other values."""
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
    [("magic", "other"), ("version", 2), ("kind", "else"), ("game", b"short"), ("name", "x" * 25), ("taken", 100),
     ("state", "?"), ("fp", b""), ("port", 0), ("numbers", [b"12345"])],
)  # fmt: skip
def test_announcement_with_a_wrong_field_is_malformed(field: str, value: Any) -> None:
    assert isinstance(beacon.read(changed()), Announcement)
    with pytest.raises(Malformed):
        beacon.read(changed(**{field: value}))


@given(st.binary(max_size=600))
def test_random_datagrams_are_ignored(datagram: bytes) -> None:
    assert not HeardTables().take(datagram, "10.0.0.1", 1000.0)
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
async def test_table_and_its_changes_are_found_on_loopback(quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
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
async def test_locate_yields_the_remembered_address_and_then_the_present_one(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "tables.json")
    remembered.keep(GAME, [("127.0.0.1", 1)])
    async with asyncio.TaskGroup() as tasks, asyncio.timeout(60):
        task = tasks.create_task(beacon.announce(4711, lambda: ADVERT, lambda _: None))
        async with contextlib.aclosing(locate(GAME, remembered)) as located:
            assert list(await anext(located)) == [("127.0.0.1", 1)]
            assert ("127.0.0.1", 4711) in await anext(located)
        task.cancel()
