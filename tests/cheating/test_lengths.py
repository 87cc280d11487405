"""Hosts that say another thing of their log than stands in it: how long it is, or an old number once more."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Open, decode_entry, encode_delta, entry_hash, sign_entry
from citadels_lan.crypto.log import encode_entry as encode_public
from citadels_lan.engine import acting
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host.audience import Viewer
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import ENTRY, Welcome
from tests.facts import first_table
from tests.net.room import Guest

from .attacks import Verdict, attack
from .court import Court

NOWHERE = bytes([5]) * 32
"""A head that no entry has."""


@pytest.fixture
def court(tmp_path: Path) -> Court:
    court = Court(tmp_path, first_table(2))
    court.begin()
    return court.play(30)


def lie_to(court: Court, victim: Guest, further: int, patch: pytest.MonkeyPatch, *, signed: bool) -> None:
    """The victim comes back, and is told that the log has so many entries more than it has."""
    honest, core = HostTable._welcome_of, court.core

    def welcome_of(table: HostTable, viewer: Viewer) -> Welcome:
        welcome = honest(table, viewer)
        if viewer.key != victim.identity.public:
            return welcome
        n = welcome.n + further
        said = sign_entry(core.host, core.game, n, NOWHERE) if signed else welcome.said
        return replace(welcome, n=n, head=NOWHERE if signed else welcome.head, said=said)

    patch.setattr(HostTable, "_welcome_of", welcome_of)
    victim.cut()
    victim.join()
    court.carry()


def asked(court: Court) -> tuple[Guest, Guest]:
    """Whose move it is, and the other one."""
    (seat,) = acting(court.game.state)
    players = sorted(court.players, key=lambda guest: guest.client.seat != seat)
    return players[0], players[1]


@attack("says that its log is longer than it is")
def test_a_length_that_is_not_signed(verdict: Verdict, court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take the word from a seat for which a stand-in moves: that it was there."""
    _, victim = asked(court)
    n = court.game.n
    lie_to(court, victim, 1, monkeypatch, signed=False)
    assert court.left == {victim.name: "unsigned"}
    assert victim.client.trust.target <= n, "it counts for nothing"
    verdict(court)


@attack("signs a length, and writes something else there")
def test_a_length_that_comes_out_otherwise(
    verdict: Verdict, court: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    playing, victim = asked(court)
    n = court.game.n
    lie_to(court, victim, 1, monkeypatch, signed=True)
    assert victim.client.behind
    playing.act(court.choice(playing))
    assert court.game.n > n
    farewell = victim.client.trust.farewell
    assert farewell is not None
    assert (farewell.code, farewell.details["n"]) == ("two_histories", n + 1)
    assert any(isinstance(update, Alarm) for update in victim.client.updates)
    court.files()
    assert victim.records.path is not None
    verdict.of([victim.records.path])


def otherwise(court: Court, n: int, seat: int) -> bytes:
    """Another entry for a number that everybody has, signed like the first."""
    log, core = court.game.host_log, court.core
    delta = log.delta(n, seat)
    entry = decode_entry(delta.public)
    assert isinstance(entry, Open)
    public = encode_public(replace(entry, header=replace(entry.header, program="another")))
    head = entry_hash(log.head_at(n - 1), n, public, delta.leaves)
    return encode_delta(replace(delta, public=public, signature=sign_entry(core.host, core.game, n, head)))


def give(guest: Guest, body: bytes) -> None:
    guest.client.receive(Frame(ENTRY, body))


@attack("signs another entry for an old number")
def test_another_entry_for_an_old_number(verdict: Verdict, court: Court) -> None:
    """The player who receives it leaves. It is no proof without the file of a player who has the other entry."""
    guest = court.players[0]
    give(guest, otherwise(court, 1, 0))
    assert guest.client.trust.farewell is not None
    assert guest.client.trust.farewell.code == "two_histories"
    court.files()
    path = guest.records.path
    assert path is not None
    report = verdict.of([path])
    assert "told_otherwise" in {finding.code for finding in report.findings}


@attack("tells what it has not signed, in public or in private")
def test_another_entry_for_an_old_number_without_a_signature(verdict: Verdict, court: Court) -> None:
    """What everybody has may come once more; another thing that nobody has signed ends the connection."""
    guest, log = court.players[0], court.game.host_log
    give(guest, log.body(5, 0))
    assert guest.client.trust.farewell is None
    delta = log.delta(1, 0)
    entry = decode_entry(delta.public)
    assert isinstance(entry, Open)
    public = encode_public(replace(entry, header=replace(entry.header, program="another")))
    with pytest.raises(Refusal) as left:
        give(guest, encode_delta(replace(delta, public=public)))
    assert left.value.code == "unsigned"
    verdict(court)
