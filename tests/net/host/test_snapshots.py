"""Views that a host shows before the log is there: signed, compared, and proof where they are false."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import sign_view
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.packing import Malformed, pack, unpack
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import FileHead, Writer, read
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host import audience
from citadels_lan.net.host.audience import PART, Viewer, tell
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import FROM_HOST, Message, Snapshot, decode, encode
from tests.extras.second import check_paths
from tests.net.room import Guest, Room


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A table at which five entries are enough for a snapshot."""
    monkeypatch.setattr(audience, "WINDOW", 5)
    monkeypatch.setattr("citadels_lan.net.host.audience.WINDOW", 5)
    return Room(tmp_path, 2).begin().play(20)


def late(room: Room) -> Guest:
    """A spectator who comes now."""
    room.guests.append(Guest(room, "Wanda", player=False).join())
    return room.guests[-1]


def back_without_files(room: Room, seat: int) -> Guest:
    """A player who comes back on a machine that has the keys and no transcript."""
    guest = room.players[seat]
    guest.cut()
    guest.records.close()
    assert guest.records.path is not None
    guest.records.path.unlink()
    guest.open()
    return guest.join()


def telling(monkeypatch: pytest.MonkeyPatch, **changed: object) -> None:
    """From now on the host tells other snapshots than it should, and does not sign them anew."""

    def tell_snapshot(viewer: Viewer, game: HostedGame) -> None:
        tell(viewer, replace(honest(game, viewer.seat), **changed))

    monkeypatch.setattr(audience, "tell_snapshot", tell_snapshot)


def honest(game: HostedGame, seat: int | None) -> Snapshot:
    from citadels_lan.engine import encode_state, view

    packed = pack(encode_state(view(game.state, seat)))
    return Snapshot(game.n, game.head, (packed,), game.host_log.sign_view(seat, packed))


def told(guest: Guest, kind: type) -> list[object]:
    return [update for update in guest.client.updates if isinstance(update, kind)]


def lie(room: Room) -> None:
    room.game.state = room.game.state.copy()
    room.game.state.players = list(room.game.state.players)
    room.game.state.players[0] = replace(room.game.state.players[0], gold=room.game.state.players[0].gold + 1)


def test_a_true_view_is_shown_and_then_forgotten(room: Room) -> None:
    for guest in (late(room), back_without_files(room, 0)):
        room.carry()
        assert not guest.client.behind
        assert guest.client.view.snapshot is None
        assert guest.records.path is not None
        assert read(guest.records.path).snapshot is None
    assert room.play().game.closed


@pytest.mark.parametrize("seated", [False, True])
def test_a_false_view_is_proof_in_the_file_of_who_was_shown_it(room: Room, seated: bool) -> None:
    n = room.game.n
    lie(room)
    guest = back_without_files(room, 1) if seated else late(room)
    with pytest.raises(Refusal) as turned:
        room.carry()
    assert turned.value.details == {"n": n, "reason": "snapshot"}
    assert len(told(guest, Alarm)) == 1
    path = guest.records.path
    assert path is not None
    report = verify([path])
    (finding,) = (one for one in report.findings if one.kind == "proof")
    assert (finding.code, finding.contradiction, finding.details["n"]) == ("host_cheated", "snapshot", n)
    assert len(finding.evidence) == 2
    assert report.code == 1
    with pytest.raises(Refusal) as turned:
        guest.open()
    assert (turned.value.details["reason"], turned.value.transcript) == ("snapshot", path)


def rewritten(path: Path, guest: Guest, change: Any) -> Path:
    """The same file with another snapshot in it, signed by its owner all the same."""
    before = read(path)
    other = path.with_name("other.ctr")
    writer = Writer.create(other, FileHead(*(getattr(before.head, name) for name in FileHead.__struct_fields__)))
    for body in before.bodies:
        writer.append(body)
    assert before.snapshot is not None
    writer.append_snapshot(pack(change(unpack(before.snapshot))))
    assert before.alarm is not None
    writer.append_alarm(before.alarm)
    writer.finish(guest.identity, guest.records.chain)
    return other


def test_nobody_makes_such_a_proof_without_the_host(room: Room) -> None:
    lie(room)
    guest = late(room)
    with pytest.raises(Refusal):
        room.carry()
    assert guest.records.path is not None
    mallory = Identity(bytes([66]) * 32)

    def own(fields: list[Any]) -> list[Any]:
        n, head, parts, _ = fields
        return [n, head, parts, sign_view(mallory, room.core.game, n, head, None, b"".join(parts))]

    def true(fields: list[Any]) -> list[Any]:
        """A view that the host has signed for somebody else: as a player's it is none of this file's."""
        n, head, parts, _ = fields
        return [n, head, parts, sign_view(room.core.host, room.core.game, n, head, 0, b"".join(parts))]

    for change in (own, true, lambda _: ["nothing"], lambda fields: [fields[0] + 1, *fields[1:]]):
        report = verify([rewritten(guest.records.path, guest, change)])
        assert [one.kind for one in report.findings] == ["incomplete"] * 2, change
        guest.records.path.with_name("other.ctr").unlink()


def test_snapshot_with_another_hash_is_proof_for_both_verifiers(room: Room, tmp_path: Path) -> None:
    lie(room)
    guest = late(room)
    with pytest.raises(Refusal):
        room.carry()
    assert guest.records.path is not None

    def forked(fields: list[Any], key: Identity = room.core.host, packed: bytes = b"\x80") -> list[Any]:
        n = fields[0]
        return [n, bytes(32), [packed], sign_view(key, room.core.game, n, bytes(32), None, packed)]

    path = rewritten(guest.records.path, guest, forked)
    assert verify([path]).code == check_paths([path]) == 1
    path.unlink()
    path = rewritten(guest.records.path, guest, lambda fields: forked(fields, Identity(bytes([66]) * 32)))
    assert verify([path]).code == check_paths([path]) == 4


@pytest.mark.parametrize("what", ["signature", "n", "head", "parts"])
def test_a_view_that_the_host_has_not_signed_was_not_said(
    room: Room, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = {"signature": bytes(64), "n": room.game.n + 1, "head": bytes(32), "parts": (b"\x80",)}
    telling(monkeypatch, **{what: other[what]})
    guest = late(room)
    with pytest.raises(Refusal) as turned:
        room.carry()
    assert turned.value.code == "unsigned"
    assert told(guest, Alarm) == []
    assert guest.client.state is None


def test_the_view_of_another_seat_was_not_said(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        audience, "tell_snapshot", lambda viewer, game: tell(viewer, honest(game, 1 - viewer.seat))
    )
    guest = back_without_files(room, 0)
    with pytest.raises(Refusal) as turned:
        room.carry()
    assert turned.value.code == "unsigned"
    assert told(guest, Alarm) == []


def test_a_part_of_a_view_is_as_long_as_a_viewer_takes_it() -> None:
    def taken(length: int) -> Message:
        (frame,) = Decoder(KNOWN).feed(encode(Snapshot(1, bytes(32), (bytes(length),), bytes(64))))
        return decode(frame, FROM_HOST)

    assert taken(PART)
    with pytest.raises(Malformed):
        taken(PART + 1)
