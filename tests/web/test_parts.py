"""The parts of the web server that need none of its library: packets, connections, where a request comes from."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from citadels_lan.web.beside import web_key, web_link
from citadels_lan.web.client import LARGEST, Packets, Unreadable, resized, typed
from citadels_lan.web.limits import SOCKETS, SOCKETS_EACH, WebConnections, clamped
from citadels_lan.web.pages import language_of
from citadels_lan.web.server import is_own_host, is_own_origin
from tests.cli.program import refused, run
from tests.effort import one_case

BEGINNING = b"some warning\n__GANGLION__\n"


@one_case("step", [1, 3, 1000])
def test_packets_come_out_whole_however_they_come_in(step: int) -> None:
    data = BEGINNING + typed("àè") + resized(80, 24) + typed("")
    packets = Packets()
    found = [one for at in range(0, len(data), step) for one in packets.feed(data[at : at + step])]
    assert found == [(b"D", "àè".encode()), (b"M", b'{"type": "resize", "width": 80, "height": 24}'), (b"D", b"")]


def test_a_packet_that_is_too_long_is_refused_before_it_is_there() -> None:
    with pytest.raises(Unreadable):
        list(Packets().feed(BEGINNING + b"D" + (LARGEST + 1).to_bytes(4, "big")))


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
def test_which_host_is_our_own(host: str, reached: tuple[object, ...], own: bool) -> None:
    assert is_own_host(host, reached) is own


def test_which_origin_is_our_own() -> None:
    assert is_own_origin("http://192.168.1.7:47180", "192.168.1.7:47180")
    assert not is_own_origin(None, "192.168.1.7:47180")
    assert not is_own_origin("https://192.168.1.7:47180", "192.168.1.7:47180")


@pytest.mark.parametrize(("accepted", "language"), [
    ("it", "it"), ("it-IT,it;q=0.9,en;q=0.8", "it"), ("fr,en;q=0.3,it;q=0.7", "it"), ("fr", "en"), ("", "en"),
    ("it;q=x", "en"), ("it;q=0", "en"), ("en;q=0.1,it;q=nan", "en"),
])  # fmt: skip
def test_the_language_is_the_browsers(accepted: str, language: str) -> None:
    assert language_of(accepted) == language


def test_sizes_have_limits() -> None:
    assert clamped(0, 0) == (20, 10)
    assert clamped(10**9, 10**9) == (300, 120)
    assert clamped(80, 24) == (80, 24)


def test_a_link_has_128_bits_and_follows_from_the_tables_token() -> None:
    assert len(web_key("a" * 26)) == 26
    assert web_key("a" * 26) != web_key("b" * 26)
    assert web_link("fd00::7", 80, "a" * 26) == f"http://[fd00::7]:80/#{web_key('a' * 26)}"
    assert web_link("192.168.1.7", 80, "") == "http://192.168.1.7:80/"


class Line(asyncio.Transport):
    """A connection from somewhere."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})
        self.aborted = False

    def abort(self) -> None:
        self.aborted = True


async def test_connections_are_counted_for_each_address_and_for_all() -> None:
    connections = WebConnections(asyncio.Protocol)
    made = []
    for number in range(SOCKETS_EACH + 1):
        one, line = connections(), Line("192.168.1.7")
        one.connection_made(line)
        made.append(one)
        assert line.aborted is (number == SOCKETS_EACH)
    for number in range(SOCKETS):
        connections().connection_made(Line(f"192.168.2.{number}"))
    assert len(connections.open) == SOCKETS
    made[0].connection_lost(None)
    made[-1].connection_lost(None)  # it was never counted
    assert len(connections.open) == SOCKETS - 1


async def test_who_says_nothing_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citadels_lan.web.limits.PATIENCE", 0.0)
    connections = WebConnections(asyncio.Protocol)
    silent, asking = Line("192.168.1.7"), Line("192.168.1.8")
    connections().connection_made(silent)
    one = connections()
    one.connection_made(asking)
    assert isinstance(one, asyncio.Protocol)
    one.data_received(b"GET / HTTP/1.1\r\n\r")
    one.data_received(b"\n")
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(0.01, done.set)
    await done.wait()
    assert silent.aborted
    assert not asking.aborted


def test_the_library_is_wanted_with_web_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citadels_lan.cli.open.web.NEEDED", "no_such_library")
    assert "pip install 'citadels-lan[web]'" in refused(run(tmp_path, "host", "--headless", "--web"))


def test_a_port_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "--web" in refused(run(tmp_path, "host", "--headless", "--web", "70000"))


@pytest.mark.slow
def test_the_host_itself_never_imports_the_library() -> None:
    code = "import sys, citadels_lan.cli.open.launcher, citadels_lan.web.seats; print('aiohttp' in sys.modules)"
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
