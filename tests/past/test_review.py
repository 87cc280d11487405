"""A recording gone over again: what a seat decided, by what it knew then, and what is said of it."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from citadels_lan.bots.search.reasons import LESS, SEEN, RoundEnd
from citadels_lan.bots.search.reviewing import CostlyMove, Decision, Review
from citadels_lan.bots.search.weighing import Weighed
from citadels_lan.bots.worlds.sampling import sample
from citadels_lan.cli.console import Console
from citadels_lan.cli.show import Progress
from citadels_lan.engine import Deal, decisions, parse, view
from citadels_lan.front.advice.decided import decided, decision_at
from citadels_lan.front.advice.reviewed import lines
from citadels_lan.front.advice.wording import BECAUSE, because, percent
from citadels_lan.front.recording import load_recording
from citadels_lan.texts import load
from tests.cli.program import refused, run
from tests.effort import quick

from .files import broken_off, finished, whole

END = RoundEnd(0.3, 9, 9, 1, 8, 2, 3, 3, 4, 0.5, 0.5, 0.5, 0.5)


def test_every_move_was_one_of_its_choices(tmp_path: Path) -> None:
    recording = whole(tmp_path)
    found = list(decided(recording, 1))
    assert len(found) > 20
    for one in found:
        made = parse(one.line, 1)
        assert any(
            choice == made or (isinstance(choice, Deal) and choice.verb == made.verb)
            for choice in decisions(one.view)[1]
        ), one.line


def test_a_seat_knows_what_it_could_know_then(tmp_path: Path) -> None:
    """The view of each decision is that of the full state before it, and a world of its memory has the same."""
    recording = whole(tmp_path)
    for one in list(decided(recording, 2))[::5]:
        before = recording.steps[one.step - 1].state
        assert one.view == view(before, 2)
        world = sample(one.view, 2, one.memory, Random(3))
        world.sealed = before.sealed
        assert view(world, 2) == one.view


def test_a_game_that_was_broken_off_has_its_owners_picks_too(tmp_path: Path) -> None:
    told = list(decided(load_recording(broken_off(tmp_path)), 0))
    known = {one.step: one for one in decided(whole(tmp_path), 0)}
    assert any(one.line.startswith("pick") for one in told)
    for one in told:
        assert (one.line, one.view, one.memory) == (
            known[one.step].line, known[one.step].view, known[one.step].memory
        )  # fmt: skip


def test_a_decision_is_found_by_its_step_where_the_file_knows_the_seat(tmp_path: Path) -> None:
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
def test_a_review_is_told_in_each_language(
    one_move: tuple[Decision, CostlyMove], language: str, said: str
) -> None:
    texts = load(language)
    text = "\n".join(lines(texts, Review((one_move[1],), 20, 30), ["Ada", "Bo", "Cy", "Di"], 0))
    assert said in text
    assert "40 %" in text
    assert "30 %" in text
    assert "20" in text.splitlines()[-2]


def test_nothing_to_tell_is_told() -> None:
    first, *_ = lines(load("en"), Review((), 9, 9), ["Ada"], 0)
    assert first == "Ada: no move has clearly cost anything."


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
@pytest.mark.parametrize(("part", "figure"), [(part, figure) for part in SEEN for figure in SEEN[part]])
def test_each_reason_has_its_sentence(language: str, part: str, figure: str) -> None:
    figures = dict.fromkeys(RoundEnd.__struct_fields__, 0.5)
    ends = [RoundEnd(**{**figures, figure: amount}) for amount in (0.25, 0.75)]
    worse, better = reversed(ends) if figure in LESS else ends
    said = because(load(language), weighed("end", 0.4, better), weighed("end", 0.3, worse, **{part: 0.1}), "Ada")
    assert len(set("0123456789") & set(said)) > 1, said


def test_no_sentence_is_without_its_figure() -> None:
    assert set(BECAUSE) == {figure for figures in SEEN.values() for figure in figures}


@pytest.mark.parametrize(
    ("language", "one", "several"),
    [("en", "has 1 point at", "has 2 points at"), ("it", "ha 1 punto,", "ha 2 punti,")],
)
def test_a_figure_of_one_is_said_as_one(language: str, one: str, several: str) -> None:
    figures = dict.fromkeys(RoundEnd.__struct_fields__, 0.0)
    low = weighed("end", 0.3, RoundEnd(**figures), city=0.1)
    for points, said in ((1.0, one), (2.0, several)):
        high = weighed("end", 0.4, RoundEnd(**{**figures, "points": points}))
        assert said in because(load(language), high, low, "Ada")


def test_no_single_reason_is_said_to_be_none() -> None:
    assert "small things" in because(load("en"), weighed("end", 0.4), weighed("end", 0.3, city=0.1), "Ada")


def test_nothing_that_was_tried_is_certain() -> None:
    assert [percent(chance) for chance in (0.0, 0.004, 0.5, 1.0)] == ["1 %", "1 %", "50 %", "99 %"]


def test_a_spectator_has_no_moves_to_review(tmp_path: Path) -> None:
    said = refused(run(tmp_path, "show", "--review", str(finished(tmp_path, None))), 1)
    assert "spectator" in said


def test_what_is_no_game_cannot_be_reviewed(tmp_path: Path) -> None:
    path = tmp_path / "no.ctr"
    path.write_bytes(b"no game")
    assert "no.ctr" in refused(run(tmp_path, "show", "--review", str(path)), 3)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_real_game_is_reviewed(tmp_path: Path) -> None:
    """The game was played at random: something better there was."""
    path = str(broken_off(tmp_path))
    said = run(tmp_path, "show", "--review", path).stdout
    assert "cost most" in said
    assert "Better:" in said
    assert "meglio" in run(tmp_path, "--lang", "it", "show", "--review", path).stdout.lower()


@pytest.mark.parametrize(("language", "said"), [("en", "Thinking: {} %"), ("it", "Sto pensando: {} %")])
def test_whoever_reads_no_terminal_is_told_now_and_then_how_far_it_is(
    capsys: pytest.CaptureFixture[str], language: str, said: str
) -> None:
    progress = Progress(Console(load(language)))
    for done in range(1, 51):
        progress(done / 50)
    shown = capsys.readouterr()
    assert shown.err.splitlines() == [said.format(percent) for percent in (20, 40, 60, 80, 100)]
    assert shown.out == ""
