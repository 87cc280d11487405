"""A game goes on at another host, from what one seat was sent and the shares of enough seats."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Beacons, Commits, Move, Present, Seal, decode_entry, encode_entry
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.packing import Malformed, pack, unpack
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.stand_ins import Stint, signing_key, stand_in
from citadels_lan.net.host.new_host.inheriting import Spoiled
from tests.crypto.migrating import opened, taken_over, told
from tests.crypto.table import SECRET, Game, begin, player, recorded
from tests.effort import quick
from tests.extras.second import load


def saved(folder: Path, game: Game) -> list[Path]:
    """The files of all seats."""
    files = [folder / f"{seat}.ctr" for seat in range(len(game.state.players))]
    for seat, path in enumerate(files):
        path.write_bytes(game.transcript(seat))
    return files


def entries(game: Game) -> int:
    return game.host_log.chain.n


MOMENTS: dict[str, Callable[[Game], bool]] = {
    "before the first round": lambda game: game.host_log.audit.expects(Present),
    "while links are missing": lambda game: game.host_log.audit.expects(Beacons),
    "in the draft": lambda game: game.host_log.audit.expects(Move) and bool(game.host_log.audit.concealed.pending),
    "in the middle": lambda game: entries(game) == 120,
    "before a seal": lambda game: game.host_log.audit.expects(Seal) and entries(game) > 40,
    "after the end": lambda game: game.host_log.audit.over and game.host_log.audit.expects(Present),
    "before close": lambda game: game.host_log.may_close,
}


@pytest.mark.parametrize("moment", quick(MOMENTS, "in the draft"))
def test_it_goes_on_to_a_verified_end(tmp_path: Path, moment: str) -> None:
    before = begin(3, migrate=2, seed=4).play(until=MOMENTS[moment])
    assert MOMENTS[moment](before)
    after = taken_over(before, 1, (1, 2)).play()
    assert after.host_log.audit.secret == SECRET
    report = verify(saved(tmp_path, after))
    assert report.code == 0, report.findings
    ((one,),) = [file.tally.moved for file in report.files[:1]]
    assert (one.n, one.seat, one.agreed) == (entries(before) + 1, 1, (1, 2))


@cache
def moved() -> Game:
    """A game that went on elsewhere in the middle, to its end; nobody changes it."""
    before = begin(3, migrate=2, seed=4).play(until=MOMENTS["in the middle"])
    return taken_over(before, 1, (1, 2)).play()


def with_a_stand_in(kind: type[HostLog] = HostLog) -> Game:
    """In the middle of a round in which a stand-in moves for seat 0; it has hidden a pick, and moved openly."""
    game = begin(3, migrate=2, seed=4, kind=kind)
    game.gone = lambda game: [0] if game.host_log.audit.round == 2 else []
    return game.play(until=lambda game: any(len(stint.moves) > 2 for stint in game.host_log.audit.movers.stints))


@pytest.mark.slow
def test_a_stand_in_moves_on_at_the_new_host(tmp_path: Path) -> None:
    before = with_a_stand_in()
    after = taken_over(before, 1, (1, 2)).play()
    (stint,) = after.host_log.audit.movers.stints
    assert stint.n < entries(before) < stint.moves[-1]
    files = saved(tmp_path, after)
    assert load().main(list(map(str, files))) == verify(files).code == 0


@pytest.mark.slow
def test_a_stand_in_may_begin_at_the_new_host(tmp_path: Path) -> None:
    after = taken_over(begin(3, migrate=2, seed=4).play(until=MOMENTS["in the draft"]), 1, (1, 2))
    after.gone = lambda game: [0]
    after.play()
    assert len(after.host_log.audit.movers.stints) == 1
    files = saved(tmp_path, after)
    assert load().main(list(map(str, files))) == verify(files).code == 0


class Selfish(HostLog):
    """A host whose stand-ins have a key that nobody else can derive."""

    def stand_in(self, seat: int, level: str) -> Written:
        place = (self.header.game_id, self.chain.n + 1, self.chain.head)
        return self._write(stand_in(bytes(32), *place, seat, level))

    def signing_key(self, stint: Stint) -> Identity:
        return signing_key(bytes(32), self.header.game_id, stint)


class Forgetful(HostLog):
    """A host whose stand-ins hide with nonces that nobody else can derive."""

    def stand_in_owner(self, stint: Stint) -> Owner:
        return Owner(bytes(32), self.header.game_id, stint.seat)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Selfish, Forgetful])
def test_what_only_one_host_can_do_for_a_stand_in_is_proof(tmp_path: Path, kind: type[HostLog]) -> None:
    files = saved(tmp_path, with_a_stand_in(kind).play())
    findings = [one for file in verify(files).files for one in file.findings]
    assert {(one.contradiction, one.accused) for one in findings} == {("escrow", "host")}
    assert load().main(list(map(str, files))) == verify(files).code == 1


def test_a_stand_in_that_another_host_cannot_sign_for_is_not_taken_over() -> None:
    before = with_a_stand_in(Selfish)
    with pytest.raises(Spoiled) as spoiled:
        taken_over(before, 1, (1, 2))
    assert spoiled.value.n == before.host_log.audit.movers.stints[0].n


def test_too_few_shares_open_nothing() -> None:
    game = begin(4, migrate=3, seed=2)
    log, _, _ = told(game, 0)
    assert opened(game, log, (0, 3)) is None
    assert opened(game, log, (0, 3, 1)) == opened(game, log, (0, 1, 2, 3)) == SECRET


@pytest.mark.slow
def test_the_second_verifier_says_the_same(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("moved", "old")]
    for path, game in zip(files, (moved(), begin(3, migrate=2, seed=4).play()), strict=True):
        path.write_bytes(game.transcript(0))
    check = load().main
    assert [check([str(path)]) for path in files] == [verify([path]).code for path in files] == [0, 0]
    assert check(list(map(str, files))) == verify(files).code == 0


@pytest.mark.slow
def test_who_agrees_to_two_hosts_is_named_by_both_verifiers(tmp_path: Path) -> None:
    before = begin(3, migrate=2, seed=4).play(until=MOMENTS["in the middle"])
    files = [tmp_path / name for name in ("b", "c")]
    for path, seat, agreeing in zip(files, (1, 2), ((0, 1), (0, 2)), strict=True):
        path.write_bytes(taken_over(before, seat, agreeing).play().transcript(0))
    (found,) = [one for file in verify(files).files for one in file.findings]
    assert (found.code, found.kind, found.seat, found.accused) == ("two_agreements", "proof", 0, "player")
    assert all(verify_signed(one.key, one.signed, one.signature) for one in found.evidence)
    assert load().main(list(map(str, files))) == verify(files).code == 1


def verify_signed(key: bytes, signed: bytes, signature: bytes) -> bool:
    """With `cryptography` alone."""
    Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    return key == player(0).public


@pytest.mark.slow
def test_what_the_former_host_went_on_with_accuses_nobody(tmp_path: Path) -> None:
    """A seat that was ahead when the others agreed: the entries it alone had are no fork of anybody."""
    ahead = begin(3, migrate=2, seed=4).play(until=lambda game: entries(game) == 125)
    files = [tmp_path / name for name in ("moved", "ahead")]
    files[0].write_bytes(moved().transcript(0))
    files[1].write_bytes(ahead.transcript(0, finish=False))
    report = verify(files)
    assert report.code == load().main(list(map(str, files))) == 0
    assert {one.code for file in report.files for one in file.findings} == {"unfinished", "left_behind"}


def test_the_report_says_who_could_see_what(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(moved().transcript(0))
    said = " ".join(text(verify([path])).split())
    assert "any 2 of Player 0, Player 1, Player 2 together can read everything" in said
    assert "from entry 121 on, in round" in said
    assert "the host was the machine of Player 1, as agreed by Player 1, Player 2: it saw all hands" in said


def test_without_it_nothing_is_added() -> None:
    """Every entry has the fields that it always had."""
    lengths = {unpack(one.public)[0]: len(unpack(one.public)) for one in recorded(2).host_log.written}
    assert {kind: lengths[kind] for kind in (0, 1, 3)} == {0: 2, 1: 4, 3: 5}
    assert len(unpack(recorded(2).host_log.written[0].public)[1]) == 12
    assert not {12, 14} & lengths.keys()


@pytest.mark.parametrize("entry", [Move(0, "end", [], ()), Commits((), (), ())])
def test_what_is_not_there_is_not_written_as_nothing(entry: Move | Commits) -> None:
    assert decode_entry(encode_entry(entry)) == entry
    with pytest.raises(Malformed):
        decode_entry(pack([*unpack(encode_entry(entry)), None]))


def test_the_length_of_an_escrow_tells_nothing() -> None:
    """Every pick of a game keeps as many bytes, whatever character it is."""
    moves = [decode_entry(one.public) for one in recorded(3, migrate=2).host_log.written]
    picks = [move for move in moves if isinstance(move, Move) and isinstance(move.what, bytes)]
    lengths: dict[int, set[int]] = {}
    for move in picks:
        lengths.setdefault(len(move.what), set()).add(len(move.escrow or b""))
    assert lengths.keys() <= {32, 64}
    assert lengths[32] == {64 + 16 + 32 + 128}
