"""A recording goes as far as its file, and knows what the file knows."""

from pathlib import Path

import pytest

from citadels_lan.crypto.transcript import Damaged, read
from citadels_lan.engine import HIDDEN, evolve, view
from citadels_lan.front.recording import NotReplayable, load_recording
from tests.effort import one_case

from .files import broken_off, finished, whole


@one_case("viewer", [0, 2, None])
def test_after_the_end_everybody_s_file_opens_all_hands(tmp_path: Path, viewer: int | None) -> None:
    recording = load_recording(finished(tmp_path, viewer))
    assert recording.open
    assert recording.finished
    assert recording.owner is None
    assert not any(HIDDEN in player.hand for player in recording.steps[-1].state.players)


def test_a_game_that_was_broken_off_shows_the_hand_of_whoever_s_file_it_is(tmp_path: Path) -> None:
    all_open = whole(tmp_path)
    for seat in (0, 3):
        recording = load_recording(broken_off(tmp_path, seat))
        assert not recording.open
        assert not recording.finished
        assert recording.owner == seat
        for told, known in zip(recording.steps, all_open.steps, strict=False):
            assert told.n == known.n
            assert told.state == view(known.state, seat)


def test_a_spectator_s_file_of_it_shows_no_hand(tmp_path: Path) -> None:
    recording = load_recording(broken_off(tmp_path, None))
    assert recording.owner is None
    assert not recording.open
    assert {card for player in recording.steps[-1].state.players for card in player.hand} == {HIDDEN}


def test_a_file_is_read_up_to_what_is_damaged_in_it(tmp_path: Path) -> None:
    path = broken_off(tmp_path)
    last = read(path).bodies[-1]
    content = path.read_bytes()
    assert content.endswith(last)
    changed = bytearray(content)
    changed[-len(last) + 60] ^= 1
    before = len(load_recording(path).steps)
    path.write_bytes(bytes(changed))
    assert len(load_recording(path).steps) == before - 1


def test_the_steps_of_a_told_game_follow_from_their_events(tmp_path: Path) -> None:
    steps = load_recording(broken_off(tmp_path)).steps
    state = steps[3].state
    for event in steps[4].events:
        state = evolve(state, event)
    assert state == steps[4].state


def test_what_is_no_transcript_is_not_replayable(tmp_path: Path) -> None:
    path = tmp_path / "x.ctr"
    with pytest.raises(NotReplayable):
        load_recording(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(Damaged):
        read(path)
    with pytest.raises(NotReplayable):
        load_recording(path)


def test_a_game_that_never_began_is_not_replayable(tmp_path: Path) -> None:
    path = broken_off(tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[: content.index(read(path).bodies[1])])
    with pytest.raises(NotReplayable):
        load_recording(path)
