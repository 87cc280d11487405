"""`join`: the search for games, the question for the code, and what the network answers."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO
from unittest import mock

import pytest

from citadels_lan.cli import join
from citadels_lan.cli.console import INTERRUPTED, NOT_FOUND, USAGE, Console, Failure
from citadels_lan.cli.join import OVER, _given_code, _with_code
from citadels_lan.cli.launch import TableLauncher
from citadels_lan.presenter.launcher import ISOLATED, UNFINDABLE, CodeWanted, FoundTable, Preferences
from citadels_lan.texts import load
from tests.effort import one_case
from tests.lan import Lan, missing
from tests.processes import Process
from tests.ptys import CONTROLLING, PtyProgram

from .program import local, run, run_process

EN = load("en")
CONSOLE = Console(EN)
A, B, C = (FoundTable(f"10.0.0.{at}:47110", name, 1, 4) for at, name in enumerate(("Marco", "Zoe", "Anna"), 1))
SEARCHING = "Searching for games on this network… (Ctrl-C to stop)"
TOKEN = "abcdefghijklmnopqrstuvwx27"
RIGHT = "formula hummus manifesto"
Found = Sequence[FoundTable] | None | Callable[[], object]

# The code


def test_given_code_is_words_or_a_token() -> None:
    assert _given_code(CONSOLE, None) == ""
    assert _given_code(CONSOLE, ["one", "two", "three"]) == "one two three"
    assert _given_code(CONSOLE, [TOKEN]) == TOKEN
    with pytest.raises(Failure, match="Put an address before it"):
        _given_code(CONSOLE, ["one", "two", "three", "192.168.1.20"])


class Person:
    """A person who types answers, at a table with a code. `given` are the codes that were sent."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: str, terminal: bool = True) -> None:
        self.given: list[str] = []
        monkeypatch.setattr("sys.stdin.isatty", lambda: terminal, raising=False)
        monkeypatch.setattr("builtins.input", mock.Mock(side_effect=[*answers, EOFError]))

    def sit(self, code: str) -> int:
        self.given.append(code)
        if code != RIGHT:
            raise CodeWanted("No.")
        return 0


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
        (["citadels://[::1", RIGHT], [RIGHT], ""),
        (["citadels-lan join [ --code " + RIGHT, RIGHT], [RIGHT], ""),
    ],
)
def test_code_is_asked_until_it_is_right(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    typed: list[str], sent: list[str], complaint: str,
) -> None:  # fmt: skip
    """A word that is nearly in the list costs no attempt, unless it is typed twice; an invalid address never."""
    person = Person(monkeypatch, *typed)
    assert _with_code(CONSOLE, person.sit, "") == 0
    assert person.given == ["", *sent]
    said = capsys.readouterr().err
    assert said.startswith(complaint)
    assert complaint or "Invalid address" in said


@one_case(
    ("terminal", "code", "text"),
    [(True, "", r"^No\.$"), (False, "", r"No\. .*--code"), (False, "wrong", r"^No\.$")],
)
def test_question_ends_without_input(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, code: str, text: str
) -> None:
    with pytest.raises(Failure, match=text):
        _with_code(CONSOLE, Person(monkeypatch, terminal=terminal).sit, code)


@pytest.mark.slow
def test_invitation_for_another_address_joins_there_and_names_it(tmp_path: Path) -> None:
    done = run(tmp_path, "join", "127.0.0.1:1", "--plain", "--code", f"citadels://127.0.0.1:2/#{TOKEN}")
    assert (done.returncode, done.stdout) == (USAGE, "The invitation is for 127.0.0.1:2. Connecting…\n")
    assert done.stderr.startswith("No answer from 127.0.0.1:2.")


# The search


class Network(TableLauncher):
    """A launcher that finds what it is given: lists of games, and things to do between them."""

    def __init__(self, folder: Path, *found: Found) -> None:
        super().__init__(CONSOLE, Preferences(name="Ada"), folder, folder)
        self._found = found

    async def browse(self) -> AsyncGenerator[Sequence[FoundTable] | None, None]:
        for each in self._found:
            if callable(each):
                done = each()
                if asyncio.iscoroutine(done):
                    await done
            else:
                yield each
                await asyncio.sleep(0)
        await asyncio.Event().wait()


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """What is written here is typed at standard input."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin, os.fdopen(writing, "w", buffering=1) as typed:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield typed


async def searched(launcher: Network, *, seconds: float = 0, asks: bool = False) -> str:
    """The address at which the search ends; `asks`: a person at a terminal can choose."""
    async with asyncio.timeout(60):
        found = await join._search(launcher.console, launcher, seconds, asks=asks)
    assert isinstance(found, str)
    return found


@pytest.fixture(autouse=True)
def moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are alone are joined soon."""
    monkeypatch.setattr(join, "MORE", 0.05)


async def test_games_are_listed_as_they_appear_and_one_is_chosen(
    tmp_path: Path, keys: TextIO, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = ("0", "4", "-1", "two", "", "9" * 1_000, "\x1b[2J", "²")
    launcher = Network(
        tmp_path, (), (A,), (A, B), (A, B), (B, C), lambda: print(*bad, "1", "3", sep="\n", file=keys)
    )
    assert await searched(launcher, asks=True) == C.address
    lines = capsys.readouterr().out.splitlines()
    which = "Which one? Type its number:"
    assert lines[:6] == [
        SEARCHING, f"1. Marco: 1 of 4 seats, {A.address}", f"2. Zoe: 1 of 4 seats, {B.address}", which,
        f"3. Anna: 1 of 4 seats, {C.address}", which,
    ]  # fmt: skip
    gone = "That game is no longer available. Choose another one."
    assert lines[6:] == [*["Type a number from 1 to 3."] * len(bad), gone]


def test_search_without_a_terminal_ends_with_its_own_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join, "UNATTENDED", 0.05)
    monkeypatch.setattr(TableLauncher, "browse", Network(tmp_path, ()).browse)
    done = run(tmp_path, "join", "--plain")
    assert (done.returncode, done.stdout) == (NOT_FOUND, f"{SEARCHING}\n")
    assert done.stderr.startswith("No game found in 0.05 s. ")
    assert NOT_FOUND not in (0, 1, USAGE, 3, 4, INTERRUPTED)


async def test_game_of_another_version_is_named_and_not_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    launcher = Network(tmp_path, (replace(A, needs="1.1"),), (replace(A, needs="1.1"), B))
    assert await searched(launcher) == B.address
    printed = capsys.readouterr()
    assert printed.err == f"Marco's game at {A.address} needs version 1.1.\n"
    assert "Marco" not in printed.out


async def test_two_games_at_one_address_are_told_apart(tmp_path: Path, keys: TextIO) -> None:
    games = tuple(replace(A, host=host, key=host * 32) for host in ("Zoe", "Eva"))
    launcher = Network(tmp_path, games, lambda: print("2", file=keys))
    assert await searched(launcher, asks=True) == f"{A.address}#{'Eva' * 32}"


# Real programs

HOST = ("host", "--headless", "--open", "--players", "2", "--port", "47110")
PATIENT = (
    sys.executable,
    "-c",
    "import sys; from citadels_lan.cli import join, main; join.MORE = 60; sys.exit(main.main())",
)
"""`join` that waits for a minute before it joins the only game."""


@pytest.fixture
def lan() -> Iterator[Lan]:
    if reason := missing():
        pytest.skip(reason)
    with Lan(3) as made:
        yield made


@pytest.mark.slow
def test_result_of_a_game_that_is_over_is_offered(tmp_path: Path, lan: Lan) -> None:
    with Process(tmp_path / "host", *HOST[:-1], "0", "--no-mdns", "--bots", "random") as host:
        where = local(host.line("link:"))
        assert run_process(tmp_path / "one", "join", where, "--bot", "random", "--name", "Anna").returncode == 0
        host.wait()
    done = run_process(tmp_path / "one", "join", where)
    assert done.returncode == 0
    assert done.stderr.startswith("No answer from")
    lines = done.stdout.splitlines()
    assert lines[0] == EN.say(OVER)
    assert lines[1].startswith("won by ")
    assert sorted(line.partition(":")[0] for line in lines[2:4]) == ["Anna", "Isotta"]
    with Process(tmp_path / "one", "join", "--timeout", "1", before=lan.on(0)) as again:  # no other game is there
        assert "Your last game is over. To see it, run `citadels-lan show " in again.line("No game found")
        assert again.wait() == NOT_FOUND
    with PtyProgram(tmp_path / "one", "join", before=lan.on(0)) as again:
        again.see("Show the result?")
        again.type("y\r")
        again.see("citadels-lan replay")
        assert again.wait() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "seated"),
    [
        ("--plain", "ready: you are ready"),
        ("--plain --spectate", "You are watching"),
        ("--bot random", "Bea joined from"),
    ],
)
def test_host_that_starts_after_join_is_found(tmp_path: Path, lan: Lan, arguments: str, seated: str) -> None:
    command = ("join", "--name", "Bea", "--timeout", "0", *arguments.split())
    with Process(tmp_path / "bea", *command, before=lan.on(1), stdin="open") as bea:
        bea.line(SEARCHING)
        with Process(tmp_path / "host", *HOST, before=lan.on(0)):
            bea.line("Found ")
            bea.line(seated)


@pytest.mark.slow
def test_screens_open_at_a_found_host_and_again_at_the_own_seat(tmp_path: Path, lan: Lan) -> None:
    with Process(tmp_path / "host", *HOST, before=lan.on(0)) as host:
        host.line("game:")
        with Process(tmp_path / "anna", "join", "--bot", "random", "--name", "Anna", before=lan.on(2)) as anna:
            anna.line("Anna joined from")
            for _ in range(2):  # the second time the game has begun, and the seat is there
                with PtyProgram(tmp_path / "bea", "join", "--name", "Bea", before=lan.on(1)) as bea:
                    bea.see(SEARCHING)
                    bea.see("ready", "CHOOSING CHARACTERS")
                    bea.see("CHOOSING CHARACTERS", again=lambda: bea.type("r"))


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(0, NOT_FOUND), (signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_search_ends_after_its_timeout_or_by_a_signal(tmp_path: Path, lan: Lan, number: int, code: int) -> None:
    with Process(tmp_path, "join", "--timeout", "0" if number else "1", before=lan.on(0)) as search:
        search.line(SEARCHING)
        if number:
            search.send(number)
        assert search.wait() == code
        assert len(search.lines) == 2
        assert search.lines[1].startswith("Search stopped." if number else "No game found in 1 s. ")


@pytest.mark.slow
def test_two_hosts_are_listed_and_one_is_chosen_or_ctrl_c_ends_the_search(tmp_path: Path, lan: Lan) -> None:
    join = ("join", "--name", "Bea")
    with (
        PtyProgram(tmp_path / "bea", *join, before=lan.on(2), command=PATIENT) as bea,
        PtyProgram(tmp_path / "ctrl-c", *join, before=(*lan.on(2), *CONTROLLING), command=PATIENT) as stopped,
    ):
        bea.see(SEARCHING)
        with Process(tmp_path / "one", *HOST, "--name", "Marco", before=lan.on(0)) as one:
            one.line("game:")
            with Process(tmp_path / "two", *HOST, "--name", "Zoe", before=lan.on(1)) as two:
                bea.see("Which one? Type its number:")
                bea.type("2\r")
                bea.see("ready")
                assert two.running
                stopped.see("Which one? Type its number:")
                stopped.type("\x03")
                assert stopped.wait() == 130
                assert stopped.written.rstrip().endswith("Search stopped.")


async def test_several_games_without_a_choice_are_a_usage_error(tmp_path: Path, keys: TextIO) -> None:
    for launcher, asks in ((Network(tmp_path, (A, B)), False), (Network(tmp_path, (A, B), keys.close), True)):
        with pytest.raises(Failure) as failure:
            await searched(launcher, asks=asks)
        assert failure.value.code == USAGE


async def test_network_problem_is_reported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    launcher = Network(tmp_path, None, None, (), (A,))
    launcher.isolated = True
    assert await searched(launcher) == A.address
    assert capsys.readouterr().err.splitlines() == [EN.say(UNFINDABLE), EN.say(ISOLATED)]
