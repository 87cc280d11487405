"""Finding tables: what is said, where it is said, and that it is heard, on loopback and in own namespaces."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from zeroconf import NotRunningException, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncZeroconf

from citadels_lan.net.discovery import mdns
from citadels_lan.net.discovery.finding import TableList, locate
from citadels_lan.net.discovery.found import MOST, Advert, AdvertisedTable
from citadels_lan.net.discovery.interfaces import Interface, choose, here
from citadels_lan.net.discovery.mdns import Browser, announce, from_txt, to_txt
from tests.effort import one_case
from tests.net.playing import until

ADVERT = Advert(bytes(16), "Anna's table", 2, 4, "lobby", "2016", bytes(32))


def as_bytes(txt: dict[str, str]) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in txt.items()}


def test_what_is_said_is_understood() -> None:
    assert from_txt(as_bytes(to_txt(ADVERT))) == ADVERT


@one_case(
    "change",
    [
        {"id": "00"},
        {"id": "xyz"},
        {"fp": ""},
        {"seats": "many"},
        {"seats": "1/4/5"},
        {"state": "\x1b[2J"},
        {"name": None},
    ],
)
def test_what_is_no_table_is_left_out(change: dict[str, str | None]) -> None:
    txt = {key: value for key, value in (to_txt(ADVERT) | change).items() if value is not None}
    assert from_txt(as_bytes(txt)) is None


def test_a_hostile_name_is_harmless() -> None:
    found = from_txt(as_bytes(to_txt(ADVERT) | {"name": "A\u202e\x1b[31mnna\n"}))
    assert found is not None
    assert found.name == "A[31mnna"


def test_bytes_that_are_no_text_are_left_out() -> None:
    assert from_txt({b"\xff": b"\xfe", b"v": None}) is None


def named(name: str, ipv4: str = "10.0.0.1") -> Interface:
    return Interface(name, 7, (ipv4,), ())


LOOPBACK = Interface("lo", 1, ("127.0.0.1",), ("::1",))


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
def test_interfaces_that_lead_to_nobody_are_dropped(names: list[str], chosen: list[str]) -> None:
    known = [LOOPBACK, *(named(name) for name in names), Interface("eth9", 9, (), ())]
    assert [one.name for one in choose(known)] == chosen


async def seen(found: TableList, **wanted: object) -> AdvertisedTable:
    async with asyncio.timeout(60):
        async for _ in found.news():
            for table in found.tables.values():
                if all(getattr(table.advert, name) == value for name, value in wanted.items()):
                    return table
    raise AssertionError


@pytest.mark.slow
@pytest.mark.usefixtures("on_loopback")
async def test_a_library_that_stops_under_a_browser_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where another part of the program, or the system, has closed it: it is opened again."""
    opened: list[AsyncZeroconf] = []
    begin = mdns.open_zeroconf

    def opening(there: Sequence[Interface]) -> AsyncZeroconf:
        opened.append(begin(there))
        return opened[-1]

    monkeypatch.setattr(mdns, "open_zeroconf", opening)
    monkeypatch.setattr(mdns, "_WATCH", 0.05)
    browser = Browser()
    async with TableList(browser) as found:
        await until(lambda: browser.works is True)
        await opened[0].async_close()
        assert not opened[0].zeroconf.started
        with pytest.raises(NotRunningException):
            mdns._holds(here(), opened[0])
        await until(lambda: browser.works is False)
        await until(lambda: browser.works is True)
        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(announce(4711, lambda: ADVERT, asyncio.Event(), lambda _: None))
            await seen(found, game_id=ADVERT.game_id)
            task.cancel()
    assert len(opened) == 3, "the browser's two, and that of the table"


async def test_browser_asks_for_a_limited_number_of_announcements(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any machine on the network can announce thousands of tables. A known table is asked again."""

    async def waiting(*_: object) -> None:
        await asyncio.sleep(3600)

    def hear(*names: str) -> set[str]:
        for name in names:
            browser._heard(Zeroconf.__new__(Zeroconf), mdns.SERVICE, name, ServiceStateChange.Added)
        return set(browser._resolving)

    monkeypatch.setattr(Browser, "_resolve", waiting)
    browser, names = Browser(), [f"{number}.{mdns.SERVICE}" for number in range(MOST + 9)]
    browser._services = {names[0]: AdvertisedTable(ADVERT, ())}
    assert hear(*names[1:]) == set(names[1:MOST])
    assert hear(names[0]) == set(names[:MOST])
    for task in browser._resolving.values():
        task.cancel()


@pytest.mark.usefixtures("on_loopback")
async def test_found_changed_and_gone_on_loopback() -> None:
    said, changed, told = [ADVERT], asyncio.Event(), list[bool]()
    async with TableList(Browser()) as found, asyncio.TaskGroup() as tasks:
        task = tasks.create_task(announce(4711, lambda: said[0], changed, told.append))
        table = await seen(found, game_id=ADVERT.game_id)
        assert table.advert == ADVERT
        assert ("127.0.0.1", 4711) in table.addresses
        assert table.speaks
        async with contextlib.aclosing(locate(ADVERT.game_id)) as heard:
            assert ("127.0.0.1", 4711) in await anext(heard)

        said[0] = Advert(ADVERT.game_id, "Anna", 4, 4, "playing", "2016", ADVERT.fp)
        changed.set()
        await seen(found, state="playing")

        task.cancel()
        await until(lambda: found.tables == {})
        assert told == [True]


# In network namespaces: two machines, and nothing but a veth between them


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def can_make_namespaces() -> bool:
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"ctl-probe-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True).returncode == 0
    if made:
        subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
    return made


@pytest.fixture
def machines() -> Iterator[tuple[str, str]]:
    if not can_make_namespaces():
        pytest.skip("network namespaces need root on Linux")
    names = (f"ctl-a-{os.getpid()}", f"ctl-b-{os.getpid()}")
    try:
        for name in names:
            ip("netns", "add", name)
            ip("-n", name, "link", "set", "lo", "up")
        ip("-n", names[0], "link", "add", "veth0", "type", "veth", "peer", "name", "veth0", "netns", names[1])
        for number, name in enumerate(names, 1):
            ip("-n", name, "addr", "add", f"10.77.0.{number}/24", "dev", "veth0")
            ip("-n", name, "link", "set", "veth0", "up")
        yield names
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


HOST = """
    import asyncio, sys
    from pathlib import Path
    from citadels_lan.net.host.opening import open_table
    from citadels_lan.net.wire.messages import Settings

    async def main():
        async with open_table(Settings(), Path(sys.argv[1]), port=0, announce=True, title="Veth") as one:
            print(one.game_id.hex(), flush=True)
            await asyncio.sleep(60)

    asyncio.run(main())
"""

GUEST = """
    import asyncio, sys
    from pathlib import Path
    from citadels_lan.net.discovery.finding import TableList
    from citadels_lan.net.discovery.mdns import Browser
    from citadels_lan.net.client.session import Session

    async def main():
        async with asyncio.timeout(60), TableList(Browser()) as found:
            async for _ in found.news():
                if found.tables:
                    (table,) = found.tables.values()
                    break
        print(table.advert.game_id.hex(), table.advert.name, *(one for one, _ in table.addresses))
        for address in table.addresses:
            session = await Session.join(address, data_dir=Path(sys.argv[1]), name="Guest")
            print(session.table.status, session.table.seat)
            await session.leave()

    asyncio.run(main())
"""


def program(namespace: str, source: str, folder: Path) -> list[str]:
    code = textwrap.dedent(source)
    return ["ip", "netns", "exec", namespace, sys.executable, "-c", code, str(folder)]


@pytest.mark.slow
def test_found_and_joined_from_another_machine(machines: tuple[str, str], tmp_path: Path) -> None:
    host = subprocess.Popen(program(machines[0], HOST, tmp_path / "host"), stdout=subprocess.PIPE, text=True)
    try:
        assert host.stdout is not None
        game = host.stdout.readline().strip()
        guest = subprocess.run(
            program(machines[1], GUEST, tmp_path / "guest"),
            check=False, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
    finally:
        host.kill()
        host.communicate()
    assert guest.returncode == 0, guest.stderr
    first, *joined = guest.stdout.splitlines()
    found, name, *addresses = first.split(" ")
    assert (found, name) == (game, "Veth")
    assert addresses[0] == "10.77.0.1"
    assert joined == ["lobby 0"] * len(addresses)


def test_where_only_ipv6_could_speak_and_does_not_the_system_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(mdns, "AsyncZeroconf", broken)
    with pytest.raises(OSError, match="does not work"):
        mdns.open_zeroconf([Interface("eth0", 2, (), ("fe80::1",))])
