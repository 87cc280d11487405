"""Players that cheat: what the host refuses stays out of the log, and whoever changes files accuses nobody.

What sealing nonsense comes to is tested in tests/crypto/verify/test_owned.py.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import CoSignature, Move
from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seats import cosign
from citadels_lan.net.client import signing
from citadels_lan.net.client.records import Records
from citadels_lan.net.wire.messages import SeedPart
from tests.crypto.forging import Forge, drafts, find, saved
from tests.crypto.table import Game
from tests.facts import first_table
from tests.net.host.table.looking import refusals

from .attacks import Verdict, attack
from .court import SEALED, Cheat, Court, crooked, hold, unopened_by


@attack("(a player) signs another head, or gives another part or word")
def test_a_co_signature_of_another_head(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host refuses it, goes on without it, and everybody is shown who has not signed."""
    court = Court(tmp_path, first_table(2))
    court.begin()
    bad = court.guests[1].identity

    def other_head(
        identity: Identity, game: bytes, n: int, head: bytes, seat: int, commit: bytes, *, protest: bool
    ) -> CoSignature:
        return cosign(identity, game, n, bytes(32) if identity is bad else head, seat, commit, protest=protest)

    monkeypatch.setattr(signing, "cosign", other_head)
    court.play()
    assert court.alarms == {}
    assert court.game.cosigning == "signed"
    assert set(refusals(court.guests[1])) == {"signature"}
    assert refusals(court.guests[0]) == []
    court.wait(40)
    court.carry()
    assert [one.missing for one in court.cosigned[0]] == [(1,)]
    for path in court.files():
        assert [finding.code for finding in verdict.of([path]).findings] == ["unfinished"]


@attack("(a player) signs another head, or gives another part or word")
def test_a_part_that_is_not_the_committed_one(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host refuses it, and the start waits."""
    court = Court(tmp_path, first_table(2))
    honest = signing.part

    def other(records: Records, client_log: ClientLog, seat: int) -> SeedPart:
        given = honest(records, client_log, seat)
        return SeedPart(bytes(32)) if seat == 1 else given

    monkeypatch.setattr(signing, "part", other)
    court.begin()
    assert court.alarms == {}
    assert court.game.starting
    assert court.game.awaited == (1,)
    assert set(refusals(court.guests[1])) == {"part"}
    for path in court.files():
        assert [finding.code for finding in verdict.of([path]).findings] == ["unfinished"]


@pytest.mark.slow
@attack("(a player) never opens what it sealed")
def test_who_never_opens(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Owner.sealed
    guilty = {2, 3}

    def sealed(owner: Owner, audit: Auditor) -> list[Opening]:
        return [] if audit.over and owner.seat in guilty else honest(owner, audit)

    monkeypatch.setattr(Owner, "sealed", sealed)
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
