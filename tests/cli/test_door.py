"""The code at the command line: given, asked for, refused, and made anew."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.cli.addresses import Address
from citadels_lan.cli.console import USAGE, Console, Failure
from citadels_lan.cli.join import ATTEMPTS, _with_code
from citadels_lan.cli.open.code import given_code, keep_door, tell_code, wanted_code
from citadels_lan.front.invitation import HALVES, QUIET, qr_lines
from citadels_lan.front.launcher import CodeWanted
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.systems.process import ASKING
from citadels_lan.texts import load
from tests.effort import one_case
from tests.processes import Process

from .program import local, refused, run, run_process

CONSOLE = Console(load("en"))
HERE = Address("192.168.1.20", 47110)
TOKEN = "abcdefghijklmnopqrstuvwx27"


# What is said


def test_the_code_that_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert wanted_code(CONSOLE, None, False) == ""
    assert wanted_code(CONSOLE, ["Lupo", "mare-SOLE"], False) == "lupo mare sole"
    assert capsys.readouterr() == ("", "")


def test_what_an_open_table_costs(capsys: pytest.CaptureFixture[str]) -> None:
    assert wanted_code(CONSOLE, None, True) is None
    assert "whoever reaches this network" in capsys.readouterr().err


def test_words_that_are_weak_are_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert wanted_code(CONSOLE, ["no no no"], False) == "no no no"
    assert "easy to guess" in capsys.readouterr().err


@one_case("words", [["two", "words"], ["a b 3"], ["x" * 200, "b", "c"]])
def test_words_that_cannot_be(words: list[str]) -> None:
    with pytest.raises(Failure) as failure:
        wanted_code(CONSOLE, words, False)
    assert failure.value.code == USAGE


def test_a_code_that_somebody_gives() -> None:
    assert given_code(CONSOLE, None) == ""
    assert given_code(CONSOLE, ["one", "two", "three"]) == "one two three"
    assert given_code(CONSOLE, [TOKEN]) == TOKEN
    with pytest.raises(Failure, match="an address comes before"):
        given_code(CONSOLE, ["one", "two", "three", "192.168.1.20"])


def test_both_qr_codes_show_the_same() -> None:
    link = f"citadels://192.168.178.100:47110/#{TOKEN}"
    wide = [line[::2].replace("#", "█") for line in qr_lines(link, ascii_only=True)]
    halves = {sign: pair for pair, sign in HALVES.items()}
    narrow = [
        "".join(" " if halves[sign][row] else "█" for sign in line) for line in qr_lines(link) for row in (0, 1)
    ]
    assert narrow[: len(wide)] == wide
    assert len(narrow[0]) == len(wide) == 33 + 2 * QUIET
    assert wide[0] == "█" * len(wide)
    assert len(qr_lines(link)) <= 20


# Asking


RIGHT = "formula hummus manifesto"


class Person:
    """Somebody at a terminal, and a table behind a code."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.given: list[str] = []

    def sit(self, code: str) -> int:
        self.given.append(code)
        if code != RIGHT:
            raise CodeWanted("No.")
        return 0


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)


@pytest.mark.usefixtures("terminal")
@one_case(
    ("typed", "sent", "complaint"),
    [
        (["formula hummus aurora", RIGHT], ["formula hummus aurora", RIGHT], "No.\n"),
        (["formula humus manifesto", RIGHT], [RIGHT], "humus: not a code word. Did you mean hummus"),
        (
            ["humus opera radio", "humus opera radio", RIGHT],
            ["humus opera radio", RIGHT],
            "humus: not a code word.",
        ),
        (["", *RIGHT.split()], [RIGHT], "A code has at least 3 words."),
    ],
    ids=["wrong", "misspelt", "misspelt twice", "several lines"],
)
def test_code_is_asked_until_it_is_right(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    typed: list[str], sent: list[str], complaint: str,
) -> None:  # fmt: skip
    """A word that is nearly in the list costs no attempt, unless it is typed twice."""
    person = Person(*typed)
    monkeypatch.setattr("builtins.input", lambda _: person.answers.pop(0))
    assert _with_code(CONSOLE, person.sit, "") == 0
    assert person.given == ["", *sent]
    assert capsys.readouterr().err.startswith(complaint)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("pasted", ["citadels://[::1", "citadels-lan join [ --code " + RIGHT])
def test_pasted_address_that_is_invalid_costs_no_attempt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], pasted: str
) -> None:
    person = Person(pasted, RIGHT)
    monkeypatch.setattr("builtins.input", lambda _: person.answers.pop(0))
    assert _with_code(CONSOLE, person.sit, "") == 0
    assert person.given == ["", RIGHT]
    assert "is no address" in capsys.readouterr().err


@pytest.mark.usefixtures("terminal")
def test_a_person_is_asked_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person()
    monkeypatch.setattr("builtins.input", lambda _: "wrong wrong wrong")
    with pytest.raises(CodeWanted):
        _with_code(CONSOLE, person.sit, "")
    assert len(person.given) == 1 + ATTEMPTS


@pytest.mark.usefixtures("terminal")
def test_end_of_the_input_ends_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", mock.Mock(side_effect=EOFError))
    with pytest.raises(Failure, match=r"^No\.$"):
        _with_code(CONSOLE, Person().sit, "")


def test_a_pipe_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    with pytest.raises(Failure, match=r"No\. .*--code"):
        _with_code(CONSOLE, Person().sit, "")
    with pytest.raises(Failure, match=r"^No\.$"):
        _with_code(CONSOLE, Person().sit, "wrong")


@pytest.mark.slow
def test_invitation_for_another_address_joins_there_and_names_it(tmp_path: Path) -> None:
    said = run(tmp_path, "join", "127.0.0.1:1", "--plain", "--code", f"citadels://127.0.0.1:2/#{TOKEN}")
    assert said.returncode == USAGE
    assert said.stdout == "The invitation names 127.0.0.1:2: joining there.\n"
    assert said.stderr.startswith("There is no answer from 127.0.0.1:2:")


# A new code


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Standard input; what is written to it."""
    there, here = os.pipe()
    with os.fdopen(there) as stream:
        monkeypatch.setattr("sys.stdin", stream)
        yield here
        os.close(here)


def guess(table: OpenTable) -> None:
    for number in range(10):
        with pytest.raises(Refusal):
            table.door.judge(table.door.knock(f"10.0.0.{number}", "code", 0.0), lambda: False, 0.0)


async def test_a_line_makes_a_new_code(tmp_path: Path, keyboard: int, capsys: pytest.CaptureFixture[str]) -> None:
    async with (
        asyncio.timeout(60),
        open_table(Settings(), tmp_path, host="127.0.0.1", port=0, code="") as table,
        asyncio.TaskGroup() as tasks,
    ):
        tell_code(CONSOLE, table, HERE)
        keeping = tasks.create_task(keep_door(CONSOLE, table, HERE))
        codes = [table.door.code]
        guess(table)
        for line in (b"\nno\nn\n", b" N \r\n"):
            os.write(keyboard, line)
            while table.door.code == codes[-1]:  # noqa: ASYNC110 - what renews it is a thread
                await asyncio.sleep(0.01)
            codes.append(table.door.code)
            await asyncio.sleep(0)
        while table.door_changed.is_set():  # noqa: ASYNC110 - seen from outside
            await asyncio.sleep(0.01)
        keeping.cancel()
        told = capsys.readouterr().out.splitlines()
        assert [line for line in told if line.startswith("code:")][-1] == f"code: {codes[-1]}"
        assert told[-1] == f"link: {table.door.link('192.168.1.20', 47110)}"
        assert sum("type n and Enter" in line for line in told) == 1
        assert not table.door.guessed


@pytest.mark.skipif(not ASKING, reason="there is no such signal here")
async def test_a_signal_makes_a_new_code(tmp_path: Path, keyboard: int) -> None:
    """Where nobody can type: a service without a terminal."""
    async with (
        asyncio.timeout(60),
        open_table(Settings(), tmp_path, host="127.0.0.1", port=0, code="") as table,
        asyncio.TaskGroup() as tasks,
    ):
        keeping = tasks.create_task(keep_door(CONSOLE, table, HERE))
        before = table.door.code
        await asyncio.sleep(0)
        os.kill(os.getpid(), getattr(signal, ASKING))
        while table.door.code == before:  # noqa: ASYNC110 - it comes from outside
            await asyncio.sleep(0.01)
        keeping.cancel()
    assert signal.getsignal(getattr(signal, ASKING)) == signal.SIG_DFL


# Processes


@pytest.mark.slow
def test_a_code_of_ones_own(tmp_path: Path) -> None:
    with Process(
        tmp_path / "host", "host", "--headless", "--no-mdns", "--port", "0", "--players", "2",
        "--bots", "random", "--code", "Cane", "gatto", "topo",
    ) as host:  # fmt: skip
        assert host.line("code:") == "cane gatto topo"
        where = local(host.line("link:")).partition("#")[0]
        assert "--code" in refused(run_process(tmp_path / "a", "join", where, "--bot", "random"))
        assert "not the code" in refused(
            run_process(tmp_path / "a", "join", where, "--bot", "random", "--code", "cane", "gatto", "lupo")
        )
        done = run_process(tmp_path / "a", "join", where, "--bot", "random", "--code", "CANE gatto", "topo")
        assert done.returncode == 0, done.stderr
        assert host.wait() == 0


@pytest.mark.slow
def test_an_open_table(tmp_path: Path) -> None:
    with Process(
        tmp_path / "host", "host", "--headless", "--no-mdns", "--port", "0", "--players", "2",
        "--bots", "random", "--open",
    ) as host:  # fmt: skip
        assert host.line("The table is open")
        assert host.line("code:").startswith("none")
        link = host.line("link:")
        assert "#" not in link
        assert "no code" in refused(
            run_process(tmp_path / "a", "join", local(link), "--bot", "random", "--code", "a", "b", "c")
        )
        assert run_process(tmp_path / "a", "join", local(link), "--bot", "random").returncode == 0
        assert host.wait() == 0


@one_case(
    ("arguments", "said"),
    [
        ("host --code one two", "--code"),
        ("host --code one two 3", "--code"),
        ("host --open --code one two three", "--open"),
        ("host --code", "--code"),
        ("join 127.0.0.1 --code one two", "--code"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, arguments: str, said: str) -> None:
    assert said in refused(run(tmp_path, *arguments.split()))
