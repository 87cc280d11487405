"""Whole games with sealed drafts: verified from every file."""

from pathlib import Path
from typing import Any

import pytest

from citadels_lan.cli.transcripts import lines
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.draft.drafting import DraftHand, Knowledge
from citadels_lan.crypto.draft.playing import KnownEvents, own_picks
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import Said
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.replay import play
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.transcript import hear, parse
from citadels_lan.engine import TableConfig, evolve, view
from citadels_lan.engine.events import Offered
from citadels_lan.engine.flow.sealed import with_picks
from citadels_lan.texts import load
from tests.crypto.table import GAME, HOST, SECRET, Game, begin, follower, nonce_key, recorded, seats
from tests.effort import quick

from .files import checked, sealed_first, sealed_theater

EN = load("en")

TABLES = [*map(sealed_first, (2, 3, 4, 5, 6, 7)), sealed_theater(2), sealed_theater(5)]


@pytest.mark.slow
@pytest.mark.parametrize("setup", quick(TABLES, sealed_first(3)))
def test_sealed_game_is_verified_from_every_file(setup: TableConfig, tmp_path: Path) -> None:
    game = begin(setup=setup).play()
    report = checked(game, tmp_path)
    assert report.code == 0
    assert not report.findings


def test_books_of_each_viewer_follow_a_sealed_draft() -> None:
    game = recorded(setup=sealed_theater(), seed=2)
    for viewer in seats(4):
        log = follower(viewer)
        books = None
        for bodies in game.bodies:
            step = log.receive(bodies[viewer])
            header = log.audit.table
            books = books or Bookkeeping(header, viewer)
            books.follow(step.n, step.entry, step.events)
        assert books is not None
        assert books.state == view(game.state, viewer)
        assert books.state.draft == "blind"


def test_journal_restores_the_log_during_a_draft() -> None:
    game = begin(setup=sealed_first(4), followed=False)
    records = []
    for entries in range(8, 60, 7):
        game.play(until=lambda game, entries=entries: len(game.host_log.written) >= entries)  # type: ignore[misc]
        records = list(game.host_log.written)
        again = HostLog.restore(SECRET, HOST, records)
        assert again.chain.head == game.host_log.chain.head
        assert again.audit.drafts is not None
        assert game.host_log.audit.drafts is not None
        assert again.audit.drafts.record.due == game.host_log.audit.drafts.record.due
        seed = again.seed()
        assert seed is not None
        *_, last = play(again.header, again.entries(), again.line, SeededChance(seed))
        assert last.state == game.state


def test_no_pick_reaches_the_host_before_it_is_called() -> None:
    """Two tables whose seats pick different characters: until a call is answered, the host writes entries of
    the same kinds and lengths, and no entry has the name of a character that is not face up."""
    written = []
    for seed in (1, 2):
        game = begin(setup=sealed_first(5), seed=seed, followed=False)
        game.play(until=lambda game: bool(game.state.inquiry) and game.state.inquiry.what == "call")  # type: ignore[union-attr]
        state = game.state
        assert all(set(player.concealed) <= {"?"} for player in state.players)
        hidden = set(state.cast) - set(state.faceup) - {state.inquiry.character if state.inquiry else ""}
        drafted = [one for one in game.host_log.written if isinstance(game.host_log.entry(one.n), Said)]
        assert not any(name.encode() in one.public for one in drafted for name in hidden)
        assert not any(one.private or one.openings for one in drafted)
        written.append([(type(game.host_log.entry(one.n)), len(one.public)) for one in drafted])
    assert written[0] == written[1]


def test_unfinished_file_shown_with_the_owners_key_has_the_own_picks() -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.state.round == 2 and game.state.phase == "turns")
    heard = hear(parse(game.transcript(1, finish=False)))
    blind = [line for line in lines(heard, EN) if " pick " in line]
    owner = Owner(nonce_key(1), GAME, 1)
    known = [line for line in lines(heard, EN, owner=owner) if " pick " in line]
    assert len(blind) == len(known) == 8
    assert all("hidden" in line for line in blind[4:]), "no seat has shown these yet"
    assert {line for line in blind if "hidden" not in line} <= {*known}, "others were shown later"
    assert [line for line in known[4:] if "hidden" not in line] == [
        line for line in known[4:] if "] b pick" in line
    ]


@pytest.mark.slow
@pytest.mark.parametrize("setup", quick([sealed_first(2), sealed_theater(4)], sealed_first(2)))
def test_seat_adds_its_own_characters_to_its_events(setup: TableConfig) -> None:
    game = begin(setup=setup, seed=1, followed=False)
    log, owner = follower(0), Owner(nonce_key(0), GAME, 0)
    hands: dict[int, DraftHand | None] = {}

    def known_of(round_: int) -> Knowledge | None:
        hands[round_] = hands.get(round_) or owner.hand(log.audit, round_)
        hand = hands[round_]
        return None if hand is None else hand.known

    known, seen, own = view(game.state, 0), 0, KnownEvents(known_of)
    offered = 0
    while game.step():
        for bodies in game.bodies[seen:]:
            step = log.receive(bodies[0])
            events = own.own(step.events, 0)
            offered += sum(isinstance(one, Offered) and "?" not in one.packet for one in events)
            known = evolve(known, *events)
        seen = len(game.bodies)
        hand = hands.get(game.state.round)
        waits = hand is not None and hand.record.due[0] in ("begin", "deal", "back")
        if hand is not None and hand.record.packets and not waits and hand.record.table.number == game.state.round:
            shown = with_picks(view(game.state, 0), 0, own_picks(hand))
            assert [sorted(one.concealed) for one in known.players] == [
                sorted(one.concealed) for one in shown.players
            ]
            assert known.steps == shown.steps
    assert offered >= game.state.round


# Reports


def said(report: Report) -> str:
    """The report without its line breaks."""
    return " ".join(text(report).split())


def drafts(report: Report) -> Any:
    return figures(report)["games"][0]["drafts"]


def last_lines(game: Game, viewer: int | None = 0) -> list[str]:
    return [line for line in lines(hear(parse(game.transcript(viewer))), EN) if line.startswith("sealed drafts")]


@pytest.mark.slow
def test_all_drafts_of_a_whole_game_are_opened(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False).play()
    report, rounds = checked(game, tmp_path), game.state.round
    assert f"Drafts {rounds} sealed drafts, opened by all players" in said(report)
    assert drafts(report) == {"dealt": rounds, "unopened": [], "lied": []}
    assert last_lines(game) == [f"sealed drafts: {4 * rounds} picks, all opened"]


@pytest.mark.slow
def test_seat_with_unopened_picks_is_named(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), seed=8, followed=False)
    game.present = lambda game: [0, 1, 3] if game.host_log.audit.over else range(4)
    report = checked(game.play(), tmp_path)
    assert f"Drafts {game.state.round} sealed drafts, not opened by Player 2" in said(report)
    assert drafts(report) == {"dealt": game.state.round, "unopened": [2], "lied": []}
    (line,) = last_lines(game, 1)
    assert line.endswith("of them not open here: Player 2")


def test_before_the_end_the_drafts_are_still_sealed(tmp_path: Path) -> None:
    game = begin(setup=sealed_first(4), followed=False)
    game.play(until=lambda game: game.state.round == 3 and game.state.phase == "turns")
    report = checked(game, tmp_path)
    assert drafts(report) == {"dealt": 3, "unopened": [], "lied": []}
    assert "Drafts 3 sealed drafts; they are opened after the game" in said(report)


def test_open_draft_has_no_row_for_drafts(tmp_path: Path) -> None:
    report = checked(begin(followed=False).play(), tmp_path)
    assert drafts(report) is None
    assert "Drafts" not in said(report)
