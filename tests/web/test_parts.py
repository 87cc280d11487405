"""Parts of the web server without its library: packets, connections, the origin of a request."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from citadels_lan.net.limits import Slots
from citadels_lan.web.browser import SOCKETS, SOCKETS_EACH, language_of
from citadels_lan.web.web_server import WebConnection, is_own_host, is_own_origin
from tests.cli.program import refused, run
from tests.effort import one_case


@one_case(("host", "reached", "own"), [
    ("192.168.1.7:47180", ("192.168.1.7", 47180), True),
    ("192.168.1.7", ("192.168.1.7", 80), True),
    ("192.168.1.8:47180", ("192.168.1.7", 47180), False),
    ("192.168.1.7:80", ("192.168.1.7", 47180), False),
    ("[fd00::7]:47180", ("fd00::7", 47180, 0, 0), True),
    ("[fd00::8]:47180", ("fd00::7", 47180, 0, 0), False),
    ("192.168.1.7:47180", ("::ffff:192.168.1.7", 47180, 0, 0), True),
    ("localhost:47180", ("127.0.0.1", 47180), True),
    ("localhost:47180", ("192.168.1.7", 47180), False),
    ("evil.example:47180", ("192.168.1.7", 47180), False),
    ("x@192.168.1.7:47180", ("192.168.1.7", 47180), False),
    ("192.168.1.7:47180/x", ("192.168.1.7", 47180), False),
    ("", ("192.168.1.7", 47180), False),
    ("192.168.1.7:x", ("192.168.1.7", 47180), False),
    ("192.168.1.7:47180", (), False),
])  # fmt: skip
def test_only_the_requested_address_is_an_accepted_host_header(
    host: str, reached: tuple[object, ...], own: bool
) -> None:
    assert is_own_host(host, reached) is own


def test_only_the_origin_of_the_page_itself_is_accepted() -> None:
    assert is_own_origin("http://192.168.1.7:47180", "192.168.1.7:47180")
    assert not is_own_origin(None, "192.168.1.7:47180")
    assert not is_own_origin("https://192.168.1.7:47180", "192.168.1.7:47180")


@one_case(("accepted", "language"), [
    ("it", "it"), ("it-IT,it;q=0.9,en;q=0.8", "it"), ("fr,it;q=0.7,en;q=0.3", "it"), ("fr", "en"), ("", "en"),
])  # fmt: skip
def test_page_language_is_that_of_the_browser(accepted: str, language: str) -> None:
    assert language_of(accepted) == language


class Line(asyncio.Transport):
    """A fake connection from an address."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.aborted = False

    def abort(self) -> None:
        self.aborted = True


async def test_connections_are_limited_for_each_address_and_in_total() -> None:
    connections = Slots[WebConnection](SOCKETS, SOCKETS_EACH)
    attackers = [f"2001:db8:0:{number}::" for number in range(SOCKETS // SOCKETS_EACH + 1)]
    lines = {}
    for address in attackers:
        lines[address] = [Line(f"{address}{number:x}") for number in range(1, SOCKETS_EACH + 2)]
        for line in lines[address]:
            WebConnection(connections).connection_made(line)
        assert lines[address][
            -1
        ].aborted  # a network has no more than the slots of one source, with all its addresses
    assert len(connections) == SOCKETS
    guests = [Line(f"192.168.2.{number}") for number in range(20)]
    for line in guests:
        WebConnection(connections).connection_made(line)
    assert len(connections) == SOCKETS
    assert not any(line.aborted for line in guests)


def test_missing_web_library_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citadels_lan.cli.host.find_spec", lambda _: None)
    assert "pip install 'citadels-lan[web]'" in refused(run(tmp_path, "host", "--headless", "--web"))


@pytest.mark.slow
def test_host_never_imports_aiohttp() -> None:
    code = "import sys, citadels_lan.cli.launch, citadels_lan.web.guests; print('aiohttp' in sys.modules)"
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


async def test_silent_browser_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citadels_lan.web.browser.PATIENCE", 0.0)
    connections = Slots[WebConnection](SOCKETS, SOCKETS_EACH)
    silent, asking = Line("192.168.1.7"), Line("192.168.1.8")
    WebConnection(connections).connection_made(silent)
    one = WebConnection(connections)
    one.connection_made(asking)
    one.data_received(b"GET / HTTP/1.1\r\n\r")
    one.data_received(b"\n")
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(0.01, done.set)
    await done.wait()
    assert silent.aborted
    assert not asking.aborted
