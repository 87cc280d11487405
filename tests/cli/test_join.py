"""`join`: the search for games, the question for the code, and the answers of hosts."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_lan.cli import join
from citadels_lan.cli.console import INTERRUPTED, NOT_FOUND, USAGE, Console, Failure
from citadels_lan.cli.join import _given_code
from citadels_lan.cli.launch import TableLauncher
from citadels_lan.presenter.launcher import ISOLATED, UNFINDABLE, CodeWanted, FoundTable, Preferences
from citadels_lan.texts import load
from tests.lan import Lan, missing
from tests.processes import Process
from tests.ptys import PtyProgram

from .program import local, run, run_process

EN = load("en")
CONSOLE = Console(EN)
A, B, C = (FoundTable(f"10.0.0.{at}:47110", name, 1, 4) for at, name in enumerate(("Marco", "Zoe", "Anna"), 1))
SEARCHING = "Searching for games on this network… (Ctrl-C to stop)"
TOKEN = "abcdefghijklmnopqrstuvwx27"
RIGHT = "formula hummus manifesto"
Found = Sequence[FoundTable] | None | Callable[[], object]

# The code


def test_code_option_of_join_accepts_words_or_a_token() -> None:
    assert _given_code(CONSOLE, None) == ""
    assert _given_code(CONSOLE, ["one", "two", "three"]) == "one two three"
    assert _given_code(CONSOLE, [TOKEN]) == TOKEN
    with pytest.raises(Failure, match="An address goes before --code"):
        _given_code(CONSOLE, ["one", "two", "three", "192.168.1.20"])


def test_missing_or_wrong_code_without_a_terminal_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sit(*_: object, **options: object) -> None:
        raise CodeWanted("No.")

    monkeypatch.setattr(TableLauncher, "sit", sit)
    for code, text in (((), "No. Add --code and the words"), (("--code", *RIGHT.split()), "No.\n")):
        done = run(tmp_path, "join", "127.0.0.1", *code)
        assert (done.returncode, done.stdout) == (USAGE, "")
        assert done.stderr.startswith(text)


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "seated"), [((), "ready"), (("--plain", "--spectate"), "You are watching")])
def test_missing_code_is_asked_at_a_terminal(tmp_path: Path, arguments: tuple[str, ...], seated: str) -> None:
    with Process(tmp_path / "host", *HOST[:2], *HOST[3:-1], "0", "--no-mdns", "--code", *RIGHT.split()) as host:
        where = local(host.line("link:")).partition("#")[0]
        with PtyProgram(tmp_path / "guest", "join", where, *arguments) as guest:
            guest.see("The join code (ask the host):")
            guest.type(f"{RIGHT}\r")
            guest.see(seated)


@pytest.mark.slow
def test_join_uses_the_address_of_an_invitation_and_prints_it(tmp_path: Path) -> None:
    done = run(tmp_path, "join", "127.0.0.1:1", "--plain", "--code", f"citadels://127.0.0.1:2/#{TOKEN}")
    assert (done.returncode, done.stdout) == (USAGE, "The invitation is for 127.0.0.1:2. Connecting…\n")
    assert done.stderr.startswith("No answer from 127.0.0.1:2.")


# The search


class Network(TableLauncher):
    """A launcher whose search yields the given lists of games. It runs the given actions between them."""

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


async def searched(launcher: Network) -> Sequence[str]:
    """Return the addresses of the games that `join` finds."""
    async with asyncio.timeout(60):
        return [game.place for game in await join._search(launcher.console, launcher, 0)]


@pytest.fixture(autouse=True)
def moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten two waiting times: until a single game is joined, and until the result of the last game is
    printed."""
    monkeypatch.setattr(join, "MORE", 0.05)
    monkeypatch.setattr(join, "OFFERED", 0.0)


async def test_single_game_is_joined_after_a_moment_and_several_are_listed(tmp_path: Path) -> None:
    assert await searched(Network(tmp_path, (), (A,), (), (B,))) == [B.address]
    assert await searched(Network(tmp_path, (), (A,), (A, B), (A, B, C))) == [A.address, B.address]


def test_several_games_without_a_terminal_are_listed_in_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TableLauncher, "browse", Network(tmp_path, (A, B)).browse)
    done = run(tmp_path, "join")
    assert done.returncode == USAGE
    assert done.stdout.splitlines()[1:] == [
        f"Marco: 1 of 4 seats: join {A.address}",
        f"Zoe: 1 of 4 seats: join {B.address}",
    ]
    assert done.stderr.startswith("Several games were found.")


def test_join_that_finds_no_game_without_a_terminal_ends_with_its_own_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join, "UNATTENDED", 0.05)
    monkeypatch.setattr(TableLauncher, "browse", Network(tmp_path, ()).browse)
    done = run(tmp_path, "join", "--plain")
    assert (done.returncode, done.stdout) == (NOT_FOUND, f"{SEARCHING}\n")
    assert done.stderr.startswith("No game found in 0.05 s. ")
    assert NOT_FOUND not in (0, 1, USAGE, 3, 4, INTERRUPTED)


async def test_game_of_another_version_is_reported_and_not_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    launcher = Network(tmp_path, (replace(A, needs="1.1"),), (replace(A, needs="1.1"), B))
    assert await searched(launcher) == [B.address]
    printed = capsys.readouterr()
    assert printed.err == f"Marco's game at {A.address} needs version 1.1.\n"
    assert "Marco" not in printed.out


async def test_two_games_at_the_same_address_are_distinguished(tmp_path: Path) -> None:
    games = tuple(replace(A, host=host, key=host * 32) for host in ("Zoe", "Eva"))
    assert await searched(Network(tmp_path, games)) == [f"{A.address}#{host * 32}" for host in ("Zoe", "Eva")]


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
def test_result_of_a_game_that_is_over_is_printed(tmp_path: Path, lan: Lan) -> None:
    with Process(tmp_path / "host", *HOST[:-1], "0", "--no-mdns", "--bots", "random") as host:
        where = local(host.line("link:"))
        assert run_process(tmp_path / "one", "join", where, "--bot", "random", "--name", "Anna").returncode == 0
        host.wait()
    done = run_process(tmp_path / "one", "join", where)
    assert done.returncode == 0
    assert done.stderr.startswith("No answer from")
    lines = done.stdout.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("Your last game is over: won by ")
    with Process(tmp_path / "one", "join", "--timeout", "1", before=lan.on(0)) as again:  # no other game is there
        assert "Your last game is over: won by " in again.line("No game found")
        assert again.wait() == NOT_FOUND
    with PtyProgram(tmp_path / "one", "join", before=lan.on(0)) as again:
        again.see("Your last game is over")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "seated"),
    [
        ("--plain", "ready: you are ready"),
        ("--plain --spectate", "You are watching"),
        ("--bot random", "Bea joined from"),
    ],
)
def test_join_finds_a_host_that_starts_later(tmp_path: Path, lan: Lan, arguments: str, seated: str) -> None:
    command = ("join", "--name", "Bea", "--timeout", "0", *arguments.split())
    with Process(tmp_path / "bea", *command, before=lan.on(1), stdin="open") as bea:
        bea.line(SEARCHING)
        with Process(tmp_path / "host", *HOST, before=lan.on(0)):
            bea.line("Found ")
            bea.line(seated)


@pytest.mark.slow
def test_player_joins_a_found_host_with_screens_and_returns_to_the_same_seat(tmp_path: Path, lan: Lan) -> None:
    with Process(tmp_path / "host", *HOST, before=lan.on(0)) as host:
        host.line("game:")
        with Process(tmp_path / "anna", "join", "--bot", "random", "--name", "Anna", before=lan.on(2)) as anna:
            anna.line("Anna joined from")
            for _ in range(2):  # in the second run the game has begun, and the seat is reserved
                with PtyProgram(tmp_path / "bea", "join", "--name", "Bea", before=lan.on(1)) as bea:
                    bea.see(SEARCHING)
                    if "CHOOSING CHARACTERS" not in bea.see("R Ready", "CHOOSING CHARACTERS"):
                        bea.type("r")
                    bea.see("CHOOSING CHARACTERS")


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
def test_player_chooses_one_of_two_hosts_on_the_home_screen(tmp_path: Path, lan: Lan) -> None:
    """A player who never gave a name is asked for it first."""
    bea = tmp_path / "bea"
    with PtyProgram(bea, "join", before=lan.on(2), command=PATIENT, named=False) as guest:
        guest.see("What should other players call you?")
        guest.type("Bea\r")
        guest.see(SEARCHING)
        with Process(tmp_path / "one", *HOST, "--name", "Marco", before=lan.on(0)) as one:
            one.line("game:")
            with Process(tmp_path / "two", *HOST, "--name", "Zoe", before=lan.on(1)):
                guest.see("Marco's game")
                guest.see("Zoe's game")
                guest.see("You are Bea")
                guest.type("22")
                guest.see("ready")


async def test_network_problem_is_reported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    launcher = Network(tmp_path, None, None, (), (A,))
    launcher.isolated = True
    assert await searched(launcher) == [A.address]
    assert capsys.readouterr().err.splitlines() == [EN.say(UNFINDABLE), EN.say(ISOLATED)]
