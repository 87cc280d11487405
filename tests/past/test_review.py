"""Review of a recording: what a seat decided, by what it knew then, and the texts about it."""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from citadels_lan.bots.search.reviews import (
    SEEN,
    SHARES,
    CostlyMove,
    Decision,
    Review,
    RoundEnd,
    Weighed,
    reason,
    weigh,
)
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.search.searching import Effort
from citadels_lan.cli.console import Console
from citadels_lan.cli.show import Progress
from citadels_lan.engine import Deal, decisions, parse, view
from citadels_lan.front.bot_hint import BotHint
from citadels_lan.front.recording import load_recording
from citadels_lan.front.review import Wording, costly, decided, decision_at, hint_lines, percent, seat_review
from citadels_lan.front.review import explanation_lines as why_lines
from citadels_lan.texts import load
from citadels_lan.texts.tables import sentences
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
    text = "\n".join(seat_review(texts, Review((one_move[1],), 20, 30), ["Ada", "Bo", "Cy", "Di"], 0))
    assert said in text
    assert "40 %" in text
    assert "30 %" in text
    assert "20" in text.splitlines()[-2]


def test_review_without_mistakes_says_so() -> None:
    first, *_ = seat_review(load("en"), Review((), 9, 9), ["Ada"], 0)
    assert first == "Ada: no clear mistake."


def test_no_figure_is_without_its_sentence() -> None:
    why = sentences("citadels_lan.front", "review.toml")["why"]
    assert set(why) == {figure for figures in SEEN.values() for figure in figures}


WITH = {"en": ("Why: ", "; with "), "it": ("Perché: ", "; con ")}
"""How a reason begins, and what comes before the other move."""
NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")


def shown(language: str, figure: str, value: float) -> str:
    """A figure as a reason shows it."""
    if figure in SHARES:
        return str(round(100 * value))
    said = f"{value:+.1f}" if figure == "lead" else f"{value:.1f}"
    return said.removesuffix(".0").replace(".", "," if language == "it" else ".")


def check_reason(wording: Wording, told: Sequence[str], better: Weighed, worse: Weighed) -> str:
    """Check that each number in a reason is the figure of the move beside it, and that the line before it names
    the better move with its chance. Return the name of the figure."""
    language, texts = wording.texts.language, wording.texts
    why, with_ = WITH[language]
    at = next(number for number, line in enumerate(told) if line.startswith(why))
    chosen = {move.line: texts.character(move.line.removeprefix("pick ")) for move in (better, worse)
              if move.line.startswith("pick ")}  # fmt: skip
    best = chosen.get(better.line, wording.label(better))
    assert f"{best} ({percent(better.chance)})" in told[at - 1]
    found = reason(worse.parts, better.end, worse.end)
    if found is None:
        assert with_ not in told[at]
        return ""
    own, theirs = told[at].removeprefix(why).split(with_, 1)
    quoted = texts.say("“{word}”", word=wording.label(worse))
    other = texts.the(worse.line.removeprefix("pick ")) if worse.line in chosen else quoted
    assert theirs.startswith(f"{other}, ")
    for text, move in ((own, better), (theirs.removeprefix(other), worse)):
        assert NUMBER.findall(text) == [shown(language, found.figure, getattr(move.end, found.figure))], told[at]
    return found.figure


def random_end(random: Random) -> RoundEnd:
    """Figures that are all different; shares are between 0 and 1."""
    return RoundEnd(*(
        random.random() if name in SHARES else random.uniform(-9, 9) if name == "lead" else random.uniform(0, 30)
        for name in RoundEnd.__struct_fields__
    ))  # fmt: skip


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_each_number_of_a_reason_belongs_to_the_move_beside_it(tmp_path: Path, language: str) -> None:
    """At every decision of a game: in a hint, in the page of a replay, and in a review."""
    random, texts, names, figures = Random(1), load(language), ["Ada", "Bo", "Cy", "Di"], set()
    for decision in (decision for seat in range(4) for decision in decided(whole(tmp_path), seat)):
        lines_of = [
            str(choice) for choice in decisions(decision.view)[decision.seat] if not isinstance(choice, Deal)
        ]
        if len(lines_of) < 2 or decision.line not in lines_of:
            continue
        other = next(line for line in lines_of if line != decision.line)
        parts = {part: random.random() for part in SEEN}
        better, worse = (weighed(line, random.random(), random_end(random)) for line in (decision.line, other))
        worse = replace(worse, gap=0.5, parts=parts)
        wording = Wording(texts, decision.view, decision.seat, names)
        hint = list(hint_lines(texts, BotHint(decision.view, decision.seat, [better, worse]), names))
        missed = replace(decision, line=other)
        checked = [
            check_reason(wording, hint, better, worse),
            check_reason(wording, list(why_lines(texts, missed, [better, worse], names)), better, worse),
            check_reason(wording, list(costly(texts, CostlyMove(missed, worse, better), names)), better, worse),
        ]
        best = [
            line
            for line in why_lines(texts, decision, [better, worse], names)
            if line.startswith(WITH[language][0])
        ]
        assert best == [wording.why(better, worse)]
        figures.update(checked)
    assert figures >= {figure for part in SEEN.values() for figure in part if figure != "later"}


@pytest.mark.slow
def test_a_real_hint_gives_each_move_its_own_figures(tmp_path: Path) -> None:
    """Moves weighed in real simulations, at every second decision of a seat."""
    names, count = ["Ada", "Bo", "Cy", "Di"], 0
    for decision in list(decided(whole(tmp_path), 1))[::2]:
        effort = Effort(trials=24, seconds=60.0)
        view_then = decision.view
        made = parse(decision.line, 1)
        moves = weigh(view_then, 1, decisions(view_then)[1], decision.memory, effort, "test", made)
        if len(moves) > 1 and moves[1].worse:
            for texts in (load("en"), load("it")):
                hint = list(hint_lines(texts, BotHint(view_then, 1, moves), names))
                count += bool(check_reason(Wording(texts, view_then, 1, names), hint, moves[0], moves[1]))
    assert count > 6


@pytest.mark.parametrize(
    ("language", "one", "several"),
    [
        ("en", "your city ends the round with 1 point;", "your city ends the round with 2 points;"),
        ("it", "la tua città finisce il round con 1 punto;", "la tua città finisce il round con 2 punti;"),
    ],
)
def test_figure_of_one_has_the_singular(
    one_move: tuple[Decision, CostlyMove], language: str, one: str, several: str
) -> None:
    figures = dict.fromkeys(RoundEnd.__struct_fields__, 0.0)
    wording = Wording(load(language), one_move[0].view, 0, ["Ada"], own=True)
    low = weighed("gather gold", 0.3, RoundEnd(**figures), city=0.1)
    for points, said in ((1.0, one), (2.0, several)):
        assert said in wording.why(weighed("end", 0.4, RoundEnd(**{**figures, "points": points})), low)


def test_many_small_reasons_are_stated_as_such(one_move: tuple[Decision, CostlyMove]) -> None:
    wording = Wording(load("en"), one_move[0].view, 0, ["Ada"])
    assert "small differences" in wording.why(weighed("end", 0.4), weighed("end", 0.3, city=0.1))


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
    said = run(tmp_path, "show", "--review", str(broken_off(tmp_path))).stdout
    assert "biggest mistake" in said
    assert "Better:" in said


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
