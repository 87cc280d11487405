"""Whole games with sealed drafts: verified from every file."""

from pathlib import Path
from typing import Any

import pytest

from citadels_lan.cli.transcripts import TranscriptText
from citadels_lan.crypto.client_log import Owner
from citadels_lan.crypto.draft.drafts import NOT_HELD, AnyDraftMessage, CallReply, Complained, PassedOn
from citadels_lan.crypto.draft.knowledge import DraftHand
from citadels_lan.crypto.log import LIED, CheckWords, Close, CoSigned
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.report_text import figures, text
from citadels_lan.crypto.transcript import hear, parse
from citadels_lan.engine import TableConfig
from citadels_lan.texts import load
from tests.crypto.draft import lies
from tests.crypto.draft.lies import DEALS, STEPS, at_step
from tests.crypto.sealed.files import accused, checked, sealed_first, sealed_theater, theater_first
from tests.crypto.table import GAME, DraftLie, Game, begin, nonce_key
from tests.effort import quick

EN = load("en")

TABLES = [*map(sealed_first, (2, 3, 4, 5, 6, 7)), sealed_theater(2), sealed_theater(5)]


@pytest.mark.slow
@pytest.mark.parametrize("setup", quick(TABLES, sealed_first(3)))
def test_sealed_game_is_verified_from_every_file(setup: TableConfig, tmp_path: Path) -> None:
    game = begin(setup=setup).play()
    report = checked(game, tmp_path)
    assert report.code == 0
    assert not report.findings


def test_unfinished_file_shown_with_the_owners_key_has_the_owners_picks() -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.state.round == 2 and game.state.phase == "turns")
    heard = hear(parse(game.transcript(1, finish=False)))
    blind = [line for line in TranscriptText(heard, EN).lines() if " pick " in line]
    owner = Owner(nonce_key(1), GAME, 1)
    known = [line for line in TranscriptText(heard, EN, owner=owner).lines() if " pick " in line]
    assert len(blind) == len(known) == 8
    assert all("hidden" in line for line in blind[4:]), "no seat has shown these yet"
    assert {line for line in blind if "hidden" not in line} <= {*known}, "others were shown later"
    assert [line for line in known[4:] if "hidden" not in line] == [
        line for line in known[4:] if "] b pick" in line
    ]


# Reports


def said(report: Report) -> str:
    """Return the text of the report in one line."""
    return " ".join(text(report).split())


def drafts(report: Report) -> Any:
    return figures(report)["games"][0]["drafts"]


def last_lines(game: Game, viewer: int | None = 0) -> list[str]:
    lines = TranscriptText(hear(parse(game.transcript(viewer))), EN).lines()
    return [line for line in lines if line.startswith("sealed drafts")]


@pytest.mark.slow
def test_all_drafts_of_a_whole_game_are_opened(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False).play()
    report, rounds = checked(game, tmp_path), game.state.round
    assert f"Drafts {rounds} sealed drafts, opened by all players" in said(report)
    assert drafts(report) == {"dealt": rounds, "unopened": [], "lied": []}
    assert last_lines(game) == [f"sealed drafts: {4 * rounds} picks, all opened"]


@pytest.mark.slow
def test_report_names_seats_with_unopened_picks(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), seed=8, followed=False)
    game.present = lambda game: [0, 1, 3] if game.host_log.audit.over else range(4)
    report = checked(game.play(), tmp_path)
    assert f"Drafts {game.state.round} sealed drafts, not opened by Player 2" in said(report)
    assert drafts(report) == {"dealt": game.state.round, "unopened": [2], "lied": []}
    (line,) = last_lines(game, 1)
    assert line.endswith("not revealed here: Player 2")


def test_report_before_the_end_says_that_drafts_are_still_sealed(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.state.round == 3 and game.state.phase == "turns")
    report = checked(game, tmp_path)
    assert drafts(report) == {"dealt": 3, "unopened": [], "lied": []}
    assert "Drafts 3 sealed drafts, to be opened after the game" in said(report)


def test_report_of_an_open_draft_has_no_row_for_drafts(tmp_path: Path) -> None:
    report = checked(begin(followed=False).play(), tmp_path)
    assert drafts(report) is None
    assert "Drafts" not in said(report)


def denies(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
    """A lie: never shows the character that it holds."""
    return NOT_HELD if isinstance(said, CallReply) else said


OTHERS: dict[str, DraftLie] = {
    lie.__name__: lie for lie in (denies, lies.gives_another_face_down, lies.gives_no_face_down)
}
LIES = {name: at_step(forger) for name, forger in STEPS.items()} | DEALS | OTHERS
PLAYERS = {
    "lays_aside_nothing": 2,
    "lays_its_pick_aside": 2,
    "gives_no_face_down": 7,
    "gives_another_face_down": 7,
}
"""Number of players that a lie needs, if that is not four."""
OF_DEALER = {*DEALS, "gives_no_face_down", "gives_another_face_down"}


def lied(lie: DraftLie, players: int, by: str, seed: int = 1) -> tuple[Game, int, int]:
    """Return a game in which one seat tells this lie, the seat, and how often it lied. The liar is the dealer
    of the first round; if `by` is not "deal", the seat after the dealer."""
    game = begin(setup=sealed_first(players), seed=seed, followed=False)
    game.play(until=lambda game: game.state.inquiry is not None)
    liar, count = (game.state.crown + (by != "deal")) % players, 0

    def counted(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
        nonlocal count
        told = lie(hand, said, head)
        count += told != said
        return told

    game.lies = {liar: counted}
    return game.play(), liar, count


@pytest.mark.parametrize("name", ["boxes_noise", "passes_on_too_few"])
def test_true_complaint_ends_the_game_with_the_liar_named(name: str, tmp_path: Path) -> None:
    game, liar, _ = lied(LIES[name], 4, "pick")
    *_, signed, words, close = game.host_log.entries()
    assert isinstance(signed, CoSigned)
    assert isinstance(words, CheckWords)
    assert isinstance(close, Close)
    assert close.why == LIED
    assert game.state.phase != "over"
    assert accused(checked(game, tmp_path)) == {("player", liar)}


def complains(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
    """A lie: complains about a correct box instead of picking."""
    boxes = [box.n for box in hand.record.boxes if box.to == hand.seat and box.n not in hand.record.complaints]
    return Complained(boxes[0], hand.secret.box) if boxes and isinstance(said, PassedOn) else said


@pytest.mark.parametrize("secret", [True, False])
def test_false_complaint_names_its_seat_and_the_game_continues_to_its_end(secret: bool, tmp_path: Path) -> None:
    def lie(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
        told = complains(hand, said, head)
        return told if secret or told == said else lies.complains_with_another_secret(hand, told, head)

    game, liar, count = lied(lie, 4, "pick")
    assert count > 1
    assert game.state.phase == "over"
    report = checked(game, tmp_path)
    assert accused(report) == {("player", liar)}
    assert {one.contradiction for one in report.findings if one.accused} == {
        "draft_complaint" if secret else "draft_secret"
    }


@pytest.mark.slow
def test_seat_that_gives_away_a_character_it_does_not_hold_is_accused(tmp_path: Path) -> None:
    liars: list[int] = []

    def lie(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
        told = lies.gives_what_it_has_not(hand, said, head)
        liars.extend([hand.seat] * (told != said))
        return told

    with theater_first():
        game = begin(setup=sealed_theater(2), followed=False)
        game.lies = {1: lie}
        game.play()
        assert set(liars) == {1}
        assert accused(checked(game, tmp_path)) == {("player", 1)}
