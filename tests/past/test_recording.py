"""Recordings: their steps, hands, sentences and points, as far as the transcript contains them."""

import json
from pathlib import Path

import pytest

from citadels_lan.cli.console import Console
from citadels_lan.cli.host import print_scores
from citadels_lan.crypto.transcript import Damaged, read
from citadels_lan.engine import HIDDEN, view
from citadels_lan.engine import events as ev
from citadels_lan.presenter.archive import result, tallies, transcripts
from citadels_lan.presenter.recording import (
    NotReplayable,
    Retelling,
    as_text,
    asciicast,
    load_recording,
    points_by_round,
)
from citadels_lan.texts import load
from citadels_lan.texts.record import NO_WINNER
from tests.cli.program import refused, run
from tests.effort import one_case, quick

from .files import broken_off, finished, unclosed, whole


@one_case("viewer", [0, 2, None])
def test_transcript_of_a_finished_game_shows_all_hands(tmp_path: Path, viewer: int | None) -> None:
    recording = load_recording(finished(tmp_path, viewer))
    assert recording.open
    assert recording.finished
    assert recording.owner is None
    assert not any(HIDDEN in player.hand for player in recording.steps[-1].state.players)


def test_unfinished_game_shows_only_the_hand_of_the_owner(tmp_path: Path) -> None:
    all_open = whole(tmp_path)
    for seat in (0, 3):
        recording = load_recording(broken_off(tmp_path, seat))
        assert not recording.open
        assert not recording.finished
        assert recording.owner == seat
        for told, known in zip(recording.steps, all_open.steps, strict=False):
            assert told.n == known.n
            assert told.state == view(known.state, seat)


def test_file_of_a_spectator_shows_no_hand(tmp_path: Path) -> None:
    recording = load_recording(broken_off(tmp_path, None))
    assert recording.owner is None
    assert not recording.open
    assert {card for player in recording.steps[-1].state.players for card in player.hand} == {HIDDEN}


def test_damaged_transcript_is_read_up_to_the_damage(tmp_path: Path) -> None:
    path = broken_off(tmp_path)
    last = read(path).bodies[-1]
    content = path.read_bytes()
    assert content.endswith(last)
    changed = bytearray(content)
    changed[-len(last) + 60] ^= 1
    before = len(load_recording(path).steps)
    path.write_bytes(bytes(changed))
    assert len(load_recording(path).steps) == before - 1


def test_file_that_is_no_transcript_cannot_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "x.ctr"
    with pytest.raises(NotReplayable):
        load_recording(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(Damaged):
        read(path)
    with pytest.raises(NotReplayable):
        load_recording(path)


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_replay_text_has_every_round_turn_and_score(tmp_path: Path, language: str) -> None:
    recording = whole(tmp_path)
    lines = list(as_text(recording, load(language)))
    state = recording.steps[-1].state
    turns = sum(isinstance(event, ev.TurnBegan) for one in recording.steps for event in one.events)
    assert sum(set(line) == {"="} for line in lines) == state.round
    assert sum(set(line) == {"-"} for line in lines) == turns
    points = [line for line in lines if ("Points after" if language == "en" else "Punti dopo") in line]
    assert len(points) == state.round - 1, "after the last round there are the scores"
    for seat, score in enumerate(state.scores):
        assert f"Player {seat}, {score.total}" in "\n".join(lines[-len(state.scores) :])


def test_text_of_an_unfinished_game_names_only_known_cards(tmp_path: Path) -> None:
    """Hidden cards are written in brackets only if they are the owner's. The text names the owner, and says
    where the file ends."""
    recording = load_recording(broken_off(tmp_path, 3))
    lines = list(as_text(recording, load("en")))
    gained = [line for line in lines if "starting hand" in line]
    assert ["[" in line for line in gained] == [False, False, False, True]
    assert "Only the hand of Player 3" in lines[4]
    assert lines[-1].startswith("The recording ends here")
    assert all("hidden" not in line for line in lines[5:])


def test_points_by_round_end_with_the_final_score(tmp_path: Path) -> None:
    steps = whole(tmp_path).steps
    rounds = points_by_round(steps)
    assert [one.round for one in rounds] == list(range(1, steps[-1].state.round + 1))
    assert [one.final for one in rounds] == [False] * (len(rounds) - 1) + [True]
    assert rounds[-1].points == tuple(score.total for score in steps[-1].state.scores)
    first = next(number for number, one in enumerate(steps) if one.state.round == 2)
    cities = [player.city for player in steps[first - 1].state.players]
    assert rounds[0].points == tuple(sum(district.cost for district in city) for city in cities)


def test_replay_text_is_printed_or_saved(tmp_path: Path) -> None:
    file, out = str(finished(tmp_path)), tmp_path / "game.txt"
    here = run(tmp_path, "replay", file, "--text")
    assert here.returncode == 0
    for plain in (("replay", file, "--plain"), ("--plain", "replay", file)):
        assert run(tmp_path, *plain).stdout == here.stdout
    assert "--text" in refused(run(tmp_path, "replay", file), 1)
    assert run(tmp_path, "replay", file, "--text", str(out)).returncode == 0
    assert out.read_text(encoding="utf-8") == here.stdout
    assert "--force" in refused(run(tmp_path, "replay", file, "--text", str(out)), 1)
    assert run(tmp_path, "replay", file, "--text", str(out), "--force", "--lang", "it").returncode == 0
    assert "Tutte le mani" in out.read_text(encoding="utf-8")


def test_replay_never_overwrites_the_transcript(tmp_path: Path) -> None:
    path = finished(tmp_path)
    before = path.read_bytes()
    assert "transcript" in refused(run(tmp_path, "replay", str(path), "--text", str(path), "--force"), 2)
    assert path.read_bytes() == before


def test_asciicast_has_header_and_events() -> None:
    header, *events = map(json.loads, asciicast(80, 24, "a game", [(0, "à\x1b[1m"), (0.12345, "b")]))
    assert header == {"version": 2, "width": 80, "height": 24, "title": "a game"}
    assert events == [[0, "o", "à\x1b[1m"], [0.123, "o", "b"]]


# A game whose record is not closed has no winner

EN = load("en")
SENTENCE = EN.say(NO_WINNER)


def test_list_of_games_shows_no_winner_of_an_unclosed_game(tmp_path: Path) -> None:
    unclosed(tmp_path)
    (game,) = transcripts(tmp_path)
    assert (game.winners, game.won, game.over, game.ended) == ((), False, False, True)
    assert result(EN, game) == "not closed: no winner"
    assert tallies([game])[0].played == 0


def test_commands_show_no_winner_of_an_unclosed_game(tmp_path: Path) -> None:
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
    assert told.of(len(recording.steps) - 1) == "The last move has been played."
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
    assert sorted(line.split(",")[0] for line in lines[:-1]) == [
        f"{'abcd'[seat]}: {names[seat]}" for seat in range(4)
    ]
    assert lines[-1] == SENTENCE
    print_scores(Console(EN), state, names, closed=True)
    winner = state.winners[0]
    assert capsys.readouterr().out.startswith(f"{'abcd'[winner]}: {names[winner]}, ")
