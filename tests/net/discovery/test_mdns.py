"""Tables by mDNS: TXT records, loopback, and failures of the library."""

import asyncio
import contextlib
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest
import zeroconf
from msgspec.structs import replace
from zeroconf import ServiceStateChange, Zeroconf

from citadels_lan.net.discovery import mdns, table_list
from citadels_lan.net.discovery.adverts import MOST, AdvertisedTable
from citadels_lan.net.discovery.beacon import DatagramSockets
from citadels_lan.net.discovery.mdns import Browser, from_txt, to_txt
from citadels_lan.net.discovery.table_list import TableList, locate
from citadels_lan.net.host.opening import open_table
from tests.effort import one_case, quick
from tests.facts import first_table
from tests.net.playing import until

from . import ADVERT, GAME, seen


def as_bytes(txt: dict[str, str]) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in txt.items()}


def test_txt_record_is_decoded_as_it_was_sent() -> None:
    assert from_txt(as_bytes(to_txt(ADVERT))) == ADVERT
    hostile = from_txt(as_bytes(to_txt(ADVERT) | {"name": "A\u202e\x1b[31mnna\n"}))
    assert hostile is not None
    assert hostile.name == "A[31mnna"


@one_case(
    "change", [{"id": "00"}, {"id": "xyz"}, {"fp": ""}, {"seats": "many"}, {"seats": "1/4/5"}, {"state": "?"}]
)
def test_wrong_txt_record_is_ignored(change: dict[str, str]) -> None:
    assert from_txt(as_bytes(to_txt(ADVERT) | change)) is None


@pytest.mark.usefixtures("on_loopback")
async def test_table_is_found_changed_and_removed_on_loopback() -> None:
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
    """Any machine on the network can announce thousands of tables. A known table is asked again."""

    def hear(*names: str) -> set[str]:
        for name in names:
            browser._heard(Zeroconf.__new__(Zeroconf), mdns.SERVICE, name, ServiceStateChange.Added)
        return set(browser._resolving)

    monkeypatch.setattr(Browser, "_resolve", AsyncMock())
    browser, names = Browser(), [f"{number}.{mdns.SERVICE}" for number in range(MOST + 9)]
    browser._services = {names[0]: AdvertisedTable(ADVERT, ())}
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
async def test_failing_library_ends_neither_the_search_nor_the_table(
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
