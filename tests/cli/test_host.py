"""Hosts without a screen: the join code, new codes, handing the game over, and the end."""

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from citadels_lan.cli.console import USAGE, Console
from citadels_lan.cli.host import join_code, keep_door, print_code
from citadels_lan.cli.launch import Address
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.join.join_code import link
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.invitation import HALVES, QUIET, qr_lines
from citadels_lan.texts import load
from tests.effort import one_case
from tests.lan import Lan, missing
from tests.processes import Process, until

from .program import local, refused, run_process

CONSOLE = Console(load("en"))
HERE = Address("192.168.1.20", 47110)
HOST = ("host", "--headless", "--no-mdns")

# The join code


@one_case(
    ("words", "open_to_all", "code", "warning"),
    [
        (None, False, "", ""),
        (["Lupo", "mare-SOLE"], False, "lupo mare sole", ""),
        (["no no no"], False, "no no no", "easy to guess"),
        (None, True, None, "anyone on this network"),
    ],
)
def test_options_code_and_open_of_the_host_give_code_and_warning(
    words: list[str] | None, open_to_all: bool, code: str | None, warning: str
) -> None:
    read, said = join_code(CONSOLE, words, open_to_all)
    assert read == code
    assert warning in said


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Replace standard input by a pipe. Yield the end of the pipe to which the test writes."""
    there, here = os.pipe()
    with os.fdopen(there) as stream:
        monkeypatch.setattr("sys.stdin", stream)
        yield here
        os.close(here)


def guess(table: OpenTable) -> None:
    for number in range(10):
        with pytest.raises(Refusal):
            table.join_code.check(table.join_code.begin(f"10.0.0.{number}", "code", 0.0), lambda: False, 0.0)


async def test_line_typed_at_a_headless_host_makes_a_new_code(
    tmp_path: Path, keyboard: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with (
        asyncio.timeout(60),
        open_table(Settings(), tmp_path, host="127.0.0.1", port=0, code="") as table,
        asyncio.TaskGroup() as tasks,
    ):
        print_code(CONSOLE, table, HERE)
        keeping = tasks.create_task(keep_door(CONSOLE, table, HERE))
        codes = [table.join_code.code]
        guess(table)
        for line in (b"\nno\nn\n", b" N \r\n"):
            os.write(keyboard, line)
            while table.join_code.code == codes[-1]:  # noqa: ASYNC110 - what renews it is a thread
                await asyncio.sleep(0.01)
            codes.append(table.join_code.code)
            await asyncio.sleep(0)
        while table.code_changed.is_set():  # noqa: ASYNC110 - seen from outside
            await asyncio.sleep(0.01)
        keeping.cancel()
        printed = capsys.readouterr().out.splitlines()
        assert [line for line in printed if line.startswith("code:")][-1] == f"code: {codes[-1]}"
        assert printed[-1] == f"link: {link('192.168.1.20', 47110, table.join_code.token)}"
        assert sum("type n and press Enter" in line for line in printed) == 1
        assert not table.join_code.guessed


# The game


@pytest.mark.slow
def test_port_in_use_is_reported(tmp_path: Path) -> None:
    with closing(socket.create_server(("0.0.0.0", 0))) as taken:
        port = str(taken.getsockname()[1])
        assert port in refused(run_process(tmp_path, *HOST, "--port", port))
        (line,) = run_process(tmp_path, *HOST, "--open", "--port", port).stderr.splitlines()
        assert line.startswith(f"Another program uses port {port}")


@pytest.mark.slow
def test_code_words_of_another_game_are_rejected(tmp_path: Path) -> None:
    if reason := missing():
        pytest.skip(reason)
    table = ("host", "--headless", "--players", "2", "--code", "cane", "gatto", "topo")
    with Lan(2) as lan, Process(tmp_path / "one", *table, "--name", "Marco", before=lan.on(0)) as first:
        first.line("game:")
        with Process(tmp_path / "two", *table, before=lan.on(1)) as second:
            second.line("--code: Marco's game already uses these words. Choose others.")
            assert second.wait() == USAGE
        with Process(tmp_path / "two", *table[:-1], "lupo", before=lan.on(1)) as second:
            second.line("code: cane gatto lupo")


def plain(home: Path, link: str, name: str) -> Process:
    """Start the program in line mode for a player who joins by a link and is ready."""
    person = Process(home, "join", link, "--plain", "--name", name, stdin="open")
    person.say("ready")
    return person


@pytest.mark.slow
def test_headless_host_hands_the_game_over(tmp_path: Path) -> None:
    with Process(
        tmp_path / "host", *HOST, "--port", "0", "--players", "3", "--bots", "random", stdin="open"
    ) as host:
        link = local(host.line("link:"))
        journal = host.line("save file:")
        with plain(tmp_path / "zoe", link, "Zoe") as zoe, plain(tmp_path / "anna", link, "Anna") as anna:
            until(lambda: any(line.startswith("? ") for line in (*zoe.lines, *anna.lines)))
            first, second = (zoe, anna) if any(line.startswith("? ") for line in zoe.lines) else (anna, zoe)
            host.say("hand nobody")
            host.line("No player is called nobody.")
            host.say("hand isotta")
            host.line("Isotta cannot host.")
            host.say("hand Zoe")
            entry = host.line("The game was handed to Zoe at entry ")
            zoe.line("!! The host handed the game to you. Your computer hosts it now, and can see what")
            anna.line(
                "!! The host handed the game to Zoe. Zoe's computer can now see what the host's computer saw."
            )
            for person in (zoe, anna):
                person.line("Connected again.")
            first.say("1")
            second.line("? ")
            assert host.running  # the bot of that player continues
            host.interrupt()
            host.wait()
            zoe.line("Isotta is offline, according to the host.")
            anna.interrupt()
            anna.wait()
            zoe.interrupt()
            zoe.wait()
            assert any("The game is saved" in line for line in zoe.lines)
    with Process(tmp_path / "host", *HOST, "--resume", journal) as host:
        host.line(f"The game was handed to Zoe at entry {entry}")
        assert host.wait() != 0


def test_ascii_and_unicode_qr_codes_are_the_same() -> None:
    link = "citadels://192.168.178.100:47110/#abcdefghijklmnopqrstuvwx27"
    wide = [line[::2].replace("#", "█") for line in qr_lines(link, ascii_only=True)]
    halves = {sign: pair for pair, sign in HALVES.items()}
    narrow = [
        "".join(" " if halves[sign][row] else "█" for sign in line) for line in qr_lines(link) for row in (0, 1)
    ]
    assert narrow[: len(wide)] == wide
    assert len(narrow[0]) == len(wide) == 33 + 2 * QUIET
