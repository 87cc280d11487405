"""What a report says of sealed drafts: how many, what was drawn and opened, without whom, and who has lied."""

from pathlib import Path
from typing import Any

import pytest

from citadels_lan.crypto.draft.plan import NOBODY
from citadels_lan.crypto.report import show
from citadels_lan.crypto.report.hearing import hear
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import parse
from tests.crypto.draft.lies import DEALS
from tests.crypto.forging import saved
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
def test_all_drafts_of_a_whole_game_are_proven(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False).play()
    report, rounds = checked(game, tmp_path), game.state.round
    picks = 4 * rounds
    assert f"Drafts {rounds} sealed, all dealt as the seed has it; {picks} picks, each opened" in said(report)
    assert drafts(report) == {
        "dealt": rounds, "drawn": rounds, "picks": picks, "picks_opened": picks, "unopened": [], "left_out": [],
        "lied": [],
    }  # fmt: skip
    assert last_lines(game) == [f"sealed drafts: {picks} picks, all of them open"]


@pytest.mark.slow
def test_whose_picks_are_not_open_is_named(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.present = lambda game: [0, 1, 3] if game.host_log.audit.over else range(4)
    report = checked(game.play(), tmp_path)
    assert "Not all opened by Player 2." in said(report)
    found = drafts(report)
    assert found["unopened"] == ["c"]
    assert 0 < found["drawn"] < found["dealt"] == game.state.round
    assert 0 < found["picks_opened"] < found["picks"]
    (line,) = last_lines(game, 1)
    assert line.endswith("of them not open here: Player 2")


@pytest.mark.slow
def test_the_next_seat_was_told_what_nobody_has_opened(tmp_path: Path) -> None:
    """A pick is what is missing between two packets; all others have those alone that were shown."""
    game = begin(setup=sealed_first(4), seed=3, followed=False)
    game.present = lambda game: [0, 2, 3] if game.host_log.audit.over else range(4)
    game.play()
    open_picks = {}
    for seat in (0, 2, 3):
        counts = verify([saved(tmp_path / f"{seat}.ctr", game.transcript(seat))]).files[0].tally.drafts
        assert counts is not None
        open_picks[seat] = counts.proven[1]
    drafted = game.host_log.audit.drafts
    assert drafted is not None
    held = [one for each in drafted.rounds.values() for one in each.record.holdings[1]]
    shown = sum(one.shown != NOBODY for one in held)
    assert open_picks == {0: shown, 2: len(held), 3: shown}
    assert shown < len(held)


@pytest.mark.slow
def test_without_whom_a_draft_went_on_is_named(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.state.inquiry is not None)
    late = (game.state.crown + 2) % 4
    game.away = lambda game: [late] * (game.state.round < 2)
    report = checked(game.play(), tmp_path)
    assert report.code == 0
    assert f"The draft went on without Player {late} (round 1)." in said(report)
    assert drafts(report)["left_out"] == [{"seat": "abcd"[late], "rounds": [1]}]


@pytest.mark.slow
def test_who_has_lied_is_named_with_the_rounds(tmp_path: Path) -> None:
    game, liar, _ = lied(denies, 4, "pick")
    report = checked(game, tmp_path)
    (found,) = drafts(report)["lied"]
    assert found["seat"] == "abcd"[liar]
    assert found["rounds"][0] == 1
    assert f"Proven to have lied there: Player {liar} (" in said(report)


@pytest.mark.slow
def test_a_deal_that_does_not_come_out_of_the_seed_does_not_count_as_drawn(tmp_path: Path) -> None:
    game, dealer, count = lied(DEALS["deals_another_packet"], 4, "deal")
    report = checked(game, tmp_path)
    found = drafts(report)
    assert found["dealt"] - found["drawn"] == len(found["lied"][0]["rounds"]) == count
    assert found["lied"][0]["seat"] == "abcd"[dealer]


def test_before_the_end_those_picks_are_open_that_were_shown(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.state.round == 3 and game.state.phase == "turns")
    report = checked(game, tmp_path)
    shown = drafts(report)["picks_opened"]
    assert 0 < shown < 12
    assert f"Drafts 3 sealed; of 12 picks {shown} opened as committed to, {12 - shown} still sealed" in said(
        report
    )


def test_an_open_draft_has_no_such_row(tmp_path: Path) -> None:
    report = checked(begin(followed=False).play(), tmp_path)
    assert drafts(report) is None
    assert "Drafts" not in said(report)
