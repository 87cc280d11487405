"""Where a host listens."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from citadels_lan.net.host.listening import INCOMING, MUTE, PORT, listen

HERE = "127.0.0.1"


def test_a_port_that_is_taken_is_an_error_of_the_system() -> None:
    (taken,) = listen(HERE, 0)
    with taken, pytest.raises(OSError, match="in use"):
        listen(HERE, taken.getsockname()[1])


def test_the_usual_port_is_that_of_the_protocol() -> None:
    text = Path(__file__).parents[3].joinpath("docs", "protocol.md").read_text(encoding="utf-8")
    assert f"port {PORT} or any free one" in text


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> list[list[object]]:
    """What is said to a socket before anybody can call: what is accepted has it from the socket that listens."""
    done: list[tuple[object, ...]] = []

    class Noting:
        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *given: done.append((name, *given))

    monkeypatch.setattr(socket, "socket", lambda *_: Noting())
    monkeypatch.setattr(socket, "TCP_DEFER_ACCEPT", 9, raising=False)
    listen(HERE, 1)
    return [given for name, *given in done[: [name for name, *_ in done].index("listen")] if name == "setsockopt"]


def test_the_system_keeps_little_of_what_a_flood_sends(options: list[list[object]]) -> None:
    assert [socket.SOL_SOCKET, socket.SO_RCVBUF, INCOMING] in options


def test_the_system_keeps_whoever_says_nothing(options: list[list[object]]) -> None:
    assert [socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, MUTE] in options


def test_a_system_that_cannot_lets_them_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "TCP_DEFER_ACCEPT", raising=False)
    (sock,) = listen(HERE, 0)
    with sock, socket.create_connection(sock.getsockname()):
        sock.setblocking(True)
        sock.accept()[0].close()
