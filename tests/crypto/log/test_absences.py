"""Players who are away: who moves for a seat, and what a substitute bot of the host leaves in the log."""

from pathlib import Path

import pytest

from citadels_lan.crypto.commitments import conceal
from citadels_lan.crypto.log import SUBSTITUTE, Move, Unacceptable
from citadels_lan.crypto.report.report_json import figures, plain
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seats import sign_back, substitute_key
from citadels_lan.engine import acting
from tests.crypto.forging import saved
from tests.crypto.table import GAME, SECRET, Game, begin, player
from tests.crypto.tables import markers_of_substitutes


def begun() -> Game:
    """A game of two at its first move."""
    game = begin(2)
    return game.play(until=lambda game: bool(game.host_log.audit.round))


def away(game: Game, seat: int) -> None:
    """A substitute plays a seat."""
    game.host_log.away(seat)
    game.host_log.substitute(seat, "random")


def test_moves_of_substitute_are_the_hosts_from_bot_to_back(stood: Game) -> None:
    absences = stood.host_log.audit.absences.all
    assert {one.seat for one in absences} == {1, 2}
    for n, entry in enumerate(stood.host_log.entries(), 1):
        if not isinstance(entry, Move):
            continue
        played = [one for one in absences if one.seat == entry.seat and n in one.moves]
        assert (entry.by == SUBSTITUTE) == bool(played)
        assert (entry.sig == b"") == bool(played)
        assert all((one.bot or 0) < n < (one.until or n + 1) for one in played)
    assert all(one.moves for one in absences)


def test_player_cannot_move_while_substitute_plays() -> None:
    game = begun()
    (seat,) = acting(game.state)
    away(game, seat)
    sent = game.signed(seat, str(game.random_action(seat)))
    with pytest.raises(Unacceptable) as refused:
        game.host_log.check_move(seat, game.host_log.chain.n + 1, *sent)
    assert refused.value.code == "substitute"


def test_signature_of_an_earlier_absence_is_rejected() -> None:
    log = begun().host_log
    log.away(0)
    absence = log.audit.absences.now(0)
    assert absence is not None
    back = sign_back(player(0), GAME, absence, log.head_at(absence.n))
    log.check_back(0, back.sig)
    log.back(0, back.sig)
    log.away(0)
    with pytest.raises(Unacceptable):
        log.check_back(0, back.sig)


def test_only_the_key_of_the_seat_signs_that_its_player_is_back() -> None:
    log = begun().host_log
    log.away(0)
    absence = log.audit.absences.now(0)
    assert absence is not None
    head = log.head_at(absence.n)
    other = sign_back(player(1), GAME, absence, head).sig
    elsewhere = sign_back(player(0), GAME, absence, bytes(32)).sig
    own = sign_back(player(0), GAME, absence, head).sig
    for seat, signature in ((0, other), (0, elsewhere), (1, own), (8, own)):
        with pytest.raises(Unacceptable):
            log.check_back(seat, signature)


def test_hidden_moves_of_substitutes_follow_from_the_hosts_secret(stood: Game) -> None:
    log = stood.host_log
    assert log.audit.concealed.substitutes
    for place, opening in log.audit.concealed.substitutes:
        key = substitute_key(SECRET, place.seat)
        head = log.head_at(place.n - 1)
        made = conceal(key, GAME, head, place.round, place.seat, place.slot, opening.line)
        assert opening in made[1]


def test_report_lists_the_moves_of_substitutes(stood: Game, tmp_path: Path) -> None:
    report = verify([saved(tmp_path / "a.ctr", stood.transcript(0))])
    assert report.code == 0
    (game,) = figures(report)["games"]
    assert game["absences"] == plain(stood.host_log.audit.absences.all)
    said = " ".join(text(report).split())
    first = next(one for one in stood.host_log.audit.absences.all if one.seat == 2)
    entries = f"from entry {first.bot} to entry {first.until}"
    assert f"for Player 2 a bot (random), {entries}; moves: {len(first.moves)}" in said


def test_markers_of_substitutes_are_open_at_the_end(stood: Game) -> None:
    assert markers_of_substitutes(stood)
    assert stood.host_log.audit.concealed.pending == {}
