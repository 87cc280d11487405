"""The screens in a real terminal: keys that arrive at the same time, bytes that are not UTF-8, and internal
errors."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from unittest import mock

import pytest
from textual.message import Message

from citadels_lan.net.host.opening import open_table
from tests.cli.program import environment, local
from tests.crypto.forging import saved
from tests.crypto.table import begin
from tests.facts import first_table
from tests.processes import Process, until

pytest.importorskip("termios")

from citadels_lan.ui.terminal_driver import TerminalDriver
from tests.ptys import CONTROLLING, PtyProgram

CODE = ("iceberg", "lotto", "slalom")
HOME = "Learn to play"
BAD = b"\xff\xc3\xc0\xaf\xed\xa0\x80\xf5\xe8\xe2\x82"
"""Bytes that are never UTF-8, an overlong form, half a surrogate pair, and characters that are cut off."""
FAULT = """
from citadels_lan.ui.screens.{module} import {screen}
def fail(*_):
    raise RuntimeError("the key is {key}")
{screen}.action_help = fail
from citadels_lan.cli.main import main
raise SystemExit(main())
"""
"""A program in which the action of the key `?` raises an exception."""
PIPED = """
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.pipe_driver import PipeDriver
from tests.ui.fake import FakeLauncher
CitadelsApp(None, FakeLauncher(), language="en", driver=PipeDriver).run()
"""
ROOT = Path(__file__).parents[2]
KEY = "ab12" * 16


def faulty(module: str, screen: str) -> tuple[str, ...]:
    return (sys.executable, "-c", FAULT.format(module=module, screen=screen, key=KEY))


@pytest.fixture
def home(tmp_path: Path) -> Iterator[PtyProgram]:
    """Yield the program on its home screen."""
    with PtyProgram(tmp_path) as program:
        program.see(HOME)
        yield program


def at_home(program: PtyProgram) -> None:
    """Check that the home screen is visible and handles keys."""
    program.type("r")
    program.see("Search:")
    program.type("\x1b")
    program.see(HOME)
    program.type("q")
    assert program.wait() == 0


# Two Enters


def test_keys_read_at_once_are_all_older_than_the_effect_of_the_first() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"\r\r")
    os.close(writer)
    app, sent = mock.Mock(), list[tuple[float, float]]()
    driver = mock.Mock(fileno=reader, exit_event=Event(), _debug=False, _app=app)
    driver._read.side_effect = lambda: os.read(reader, 100)
    driver.process_message.side_effect = lambda key: sent.append((key.time, Message().time))
    TerminalDriver._read_input(driver)
    os.close(reader)
    assert sent[1][0] < sent[0][1]


@pytest.mark.slow
def test_address_and_two_enters_read_at_once_stay_on_the_home_screen(home: PtyProgram) -> None:
    home.type("j")
    home.see("The link or address")
    home.type("127.0.0.1:1\r\r")
    home.see("No answer from 127.0.0.1:1")
    at_home(home)


@pytest.mark.slow
def test_name_and_two_enters_read_at_once_stay_in_the_settings(home: PtyProgram) -> None:
    home.type("s")
    home.see("The name that other players see")
    home.type("\r")
    home.see("What should other players call you?")
    home.type("\x15", "Zelda\r\r")
    home.see("Name: Zelda")
    time.sleep(0.5)
    assert not home.has("What should other players call you?")
    home.type("\x1b", "")
    at_home(home)


@pytest.mark.slow
@pytest.mark.parametrize(
    "typed",
    [
        "\r".join(CODE) + "\r",
        "\n".join(CODE) + "\n",
        "\x1b[200~\n" + "\r\n".join(CODE) + "\n\x1b[201~\r",
        "\x1b[200~$ citadels-lan join --code “{code}” {address}\n\x1b[201~\r",
    ],
    ids=["returns", "newlines", "pasted", "command"],
)
def test_code_pasted_on_several_lines_joins_the_table(tmp_path: Path, typed: str) -> None:
    arguments = ("host", "--headless", "--no-mdns", "--port", "0", "--players", "4", "--code", *CODE)
    with Process(tmp_path / "host", *arguments) as host, PtyProgram(tmp_path / "guest") as guest:
        address = local(host.line("link:")).removeprefix("citadels://").partition("/")[0]
        guest.see(HOME)
        guest.type("j")
        guest.see("The link or address")
        guest.type(f"{address}\r\r")
        guest.see("The join code")
        guest.type("iceberg\r\r")
        guest.see("Words missing: 2.")
        guest.type(BAD)
        guest.type("\x15", typed.format(code=" ".join(CODE), address=address))
        guest.see("Waiting for")


# Bytes that are not UTF-8

SCREENS = {
    "home": ((), HOME, ()),
    "settings": ((), HOME, (("s", "The name that other players see"),)),
    "address": ((), HOME, (("j", "The link or address"),)),
    "replay": (("replay", "game.ctr"), "PgDn", ()),
    "lobby": (("host", "--no-mdns", "--port", "0"), "Waiting for", ()),
    "table": (("play",), "Choose your character", ()),
}


@pytest.mark.parametrize(
    "name", [name if name == "home" else pytest.param(name, marks=pytest.mark.slow) for name in SCREENS]
)
def test_bytes_that_are_not_utf8_end_no_screen(tmp_path: Path, name: str) -> None:
    command, first, ways = SCREENS[name]
    if name == "replay":
        command = ("replay", str(saved(tmp_path / "game.ctr", begin(2).play().transcript(0))))
    with PtyProgram(tmp_path, *command) as program:
        program.see(first)
        for keys, seen in ways:
            program.type(keys)
            program.see(seen)
        program.type(BAD, *(BAD[number : number + 1] for number in range(len(BAD))))
        assert program.running
        for _ in range(100):  # a screen that is being closed drops the key
            if program.running:
                program.type("\x03", "")
        assert program.wait() == 0
        assert "Traceback" not in program.written


@pytest.mark.slow
def test_character_split_over_two_reads_is_typed(home: PtyProgram) -> None:
    home.type("s")
    home.see("The name that other players see")
    home.type("\r")
    home.see("What should other players call you?")
    home.type(b"\x15", b"Zo\xc3", b"\xab\r")
    home.see("Name: Zoë")


@pytest.mark.slow
def test_bytes_that_are_not_utf8_do_not_end_the_screens_of_a_browser(tmp_path: Path) -> None:
    def packet(data: bytes) -> bytes:
        return b"D" + len(data).to_bytes(4, "big") + data

    command = (sys.executable, "-c", PIPED)
    with subprocess.Popen(
        command, env=environment(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as guest:
        assert guest.stdin is not None
        assert guest.stdout is not None
        guest.stdin.write(packet(BAD) + packet(b"s"))
        guest.stdin.flush()
        written = b""
        while b"The name that other players see" not in written:
            data = os.read(guest.stdout.fileno(), 65536)
            assert data, written
            written += data
        guest.kill()


@pytest.mark.slow
def test_closed_terminal_ends_the_program(home: PtyProgram) -> None:
    home.hang_up()
    assert home.wait() != 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_the_screens_with_its_exit_code(home: PtyProgram, number: int) -> None:
    home.send(number)
    assert home.wait() == 128 + number


@pytest.mark.slow
def test_closed_terminal_ends_line_mode(tmp_path: Path) -> None:
    with PtyProgram(tmp_path, "--plain") as program:
        program.see("quit: leave the program")
        program.hang_up()
        program.wait()


COLOURS = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")


@pytest.mark.slow
def test_no_color_sends_no_colours_and_marks_the_cursor(tmp_path: Path) -> None:
    with PtyProgram(tmp_path, before=("env", "NO_COLOR=1")) as program:
        program.see(HOME)
        program.type("s")
        program.see("The name that other players see")
        assert not COLOURS.findall(program.written)
        assert "\x1b[7" in program.written or ";7m" in program.written
    with PtyProgram(tmp_path) as program:
        program.see(HOME)
        assert COLOURS.findall(program.written)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the state of a process in /proc")
def test_ctrl_z_suspends_the_screens(tmp_path: Path) -> None:
    with PtyProgram(tmp_path, before=CONTROLLING) as program:
        program.see(HOME)
        program.type("\x1a")
        until(lambda: program.state == "T")
        program.send(signal.SIGCONT)
        until(lambda: program.state != "T")
        at_home(program)


@pytest.mark.slow
@pytest.mark.parametrize("lines", [(), ("--plain",)])
async def test_closed_window_keeps_the_seat_in_the_lobby(tmp_path: Path, lines: tuple[str, ...]) -> None:
    async with open_table(first_table(3), tmp_path / "host", host="127.0.0.1", port=0) as table:
        join = ("join", f"127.0.0.1:{table.port}", "--name", "Bea", *lines)
        with PtyProgram(tmp_path / "bea", *join, before=CONTROLLING) as bea:
            await asyncio.to_thread(bea.see, "Bea")
            (place,) = table.table.lobby.places
            assert not place.away
            await asyncio.to_thread(bea.hang_up)
            await asyncio.to_thread(bea.wait)
        async with asyncio.timeout(10):
            while not place.away:  # noqa: ASYNC110 - the table is not told of it at once
                await asyncio.sleep(0.05)
        assert table.table.lobby.places == [place]


@pytest.mark.slow
def test_wrong_codes_are_counted_down_at_the_guest_and_named_at_the_host(tmp_path: Path) -> None:
    options = ("--headless", "--no-mdns", "--port", "0", "--players", "2", "--code", *CODE)
    with Process(tmp_path / "host", "host", *options) as host:
        address = local(host.line("link:")).removeprefix("citadels://").partition("/")[0]
        with PtyProgram(tmp_path / "guest", "join", address, "--plain") as guest:
            for count in range(4):
                until(lambda count=count: guest.written.count("The join code") > count)  # type: ignore[misc]
                guest.type("album agenda acacia\r")
            host.line("3 wrong codes from 127.0.0.1.")
            guest.see("You can try again in 5")
            assert guest.running


@pytest.mark.slow
def test_second_terminal_is_reported_as_another_player(tmp_path: Path) -> None:
    options = ("--headless", "--no-mdns", "--port", "0", "--players", "4", "--open")
    with Process(tmp_path / "host", "host", *options) as host:
        join = ("join", local(host.line("link:")), "--name", "Bea")
        with Process(tmp_path / "bea", *join, "--plain", stdin="open") as first:
            first.line("Bea")
            assert not first.has("Another terminal")
            with Process(tmp_path / "bea", *join, "--plain", stdin="open") as second:
                second.line("Another terminal uses your key")
            with PtyProgram(tmp_path / "bea", *join) as third:
                third.see("Another terminal uses")


# Faults


@pytest.mark.slow
def test_internal_error_ends_with_a_sentence_a_report_and_an_exit_code(tmp_path: Path) -> None:
    with PtyProgram(tmp_path, command=faulty("list_screen", "ListScreen")) as program:
        program.see(HOME)
        program.type("?")
        assert program.wait() == 1
        (report,) = (tmp_path / "log").glob("citadels-lan-*.log")
        text = program.written
        assert f"internal error; the details are in {report}." in text
        assert "Traceback" not in text
        assert "RuntimeError" not in text
        details = report.read_text(encoding="utf-8")
        assert "RuntimeError" in details
        assert KEY not in details


@pytest.mark.slow
def test_lobby_after_an_internal_error_resumes_with_code_names_and_seats(tmp_path: Path) -> None:
    options = ("--no-mdns", "--port", "0", "--players", "4", "--name", "Anna", "--code", *CODE)
    command = faulty("lobby", "LobbyScreen")
    with PtyProgram(tmp_path / "host", "host", *options, command=command, size=(120, 40)) as host:
        port = host.see("citadels-lan join").partition(" --code iceberg")[0].rpartition(":")[2]
        join = ("join", f"127.0.0.1:{port}", "--plain", "--name", "Bea", "--code", *CODE)
        with Process(tmp_path / "guest", *join, stdin="open") as guest:
            host.see("Bea")
            host.type("?")
            assert host.wait() == 1
            guest.line("!! The host's program failed")
            assert not any("closed the game" in line for line in guest.lines)
            with PtyProgram(tmp_path / "host", "host", "--no-mdns", "--resume", size=(120, 40)) as again:
                text = again.see("Bea")
                assert "Anna" in text
                assert " ".join(CODE) in text
                guest.line("Connected again.")
                guest.say("ready")
                guest.line("Bea: ready")
