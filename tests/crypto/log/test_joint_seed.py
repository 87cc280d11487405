"""Once all parts are committed to, nothing that a host can vary changes the seed.

Who co-signs, the order of signatures, protests, keys of bots and late moves do not enter it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from citadels_lan.crypto.chance import joint_seed
from citadels_lan.crypto.host_log import HostLog, decode_record, encode_record
from citadels_lan.crypto.log import Close, CoSigned, Mismatch, Move, TableMove, events_of
from citadels_lan.crypto.report.verify import verify
from tests.crypto.forging import Forge, drafts, find, refused, saved
from tests.crypto.table import HOST, SECRET, Game, begin, part
from tests.effort import one_case

PLAYERS = 4


def fresh() -> Game:
    """The same table every time."""
    return begin(PLAYERS, seed=3, followed=False)


def deals(game: Game) -> list[list[object]]:
    """What the table did by itself, deal by deal, with all that is hidden."""
    log = game.host_log
    tables = [(n, one) for n, one in enumerate(log.entries(), 1) if isinstance(one, TableMove)]
    return [[events_of(one), log.written[n - 1].private] for n, one in tables]


def nobody(game: Game) -> None:
    game.present = lambda game: []


def the_host_alone(game: Game) -> None:
    game.present = lambda game: [0]


def all_but_one(game: Game) -> None:
    game.present = lambda game: [0, 1, 3]


def other_protests(game: Game) -> None:
    game.protesting = lambda game: range(PLAYERS)


def no_words(game: Game) -> None:
    game.silent = lambda game: [1]


@one_case("vary", [nobody, the_host_alone, all_but_one, other_protests, no_words])
def test_who_signs_and_how_changes_no_deal(vary: Callable[[Game], None]) -> None:
    """The attack of a host that leaves seats out, or signs for its bots, until the next deal suits it."""
    usual, other = fresh(), fresh()
    vary(other)
    usual.play()
    other.play()
    assert [one.head for one in other.host_log.audit.cosigned] != [
        one.head for one in usual.host_log.audit.cosigned
    ]
    assert other.host_log.seed() == usual.host_log.seed()
    assert deals(other) == deals(usual)


def test_late_moves_change_no_seed() -> None:
    """The host moves last and can choose among its moves: the chance of the next round stays what it was."""
    usual, other = fresh(), fresh()
    other.choose.seed(99)
    usual.play(until=lambda game: game.host_log.audit.round == 2)
    other.play(until=lambda game: game.host_log.audit.round == 2)
    assert usual.host_log.chain.head != other.host_log.chain.head
    assert usual.host_log.seed() == other.host_log.seed()
    assert deals(usual)[0] == deals(other)[0]


def test_the_seed_comes_from_commits_the_secret_and_the_parts(duel: Game) -> None:
    log = duel.host_log
    parts = [part(0), part(1)]
    assert log.seed() == joint_seed(log.head_at(2), SECRET, parts)
    assert log.audit.committed_head == log.head_at(2)
    close = log.entry(log.chain.n)
    assert isinstance(close, Close)
    assert (close.parts, close.secret) == (tuple(parts), SECRET)


def test_no_part_is_in_the_log_before_the_end(duel: Game) -> None:
    entries = duel.host_log.written[:-1]
    assert not any(part(seat) in one.public for one in entries for seat in (0, 1))


def test_another_part_at_the_end_is_proof(duel: Game, tmp_path: Path) -> None:
    """A host that would like to have had another seed opens another part than its bot committed to."""
    entries = drafts(duel)
    last = entries[-1].entry
    assert isinstance(last, Close)
    entries[-1].entry = Close(last.why, last.openings, last.secret, (last.parts[0], bytes(32)), ())
    fault = refused(entries)
    assert fault is not None
    assert (fault.code, fault.details) == ("part", {"seat": 1})
    report = verify([saved(tmp_path / "a.ctr", Forge().file(entries))])
    (finding,) = report.findings
    assert (finding.code, finding.contradiction, finding.accused) == ("host_cheated", "part", "host")


def test_the_first_entry_of_the_game_is_a_deal() -> None:
    """Nothing of the players' choice comes between *commits* and the first deal."""
    log = fresh().host_log
    assert log.chain.n == 2
    assert [log.audit.expects(kind) for kind in (TableMove, Move, CoSigned)] == [True, False, False]
    with pytest.raises(Mismatch, match="order"):
        log.close()


def test_a_restored_host_has_the_same_seed() -> None:
    game = fresh().play(until=lambda game: game.host_log.chain.n >= 30)
    records = [decode_record(encode_record(one)) for one in game.host_log.written]
    again = HostLog.restore(SECRET, HOST, records)
    assert again.seed() == game.host_log.seed()
    early = HostLog.restore(SECRET, HOST, records[:2])
    assert early.seed() is None
    assert find(drafts(game), TableMove) == 2
