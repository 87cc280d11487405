"""`join` without an address searches until it finds a game."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import pytest

from citadels_lan.cli import join
from citadels_lan.cli.console import INTERRUPTED, NOT_FOUND, USAGE, Console, Failure
from citadels_lan.cli.open.launcher import TableLauncher
from citadels_lan.front.launcher import ISOLATED, UNFINDABLE, FoundTable, Preferences
from citadels_lan.texts import load
from tests.effort import one_case
from tests.lan import Lan, missing
from tests.processes import Process
from tests.ptys import CONTROLLING, PtyProgram

from .program import refused, run

EN = load("en")
A, B, C = (FoundTable(f"10.0.0.{at}:47110", name, 1, 4) for at, name in enumerate(("Marco", "Zoe", "Anna"), 1))
SEARCHING = "Searching for games on this network… (Ctrl-C to stop)"
Found = Sequence[FoundTable] | None | Callable[[], object]


class Network(TableLauncher):
    """A launcher that finds what it is given: lists of games, and things to do between them."""

    def __init__(self, folder: Path, *found: Found) -> None:
        super().__init__(Console(EN), Preferences(name="Ada"), folder, folder)
        self._found = found

    async def browse(self) -> AsyncGenerator[Sequence[FoundTable] | None, None]:
        for one in self._found:
            if callable(one):
                done = one()
                if asyncio.iscoroutine(done):
                    await done
            else:
                yield one
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
        return await join._search(launcher.console, launcher, seconds, asks=asks)


@pytest.fixture(autouse=True)
def moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are alone are joined soon."""
    monkeypatch.setattr(join, "MORE", 0.05)


async def test_game_that_appears_later_is_joined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before: list[str] = []
    launcher = Network(tmp_path, (), lambda: before.append(capsys.readouterr().out), (), (A,))
    assert await searched(launcher) == A.address
    assert before == [f"{SEARCHING}\n"]
    assert capsys.readouterr().out == f"Found Marco's game at {A.address}.\n"


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
    assert lines[6:] == [*["Type a number from 1 to 3."] * len(bad), "That game is gone. Choose another one."]


async def test_game_that_is_gone_at_once_is_not_joined(tmp_path: Path) -> None:
    launcher = Network(tmp_path, (A,), (), lambda: asyncio.sleep(0.2), (B,))
    assert await searched(launcher) == B.address


async def test_search_without_result_has_its_own_exit_code(tmp_path: Path) -> None:
    with pytest.raises(Failure, match=r"^No game found in 0.05 s\. ") as failure:
        await searched(Network(tmp_path, (), ()), seconds=0.05)
    assert failure.value.code == NOT_FOUND
    assert NOT_FOUND not in (0, 1, USAGE, 3, 4, INTERRUPTED)


async def test_games_to_choose_from_outlast_the_timeout(tmp_path: Path, keys: TextIO) -> None:
    late = lambda: asyncio.sleep(0.2)  # noqa: E731
    launcher = Network(tmp_path, (A, B), late, (A, B, C), lambda: print("3", file=keys))
    assert await searched(launcher, seconds=0.05, asks=True) == C.address


async def test_hundred_games_are_listed_up_to_the_limit(
    tmp_path: Path, keys: TextIO, capsys: pytest.CaptureFixture[str]
) -> None:
    many = tuple(replace(A, address=f"10.0.1.{at}:47110") for at in range(100))
    launcher = Network(tmp_path, many, many, many, lambda: print("13", "12", sep="\n", file=keys))
    assert await searched(launcher, asks=True) == many[11].address
    said = capsys.readouterr()
    assert (said.out.count("Marco"), said.out.count("Which one?")) == (12, 1)
    assert said.err == "and 88 more; join those by address\n"


async def test_several_games_without_a_terminal_are_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="more than one") as failure:
        await searched(Network(tmp_path, (A, B)))
    assert failure.value.code == USAGE


async def test_end_of_input_at_the_choice_is_a_usage_error(tmp_path: Path, keys: TextIO) -> None:
    with pytest.raises(Failure, match="more than one"):
        await searched(Network(tmp_path, (A, B), keys.close), asks=True)


async def test_network_problem_is_reported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    launcher = Network(tmp_path, None, None, (), (A,))
    launcher.isolated = True
    assert await searched(launcher) == A.address
    assert capsys.readouterr().err.splitlines() == [EN.say(UNFINDABLE), EN.say(ISOLATED)]


def test_without_a_terminal_the_search_ends_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join, "UNATTENDED", 0.05)
    monkeypatch.setattr(TableLauncher, "browse", Network(tmp_path, ()).browse)
    done = run(tmp_path, "join", "--plain")
    assert (done.returncode, done.stdout) == (NOT_FOUND, f"{SEARCHING}\n")
    assert done.stderr.startswith("No game found in 0.05 s. ")


@one_case("value", ["", "-1", "nan", "inf", "1.5", "86401", "9" * 10_000, "\x1b[2J\n", "٣"])
def test_timeout_that_is_no_number_of_seconds_is_rejected(tmp_path: Path, value: str) -> None:
    said = refused(run(tmp_path, "join", f"--timeout={value}"))
    assert said.startswith("--timeout is a whole number from 0 to 86400, not ")
    assert len(said) < 120


# Real programs on a network of their own


@pytest.fixture
def lan() -> Iterator[Lan]:
    if reason := missing():
        pytest.skip(reason)
    with Lan(3) as made:
        yield made


PATIENT = (
    sys.executable,
    "-c",
    "import sys; from citadels_lan.cli import join, main; join.MORE = 60; sys.exit(main.main())",
)
"""`join` that waits for a minute before it joins the only game."""
HOST = ("host", "--headless", "--open", "--players", "2", "--port", "47110")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "seated"),
    [
        ("--plain", "ready: you are ready"),
        ("--plain --spectate", "You are watching"),
        ("--bot random", "Bea sits at"),
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
            anna.line("Anna sits at")
            for _ in range(2):  # the second time the game has begun, and the seat is there
                with PtyProgram(tmp_path / "bea", "join", "--name", "Bea", before=lan.on(1)) as bea:
                    bea.see(SEARCHING)
                    bea.see("ready", "CHOICE OF CHARACTERS")
                    bea.see("CHOICE OF CHARACTERS", again=lambda: bea.type("r"))


@pytest.mark.slow
def test_search_ends_after_its_timeout(tmp_path: Path, lan: Lan) -> None:
    with Process(tmp_path, "join", "--timeout", "1", before=lan.on(0)) as search:
        assert search.wait() == NOT_FOUND
        assert search.lines[0] == SEARCHING
        assert search.lines[-1].startswith("No game found in 1 s. ")


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_search_that_is_stopped_says_one_sentence(tmp_path: Path, lan: Lan, number: int, code: int) -> None:
    with Process(tmp_path, "join", "--timeout", "0", before=lan.on(0)) as search:
        search.line(SEARCHING)
        search.send(number)
        assert search.wait() == code
        assert search.lines == [SEARCHING, "Search stopped."]


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
