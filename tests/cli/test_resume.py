"""`host --resume` without a file, and `games`: the tables that were open on this machine."""

import json
from pathlib import Path

import pytest

from citadels_lan.cli.console import UNREADABLE, Console
from citadels_lan.cli.open import front_end
from citadels_lan.cli.open.launcher import TableLauncher
from citadels_lan.crypto.log import SeatKind
from citadels_lan.front.launcher import Preferences
from citadels_lan.net.host.journal import Journal, LobbyRecord, SeatRecord, TableRecord
from citadels_lan.texts import load
from tests.facts import first_table
from tests.processes import Process

from .program import local, refused, run


def lobby(home: Path, number: int) -> Path:
    """The journal of a table that was killed before its game."""
    path = home / "data" / "tables" / f"{number}.journal"
    table = TableRecord(bytes([number]) * 16, bytes(32), bytes(32), b"certificate", b"key", 47110)
    anna = SeatRecord(bytes(32), f"Anna {number}", SeatKind.PLAYER, True, bytes(64))
    Journal.create(path, table, LobbyRecord(first_table(3), (anna,))).close()
    return path


def test_without_an_unfinished_table_it_says_so(tmp_path: Path) -> None:
    assert "unfinished" in refused(run(tmp_path, "host", "--headless", "--resume"))


def test_of_several_tables_one_is_to_be_chosen(tmp_path: Path) -> None:
    for number in (1, 2):
        lobby(tmp_path, number)
    done = run(tmp_path, "host", "--headless", "--resume")
    assert done.returncode == 2
    assert {line.split(":")[0] for line in done.stdout.splitlines()} <= {
        "1. Anna 1",
        "2. Anna 2",
        "1. Anna 2",
        "2. Anna 1",
    }
    assert len(done.stdout.splitlines()) == 2
    assert "--resume NUMBER" in done.stderr


def test_a_number_that_is_not_in_the_list(tmp_path: Path) -> None:
    lobby(tmp_path, 1)
    assert "from 1 to 1" in refused(run(tmp_path, "host", "--headless", "--resume", "7"))
    assert "cannot be read" in refused(run(tmp_path, "host", "--headless", "--resume", "9" * 5000), UNREADABLE)


def test_damaged_journal_is_refused_with_its_record(tmp_path: Path) -> None:
    path = lobby(tmp_path, 1)
    data = path.read_bytes()
    path.write_bytes(data[:40] + bytes([data[40] ^ 1]) + data[41:])
    said = refused(run(tmp_path, "host", "--headless", "--no-mdns", "--resume", str(path)), 3)
    assert said == f"{path} is damaged at record 1. Resume from a copy of it."
    assert path.read_bytes() == data[:40] + bytes([data[40] ^ 1]) + data[41:]


def test_games_lists_a_lobby_that_was_killed(tmp_path: Path) -> None:
    path = lobby(tmp_path, 1)
    (line,) = run(tmp_path, "games").stdout.splitlines()
    assert "Anna 1: not begun" in line
    (game,) = json.loads(run(tmp_path, "games", "--json").stdout)
    assert (game["players"], game["over"], game["hosted"], game["file"]) == (["Anna 1"], False, True, str(path))


@pytest.mark.slow
def test_a_killed_lobby_comes_back_with_its_code_and_those_who_sat_there(tmp_path: Path) -> None:
    arguments = ("host", "--headless", "--no-mdns", "--port", "0", "--players", "3", "--bots", "random")
    with Process(tmp_path / "host", *arguments) as host:
        link, code = local(host.line("link:")), host.line("code:")
        first = Process(tmp_path / "one", "join", link, "--bot", "random", "--name", "Bea")
        first.line("Bea")
        host.kill()
    again = Process(tmp_path / "host", "host", "--headless", "--no-mdns", "--resume")
    with first, again as host:
        assert host.line("code:") == code
        assert local(host.line("link:")) == link
        with Process(tmp_path / "two", "join", link, "--bot", "random", "--name", "Carla") as second:
            assert (first.wait(), second.wait(), host.wait()) == (0, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "kept", "command"), [
    ("en", "The game is kept: `citadels-lan --plain`, then go on 1,", "go on 1"),
    ("it", "La partita è conservata: con `citadels-lan --plain`, e poi riprendi 1,", "riprendi 1"),
])  # fmt: skip
def test_ctrl_c_says_how_a_game_goes_on_and_so_it_does(
    tmp_path: Path, language: str, kept: str, command: str
) -> None:
    with Process(tmp_path, "--lang", language, "play", "--plain", stdin="open") as game:
        game.line("? ")
        game.interrupt()
        assert game.wait() == 130
        game.line(kept)
    with Process(tmp_path, "--lang", language, "--plain", stdin="open") as home:
        home.say(command)
        home.line("? ")


async def test_where_no_table_was_opened_nothing_is_said_to_be_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor where its journal is gone; one that is in no list goes on by its name."""
    launcher = TableLauncher(Console(load("en")), Preferences("Ada"), tmp_path, tmp_path)

    async def left(*_: object, **__: object) -> int:
        return 0

    monkeypatch.setattr(front_end, "plain_async", left)
    for journal in (None, tmp_path / "gone.journal"):
        launcher.journal = journal
        assert await front_end.front(launcher.console, launcher, plain=True) == 0
    assert capsys.readouterr().out == ""
    launcher.journal = lobby(tmp_path, 1)
    assert await front_end.front(launcher.console, launcher, plain=True) == 0
    assert f"`citadels-lan host --resume {launcher.journal}`" in capsys.readouterr().out
