"""Hosts that cheat with the frames that they send or do not send."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Delta, Open, decode_entry, encode_delta, entry_hash, sign_entry
from citadels_lan.crypto.log import encode_entry as encode_public
from citadels_lan.engine import acting
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host import audience
from citadels_lan.net.host.audience import Viewer
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import ENTRY, Frame, Welcome
from tests.facts import first_table
from tests.net.room import Guest, Room

from .attacks import assert_verdict, slow
from .court import Cheat, Court, crooked, hold


class Unsigned(Cheat):
    """Gives the second seat an entry with a signature of nothing."""

    def delta(self, n: int, viewer: int | None) -> Delta:
        honest = super().delta(n, viewer)
        return replace(honest, signature=bytes(64)) if (n, viewer) == (20, 1) else honest


class UnsignedForAll(Cheat):
    """Sends all seats an entry with the signature of another one."""

    def signature(self, n: int) -> bytes:
        return super().signature(n - 1 if n == 20 else n)


class OtherPart(Cheat):
    """Tells the second seat in private what does not fit the leaf in the log."""

    def delta(self, n: int, viewer: int | None) -> Delta:
        honest = super().delta(n, viewer)
        if honest.private is None or viewer != 1:
            return honest
        return replace(honest, private=honest.private[:-1] + b"!")


class NoPart(Cheat):
    """Does not send the second seat its private part."""

    def delta(self, n: int, viewer: int | None) -> Delta:
        honest = super().delta(n, viewer)
        return replace(honest, private=None, salt=None) if viewer == 1 else honest


@pytest.mark.parametrize(
    ("kind", "who"), [(UnsignedForAll, {0, 1}), (OtherPart, {1}), slow(NoPart, {1}), slow(Unsigned, {1})]
)
def test_unsigned_entry_closes_the_connection(
    kind: type[Cheat], who: set[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client leaves, stores nothing of it, and accuses no one, because anyone could have made it."""
    court = hold(tmp_path, monkeypatch, crooked(kind), did=lambda court: bool(court.left))
    assert court.alarms == {}
    assert court.left == {court.guests[seat].name: "unsigned" for seat in who}
    assert_verdict(court, 4)


def test_false_snapshot_accuses_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A spectator returns after a long time, and the host first shows it a table with more gold than there is."""
    monkeypatch.setattr("citadels_lan.net.host.audience.WINDOW", 10)
    court = Court(tmp_path, first_table(2))
    court.begin()
    watcher = court.watch("Wanda")
    watcher.cut()
    court.play(40)
    real = audience.tell_snapshot

    def false(viewer: Any, game: Any) -> None:
        state, game.state = game.state, game.state.copy()
        game.state.players[0].gold += 1
        real(viewer, game)
        game.state = state

    monkeypatch.setattr("citadels_lan.net.host.audience.tell_snapshot", false)
    watcher.join()
    with pytest.raises(Refusal) as turned:
        Room.carry(court)
    assert turned.value.details["reason"] == "snapshot"
    assert watcher.records.path is not None
    assert_verdict([watcher.records.path], 1, "snapshot")


# Lengths, and old numbers


NOWHERE = bytes([5]) * 32
"""A head that no entry has."""


@pytest.fixture
def court(tmp_path: Path) -> Court:
    court = Court(tmp_path, first_table(2))
    court.begin()
    return court.play(30)


def lie_to(court: Court, victim: Guest, further: int, patch: pytest.MonkeyPatch, *, signed: bool) -> None:
    """The victim returns, and the host states that its log has more entries than it has."""
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
    """The guest that must move, and the other one."""
    (seat,) = acting(court.game.state)
    players = sorted(court.players, key=lambda guest: guest.client.seat != seat)
    return players[0], players[1]


def test_unsigned_length_closes_the_connection(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a player whose seat a substitute bot plays could not say that it was present."""
    _, victim = asked(court)
    n = court.game.n
    lie_to(court, victim, 1, monkeypatch, signed=False)
    assert court.left == {victim.name: "unsigned"}
    assert victim.client.trust.target <= n, "it counts for nothing"
    assert_verdict(court, 4)


def test_signed_length_with_another_entry_raises_an_alarm(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert_verdict([victim.records.path], 4)


def otherwise(court: Court, n: int, seat: int) -> bytes:
    """Another signed entry for a number that all clients have."""
    log, core = court.game.host_log, court.core
    delta = log.delta(n, seat)
    entry = decode_entry(delta.public)
    assert isinstance(entry, Open)
    public = encode_public(replace(entry, header=replace(entry.header, program="another")))
    head = entry_hash(log.head_at(n - 1), n, public, delta.leaves)
    return encode_delta(replace(delta, public=public, signature=sign_entry(core.host, core.game, n, head)))


def give(guest: Guest, body: bytes) -> None:
    guest.client.receive(Frame(ENTRY, body))


def test_second_entry_for_an_old_number_raises_an_alarm(court: Court) -> None:
    """The player who receives it leaves. It is no proof without the file of a player who has the other entry."""
    guest = court.players[0]
    with pytest.raises(Refusal) as left:
        give(guest, otherwise(court, 1, 0))
    assert guest.client.trust.farewell is left.value
    assert left.value.code == "two_histories"
    court.files()
    path = guest.records.path
    assert path is not None
    report = assert_verdict([path], 4)
    assert "told_otherwise" in {finding.code for finding in report.findings}


def test_unsigned_entry_for_an_old_number_closes_the_connection(court: Court) -> None:
    """A known entry may arrive again. Another one without a signature ends the connection."""
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
    assert_verdict(court, 4)
