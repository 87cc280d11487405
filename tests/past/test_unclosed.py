"""A game whose record is not closed has no winner: in lists, statistics, recordings, and in the report."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_lan.cli.console import Console
from citadels_lan.cli.open.hosting import tell_scores
from citadels_lan.cli.statistics import own_game, own_games, statistics
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.front.archive import result, tallies, transcripts
from citadels_lan.front.recording import load_recording
from citadels_lan.front.retelling import Retelling, as_text
from citadels_lan.texts import load
from citadels_lan.texts.record import NO_WINNER
from tests.cli.program import run

from .files import broken_off, finished, unclosed, whole

EN = load("en")
SENTENCE = EN.say(NO_WINNER)


@pytest.mark.parametrize(
    ("language", "said"), [("en", "not closed: no winner"), ("it", "non chiusa: nessun vincitore")]
)
def test_unclosed_game_has_no_winner_in_the_list(tmp_path: Path, language: str, said: str) -> None:
    unclosed(tmp_path)
    (game,) = transcripts(tmp_path)
    assert (game.winners, game.won, game.over, game.ended) == ((), False, False, True)
    assert result(load(language), game) == said
    assert tallies([game])[0].played == 0


def test_closed_game_has_its_winner_in_the_list(tmp_path: Path) -> None:
    state = whole(tmp_path).steps[-1].state
    (game,) = transcripts(tmp_path)
    assert game.winners == tuple(game.names[seat] for seat in state.winners) != ()
    assert (game.over, game.ended) == (True, True)


def test_unclosed_game_has_no_winner_in_the_commands(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    path = unclosed(tmp_path / "games")
    (row,) = json.loads(run(tmp_path, "games", "--json", "--out", str(path.parent)).stdout)
    assert (row["winners"], row["over"], row["ended"]) == ([], False, True)
    assert "not closed: no winner" in run(tmp_path, "games", "--out", str(path.parent)).stdout
    counted = json.loads(run(tmp_path, "games", "--statistics", "--json", "--out", str(path.parent)).stdout)
    assert (counted["games"], counted["won"], counted["unfinished"]) == (0, 0, 1)
    for command in (("show", str(path)), ("replay", str(path), "--text")):
        done = run(tmp_path, *command)
        assert done.returncode == 0
        assert SENTENCE in done.stdout
        assert "wins" not in done.stdout


def test_unclosed_game_counts_as_unfinished_in_statistics(tmp_path: Path) -> None:
    game = own_game(unclosed(tmp_path))
    assert game is not None
    assert (game.scores, game.winners) == ((), ())
    whole_game = own_game(finished(tmp_path))
    assert whole_game is not None
    assert (game.districts, game.characters) == (whole_game.districts, whole_game.characters)
    found = statistics([game])
    assert (found.games, found.unfinished, found.won) == (0, 1, 0)


def test_closed_file_counts_before_an_unclosed_one_of_the_same_game(tmp_path: Path) -> None:
    unclosed(tmp_path, 0)
    finished(tmp_path, 0)
    (game,) = transcripts(tmp_path)
    assert game.over
    found = statistics(own_games([game]))
    assert (found.games, found.unfinished) == (1, 0)


def test_unclosed_recording_has_scores_and_no_winner(tmp_path: Path) -> None:
    recording = load_recording(unclosed(tmp_path))
    assert (recording.finished, recording.won) == (True, False)
    assert recording.steps[-1].state.scores == whole(tmp_path).steps[-1].state.scores
    told = Retelling(recording, EN)
    assert told.of(len(recording.steps) - 1) == "The last move is made."
    lines = list(as_text(recording, EN))
    assert lines[-1] == SENTENCE
    assert not any("wins" in line or "victory" in line for line in lines)
    assert load_recording(finished(tmp_path)).won


def test_unclosed_game_is_reported_incomplete_with_the_reason(tmp_path: Path) -> None:
    report = verify([unclosed(tmp_path)])
    assert report.code == 4
    assert [finding.code for finding in report.findings] == ["held_back"]
    text = " ".join(report_text.text(report).split())
    assert text.startswith("INCOMPLETE: the last move is made, but the host (")
    assert "did not close the record. The game has no winner." in text
    assert "the game has no winner" in text
    assert "A closed game promises" not in text


def test_headless_output_names_no_winner_before_the_record_is_closed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state, names = whole(tmp_path).steps[-1].state, ["Ada", "Bruno", "Chiara", "Dario"]
    tell_scores(Console(EN), state, names, closed=False)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == names
    assert lines[-1] == SENTENCE
    tell_scores(Console(EN), state, names, closed=True)
    assert capsys.readouterr().out.startswith(f"1. {names[state.winners[0]]}: ")


def test_game_closed_without_a_result_says_so_and_is_not_counted(tmp_path: Path) -> None:
    (game,) = [replace(game, winners=(), ended=False) for game in transcripts(finished(tmp_path).parent)]
    assert result(EN, game) == "ended without a result"
    assert tallies([game])[0].played == 0


def test_game_that_broke_off_is_reported_incomplete_with_the_reason(tmp_path: Path) -> None:
    report = verify([broken_off(tmp_path)])
    assert report.code == 4
    text = " ".join(report_text.text(report).split())
    assert text.startswith("INCOMPLETE: the game was not finished, so it has no winner.")
