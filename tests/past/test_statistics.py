"""Statistics of the own games."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from rich.cells import cell_len

from citadels_lan.engine import events as ev
from citadels_lan.engine.score import Score
from citadels_lan.presenter.archive import transcripts
from citadels_lan.presenter.statistics import OwnGame, own_game, own_games, statistics, statistics_lines
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import load
from tests.cli.program import run
from tests.effort import quick

from .files import finished, whole

NAMES = ("Ada", "Bruno", "Chiara")


def game(winner: int, *points: int, edition: str = "2016") -> OwnGame:
    """Return a game of seat 0 with these points at the end."""
    made = OwnGame(0, edition, NAMES)
    made.take(ev.GameEnded(tuple(Score((("districts", one),)) for one in points), (winner,)))
    return made


def test_own_game_counts_characters_districts_and_robberies(tmp_path: Path) -> None:
    recording, read = whole(tmp_path), own_game(finished(tmp_path, 2))
    assert read is not None
    state = recording.steps[-1].state
    events = [event for one in recording.steps for event in one.events]
    assert read.scores == tuple(score.total for score in state.scores)
    assert read.characters == [one.character for one in events if isinstance(one, ev.Picked) and one.seat == 2]
    assert read.districts == [one.card for one in events if isinstance(one, ev.Built) and one.seat == 2]
    stolen = [one for one in events if isinstance(one, ev.GoldMoved) and one.why == "robbed"]
    assert read.robbed == [one.taker for one in stolen if one.giver == 2]


def test_wins_and_averages_count_finished_games() -> None:
    unfinished = OwnGame(0, "2016", NAMES, characters=["king"])
    found = statistics([game(0, 20, 10, 5), game(1, 15, 30, 4), game(1, 10, 11, 3, edition="classic"), unfinished])
    assert (found.games, found.unfinished, found.won, found.points) == (3, 1, 1, 15.0)
    assert [(one.name, one.games, one.won) for one in found.editions] == [("2016", 2, 1), ("classic", 1, 0)]
    assert [(one.name, one.games, one.won, one.points) for one in found.against] == [
        ("Bruno", 3, 2, 17.0),
        ("Chiara", 3, 0, 4.0),
    ]
    assert [(one.name, one.times) for one in found.characters] == [("king", 1)]


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_statistics_lines_name_characters_and_players(tmp_path: Path, language: str) -> None:
    texts, read = load(language), own_game(finished(tmp_path))
    assert read is not None
    found = statistics([read])
    said = "\n".join(statistics_lines(texts, found, UNICODE))
    assert texts.character(found.characters[0].name) in said
    assert "Player 3" in said
    assert "█" * 20 in said, "the longest bar"
    assert all(cell_len(line) <= 78 for line in said.splitlines())
    assert list(statistics_lines(texts, statistics([]), UNICODE)) == [texts.say("None yet: play one first.")]


def test_statistics_skip_spectators_bots_and_other_files(tmp_path: Path) -> None:
    assert own_game(finished(tmp_path, None)) is None
    (tmp_path / "x.ctr").write_bytes(b"nonsense")
    assert own_game(tmp_path / "x.ctr") is None
    bots = tmp_path / "bots"
    bots.mkdir()
    finished(bots, 2)
    assert own_games(transcripts(bots)) == []


def test_statistics_command_prints_lines_and_json(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    finished(out)
    told = run(tmp_path, "games", "--out", str(out), "--statistics").stdout
    assert "Favourite characters" in told
    plain = json.loads(run(tmp_path, "games", "--out", str(out), "--statistics", "--json").stdout)
    read = own_game(out / "finished-0.ctr")
    assert read is not None
    assert plain == json.loads(json.dumps(asdict(statistics([read]))))
    assert plain["games"] == 1
