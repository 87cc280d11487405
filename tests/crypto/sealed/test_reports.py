"""What a report says of sealed drafts: how many, who has not opened them, and who has lied."""

from pathlib import Path
from typing import Any

import pytest

from citadels_lan.cli import transcript_text as show
from citadels_lan.crypto.draft.drafting import Knowledge
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.transcript import hear, parse
from tests.crypto.draft.lies import DEALS
from tests.crypto.table import Game, begin

from .files import checked, sealed_first
from .test_lies import denies, lied


def said(report: Report) -> str:
    """The report without its line breaks."""
    return " ".join(text(report).split())


def drafts(report: Report) -> Any:
    return figures(report)["games"][0]["drafts"]


def last_lines(game: Game, viewer: int | None = 0) -> list[str]:
    return [line for line in show.lines(hear(parse(game.transcript(viewer)))) if line.startswith("sealed drafts")]


@pytest.mark.slow
def test_all_drafts_of_a_whole_game_are_opened(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False).play()
    report, rounds = checked(game, tmp_path), game.state.round
    assert f"Drafts {rounds} sealed drafts, opened by all players" in said(report)
    assert drafts(report) == {"dealt": rounds, "unopened": [], "lied": []}
    assert last_lines(game) == [f"sealed drafts: {4 * rounds} picks, all of them open"]


@pytest.mark.slow
def test_whose_picks_are_not_open_is_named(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), seed=8, followed=False)
    game.present = lambda game: [0, 1, 3] if game.host_log.audit.over else range(4)
    report = checked(game.play(), tmp_path)
    assert f"Drafts {game.state.round} sealed drafts, not opened by Player 2" in said(report)
    assert drafts(report) == {"dealt": game.state.round, "unopened": ["c"], "lied": []}
    (line,) = last_lines(game, 1)
    assert line.endswith("of them not open here: Player 2")


@pytest.mark.slow
def test_the_next_seat_was_told_what_nobody_has_opened() -> None:
    """A pick is what is missing between two packets, which the links of the other seats open."""
    game = begin(setup=sealed_first(4), seed=3, followed=False)
    game.present = lambda game: [0, 2, 3] if game.host_log.audit.over else range(4)
    drafts = game.play().host_log.audit.drafts
    assert drafts is not None
    assert drafts.links.keys() == {0, 2, 3}
    counted = 0
    for record in drafts.rounds:
        known = Knowledge(record, drafts.secrets(record))
        between = list(zip(record.steps, known.picked, strict=True))[1:-1]
        assert all(card for step, card in between if step.step.seat == 1)
        counted += sum(step.step.seat == 1 for step, _ in between)
    assert counted


@pytest.mark.slow
def test_who_has_lied_is_named_with_the_rounds(tmp_path: Path) -> None:
    game, liar, _ = lied(denies, 4, "pick")
    report = checked(game, tmp_path)
    (found,) = drafts(report)["lied"]
    assert found["seat"] == "abcd"[liar]
    assert found["rounds"][0] == 1
    assert f"Proven to have lied there: Player {liar} (" in said(report)


@pytest.mark.slow
def test_a_dealer_that_deals_by_no_seed_is_named_with_the_rounds(tmp_path: Path) -> None:
    game, dealer, count = lied(DEALS["deals_another_packet"], 4, "deal")
    report = checked(game, tmp_path)
    (found,) = drafts(report)["lied"]
    assert len(found["rounds"]) == count
    assert found["seat"] == "abcd"[dealer]


def test_before_the_end_the_drafts_are_still_sealed(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.state.round == 3 and game.state.phase == "turns")
    report = checked(game, tmp_path)
    assert drafts(report) == {"dealt": 3, "unopened": [], "lied": []}
    assert "Drafts 3 sealed drafts; they are opened after the game" in said(report)


def test_an_open_draft_has_no_such_row(tmp_path: Path) -> None:
    report = checked(begin(followed=False).play(), tmp_path)
    assert drafts(report) is None
    assert "Drafts" not in said(report)
