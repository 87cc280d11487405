"""Finding tables: what is said, where it is said, and that it is heard, on loopback and in own namespaces."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from zeroconf import NotRunningException
from zeroconf.asyncio import AsyncZeroconf

from citadels_lan.net.discovery import mdns
from citadels_lan.net.discovery.found import Advert, Gone, Sought, TableSeen, Works, from_txt, to_txt
from citadels_lan.net.discovery.interfaces import Interface, choose
from citadels_lan.net.discovery.ladder import locate
from citadels_lan.net.discovery.mdns import Browser, announce
from tests.effort import one_case

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


@pytest.mark.parametrize(
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
    assert [one.name for one in choose(known, loopback=True)] == ["lo"]


async def next_found(browser: Browser, **wanted: object) -> TableSeen:
    async with asyncio.timeout(20):
        async for change in browser.changes():
            if isinstance(change, TableSeen) and all(
                getattr(change.table.advert, name) == value for name, value in wanted.items()
            ):
                return change
    raise AssertionError


async def next_gone(browser: Browser) -> Gone:
    async with asyncio.timeout(20):
        async for change in browser.changes():
            if isinstance(change, Gone):
                return change
    raise AssertionError


async def test_a_library_that_stops_under_a_browser_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where another part of the program, or the system, has closed it: it is begun anew."""
    opened: list[AsyncZeroconf] = []
    begin = mdns.Zone.open

    def opening(zone: mdns.Zone) -> AsyncZeroconf:
        opened.append(begin(zone))
        return opened[-1]

    monkeypatch.setattr(mdns.Zone, "open", opening)
    monkeypatch.setattr(mdns, "_WATCH", 0.05)
    async with Browser(loopback=True) as browser, asyncio.timeout(20):
        changes = browser.changes()
        assert await anext(changes) == Works(True)
        await opened[0].async_close()
        assert not opened[0].zeroconf.started
        with pytest.raises(NotRunningException):
            mdns._holds(mdns.Zone.here(loopback=True), opened[0], loopback=True)
        assert await anext(changes) == Works(False)
        assert await anext(changes) == Works(True)
        async with asyncio.TaskGroup() as tasks:
            said = announce(4711, lambda: ADVERT, asyncio.Event(), lambda _: None, loopback=True)
            task = tasks.create_task(said)
            await next_found(browser, game_id=ADVERT.game_id)
            task.cancel()
    assert len(opened) == 3, "the browser's two, and that of the table"


async def test_found_changed_and_gone_on_loopback() -> None:
    said, changed, told = [ADVERT], asyncio.Event(), list[bool]()
    async with Browser(loopback=True) as browser, asyncio.TaskGroup() as tasks:
        task = tasks.create_task(announce(4711, lambda: said[0], changed, told.append, loopback=True))
        found = await next_found(browser, game_id=ADVERT.game_id)
        assert found.table.advert == ADVERT
        assert ("127.0.0.1", 4711) in found.table.addresses
        assert found.table.speaks
        async with contextlib.aclosing(locate(Sought(ADVERT.game_id), loopback=True)) as heard:
            assert ("127.0.0.1", 4711) in await anext(heard)

        said[0] = Advert(ADVERT.game_id, "Anna", 4, 4, "playing", "2016", ADVERT.fp)
        changed.set()
        await next_found(browser, state="playing")

        task.cancel()
        assert (await next_gone(browser)).game_id == ADVERT.game_id
        assert browser.tables == {}
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
    from citadels_lan.net.discovery.found import TableSeen
    from citadels_lan.net.discovery.mdns import Browser
    from citadels_lan.net.client.session import Session

    async def main():
        async with asyncio.timeout(20), Browser() as browser:
            async for change in browser.changes():
                if isinstance(change, TableSeen):
                    table = change.table
                    break
        print(table.advert.game_id.hex(), table.advert.name, *(one for one, _ in table.addresses))
        for address in table.addresses:
            session = await Session.join(address, data_dir=Path(sys.argv[1]), name="Guest")
            print(session.status, session.seat)
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
        mdns.Zone((Interface("eth0", 2, (), ("fe80::1",)),)).open()
