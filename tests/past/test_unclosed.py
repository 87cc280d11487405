"""A game whose record is not closed has no winner: in lists, statistics, recordings, and in the report."""

import json
from pathlib import Path

import pytest

from citadels_lan.cli.console import Console
from citadels_lan.cli.host import print_scores
from citadels_lan.presenter.archive import result, tallies, transcripts
from citadels_lan.presenter.recording import Retelling, as_text, load_recording
from citadels_lan.texts import load
from citadels_lan.texts.record import NO_WINNER
from tests.cli.program import run

from .files import finished, unclosed, whole

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


def test_headless_host_names_no_winner_before_the_close(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state, names = whole(tmp_path).steps[-1].state, ["Ada", "Bruno", "Chiara", "Dario"]
    print_scores(Console(EN), state, names, closed=False)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == names
    assert lines[-1] == SENTENCE
    print_scores(Console(EN), state, names, closed=True)
    assert capsys.readouterr().out.startswith(f"1. {names[state.winners[0]]}: ")
