"""One's own games, counted."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from citadels_lan.cli.statistics import OwnGame, own_game, own_games, statistics, statistics_lines
from citadels_lan.engine import events as ev
from citadels_lan.engine.score import Score
from citadels_lan.front.archive import transcripts
from citadels_lan.texts import load
from tests.cli.program import run
from tests.effort import quick

from .files import broken_off, finished, whole

NAMES = ("Ada", "Bruno", "Chiara")


def game(winner: int, *points: int, edition: str = "2016") -> OwnGame:
    """A game of seat 0 with these points at its end."""
    made = OwnGame(0, edition, NAMES)
    made.take(ev.GameEnded(tuple(Score((("districts", one),)) for one in points), (winner,)))
    return made


def test_a_transcript_tells_what_its_owner_played_and_built(tmp_path: Path) -> None:
    recording, read = whole(tmp_path), own_game(finished(tmp_path, 2))
    assert read is not None
    state = recording.steps[-1].state
    events = [event for one in recording.steps for event in one.events]
    assert read.scores == tuple(score.total for score in state.scores)
    assert read.characters == [one.character for one in events if isinstance(one, ev.Picked) and one.seat == 2]
    assert read.districts == [one.card for one in events if isinstance(one, ev.Built) and one.seat == 2]
    stolen = [one for one in events if isinstance(one, ev.GoldMoved) and one.why == "robbed"]
    assert read.robbed == [one.taker for one in stolen if one.giver == 2]


def test_murders_count_for_the_character_that_is_held() -> None:
    made = OwnGame(0, "2016", NAMES)
    for event in (ev.RoundBegan(1, (), ()), ev.Picked(0, "king"), ev.Marked("killed", 1, "thief")):
        made.take(event)
    assert made.murdered == []
    made.take(ev.CharactersSwapped(2, 0, "thief", "king"))
    made.take(ev.Marked("killed", 1, "thief"))
    made.take(ev.Marked("killed", 1, "king"))
    assert made.murdered == [1]
    made.take(ev.RoundBegan(2, (), ()))
    made.take(ev.Marked("killed", 1, "thief"))
    assert made.murdered == [1]


def test_wins_and_averages_are_of_finished_games() -> None:
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
def test_the_page_says_it_in_words(tmp_path: Path, language: str) -> None:
    texts, read = load(language), own_game(finished(tmp_path))
    assert read is not None
    found = statistics([read])
    said = "\n".join(statistics_lines(texts, found))
    assert texts.character(found.characters[0].name) in said
    assert "Player 3" in said
    assert statistics_lines(texts, statistics([])) == [texts.say("None yet: play one first.")]


def test_spectators_bots_and_rubbish_do_not_count(tmp_path: Path) -> None:
    assert own_game(finished(tmp_path, None)) is None
    (tmp_path / "x.ctr").write_bytes(b"nonsense")
    assert own_game(tmp_path / "x.ctr") is None
    bots = tmp_path / "bots"
    bots.mkdir()
    finished(bots, 2)
    assert own_games(transcripts(bots)) == []


def test_a_game_that_was_broken_off_counts_for_what_happened(tmp_path: Path) -> None:
    read = own_game(broken_off(tmp_path))
    assert read is not None
    assert read.scores == ()
    found = statistics([read])
    assert (found.games, found.unfinished) == (0, 1)
    assert found.characters


def test_the_command_prints_them_as_lines_and_as_json(tmp_path: Path) -> None:
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
