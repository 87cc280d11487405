"""Statistics of a player's games."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from citadels_lan.engine import events as ev
from citadels_lan.engine.score import Score
from citadels_lan.presenter.archive import transcripts
from citadels_lan.presenter.statistics import OwnGame, own_game, own_games, statistics, statistics_lines
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import load
from tests.effort import quick

from .files import finished, whole

NAMES = ("Ada", "Bruno", "Chiara")


def game(winner: int, *points: int, edition: str = "2016") -> OwnGame:
    """Return a game of seat 0 with these points at the end."""
    made = OwnGame(0, edition, NAMES)
    made.take(ev.GameEnded(tuple(Score((("districts", one),)) for one in points), (winner,)))
    return made


def test_statistics_of_a_game_count_characters_districts_and_robberies(tmp_path: Path) -> None:
    recording, read = whole(tmp_path), own_game(finished(tmp_path, 2))
    assert read is not None
    state = recording.steps[-1].state
    events = [event for one in recording.steps for event in one.events]
    assert read.scores == tuple(score.total for score in state.scores)
    assert read.characters == [one.character for one in events if isinstance(one, ev.Picked) and one.seat == 2]
    assert read.districts == [one.card for one in events if isinstance(one, ev.Built) and one.seat == 2]
    stolen = [one for one in events if isinstance(one, ev.GoldMoved) and one.why == "robbed"]
    assert read.robbed == [one.taker for one in stolen if one.giver == 2]
    assert read.thefts == [one.giver for one in stolen if one.taker == 2]
    killed = [one for one in events if isinstance(one, ev.Marked) and one.kind == "killed"]
    assert read.kills == [one.character for one in killed if one.by == 2]


def test_attacks_of_and_on_the_player_are_counted() -> None:
    made = OwnGame(0, "2016", NAMES)
    for event in (
        ev.Marked("killed", 0, "king"),
        ev.GoldMoved(1, 0, 3, "robbed"),
        ev.GoldMoved(1, 0, 3, "taxes"),
        ev.TurnBegan(0, "warlord"),
        ev.Destroyed(2, 0, "tavern", (), "destroy"),
        ev.TurnBegan(1, "warlord"),
        ev.Destroyed(0, 0, "temple", (), "destroy"),
        ev.Destroyed(2, 0, "market", (), "destroy"),
    ):
        made.take(event)
    found = statistics([made])
    assert [(one.name, one.times) for one in found.kills] == [("king", 1)]
    assert [(one.name, one.times) for one in found.thefts] == [("Bruno", 1)]
    assert [(one.name, one.times) for one in found.destroyed] == [("Chiara", 1)]
    assert [(one.name, one.times) for one in found.destroyers] == [("Bruno", 1)]
    said = "\n".join(statistics_lines(load("en"), found, UNICODE))
    assert "Characters that you killed: 1\n  King" in said
    assert "Districts that you destroyed: 1\n  Chiara" in said


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
    assert "█" * 14 in said, "the longest bar"
    assert all(cell_len(line) <= 78 for line in said.splitlines())
    assert list(statistics_lines(texts, statistics([]), UNICODE)) == [texts.say("No games yet.")]


def test_statistics_skip_spectators_bots_and_other_files(tmp_path: Path) -> None:
    assert own_game(finished(tmp_path, None)) is None
    (tmp_path / "x.ctr").write_bytes(b"nonsense")
    assert own_game(tmp_path / "x.ctr") is None
    bots = tmp_path / "bots"
    bots.mkdir()
    finished(bots, 2)
    assert own_games(transcripts(bots)) == []
