"""Players that cheat: what the host refuses stays out of the log, and what the log can show names them.

| the player | who finds it | finding |
|---|---|---|
| signs another head between rounds | the host; the table waits for that seat | signature |
| reveals a link that is none of its chain | the host; the table waits for that seat | part |
| seals nonsense (tests/crypto/verify/test_owned.py) | verify | unopened (2), with the seat |
| never opens what it sealed | verify | unopened (2), with the seat |
| changes its own file and signs it | verify | file_falsified of that seat, proof |
| tells others a head that nobody signed | nobody believes it | nothing |
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.beacons import cosign
from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Move
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.signed_head import encode, make
from citadels_lan.net.client import shares
from citadels_lan.net.client.forks import Comparer
from citadels_lan.net.client.records import Records
from tests.crypto.forging import Forge, drafts, find, saved
from tests.crypto.heads import statements
from tests.crypto.table import GAME, Game, player, recorded
from tests.facts import first_table

from .court import SEALED, Cheat, Court, crooked, hold, unopened_by
from .evidence import proves_against_owner


@pytest.mark.parametrize("what", ["signature", "part"])
def test_a_share_that_is_none(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = Court(tmp_path, first_table(2))
    court.begin()
    bad = court.guests[1].identity
    key = court.guests[1].records.key
    honest_link = Owner.link

    def other_head(identity: Identity, game: bytes, n: int, head: bytes) -> bytes:
        return cosign(identity, game, n, bytes(32) if identity is bad else head)

    def other_link(owner: Owner, round_: int) -> bytes:
        return bytes(32) if owner.key == key else honest_link(owner, round_)

    if what == "signature":
        monkeypatch.setattr(shares, "cosign", other_head)
    else:
        monkeypatch.setattr(Owner, "link", other_link)
    court.play()
    assert court.alarms == {}
    assert court.game.between
    assert court.game.awaited == (1,)
    assert {refused.code for refused in court.guests[1].client.refusals} == {what}
    assert court.guests[0].client.refusals == []
    for path in court.files():
        assert [finding.code for finding in verify([path]).findings] == ["unfinished"]
    court.guests[1].cut()
    court.wait(40)
    assert not court.game.between, "the others go on without it when it has gone"


def test_who_never_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    for paths in ([path] for path in court.files()):
        report = verify(paths)
        assert report.code == 4
        assert {(one.code, one.seat) for one in report.findings} == {("unopened", seat) for seat in left}
    assert verify(court.files()).code == 4


def test_who_changes_and_signs_the_own_file(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    entries[at].entry = replace(entries[at].entry, what="end")
    path = saved(tmp_path / "a.ctr", Forge(resign=False).file(entries))
    (finding,) = verify([path]).findings
    assert (finding.code, finding.seat) == ("file_falsified", 0)
    proves_against_owner(finding.evidence[0], path)


def test_a_head_that_nobody_signed_is_not_believed(duel: Game) -> None:
    """Neither in play nor in a file (tests/crypto/verify/test_compared.py)."""
    told = statements(duel)
    comparer = comparer_of(duel)
    for one in told[:-1]:
        lie = make(GAME, replace(one.sealed, head=bytes(32)), 1, player(1))
        assert comparer.take(encode(lie), 1000.0) is None
    assert comparer.take(encode(told[0]), 1000.0) is None


def test_a_fork_is_found_by_comparing_heads(duel: Game, tmp_path: Path) -> None:
    """Two players of one table, to whom the host tells two stories: either one's datagram tells the other, and the
    file in which it is written proves it."""
    other = recorded(2, seed=2)
    told = [one for one in statements(other) if one.n < len(duel.bodies)]
    fork = comparer_of(duel).take(encode(told[1]), 1000.0)
    assert fork is not None
    assert (fork.seat, fork.n) == (1, told[1].n)
    data = duel.transcript(0, finish=False)
    record = len(fork.datagram).to_bytes(4, "big") + b"G" + fork.datagram
    report = verify([saved(tmp_path / "a.ctr", data + record)])
    assert [finding.code for finding in report.findings] == ["two_histories"]


def heads_of(game: Game) -> dict[int, bytes]:
    """hash[n] of a game by n."""
    chain = Chain(GAME, game.host_log.header.rules, game.host_log.header.fp)
    deltas = [game.host_log.delta(n, None) for n in range(1, len(game.bodies) + 1)]
    return {delta.n: chain.append(delta.public, delta.leaves) for delta in deltas}


def comparer_of(game: Game) -> Comparer:
    """What the client of seat 0 has after the game."""
    comparer = Comparer(game.host_log.header, 0, player(0))
    for n, head in heads_of(game).items():
        comparer.entry(n, head)
    assert comparer.sealed(statements(game)[-1].sealed) is None
    return comparer
