"""After each round: who co-signs, which words follow, and what the host accepts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.host_log import CoSigning
from citadels_lan.crypto.log import CheckWords, CoSigned, Mismatch, Move, TableMove, Unacceptable, sign_move
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seats import check_words
from tests.crypto.conftest import MARKED
from tests.crypto.forging import saved
from tests.crypto.table import GAME, Game, begin, player, seats, word
from tests.effort import one_case


def to_the_end_of_round(number: int = 1, *, players: int = 3) -> Game:
    """A game that waits for the co-signatures of a round."""
    game = begin(players)
    return game.play(
        until=lambda game: game.host_log.audit.expects(CoSigned) and game.host_log.audit.round == number
    )


def verified(game: Game, path: Path) -> None:
    """By all viewers together, and by each alone."""
    paths = [saved(path / f"{seat}.ctr", game.transcript(seat)) for seat in seats(len(game.state.players))]
    report = verify(paths)
    assert (report.code, report.findings) == (0, ())
    assert verify(paths[:1]).code == 0


def test_every_round_and_the_end_are_signed_by_all(duel: Game) -> None:
    audit, entries = duel.host_log.audit, duel.host_log.entries()
    assert [one.round for one in audit.cosigned] == list(range(1, audit.round + 1))
    assert [one.over for one in audit.cosigned] == [False] * (audit.round - 1) + [True]
    for one in audit.cosigned:
        assert one.seats == (0, 1)
        assert one.head == duel.host_log.head_at(one.n - 1)
        given = [word(seat, one.n - 1) for seat in one.seats]
        assert one.words == check_words(GAME, one.n, duel.host_log.head_at(one.n), given)
        assert isinstance(entries[one.n], CheckWords)


def test_the_report_names_who_has_not_signed_and_who_protests(tmp_path: Path) -> None:
    game = begin(3)
    game.present = lambda game: [0, 1, 2] if game.host_log.audit.round % 2 else [0, 2]
    game.protesting = lambda game: [2] if game.host_log.audit.round == 3 else []
    game.play()
    verified(game, tmp_path)
    report = verify([tmp_path / "0.ctr"])
    tally = report.games[0].best.tally
    assert [one.round for one in tally.absent(1)] == list(range(2, game.host_log.audit.round + 1, 2))
    assert [one.round for one in tally.protests(2)] == [3]
    found = " ".join(text(report).split())
    assert "but not by Player 1" in found
    assert "Player 2 says that a bot moved for this seat while its player was connected (round 3)" in found
    (table,) = figures(report)["games"]
    assert table["players"][1]["rounds_not_signed"] == [one.round for one in tally.absent(1)]
    assert table["players"][2]["protests"] == [3]


def test_a_round_without_all_words_has_no_check_words(tmp_path: Path) -> None:
    game = begin(3)
    game.silent = lambda game: [1]
    game.play()
    verified(game, tmp_path)
    assert not any(one.words for one in game.host_log.audit.cosigned)
    assert not any(isinstance(entry, CheckWords) for entry in game.host_log.entries())
    assert "none: not every player" in " ".join(text(verify([tmp_path / "0.ctr"])).split())


def test_a_game_goes_on_if_no_one_signs(tmp_path: Path) -> None:
    game = begin(2)
    game.present = lambda game: []
    game.play()
    verified(game, tmp_path)
    assert all(one.seats == () for one in game.host_log.audit.cosigned)


@one_case("kind", [TableMove, Move, CheckWords])
def test_nothing_comes_between_a_round_and_its_co_signatures(kind: type) -> None:
    log = to_the_end_of_round().host_log
    assert not log.audit.expects(kind)
    with pytest.raises(Mismatch, match="order"):
        log.table([])


# What a host accepts


def refused(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(Unacceptable) as reason:
        call(*arguments)
    return reason.value.code


def test_the_host_accepts_a_co_signature_of_this_head_by_this_seat() -> None:
    game = to_the_end_of_round()
    log, n = game.host_log, game.host_log.chain.n
    check, good = log.check_cosigning, game.cosigning(0)
    check(0, n, good)
    assert refused(check, 0, n - 1, good) == "stale"
    assert refused(check, 1, n, good) == "stale", "it is that of another seat"
    assert refused(check, 1, n, CoSigning(replace(good.signed, seat=1))) == "signature"
    for changes in ({"commit": bytes(32)}, {"protest": 1}, {"signature": bytes(64)}):
        assert refused(check, 0, n, CoSigning(replace(good.signed, **changes))) == "signature"
    game.cosign()
    assert refused(check, 0, log.chain.n, good) == "stale"


def test_the_host_accepts_the_word_that_a_seat_has_committed_to() -> None:
    game = to_the_end_of_round()
    log, before = game.host_log, game.host_log.chain.n
    assert refused(log.check_word, 0, before, word(0, before)) == "stale"
    log.cosign({seat: game.cosigning(seat) for seat in (0, 1)})
    log.check_word(0, before + 1, word(0, before))
    assert refused(log.check_word, 0, before + 1, word(1, before)) == "part"
    assert refused(log.check_word, 2, before + 1, word(2, before)) == "stale", "it has not signed"
    assert refused(log.check_word, 0, before, word(0, before)) == "stale"


def test_no_seal_is_opened_before_the_game_is_over() -> None:
    """The host would know what only its owner may know."""
    game = begin(setup=MARKED, seed=12, followed=False)
    game.play(until=lambda game: game.host_log.audit.expects(CoSigned) and any(map(game.own_openings, range(4))))
    log = game.host_log
    assert not log.audit.over
    seat = next(seat for seat in range(4) if game.own_openings(seat))
    given = game.cosigning(seat)
    assert given.openings == ()
    early = replace(given, openings=tuple(game.own_openings(seat)))
    assert refused(log.check_cosigning, seat, log.chain.n, early) == "opening"


def test_after_the_game_each_seat_opens_its_own_seals_once() -> None:
    game = begin(setup=MARKED, seed=12, followed=False)
    game.play(until=lambda game: game.host_log.audit.over and game.host_log.audit.expects(CoSigned))
    log, n = game.host_log, game.host_log.chain.n
    opening = {seat: game.own_openings(seat) for seat in range(4)}
    seat = max(opening, key=lambda seat: len(opening[seat]))
    first, *_ = opening[seat]
    own, other = game.cosigning(seat), game.cosigning((seat + 1) % 4)
    log.check_cosigning(seat, n, own)
    log.check_cosigning(seat, n, replace(own, openings=(first,)))
    for wrong in ((first, first), (replace(first, nonce=bytes(32)),)):
        assert refused(log.check_cosigning, seat, n, replace(own, openings=wrong)) == "opening"
    assert refused(log.check_cosigning, (seat + 1) % 4, n, replace(other, openings=(first,))) == "opening"


def test_a_line_and_a_commitment_of_the_same_bytes_share_no_signature() -> None:
    """A host that has a seat's signature of 32 letters could else show it as a commitment to what it likes,
    and the other way round."""
    line = "build " + "a" * 26
    game = begin(2, followed=False).play(until=lambda game: game.host_log.audit.expects(Move))
    log = game.host_log
    for signed, shown in ((line, line.encode()), (line.encode(), line)):
        signature = sign_move(player(0), GAME, log.chain, 0, signed)
        assert refused(log.check_move, 0, log.chain.n + 1, shown, signature, ()) == "signature"
        assert refused(log.check_move, 0, log.chain.n + 1, signed, signature, ()) != "signature"
