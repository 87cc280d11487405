"""Whatever mDNS, its library and the system do: no table, no session and no list of tables ends because of it."""

import asyncio
import io
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Iterator, Sequence
from pathlib import Path
from typing import Self

import pytest
import zeroconf

from citadels_lan.cli.console import Console, Failure
from citadels_lan.cli.join import _search
from citadels_lan.cli.open.hosting import Hosted
from citadels_lan.cli.open.launcher import TableLauncher, addresses
from citadels_lan.cli.open.wanted import Wanted
from citadels_lan.front.invitation import UNANNOUNCED
from citadels_lan.front.launcher import UNFINDABLE, Preferences, TableOptions
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Connected
from citadels_lan.net.discovery import mdns as discovery
from citadels_lan.net.discovery.beacon import DatagramSockets
from citadels_lan.net.discovery.finding import TableList
from citadels_lan.net.discovery.found import Address
from citadels_lan.net.discovery.interfaces import here
from citadels_lan.net.discovery.mdns import Browser
from citadels_lan.net.host.opening import open_table
from citadels_lan.plain.home import PlainHome
from citadels_lan.plain.streams import InputLines
from citadels_lan.plain.table import play_plain
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.home import HomeScreen
from tests.effort import one_case, quick
from tests.facts import first_table
from tests.net.playing import QUICK, until
from tests.processes import Process

FAILURES = (
    *sorted(zeroconf.Error.__subclasses__(), key=lambda one: one.__name__),
    OSError, TimeoutError, RuntimeError, AssertionError, ValueError,
)  # fmt: skip
PARTS = ("open", "start", "work", "close")


class Library:
    """zeroconf, of which one part fails, in the middle of it or at its end."""

    started = True

    def __init__(self, part: str, failure: type[Exception]) -> None:
        self.part, self.failure = part, failure
        self.zeroconf = self

    def __call__(self, **_: object) -> Self:
        self._do("open")
        return self

    def browser(self, *_: object, **__: object) -> object:
        self._do("work")
        raise self.failure

    def _do(self, part: str) -> None:
        if self.part == part:
            raise self.failure

    async def async_wait_for_start(self) -> None:
        self._do("start")

    async def async_register_service(self, *_: object, **__: object) -> Awaitable[None]:
        self._do("work")
        raise self.failure

    async def async_close(self) -> None:
        self._do("close")


def fail(monkeypatch: pytest.MonkeyPatch, part: str, failure: type[Exception]) -> None:
    library = Library(part, failure)
    monkeypatch.setattr(discovery, "AsyncZeroconf", library)
    monkeypatch.setattr(discovery, "AsyncServiceBrowser", library.browser)


@pytest.fixture(autouse=True)
def no_beacon(monkeypatch: pytest.MonkeyPatch) -> None:
    """mDNS alone is there; the beacon has nobody to speak to."""

    async def deaf(self: DatagramSockets, *_: object) -> None:
        pass

    monkeypatch.setattr(DatagramSockets, "open", deaf)


@pytest.fixture(params=PARTS)
def part(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.usefixtures("on_loopback")
async def test_looking_ends_when_told_to_though_it_fails_at_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure must not swallow that the whole is cancelled."""
    failing = asyncio.Event()

    async def look(self: Browser) -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            failing.set()
            raise RuntimeError

    monkeypatch.setattr(Browser, "look", look)
    async with asyncio.timeout(60):
        async with TableList(Browser()):
            await asyncio.sleep(0.2)
    assert failing.is_set()


@pytest.mark.usefixtures("on_loopback")
@one_case("failure", FAILURES, parts=2)
async def test_looking_for_tables_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, part: str, failure: type[Exception]
) -> None:
    fail(monkeypatch, part, failure)
    async with TableList(Browser()) as found:
        await until(lambda: not found.works)
        assert found.tables == {}


@pytest.mark.usefixtures("on_loopback")
@one_case("failure", quick(FAILURES, OSError), parts=4)
async def test_a_table_that_cannot_be_announced_is_served(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, part: str, failure: type[Exception]
) -> None:
    fail(monkeypatch, part, failure)
    async with open_table(first_table(2), tmp_path, host="127.0.0.1", port=0, announce=True) as table:
        async with asyncio.timeout(60):
            await table.unannounced.wait()
        guest = await Session.join(table.address, data_dir=tmp_path / "guest", name="Bea", timing=QUICK)
        assert guest.table.status == "lobby"
        await guest.leave()


@one_case("failure", [zeroconf.NotRunningException, RuntimeError, OSError])
async def test_a_session_comes_back_though_its_table_cannot_be_looked_for(
    tmp_path: Path, failure: type[Exception]
) -> None:
    asked = []

    async def nowhere(game: bytes) -> AsyncGenerator[Sequence[Address], None]:
        asked.append(game)
        raise ExceptionGroup("while looking", [failure()])
        yield ()

    async with open_table(first_table(2), tmp_path, host="127.0.0.1", port=0, timing=QUICK) as table:
        guest = await Session.join(
            table.address, data_dir=tmp_path / "guest", name="Bea", timing=QUICK, locate=nowhere
        )
        guest.connection.abort("lost")
        connected = 0
        async with asyncio.timeout(60):
            async for update in guest.updates():
                connected += isinstance(update, Connected)
                if connected == 2:
                    break
        assert guest.table.status == "lobby"
        assert set(asked) == {table.game_id}
        await guest.leave()


def undecodable() -> object:
    raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "an interface's name")


def maskless() -> object:
    raise AssertionError("sockaddr_to_ip returned None")


def refused() -> object:
    raise OSError(12, "Out of memory")


@pytest.fixture(params=[undecodable, maskless, refused])
def no_interfaces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ifaddr.get_adapters", request.param)


@pytest.mark.usefixtures("no_interfaces")
async def test_where_the_interfaces_are_not_told_a_table_is_opened_all_the_same(tmp_path: Path) -> None:
    assert here() == ()
    hosted = Hosted(Wanted(first_table(2, 1), ("random",), "Anna", tmp_path / "data", tmp_path / "out", port=0))
    await hosted.open()
    async with asyncio.timeout(60):
        await hosted.table.unannounced.wait()
    assert addresses(hosted) == ()
    assert hosted.me is not None
    assert hosted.me.table.status == "lobby"
    await hosted.close()


@pytest.mark.usefixtures("on_loopback")
async def test_an_announcement_that_the_library_cannot_take_is_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody in the room can send one, and it does not end the looking for others."""
    browser = Browser()

    def bad(*_: object) -> object:
        raise zeroconf.BadTypeInNameException

    monkeypatch.setattr(discovery, "AsyncServiceInfo", bad)
    async with TableList(browser) as found:
        await until(lambda: browser.works is True)
        (added, name) = (zeroconf.ServiceStateChange.Added, "\x1b[2J._citadels-lan._tcp.local.")
        browser._heard(zeroconf.Zeroconf.__new__(zeroconf.Zeroconf), discovery.SERVICE, name, added)
        await asyncio.sleep(0.05)
        assert found.works
        assert found.tables == {}


# What the user is told


def launcher(folder: Path) -> TableLauncher:
    return TableLauncher(Console(load("en")), Preferences(name="Anna"), folder / "data", folder / "out")


async def test_the_home_screen_lives_and_says_it_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fail(monkeypatch, "start", zeroconf.NotRunningException)
    app = CitadelsApp(launcher=launcher(tmp_path), language="en")
    async with app.run_test(size=(120, 40)) as pilot:
        home = app.screen
        assert isinstance(home, HomeScreen)
        for _ in range(200):
            if not home.findable:
                break
            await pilot.pause(0.01)
        assert list(home.remarks()).count(load("en").say(UNFINDABLE)) == 1
        assert "Open a table…" in [command.label for command in home.commands()]
    assert not app.return_code


async def test_the_plain_home_says_it_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fail(monkeypatch, "open", RuntimeError)
    monkeypatch.setattr("citadels_lan.plain.home.LOOKING", 0.2)
    out = io.StringIO()
    source = io.StringIO("tables\nquit\n")
    assert await PlainHome(load("en"), launcher(tmp_path), source=source, out=out).run() == 0
    lines = out.getvalue().splitlines()
    assert lines.count(load("en").say(UNFINDABLE)) == 1
    assert "No tables found on this network." not in lines


async def test_join_without_an_address_keeps_searching(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fail(monkeypatch, "work", zeroconf.NotRunningException)
    with pytest.raises(Failure, match="No game found"):
        await _search(Console(load("en")), launcher(tmp_path), 0.5, asks=False)
    assert capsys.readouterr().err.splitlines() == [load("en").say(UNFINDABLE)]


class Typed(InputLines):
    """What somebody types at standard input."""

    def __init__(self) -> None:
        self.typed: asyncio.Queue[str | None] = asyncio.Queue()

    async def next(self) -> str | None:
        return await self.typed.get()


@pytest.mark.parametrize("plain", [False, True])
async def test_who_opens_a_table_is_told_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, plain: bool
) -> None:
    """In the lines, or in the log beside the lobby; and the table stays."""
    fail(monkeypatch, "start", zeroconf.NotRunningException)
    monkeypatch.setattr(discovery, "_WATCH", 0.01)
    here = launcher(tmp_path)
    place = await here.host(TableOptions(first_table(2)))
    said = load("en").say(UNANNOUNCED)
    if plain:
        typed, out = Typed(), io.StringIO()
        table = play_plain(place, load("en"), lines=typed, out=out)
        playing = asyncio.get_running_loop().create_task(table)  # kept: awaited below
        for _ in range(500):
            if said in out.getvalue():
                break
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        typed.typed.put_nowait("quit")
        typed.typed.put_nowait("quit")  # the first one asks whether that is meant
        await playing
        assert out.getvalue().splitlines().count(said) == 1
    else:
        app = CitadelsApp(place, here, language="en")
        async with app.run_test(size=(120, 40)) as pilot:
            assert app.game is not None
            for _ in range(200):
                await pilot.pause(0.01)
                lines = [line.text for line in app.game.story.lines(app.texts)]
                if said in lines:
                    break
            await pilot.pause(0.1)
            assert [line.text for line in app.game.story.lines(app.texts)].count(said) == 1
    await here.close()


@pytest.fixture
def machine_without_network() -> Iterator[str]:
    name = f"ctl-none-{os.getpid()}"
    made = sys.platform == "linux" and os.geteuid() == 0 and shutil.which("ip") is not None
    if not made or subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True).returncode:
        pytest.skip("network namespaces need root on Linux")
    yield name
    subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


@pytest.mark.slow
def test_a_host_on_a_machine_without_network_goes_on(machine_without_network: str, tmp_path: Path) -> None:
    arguments = ("host", "--headless", "--port", "0", "--players", "2")
    with Process(tmp_path, *arguments, before=("ip", "netns", "exec", machine_without_network)) as host:
        host.line("journal:")
        host.line(load("en").say(UNANNOUNCED))
        assert host.running
        assert host.lines.count(load("en").say(UNANNOUNCED)) == 1
