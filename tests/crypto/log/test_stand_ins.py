"""Who moves for a seat: the stand-in from its entry on, and the owner at once when it is back."""

from pathlib import Path

import pytest

from citadels_lan.crypto.commitments import committed
from citadels_lan.crypto.faults import Unacceptable
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import Back
from citadels_lan.crypto.report.hearing import hear
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.show import lines
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.stand_ins import sign_back
from citadels_lan.crypto.transcript import parse
from citadels_lan.engine import acting
from tests.crypto.forging import saved
from tests.crypto.table import GAME, HOST, SECRET, Game, begin, player
from tests.crypto.tables import sealed_to_the_end


def begun() -> Game:
    """A game of two at its first move."""
    game = begin(2)
    return game.play(until=lambda game: bool(game.host_log.audit.round))


def test_the_key_of_a_seat_is_that_of_whoever_moves_there(stood: Game) -> None:
    movers = stood.host_log.audit.movers
    first, second = movers.stints
    assert first.until is not None
    for stint in (first, second):
        assert stint.until is not None
        assert [movers.key(stint.seat, n) for n in (stint.n, stint.n + 1, stint.until, stint.until + 1)] == [
            player(stint.seat).public,
            stint.key,
            player(stint.seat).public,
            player(stint.seat).public,
        ]
    assert first.moves
    assert all(first.n < n < first.until for n in first.moves)
    assert movers.key(0, first.n + 1) == player(0).public


def test_only_the_stand_in_moves_then() -> None:
    game = begun()
    (seat,) = acting(game.state)
    game.host_log.stand_in(seat, "random")
    game.mover = player  # type: ignore[method-assign]
    with pytest.raises(Unacceptable) as refused:
        game.move()
    assert refused.value.code == "signature"


def test_a_stand_in_never_has_the_key_of_another(stood: Game) -> None:
    keys = [stint.key for stint in stood.host_log.audit.movers.stints]
    keys += [one.key for one in stood.host_log.header.players]
    assert len(set(keys)) == len(keys)


def test_a_word_of_another_time_is_refused() -> None:
    game = begun()
    log = game.host_log
    first = log.audit.movers
    log.stand_in(0, "random")
    stint = first.stint(0)
    assert stint is not None
    word = sign_back(player(0), GAME, stint, disputes=False)
    log.back(word)
    log.stand_in(0, "random")
    with pytest.raises(Unacceptable):
        log.check_back(word)


def test_nobody_else_says_that_an_owner_is_back() -> None:
    log = begun().host_log
    log.stand_in(0, "random")
    stint = log.audit.movers.stint(0)
    assert stint is not None
    word = sign_back(player(1), GAME, stint, disputes=False)
    for wrong in (word, Back(1, False, word.signature), Back(8, False, word.signature)):
        with pytest.raises(Unacceptable):
            log.check_back(wrong)


def test_a_host_that_crashed_still_has_the_keys_of_its_stand_ins(stood: Game) -> None:
    again = HostLog.restore(SECRET, HOST, stood.host_log.written)
    for old, new in zip(stood.host_log.audit.movers.stints, again.audit.movers.stints, strict=True):
        assert (old.n, old.until, old.moves, old.disputed) == (new.n, new.until, new.moves, new.disputed)
        assert again.signing_key(new).public == old.key


def test_what_a_stand_in_has_sealed_is_entrusted_to_its_owner(stood: Game) -> None:
    """And to nobody else; it is what the host opens itself at the end."""
    (sealed, *_) = sealed_to_the_end(stood)
    n = next(n for (n, _), opening in stood.host_log.audit.concealed.opened.items() if opening == sealed)
    before = HostLog.restore(SECRET, HOST, stood.host_log.written[: n + 1])
    assert before.entrusted(sealed.seat) == [sealed]
    assert before.entrusted(0) == []
    assert before.audit.concealed.sealed_by(sealed.seat) == []
    assert committed(GAME, sealed) in before.audit.concealed.pending


def test_a_report_says_which_moves_and_how_long(stood: Game, tmp_path: Path) -> None:
    report = verify([saved(tmp_path / "a.ctr", stood.transcript(0))])
    assert report.code == 0
    first, second = stood.host_log.audit.movers.stints
    (game,) = figures(report)["games"]
    assert [(one["seat"], one["from"], one["until"]) for one in game["stand_ins"]] == [
        ("b", first.n, first.until),
        ("c", second.n, second.until),
    ]
    assert [one["moves"] for one in game["stand_ins"]] == [first.moves, second.moves]
    assert [one["disputed"] for one in game["stand_ins"]] == [True, False]
    said = " ".join(text(report).split())
    assert f"for Player 1 a bot (random) made {len(first.moves)} moves, from entry {first.n} to entry" in said
    assert "Player 1 says that it was there when a bot took its seat (1)" in said
    assert "Player 2 says" not in said


def test_a_text_of_the_game_shows_who_came_and_went(stood: Game) -> None:
    said = "\n".join(lines(hear(parse(stood.transcript(0)))))
    assert "Player 1 is gone: a bot (random) moves for it" in said
    assert "Player 1 is back, and says that it had been there all the time" in said
