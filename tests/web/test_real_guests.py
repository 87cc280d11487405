"""Guests at a real table: the host, its web server and the clients are processes of their own."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest

from tests.cli.program import run

from .hosting import LinesPlayer, WebHost, children, running, web_host
from .serving import GuestBrowser, drawn, told

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked at in /proc"),
]
CHECK = Path(__file__).parents[2] / "extras" / "check_transcript.py"
ONE = ("--players=4", "--bots=random,random,random")


async def test_a_whole_game_in_lines_and_its_transcript(tmp_path: Path) -> None:
    with web_host(tmp_path, *ONE) as host:
        async with host.browser() as anna:
            assert (await anna.sit("Anna", host.key))[0] == 200
            player = LinesPlayer(await anna.play("lines"))
            await player.until("ready:")
            await player.send("ready")
            path = await player.until("Anyone can check it: ")
            status, transcript = await anna.get("/transcript")
        assert status == 200
        mine = path.rpartition(" ")[2]
        assert _read(mine) == transcript
        report = run(tmp_path, "verify", mine)
        assert report.returncode == 0
        assert "Anna played through the host's computer" in report.stdout
        assert any(line.startswith("Anna: not ready yet, through the host's computer") for line in player.lines)
        assert _checked(mine).returncode == 0
        assert host.process.wait() == 0


async def test_no_client_is_left_when_the_host_is_killed(tmp_path: Path) -> None:
    with web_host(tmp_path, "--players=4") as host:
        async with host.browser() as anna, host.browser() as bruno:
            await _seated(host, anna, "Anna", "screens")
            await _seated(host, bruno, "Bruno", "lines")
            left = children(host.process.pid)
            assert sum("citadels_lan join" in command for command in left.values()) == 2
            host.process.kill()
            await _until(lambda: not any(map(running, left)))


async def test_page_is_sent_that_the_host_closed_the_game_and_the_server_ends_by_itself(tmp_path: Path) -> None:
    """However early the page's client ends. A server that had to be killed would close no connection properly."""
    with web_host(tmp_path, "--players=4") as host:
        async with host.browser() as anna, host.browser() as bruno:
            sockets = [
                await _seated(host, anna, "Anna", "screens"),
                await _seated(host, bruno, "Bruno", "lines"),
            ]
            host.process.send(signal.SIGTERM)
            for socket in sockets:
                await told(socket, "away")
                assert (await socket.receive(timeout=20)).type is aiohttp.WSMsgType.CLOSE
                assert socket.close_code == aiohttp.WSCloseCode.OK
            await asyncio.to_thread(host.process.wait)


async def test_nothing_of_the_code_stands_on_a_command_line(tmp_path: Path) -> None:
    with web_host(tmp_path, "--players=4") as host:
        code, link = host.process.line("code:"), host.process.line("link:")
        async with host.browser() as anna:
            await _seated(host, anna, "Anna", "screens")
            commands = " ".join(children(host.process.pid).values())
            for secret in (*code.split(), link.partition("#")[2], host.key):
                assert secret not in commands


async def test_a_killed_server_is_back_with_the_same_seats_and_the_same_hand(tmp_path: Path) -> None:
    with web_host(tmp_path, *ONE) as host:
        async with host.browser() as anna:
            await anna.sit("Anna", host.key)
            player = LinesPlayer(await anna.play("lines"))
            await player.until("ready:")
            await player.send("ready")
            hand = await player.until("Gold: ")
            (server,) = (
                pid for pid, command in children(host.process.pid).items() if "citadels_lan.web" in command
            )
            before = children(server)
            os.kill(server, signal.SIGKILL)
            player = LinesPlayer(await _again(anna, "lines"))
            assert await player.until("Gold: ") == hand
            assert not any(map(running, before))


async def test_a_seat_is_there_after_the_host_has_been_killed_and_resumed(tmp_path: Path) -> None:
    with web_host(tmp_path, *ONE) as host:
        async with host.browser() as anna:
            await anna.sit("Anna", host.key)
            player = LinesPlayer(await anna.play("lines"))
            await player.until("ready:")
            await player.send("ready")
            hand = await player.until("Gold: ")
            cookies = {cookie.key: cookie.value for cookie in anna.session.cookie_jar}
            journal = host.process.line("journal:")
    with web_host(tmp_path, "--resume", journal) as host:
        async with host.browser() as anna:
            anna.session.cookie_jar.update_cookies(cookies)
            player = LinesPlayer(await _again(anna, "lines"))
            assert await player.until("Gold: ") == hand


async def test_a_page_that_does_not_read_delays_nobody(tmp_path: Path) -> None:
    """Nothing is read from a socket of screens, whose client draws without end; the others play to the end."""
    with web_host(tmp_path, "--players=4", "--bots=random,random", "--takeover=1") as host:
        async with host.browser() as anna, host.browser() as bruno:
            await bruno.sit("Bruno", host.key)
            asleep = await bruno.play("screens", 300, 120)
            await drawn(asleep)
            assert asleep._reader is not None
            transport = asleep._response.connection.transport  # type: ignore[union-attr]
            transport.pause_reading()  # type: ignore[union-attr]
            for _ in range(100):
                await asleep.send_json({"type": "size", "size": [300, 119]})
                await asleep.send_json({"type": "size", "size": [300, 120]})
            await anna.sit("Anna", host.key)
            player = LinesPlayer(await anna.play("lines"))
            await player.until("Bruno")
            await player.send("say", text="still here")
            await player.until("Anna: still here")
            transport.resume_reading()  # type: ignore[union-attr]
            assert await drawn(asleep)


async def test_a_table_that_is_full_says_so(tmp_path: Path) -> None:
    with web_host(tmp_path, *ONE) as host:
        async with host.browser() as anna, host.browser() as bruno:
            await _seated(host, anna, "Anna", "lines")
            await bruno.sit("Bruno", host.key)
            socket = await bruno.play("screens")
            assert (await told(socket, "end"))["text"].startswith("The table is full (4 seats)")


def _read(path: str) -> bytes:
    return Path(path).read_bytes()


def _checked(path: str) -> "subprocess.CompletedProcess[bytes]":
    """The second program that checks transcripts."""
    return subprocess.run((sys.executable, CHECK, path), check=False)


async def _seated(host: WebHost, guest: GuestBrowser, name: str, kind: str) -> aiohttp.ClientWebSocketResponse:
    """A socket whose client is there."""
    await guest.sit(name, host.key)
    socket = await guest.play(kind)
    await (drawn(socket) if kind == "screens" else LinesPlayer(socket).until("ready:"))
    return socket


async def _again(guest: GuestBrowser, kind: str) -> aiohttp.ClientWebSocketResponse:
    """A socket, as soon as there is a server."""
    while True:
        try:
            return await guest.play(kind)
        except (aiohttp.ClientConnectionError, aiohttp.WSServerHandshakeError):
            await asyncio.sleep(0.1)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 -- other processes
            await asyncio.sleep(0.05)
