"""Guests at a real table: the host, its web server and the clients are separate processes."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.cli.program import run
from tests.net.playing import until

from .hosting import TouchPlayer, WebHost, children, running, web_host
from .serving import GuestBrowser, drawn, told

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked at in /proc"),
]
CHECK = Path(__file__).parents[2] / "extras" / "check_transcript.py"
ONE = ("--players=4", "--bots=random,random,random")


async def test_whole_game_on_the_touch_page_has_a_verified_transcript(tmp_path: Path) -> None:
    with web_host(tmp_path, *ONE) as host:
        async with host.browser() as anna:
            assert (await anna.sit("Anna", host.key))[0] == 200
            player = TouchPlayer(await anna.play("touch"))
            (*_, me) = await player.board("seats")
            assert me["note"].startswith("not ready, through the host's computer")
            await player.send("ready")
            path = await player.until("To check the game: ")
            status, transcript = await anna.get("/transcript")
        assert status == 200
        mine = path.rpartition(" ")[2]
        assert _read(mine) == transcript
        report = run(tmp_path, "verify", mine)
        assert report.returncode == 0
        assert "Anna played through the host's computer" in report.stdout
        assert _checked(mine).returncode == 0
        assert host.process.wait() == 0


async def test_clients_of_a_killed_host_end(tmp_path: Path) -> None:
    with web_host(tmp_path, "--players=4") as host:
        async with host.browser() as anna, host.browser() as bruno:
            await _seated(host, anna, "Anna", "screens")
            await _seated(host, bruno, "Bruno", "touch")
            left = children(host.process.pid)
            assert sum("citadels_lan join" in command for command in left.values()) == 2
            host.process.kill()
            await until(lambda: not any(map(running, left)))


async def test_closing_host_informs_the_pages_and_the_server_ends_by_itself(tmp_path: Path) -> None:
    """The pages are informed even if a client ends first. The server is not killed, because it would not
    close its connections then."""
    with web_host(tmp_path, "--players=4") as host:
        async with host.browser() as anna, host.browser() as bruno:
            sockets = [await _seated(host, anna, "Anna", "screens"), await _seated(host, bruno, "Bruno", "touch")]
            host.process.send(signal.SIGTERM)
            for socket in sockets:
                await told(socket, "away")
                assert (await socket.receive(timeout=20)).type is aiohttp.WSMsgType.CLOSE
                assert socket.close_code == aiohttp.WSCloseCode.OK
            await asyncio.to_thread(host.process.wait)


async def test_no_command_line_of_a_process_contains_a_join_code(tmp_path: Path) -> None:
    with web_host(tmp_path, "--players=4") as host:
        code, link = host.process.line("code:"), host.process.line("link:")
        async with host.browser() as anna:
            await _seated(host, anna, "Anna", "screens")
            commands = " ".join(children(host.process.pid).values())
            for secret in (*code.split(), link.partition("#")[2], host.key):
                assert secret not in commands


async def test_resumed_host_keeps_the_seats(tmp_path: Path) -> None:
    with web_host(tmp_path, *ONE) as host:
        async with host.browser() as anna:
            await anna.sit("Anna", host.key)
            player = TouchPlayer(await anna.play("touch"))
            await player.board("seats")
            await player.send("ready")
            hand = await player.board("hand")
            cookies = {cookie.key: cookie.value for cookie in anna.session.cookie_jar}
            journal = host.process.line("save file:")
    with web_host(tmp_path, "--resume", journal) as host:
        async with host.browser() as anna:
            anna.session.cookie_jar.update_cookies(cookies)
            player = TouchPlayer(await _again(anna, "touch"))
            assert await player.board("hand") == hand


async def test_page_that_does_not_read_delays_no_other_guest(tmp_path: Path) -> None:
    """The screens of that page are drawn again and again, but it reads nothing; meanwhile another guest
    chats."""
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
            player = TouchPlayer(await anna.play("touch"))
            await player.board("seats")
            await player.send("say", text="still here")
            await player.until("Anna: still here")
            transport.resume_reading()  # type: ignore[union-attr]
            assert await drawn(asleep)


async def test_full_table_rejects_a_guest_with_the_reason(tmp_path: Path) -> None:
    with web_host(tmp_path, *ONE) as host:
        async with host.browser() as anna, host.browser() as bruno:
            await _seated(host, anna, "Anna", "touch")
            await bruno.sit("Bruno", host.key)
            socket = await bruno.play("screens")
            assert (await told(socket, "end"))["text"].startswith("The game is full (4 seats)")


async def test_host_is_warned_of_wrong_codes_in_the_browser(tmp_path: Path) -> None:
    with web_host(tmp_path, *ONE) as host:
        async with host.browser() as anna:
            said = [(await anna.sit(code="pixel pixel pixel"))[1]["code"] for _ in range(4)]
        assert said == ["wrong_code"] * 3 + ["too_many_tries"]
        host.process.line("3 wrong codes from 127.0.0.1.")


def _read(path: str) -> bytes:
    return Path(path).read_bytes()


def _checked(path: str) -> "subprocess.CompletedProcess[bytes]":
    """Run the second verifier on a transcript, and return the finished process."""
    return subprocess.run((sys.executable, CHECK, path), check=False)


async def _seated(host: WebHost, guest: GuestBrowser, name: str, kind: str) -> aiohttp.ClientWebSocketResponse:
    """Return the connection of a guest whose client has started."""
    await guest.sit(name, host.key)
    socket = await guest.play(kind)
    await (drawn(socket) if kind == "screens" else TouchPlayer(socket).board("seats"))
    return socket


async def _again(guest: GuestBrowser, kind: str) -> aiohttp.ClientWebSocketResponse:
    """Return a connection for the guest; try until the restarted server accepts it."""
    while True:
        try:
            return await guest.play(kind)
        except (aiohttp.ClientConnectionError, aiohttp.WSServerHandshakeError):
            await asyncio.sleep(0.1)
