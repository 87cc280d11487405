"""Telling the network of a table, with ways that are made up: none is tried more often than there is a reason."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.net.discovery import beacon, finding, found, mdns
from citadels_lan.net.discovery.found import Advert, AdvertisedTable
from citadels_lan.net.discovery.interfaces import Interface
from tests.effort import one_case
from tests.net.playing import until

ADVERT = Advert(bytes(16), "Ann's table", 2, 4, "lobby", "2016", bytes(32))
HERE = Interface("lo", 1, ("127.0.0.1",), ())


@pytest.mark.parametrize("quiet", [False, True])
async def test_every_way_hears_of_the_table_and_its_changes(quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[object, ...]] = []
    told: list[bool] = []
    changed = asyncio.Event()

    def adverts() -> Advert:
        return ADVERT

    async def shine(port: int, adverts: object, tell: found.Tell, **given: object) -> None:
        heard.append((port, adverts, given["quiet"]))
        if not quiet:
            tell(False)

    async def publish(port: int, adverts: object, changed: object, tell: found.Tell, **_: object) -> None:
        heard.append((port, adverts, changed))
        tell(True)

    monkeypatch.setattr(beacon, "announce", shine)
    monkeypatch.setattr(mdns, "announce", publish)
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        task = tasks.create_task(finding.announce(4711, adverts, changed, told.append, quiet=quiet))
        await until(lambda: len(heard) == 2 - quiet)
        task.cancel()
    assert heard == [(4711, adverts, quiet), *([] if quiet else [(4711, adverts, changed)])]
    assert told == ([] if quiet else [True])


async def test_a_beacon_that_breaks_says_that_it_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []

    async def broken(*_: object, **__: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(beacon.DatagramSockets, "open", broken)
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        task = tasks.create_task(beacon.announce(4711, lambda: ADVERT, told.append))
        await until(lambda: bool(told))
        task.cancel()
    assert told == [False]


async def test_the_radio_is_opened_anew_when_the_interfaces_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[Interface, ...]] = []
    there = [(HERE,), (HERE,), (), (HERE,), (HERE,)]
    sockets: Any = SimpleNamespace(works=True)

    async def open_on(interfaces: tuple[Interface, ...]) -> None:
        opened.append(interfaces)

    sockets.open = open_on
    monkeypatch.setattr(beacon, "FIRST", ())
    monkeypatch.setattr(beacon, "REGULAR", 0.0)
    monkeypatch.setattr(beacon, "here", lambda: there.pop(0))
    timer = beacon.CallTimer(sockets)
    while there:
        await timer.next()
    assert opened == [(HERE,), (), (HERE,)]


async def test_mdns_waits_until_something_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [ADVERT]
    changed, looked, updated = asyncio.Event(), list[object](), list[object]()

    async def nothing() -> None: ...

    async def register(info: object, **_: object) -> Awaitable[None]:
        return nothing()

    async def update(info: object) -> Awaitable[None]:
        updated.append(said[0].taken)
        return nothing()

    @contextlib.asynccontextmanager
    async def speaking(_: object) -> AsyncIterator[object]:
        yield SimpleNamespace(async_register_service=register, async_update_service=update)

    async def keep_at(_: str, work: Callable[[], Awaitable[None]], tell: object) -> None:
        await work()

    def holds(*_: object, **__: object) -> bool:
        looked.append(updated[-1:])
        return len(looked) < 4

    monkeypatch.setattr(mdns, "keep_at", keep_at)
    monkeypatch.setattr(mdns, "speaking", speaking)
    monkeypatch.setattr(mdns, "_info", lambda *_: None)
    monkeypatch.setattr(mdns, "_holds", holds)
    async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
        tasks.create_task(mdns.announce(4711, lambda: said[0], changed, lambda _: None))
        for taken in (3, 4, 4):
            seen = len(looked) + 1
            await until(lambda seen=seen: len(looked) >= seen)  # type: ignore[misc]
            said[0] = replace(ADVERT, taken=taken)
            changed.set()
    assert updated == [3, 4]


@one_case(("version", "speaks"), [(1, False), (2, True), (3, True), (4, True), (5, False)])
def test_a_table_may_speak_any_of_the_versions_that_are_spoken_here(
    version: int, speaks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found, "VERSIONS", (2, 4))
    assert AdvertisedTable(replace(ADVERT, version=version), ()).speaks is speaks
