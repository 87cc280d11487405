"""Reviews of recordings: the decisions of a seat with what it knew at that time, and the texts about them."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from citadels_lan.bots.search.reviews import SEEN, CostlyMove, Decision, Review, RoundEnd, Weighed
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.search.searching import Effort
from citadels_lan.engine import Deal, decisions, parse, view
from citadels_lan.presenter.recording import load_recording
from citadels_lan.presenter.review import ASKED, decided, decision_at, exercises, learn, seat_review
from citadels_lan.texts import load
from tests.bots.here_and_now import HereAndNow
from tests.cli.program import run

from .files import broken_off, whole

END = RoundEnd(0.3, 9, 9, 1, 8, 2, 3, 3, 4, 0.5, 0.5, 0.5, 0.5)


def test_each_reviewed_decision_is_one_of_the_choices_at_that_time(tmp_path: Path) -> None:
    recording = whole(tmp_path)
    found = list(decided(recording, 1))
    assert len(found) > 20
    for one in found:
        made = parse(one.line, 1)
        assert any(
            choice == made or (isinstance(choice, Deal) and choice.verb == made.verb)
            for choice in decisions(one.view)[1]
        ), one.line


def test_decision_has_the_view_and_memory_of_its_seat(tmp_path: Path) -> None:
    """The view in each decision equals the view that is made from the full state, and the view of a state
    that is sampled from the memory."""
    recording = whole(tmp_path)
    for one in list(decided(recording, 2))[::5]:
        before = recording.steps[one.step - 1].state
        assert one.view == view(before, 2)
        world = sample(one.view, 2, one.memory, Random(3))
        world.sealed = before.sealed
        assert view(world, 2) == one.view


def test_unfinished_game_has_the_decisions_of_its_owner(tmp_path: Path) -> None:
    told = list(decided(load_recording(broken_off(tmp_path)), 0))
    known = {one.step: one for one in decided(whole(tmp_path), 0)}
    assert any(one.line.startswith("pick") for one in told)
    for one in told:
        assert (one.line, one.view, one.memory) == (
            known[one.step].line, known[one.step].view, known[one.step].memory
        )  # fmt: skip


def test_decision_can_be_explained_only_if_the_hand_is_known(tmp_path: Path) -> None:
    recording = load_recording(broken_off(tmp_path))
    own = next(decided(recording, 0))
    assert decision_at(recording, own.step) == own
    theirs = next(step for step, played in enumerate(recording.steps) if played.seat == 1)
    assert decision_at(recording, theirs) is None
    assert decision_at(recording, 0) is None


def weighed(line: str, chance: float, stands: RoundEnd = END, /, **parts: float) -> Weighed:
    return Weighed(line, chance, 0.01, 0.0, 0.0, stands, {part: parts.get(part, 0.0) for part in SEEN})


@pytest.fixture
def one_move(tmp_path: Path) -> tuple[Decision, CostlyMove]:
    pick = next(one for one in decided(whole(tmp_path), 0) if one.line.startswith("pick"))
    other = next(str(choice) for choice in decisions(pick.view)[0] if str(choice) != pick.line)
    better = weighed(other, 0.4, replace(END, points=11.84))
    return pick, CostlyMove(pick, weighed(pick.line, 0.3, city=0.1), better)


@pytest.mark.parametrize(("language", "said"), [("en", "11.8 points"), ("it", "11,8 punti")])
def test_review_has_the_same_figures_in_each_language(
    one_move: tuple[Decision, CostlyMove], language: str, said: str
) -> None:
    texts = load(language)
    text = "\n".join(seat_review(texts, Review((one_move[1],), 20, 30), ["Ada", "Bo", "Cy", "Di"], 0))
    assert said in text
    assert texts.say("{percent}%", percent=40) in text
    assert texts.say("{percent}%", percent=30) in text
    assert "20" in text.splitlines()[-2]


async def test_exercise_accepts_the_better_move_and_evaluates_other_choices(
    one_move: tuple[Decision, CostlyMove], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move that was made is rejected, the better one is accepted, and any other move is estimated."""
    monkeypatch.setattr("citadels_lan.bots.search.reviews.SECOND_LOOK", Effort(trials=8, seconds=60.0))
    texts, (exercise,) = load("en"), exercises(Review((one_move[1],), 20, 30), ["Ada", "Bo", "Cy", "Di"])
    actions, said = [str(action) for action, _ in exercise.choices(texts)], list[str]()
    made, better = (actions.index(move.line) + 1 for move in (one_move[1].made, one_move[1].better))
    third = next(number for number in range(1, len(actions) + 1) if number not in (made, better))
    typed = iter(f"{line}\n" for line in (made, better, third, "s", 99, "n"))
    with HereAndNow() as pool:
        await learn(texts, [exercise], pool, lambda: next(typed, ""), said.append)
    assert "(30%). Find a better choice." in said[0]
    answers = said[said.index(texts.say(ASKED)) + 1 :]
    assert [answer[0] for answer in answers[:2]] == ["✗", "✓"]
    assert answers[2][0] in "✗✓"
    assert answers[3:] == [exercise.solution(texts), texts.say(ASKED)]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_review_of_a_random_game_finds_mistakes(tmp_path: Path) -> None:
    """All moves were random, so better ones exist."""
    said = run(tmp_path, "show", "--review", str(broken_off(tmp_path))).stdout
    assert "biggest mistake" in said
    assert "Better:" in said
