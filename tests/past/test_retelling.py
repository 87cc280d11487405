"""A recording in sentences."""

from pathlib import Path

import pytest

from citadels_lan.engine import HIDDEN
from citadels_lan.engine import events as ev
from citadels_lan.front.recording import load_recording
from citadels_lan.front.retelling import Retelling, as_text, first_steps, harmed, uncovered
from citadels_lan.texts import load
from tests.effort import quick

from .files import broken_off, whole


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_the_text_has_every_round_turn_and_score(tmp_path: Path, language: str) -> None:
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


def test_what_was_hidden_stands_in_brackets(tmp_path: Path) -> None:
    recording = whole(tmp_path)
    text = "\n".join(as_text(recording, load("en")))
    hands = [event for event in recording.steps[0].events if isinstance(event, ev.CardsGained)]
    cards = ", ".join(load("en").district(card) for card in hands[1].cards)
    assert f"Player 1 gains 4 cards (first hand). [{cards}]" in text
    assert "Only you" not in text


def test_a_file_tells_no_more_than_it_knows(tmp_path: Path) -> None:
    """Only its owner's cards are in brackets, and the text says whose, and that it stops."""
    recording = load_recording(broken_off(tmp_path, 3))
    lines = list(as_text(recording, load("en")))
    gained = [line for line in lines if "first hand" in line]
    assert ["[" in line for line in gained] == [False, False, False, True]
    assert "only the hand of Player 3" in lines[4]
    assert lines[-1].startswith("The recording stops here")
    assert all("hidden" not in line for line in lines[5:])


def test_every_step_is_a_sentence(tmp_path: Path) -> None:
    recording = whole(tmp_path)
    told = Retelling(recording, load("en"))
    said = [told.of(step) for step in range(len(recording.steps))]
    assert all(said)
    assert said[-1].startswith("The game is over")
    assert len(told.until(len(said) - 1)) == sum(map(len, told.steps))


def test_what_is_kept_is_uncovered_and_not_what_is_given_back() -> None:
    kept = ev.Kept(1, ("castle",), ("palace",))
    assert uncovered(kept, kept.redact(None)) == [("castle",)] or uncovered(kept, kept.redact(None)) == [
        ["castle"]
    ]
    assert uncovered(kept.redact(2), kept.redact(None)) == []
    swapped = ev.HandsSwapped(0, 1, ("castle",), (HIDDEN,))
    assert uncovered(swapped, swapped.redact(None)) == [["castle"]]


def test_rounds_begin_where_they_begin(tmp_path: Path) -> None:
    steps = whole(tmp_path).steps
    firsts = first_steps(steps)
    assert firsts[1] == 0
    for number, step in list(firsts.items())[1:]:
        assert steps[step].state.round == number
        assert steps[step - 1].state.round == number - 1


def test_whoever_loses_a_district_or_gold_is_hurt(tmp_path: Path) -> None:
    steps = whole(tmp_path).steps
    hurt = harmed(steps)
    assert len(hurt) == len(steps)
    lost = {
        (number, event.owner)
        for number, one in enumerate(steps)
        for event in one.events
        if isinstance(event, ev.Destroyed) and event.why == "destroy" and event.owner != one.seat
    }
    assert lost
    assert all(owner in hurt[number] for number, owner in lost)
    assert sum(map(bool, hurt)) < len(steps) / 4
