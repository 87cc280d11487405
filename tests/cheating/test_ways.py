"""Hosts that cheat on the way: with what they send, or do not send, of what stands in the log."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import AnyEntry, CoSigned, Delta, Told, encode_private
from citadels_lan.crypto.packing import pack
from citadels_lan.net.host import audience
from citadels_lan.net.wire.errors import Refusal
from tests.facts import first_table
from tests.net.room import Room

from .attacks import Verdict, attack, slow
from .court import Cheat, Court, Private, assert_alarmed, crooked, hold


class Unsigned(Cheat):
    """Gives the second seat an entry with a signature of nothing."""

    def delta(self, n: int, viewer: int | None) -> Delta:
        honest = super().delta(n, viewer)
        return replace(honest, signature=bytes(64)) if (n, viewer) == (20, 1) else honest


class UnsignedForAll(Cheat):
    """Gives everybody an entry with the signature of another one."""

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
    """Keeps from the second seat what the log says that it was told."""

    def delta(self, n: int, viewer: int | None) -> Delta:
        honest = super().delta(n, viewer)
        return replace(honest, private=None, salt=None) if viewer == 1 else honest


@attack("tells what it has not signed, in public or in private")
@pytest.mark.parametrize(
    ("kind", "who"), [(UnsignedForAll, {0, 1}), (OtherPart, {1}), slow(NoPart, {1}), slow(Unsigned, {1})]
)
def test_what_the_host_has_not_signed(
    kind: type[Cheat], who: set[int], verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever was told it leaves, keeps nothing of it, and accuses nobody: anybody could have said it."""
    court = hold(tmp_path, monkeypatch, crooked(kind), did=lambda court: bool(court.left))
    assert court.alarms == {}
    assert court.left == {court.guests[seat].name: "unsigned" for seat in who}
    verdict(court)


class Whispering(Cheat):
    """Tells the first seat in private where nothing is told in private."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, CoSigned) and not self.done:
            return entry, ((0, encode_private([Told(0, [15])])),)
        return entry, private


@attack("tells somebody in private where nothing is told in private")
def test_private_part_of_co_signatures_is_detected(
    verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "longest", lambda delta, private: len(pack(delta)))
    court = hold(tmp_path, monkeypatch, crooked(Whispering))
    assert_alarmed(court, "leaves")
    verdict(court, "leaves")


@attack("leaves out or exchanges entries on the way")
@pytest.mark.parametrize("how", ["dropped", "exchanged", slow("twice")])
def test_entries_out_of_order(how: str, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client asks again, and takes nothing in the place of what is missing."""
    honest = HostLog.body

    def body(self: HostLog, n: int, viewer: int | None) -> bytes:
        if viewer != 1 or n not in (20, 21):
            return honest(self, n, viewer)
        other = {"dropped": n + 1, "exchanged": 41 - n, "twice": 19}[how]
        return honest(self, other if other <= self.chain.n else 19, viewer)

    monkeypatch.setattr(HostLog, "body", body)
    court = Court(tmp_path, first_table(2))
    court.begin()
    court.play(100)
    one, other = court.guests
    assert court.alarms == {}
    if how == "exchanged" and other.records.n > 21:  # both came at once: asking again has brought them in order
        assert other.records.head == court.game.host_log.head_at(other.records.n)
        return
    assert other.records.n in (19, 20)
    assert one.records.n < 40
    verdict(court)


@attack("shows a false snapshot")
def test_a_false_snapshot(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody comes back after a long time and is first shown a table where it has more gold than it has."""
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
    verdict.of([watcher.records.path], "snapshot")
