"""Floods by strangers and guests at a real host: its logs and memory, and its other guests."""

import asyncio
import contextlib
import stat
import sys
from pathlib import Path

import aiohttp
import pytest

from citadels_lan.web.browser import KEYS, MEMORY

from .hosting import TouchPlayer, WebHost, children, web_host
from .serving import GuestBrowser, drawn, told

if sys.platform != "win32":
    import resource

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked at in /proc"),
]
SENT = b"SENT-BY-A-STRANGER"
MALFORMED = (
    b"GET / HTTP/1.1\r\nCookie: " + SENT * 400 + b"\x00\r\n\r\n",
    b"GET /" + SENT + b" HTTP/9.9\r\n\r\n",
    SENT * 20 + b"\r\n\r\n",
    b"POST /sit HTTP/1.1\r\nContent-Length: " + SENT + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X" * 9000 + SENT + b": 1\r\n\r\n",
    b"\x16\x03\x01" + SENT * 10 + b"\r\n\r\n",
)


async def test_malformed_requests_leave_a_small_private_log(tmp_path: Path) -> None:
    with web_host(tmp_path, "--players=4") as host:
        answers = await asyncio.gather(*(_send_malformed(host, 400) for _ in range(10)))
        assert sum(answers) > 3000  # the others found no free connection
        async with host.browser() as anna:
            assert (await anna.sit("Anna", host.key))[0] == 200
    _check_logs(tmp_path)


def _check_logs(home: Path) -> None:
    logs = [path for path in home.rglob("*") if path.parent.name == "log"]
    assert "web.log" in [path.name for path in logs]
    assert sum(path.stat().st_size for path in logs) < 50_000
    assert all(SENT not in path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert {stat.S_IMODE(path.stat().st_mode) for path in logs} == {0o600}


@pytest.mark.parametrize(("messages", "keys"), [(40, 3900), (440, 3900), (440, 64)])
async def test_many_key_presses_of_a_browser_guest_use_little_memory(
    tmp_path: Path, messages: int, keys: int
) -> None:
    """Messages that are too large are dropped, and the guest sees a sentence; other messages wait in the
    browser."""
    with web_host(tmp_path, "--players=4") as host:
        async with host.browser() as anna, host.browser() as bruno:
            flooding = await _seated(host, anna, "Anna")
            calm = TouchPlayer(await _play(host, bruno, "Bruno", "touch"))
            await calm.board("seats")
            (client,) = _clients(host, "Anna")
            for _ in range(messages):
                await flooding.send_json({"type": "keys", "keys": "tx" * (keys // 2)})
            if keys > KEYS[0]:
                for _ in range(messages):
                    assert str(KEYS[0]) in (await told(flooding, "notice"))["text"]
            for number in range(5):
                await calm.send("say", text=f"number {number}")
                await calm.until(f"Bruno: number {number}")
                assert _memory(client, "VmRSS") < 100 * 2**20
            assert _memory(client, "VmHWM") < 100 * 2**20


async def test_browser_client_without_memory_ends_alone_and_its_guest_can_return(tmp_path: Path) -> None:
    with web_host(tmp_path, "--players=4") as host:
        async with host.browser() as anna, host.browser() as bruno:
            calm = TouchPlayer(await _play(host, bruno, "Bruno", "touch"))
            greedy = await _play(host, anna, "Anna", "screens")
            client = await _limited_client(host, "Anna")
            resource.prlimit(client, resource.RLIMIT_DATA, (_memory(client, "VmData"),) * 2)
            assert (await told(greedy, "end"))["why"] == "crashed"
            await calm.send("say", text="still here")
            await calm.until("Bruno: still here")
            again = await anna.play("screens")
            assert await drawn(again)


async def _limited_client(host: WebHost, name: str) -> int:
    """Let a new guest sit down, and limit the memory of the guest's client. Return the id of the client's
    process."""
    while True:
        for client in _clients(host, name):
            if resource.prlimit(client, resource.RLIMIT_DATA) == (MEMORY, MEMORY):
                return client
        await asyncio.sleep(0.01)


def _clients(host: WebHost, name: str) -> list[int]:
    """Return the ids of the processes of a guest's client."""
    return [pid for pid, command in children(host.process.pid).items() if f"--name={name}" in command]


def _memory(pid: int, field: str) -> int:
    """Return the bytes in a field of /proc/PID/status."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))


async def _play(host: WebHost, guest: GuestBrowser, name: str, kind: str) -> aiohttp.ClientWebSocketResponse:
    await guest.sit(name, host.key)
    return await guest.play(kind)


async def _seated(host: WebHost, guest: GuestBrowser, name: str) -> aiohttp.ClientWebSocketResponse:
    """Return the socket of a guest with screens, once they are drawn."""
    socket = await _play(host, guest, name, "screens")
    while b"Anna" not in await drawn(socket):
        pass
    return socket


async def _send_malformed(host: WebHost, count: int) -> int:
    """Send `count` requests, each on a new connection; returns the number of answers."""
    port, answered = int(host.origin.rpartition(":")[2]), 0
    for number in range(count):
        with contextlib.suppress(ConnectionError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(MALFORMED[number % len(MALFORMED)])
            if answer := await reader.read():
                answered += 1
                assert b"Content-Security-Policy" in answer
                assert b"Server: citadels-lan\r\n" in answer
            writer.close()
    return answered
