"""Recordings: steps, hands, sentences and points, as far as the file contains them."""

from pathlib import Path

import pytest

from citadels_lan.crypto.transcript import Damaged, read
from citadels_lan.engine import HIDDEN, view
from citadels_lan.engine import events as ev
from citadels_lan.presenter.recording import NotReplayable, as_text, load_recording, points_by_round
from citadels_lan.texts import load
from tests.effort import one_case, quick

from .files import broken_off, finished, whole


@one_case("viewer", [0, 2, None])
def test_file_of_a_finished_game_opens_all_hands(tmp_path: Path, viewer: int | None) -> None:
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


def test_damaged_file_is_read_up_to_the_damage(tmp_path: Path) -> None:
    path = broken_off(tmp_path)
    last = read(path).bodies[-1]
    content = path.read_bytes()
    assert content.endswith(last)
    changed = bytearray(content)
    changed[-len(last) + 60] ^= 1
    before = len(load_recording(path).steps)
    path.write_bytes(bytes(changed))
    assert len(load_recording(path).steps) == before - 1


def test_other_file_is_not_replayable(tmp_path: Path) -> None:
    path = tmp_path / "x.ctr"
    with pytest.raises(NotReplayable):
        load_recording(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(Damaged):
        read(path)
    with pytest.raises(NotReplayable):
        load_recording(path)


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_text_has_every_round_turn_and_score(tmp_path: Path, language: str) -> None:
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
    """Only the owner's cards are in brackets; the text names the owner and says that it stops."""
    recording = load_recording(broken_off(tmp_path, 3))
    lines = list(as_text(recording, load("en")))
    gained = [line for line in lines if "first hand" in line]
    assert ["[" in line for line in gained] == [False, False, False, True]
    assert "only the hand of Player 3" in lines[4]
    assert lines[-1].startswith("The recording stops here")
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
