"""Players that cheat: what the host refuses stays out of the log, and whoever changes files accuses nobody.

What sealing nonsense comes to is tested in tests/crypto/verify/test_owned.py.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.beacons import sign_here
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Move, Seal
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signed_head import encode
from citadels_lan.net.client import shares
from citadels_lan.net.client.others.forks import Comparer
from citadels_lan.net.client.records import Records
from tests.crypto.forging import Forge, drafts, find, saved
from tests.crypto.table import Game, player, recorded
from tests.facts import first_table
from tests.net.host.table.looking import refusals

from .attacks import Verdict, attack
from .court import SEALED, Cheat, Court, crooked, hold, unopened_by
from .records import heard_at


@attack("(a player) signs another head, or reveals another link")
@pytest.mark.parametrize("what", ["signature", "part"])
def test_a_share_that_is_none(
    what: str, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = Court(tmp_path, first_table(2))
    court.begin()
    bad = court.guests[1].identity
    key = court.guests[1].records.key
    honest_link = Owner.link

    def other_head(identity: Identity, game: bytes, n: int, head: bytes, round_: int, disputes: bool) -> bytes:
        return sign_here(identity, game, n, bytes(32) if identity is bad else head, round_, disputes)

    def other_link(owner: Owner, attempt: int) -> bytes:
        return bytes(32) if owner.key == key else honest_link(owner, attempt)

    if what == "signature":
        monkeypatch.setattr(shares, "sign_here", other_head)
    else:
        monkeypatch.setattr(Owner, "link", other_link)
    court.play()
    assert court.alarms == {}
    assert court.game.between
    assert court.game.awaited == (1,)
    assert set(refusals(court.guests[1])) == {what}
    assert refusals(court.guests[0]) == []
    for path in court.files():
        assert [finding.code for finding in verdict.of([path]).findings] == ["unfinished"]
    court.guests[1].cut()
    court.wait(40)
    assert not court.game.between, "the others go on without it when it has gone"


@pytest.mark.slow
@attack("(a player) never opens what it sealed")
def test_who_never_opens(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Records.sealed
    guilty = {2, 3}

    def sealed(records: Records) -> list[Opening]:
        client_log = records.client_log
        over = client_log is not None and client_log.audit.over
        return [] if over and records.seat in guilty else honest(records)

    monkeypatch.setattr(Records, "sealed", sealed)
    court = hold(tmp_path, monkeypatch, crooked(Cheat), SEALED, dice=4, did=lambda court: bool(unopened_by(court)))
    left = unopened_by(court)
    assert court.game.closed
    assert court.alarms == {}
    assert left <= guilty
    for path in court.files():
        found = verdict.of([path]).findings
        assert {(one.code, one.seat) for one in found} == {("unopened", seat) for seat in left}
    assert verify(court.files()).code == 4


@attack("(a player) changes the own file and signs it")
@pytest.mark.parametrize("finish", [True, False])
def test_who_changes_the_own_file(finish: bool, verdict: Verdict, duel: Game, tmp_path: Path) -> None:
    """A friend of the host, say: without the host's key nothing is proven by it, against anybody."""
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    entries[at].entry = replace(entries[at].entry, what="end")
    forge = Forge(resign=False)
    forge.signatures = {n: duel.host_log.signature(n) for n in range(1, len(entries) + 1)}
    report = verdict.of([saved(tmp_path / "a.ctr", forge.file(entries, finish=finish))])
    assert {finding.code for finding in report.findings} == {"link"}


@attack("(a player) leaves in alarm for nothing")
def test_a_false_alarm(verdict: Verdict, tmp_path: Path) -> None:
    """A changed client says so of an entry in which nothing is wrong: the file itself says that it is false."""
    court = Court(tmp_path, first_table(2))
    court.begin()
    court.play(20)
    for guest in court.guests:
        guest.records.alarm(guest.records.n, "impossible_event")
    for path in court.files():
        found = {finding.code: finding for finding in verdict.of([path]).findings}
        assert "false_alarm" in found
        assert found["false_alarm"].accused is None


def seals(game: Game) -> list[int]:
    """The entries that are seals."""
    return [n for n, entry in enumerate(game.host_log.entries(), 1) if isinstance(entry, Seal)]


def test_a_head_that_nobody_signed_is_not_believed(duel: Game) -> None:
    """Neither in play nor in a file (tests/crypto/verify/test_compared.py)."""
    comparer = comparer_of(duel)
    for n in seals(duel)[:-1]:
        assert comparer.take(encode(heard_at(duel, n, bytes(32))), 1000.0) is None
    assert comparer.take(encode(heard_at(duel, seals(duel)[0])), 1000.0) is None


def test_a_fork_is_found_by_comparing_heads(duel: Game, tmp_path: Path) -> None:
    """Two players of one table, to whom the host tells two stories: either one's datagram tells the other, and the
    file in which it is written proves it."""
    other = recorded(2, seed=2)
    told = heard_at(other, [n for n in seals(other) if n < len(duel.bodies)][1])
    fork = comparer_of(duel).take(encode(told), 1000.0)
    assert fork is not None
    assert (fork.seat, fork.n) == (1, told.n)
    data = duel.transcript(0, finish=False)
    record = len(fork.datagram).to_bytes(4, "big") + b"G" + fork.datagram
    report = verify([saved(tmp_path / "a.ctr", data + record)])
    assert "two_histories" in {finding.code for finding in report.findings}


def heads_of(game: Game) -> dict[int, bytes]:
    """hash[n] of a game by n."""
    return {n: game.host_log.head_at(n) for n in range(1, game.host_log.chain.n + 1)}


def comparer_of(game: Game) -> Comparer:
    """What the client of seat 0 has after the game."""
    comparer = Comparer(game.host_log.header, 0, player(0))
    for n, head in heads_of(game).items():
        comparer.entry(n, head)
    last = seals(game)[-1]
    assert comparer.sealed(heard_at(game, last).sealed) is None
    return comparer
