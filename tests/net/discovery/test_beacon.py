"""The beacon: what it says, to whom it answers, and that tables are found by it on loopback."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from citadels_lan.crypto.packing import Malformed, pack, pad
from citadels_lan.net.discovery import beacon
from citadels_lan.net.discovery.beacon import (
    DatagramSockets,
    HeardTables,
    Listener,
    Responder,
    TableSaid,
    ask,
    read,
    say,
    table_of,
)
from citadels_lan.net.discovery.finding import Remembered, TableList, locate
from citadels_lan.net.discovery.found import Advert, AdvertisedTable, TableKey, TableSource, merged, ranked
from citadels_lan.net.discovery.interfaces import Interface
from tests.effort import one_case

GAME = bytes([7]) * 16
ADVERT = Advert(GAME, "Anna", 2, 4, "lobby", "2016", bytes([1]) * 32)


def heard(*datagrams: tuple[bytes, str]) -> HeardTables:
    hearing = HeardTables()
    for count, (datagram, source) in enumerate(datagrams):
        hearing.take(datagram, source, 1000.0 + count / 10)
    return hearing


def test_what_is_said_is_understood() -> None:
    said = read(say(ADVERT, 47110, ["10.0.0.1", "fd00::1", "fe80::1", "fe80::1%3"]))
    assert isinstance(said, TableSaid)
    table = table_of(said, "10.0.0.9")
    assert table.advert == ADVERT
    assert table.addresses == (("10.0.0.9", 47110), ("10.0.0.1", 47110), ("fd00::1", 47110))


@one_case(
    ("field", "value"),
    [(0, "other"), (1, 2), (2, "else"), (4, b"short"), (5, "x" * 25), (6, 100), (8, "?"), (10, b""), (11, 0),
     (12, [b"12345"])],
)  # fmt: skip
def test_what_is_no_table_is_left_out(field: int, value: Any) -> None:
    fields = list(to_builtins(read(say(ADVERT, 47110, ["10.0.0.1"])), builtin_types=(bytes,)))
    assert read(pad(pack(fields))) == read(say(ADVERT, 47110, ["10.0.0.1"]))
    fields[field] = value
    with pytest.raises(Malformed):
        read(pad(pack(fields)))


@given(st.binary(max_size=600))
def test_noise_is_nothing(datagram: bytes) -> None:
    assert not HeardTables().take(datagram, "10.0.0.1", 1000.0)
    assert not Responder().wants(datagram, GAME, "10.0.0.1", 1000.0)


def test_a_hostile_name_is_harmless() -> None:
    fields = list(to_builtins(read(say(ADVERT, 47110, [])), builtin_types=(bytes,)))
    fields[5] = "A  nna" + "\u3164"
    said = read(pad(pack(fields)))
    assert isinstance(said, TableSaid)
    assert table_of(said, "10.0.0.1").advert.name == "A nna"


def test_an_answer_is_never_longer_than_its_question() -> None:
    longest = Advert(GAME, "è" * 24, 99, 99, "playing", "è" * 24, bytes(32), 65535)
    assert len(say(longest, 65535, [f"fd00::{number}" for number in range(1, 9)])) <= len(ask(None))


@one_case(
    ("quiet", "game", "answered"),
    [(False, None, True), (False, GAME, True), (False, bytes(16), False), (True, None, False), (True, GAME, True)],
)
def test_a_quiet_table_answers_only_who_knows_its_game(quiet: bool, game: bytes | None, answered: bool) -> None:
    assert Responder(quiet=quiet).wants(ask(game), GAME, "10.0.0.1", 1000.0) is answered


def test_nobody_changes_what_is_known_of_anothers_table() -> None:
    """A false announcement of the same game has another certificate; one with the same adds an address to try."""
    over = Advert(GAME, "Anna", 2, 4, "over", "2016", ADVERT.fp)
    false = Advert(GAME, "Eve", 2, 4, "over", "2016", bytes(32))
    hearing = heard(
        (say(ADVERT, 1, []), "10.0.0.1"), (say(false, 2, []), "10.0.0.66"), (say(over, 3, []), "10.0.0.66")
    )
    table = hearing.tables[GAME, ADVERT.fp]
    assert table.advert == ADVERT, "and a table is over only where all say so"
    assert set(table.addresses) == {("10.0.0.1", 1), ("10.0.0.66", 3)}


def test_a_flood_from_one_address_pushes_nobody_out() -> None:
    hearing = heard((say(ADVERT, 1, []), "10.0.0.1"))
    for number in range(1000):
        false = Advert(number.to_bytes(16, "big"), "Eve", 0, 4, "lobby", "2016", bytes(32))
        hearing.take(say(false, 1, []), "10.0.0.66", 1000.5 + number / 1000)
    assert (GAME, ADVERT.fp) in hearing.tables
    assert len(hearing.tables) == 1 + beacon.OF_ONE
    shown = ranked(tuple(hearing.tables.values()), ["10.0.0.0/24"])
    assert shown[0].advert == ADVERT


def test_the_own_network_comes_first_and_then_the_newest() -> None:
    def at(number: int, host: str) -> AdvertisedTable:
        advert = Advert(number.to_bytes(16, "big"), "", 0, 4, "lobby", "2016", bytes(32))
        return AdvertisedTable(advert, ((host, 1),))

    tables = [
        at(1, "10.0.0.1"),
        at(2, "192.168.9.1"),
        at(3, "10.0.0.2"),
        at(4, "no number"),
        at(5, "fe80::1%eth0"),
    ]
    order = [table.advert.game_id[-1] for table in ranked(tuple(merged(tables).values()), ["10.0.0.0/24"])]
    assert order == [5, 3, 1, 4, 2]


@pytest.mark.parametrize("turned", [False, True])
def test_an_address_that_people_can_type_comes_first_whenever_it_was_heard(turned: bool) -> None:
    heard_at = [AdvertisedTable(ADVERT, ((host, 1),)) for host in ("10.0.0.1", "fe80::1%eth0")]
    (table,) = merged(reversed(heard_at) if turned else heard_at).values()
    assert [host for host, _ in table.addresses] == ["10.0.0.1", "fe80::1%eth0"]


def test_an_interface_broadcasts_in_each_of_its_networks() -> None:
    nets = ("10.1.2.0/24", "10.9.0.4/30", "10.8.0.1/32", "fd00::/64")
    assert Interface("eth0", 2, (), (), nets).broadcasts == ("10.1.2.255", "10.9.0.7")


def test_a_table_that_is_silent_is_gone() -> None:
    hearing = heard((say(ADVERT, 1, []), "10.0.0.1"), (say(ADVERT, 1, []), "10.0.0.2"))
    assert hearing.expire(1008.05)
    assert list(hearing.tables) == [(GAME, ADVERT.fp)]
    assert not hearing.expire(1008.05)
    assert hearing.expire(1008.2)
    assert hearing.tables == {}


# Real datagrams, on loopback


async def test_the_own_voice_is_no_other_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on the other interface of a machine, and where the address has its interface in it."""
    there = [Interface("eth0", 2, (), ("fe80::1",)), Interface("wlan0", 3, ("10.0.0.2",), ())]
    listener = Listener(only="eth0")
    monkeypatch.setattr(beacon, "here", lambda: tuple(there))
    monkeypatch.setattr(listener._timer._sockets, "open", lambda _: asyncio.sleep(0))
    await listener._timer.next()
    for source in ("fe80::1%eth0", "10.0.0.2"):
        listener._heard(ask(None), (source, 47111))
    assert listener.others == 0
    listener._heard(ask(None), ("fe80::2%eth0", 47111))
    assert listener.others == 1


async def test_radio_opened_again_does_not_speak_twice() -> None:
    sockets, loopback = DatagramSockets(lambda data, where: None), Interface("lo", 1, ("127.0.0.1",), ())
    await sockets.open([loopback])
    ((first, _),) = sockets._senders
    await sockets.open([loopback])
    assert first.is_closing()
    assert len(sockets._senders) == 1
    await sockets.open([])
    assert not sockets.works


async def test_machine_is_asked_from_one_socket_of_its_family(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[Any, bytes, object]] = []
    monkeypatch.setattr(beacon, "_send", lambda *sending: sent.append(sending))
    sockets = DatagramSockets(lambda data, where: None)
    await sockets.open([Interface("lo", 1, ("127.0.0.1", "127.0.0.2"), ())])
    (first, _), _ = sockets._senders
    sockets.ask(b"question", "10.0.0.1")
    sockets.ask(b"question", "fd00::1")
    await sockets.open([])
    assert sent == [(first, b"question", ("10.0.0.1", beacon.PORT))], "no socket of the other family is there"


async def seen(found: TableList, **wanted: object) -> AdvertisedTable:
    async with asyncio.timeout(60):
        async for _ in found.news():
            for table in found.tables.values():
                if all(getattr(table.advert, name) == one for name, one in wanted.items()):
                    return table
    raise AssertionError


@pytest.mark.usefixtures("on_loopback")
@pytest.mark.parametrize("quiet", [False, True])
async def test_found_and_changed_on_loopback(quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beacon, "REGULAR", 0.05)
    told: list[bool] = []
    said = [ADVERT]
    async with TableList(Listener(GAME)) as found, asyncio.TaskGroup() as tasks:
        task = tasks.create_task(beacon.announce(4711, lambda: said[0], told.append, quiet=quiet))
        assert ("127.0.0.1", 4711) in (await seen(found)).addresses
        said[0] = Advert(GAME, "Anna", 4, 4, "playing", "2016", ADVERT.fp)
        await seen(found, state="playing")
        assert found.tables[GAME, ADVERT.fp].advert.taken == 4
        task.cancel()
    assert told == [True]


@pytest.mark.usefixtures("on_loopback")
async def test_locate_tells_where_it_was_and_then_where_it_is(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "tables.json")
    remembered.keep(GAME, [("127.0.0.1", 1)])
    async with asyncio.TaskGroup() as tasks, asyncio.timeout(60):
        task = tasks.create_task(beacon.announce(4711, lambda: ADVERT, lambda _: None))
        async with contextlib.aclosing(locate(GAME, remembered)) as told:
            assert list(await anext(told)) == [("127.0.0.1", 1)]
            assert ("127.0.0.1", 4711) in await anext(told)
        task.cancel()


# Several ways


class Broken(TableSource):
    """A way that fails."""

    def __init__(self) -> None:
        super().__init__("broken")

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        return {}

    async def look(self) -> None:
        raise RuntimeError


class Sound(Broken):
    """One that has found a table."""

    @property
    def tables(self) -> dict[TableKey, AdvertisedTable]:
        table = AdvertisedTable(ADVERT, (("10.0.0.1", 1),))
        return {table.key: table}

    async def look(self) -> None:
        self.tell(True)
        await asyncio.sleep(3600)


async def test_a_way_that_breaks_ends_nothing() -> None:
    broken = Broken()
    async with asyncio.timeout(60), TableList(broken, Sound()) as found:
        async for _ in found.news():
            if broken.works is False:
                break
        assert found.works
        assert list(found.tables) == [(GAME, ADVERT.fp)]
        assert not found.isolated


async def test_where_all_ways_break_it_is_said() -> None:
    async with asyncio.timeout(60), TableList(Broken()) as found:
        await anext(found.news())
        assert not found.works
        assert found.isolated


# Where tables were


def test_tables_are_remembered_by_their_last_addresses(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "tables.json")
    assert remembered.of(GAME) == ()
    remembered.keep(GAME, [("10.0.0.1", 1), ("10.0.0.2", 1)])
    remembered.keep(bytes(16), [("10.0.0.3", 1)])
    remembered.keep(GAME, [("10.0.0.4", 2)])
    assert list(remembered.of(GAME)) == [("10.0.0.4", 2), ("10.0.0.1", 1), ("10.0.0.2", 1)]
    assert remembered.hosts() == ("10.0.0.4", "10.0.0.1", "10.0.0.2", "10.0.0.3")


@one_case("text", ["", "{", "[1]", '[{"game": "x", "at": []}]', '[{"game": 1}]', "\x00"])
def test_a_file_that_says_nothing_stops_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tables.json"
    path.write_text(text)
    remembered = Remembered(path)
    assert remembered.of(GAME) == ()
    remembered.keep(GAME, [("10.0.0.1", 1)])
    assert list(remembered.of(GAME)) == [("10.0.0.1", 1)]


def test_so_many_tables_are_remembered(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path / "tables.json")
    for number in range(70):
        remembered.keep(number.to_bytes(16, "big"), [(f"10.0.0.{number}", 1)])
    assert len(remembered.hosts()) == 64
    assert remembered.of(bytes(16)) == ()
    Remembered(tmp_path).keep(GAME, [("10.0.0.1", 1)])  # a folder is no file: nothing is kept, and nothing breaks
