"""Snapshots: views that a host sends to a viewer whose log is not complete. They are signed and compared, and
are proof if they are false."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import FileHead, sign_view
from citadels_lan.crypto.codec import pack, unpack
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Writer, read
from citadels_lan.engine import encode_state, view
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host import audience
from citadels_lan.net.host.audience import Viewer, tell
from citadels_lan.net.host.hosted_game import HostedGame
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Snapshot
from tests.cheating.evidence import proves_false_snapshot
from tests.extras.second import check_paths
from tests.net.links import frames_in
from tests.net.room import Guest, Room, rejects, updates

MALLORY = Identity(bytes([66]) * 32)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """Return a room in which a viewer that lacks five entries gets a snapshot."""
    monkeypatch.setattr(audience, "WINDOW", 5)
    return Room(tmp_path, 2).begin().play(20)


def late(room: Room) -> Guest:
    """Let a spectator join now. Return the spectator."""
    room.guests.append(Guest(room, "Wanda", player=False).join())
    return room.guests[-1]


def without_files(room: Room, seat: int) -> Guest:
    """Let a player reconnect who has the key files but no transcript. Return the player."""
    guest = room.players[seat]
    guest.stop()
    guest.path.unlink()
    guest.open()
    return guest.join()


def lie(room: Room) -> None:
    """Change the state at the host, so that its snapshots are false."""
    state = room.game.state = room.game.state.copy()
    state.players = [replace(state.players[0], gold=state.players[0].gold + 1), *state.players[1:]]


# True and false snapshots


def test_client_that_joined_with_a_snapshot_catches_up_by_entries(room: Room) -> None:
    watcher, shown = late(room), list[object]()
    for frame in frames_in(bytes(watcher.port.waiting)):
        watcher.client.receive(frame)
        if frame.type == Snapshot.type:
            shown.append(watcher.client.state)
    watcher.port.waiting.clear()
    watcher.client.settle()
    assert watcher.client.behind
    assert watcher.client.state is shown[0]
    for guest in (watcher, without_files(room, 0)):
        room.carry()
        assert not guest.client.behind
        assert guest.client.view.snapshot is None
        assert read(guest.path).snapshot is None
        assert (guest.records.n, guest.records.head) == (room.game.n, room.game.head)
    assert watcher.client.state == shown[0]
    room.play()
    assert watcher.records.finished


@pytest.mark.parametrize("seated", [False, True])
def test_false_snapshot_is_proof_in_the_transcript_of_its_viewer(room: Room, seated: bool) -> None:
    n = room.game.n
    lie(room)
    guest = without_files(room, 1) if seated else late(room)
    with pytest.raises(Refusal) as reason:
        room.carry()
    assert reason.value.details == {"n": n, "reason": "snapshot"}
    assert len(updates(guest, Alarm)) == 1
    report = verify([guest.path])
    (finding,) = (one for one in report.findings if one.kind == "proof")
    assert (finding.code, finding.contradiction, finding.details["n"]) == ("host_cheated", "snapshot", n)
    proves_false_snapshot(finding.evidence, guest.path)
    assert report.code == 1
    with pytest.raises(Refusal) as reason:
        guest.open()
    assert (reason.value.details["reason"], reason.value.transcript) == ("snapshot", guest.path)


def rewritten(guest: Guest, change: Any) -> Path:
    """Write the file of a guest with a changed snapshot, signed by the guest. Return its path."""
    before = read(guest.path)
    other = guest.path.with_name("other.ctr")
    other.unlink(missing_ok=True)
    writer = Writer.create(other, FileHead(*(getattr(before.head, name) for name in FileHead.__struct_fields__)))
    for body in before.bodies:
        writer.append(body)
    assert before.snapshot is not None
    assert before.alarm is not None
    writer.append_snapshot(pack(change(unpack(before.snapshot))))
    writer.append_alarm(before.alarm)
    writer.finish(guest.identity, guest.records.log.chain)
    return other


def test_snapshot_with_another_head_proves_a_fork_only_if_the_host_signed_it(room: Room) -> None:
    lie(room)
    guest, game = late(room), room.core.game
    with pytest.raises(Refusal):
        room.carry()
    for key, code in ((room.core.host, 1), (MALLORY, 4)):

        def fork(fields: list[Any], key: Identity = key) -> list[Any]:
            return [fields[0], bytes(32), [b"\x80"], sign_view(key, game, fields[0], bytes(32), None, b"\x80")]

        path = rewritten(guest, fork)
        assert verify([path]).code == check_paths([path]) == code


# Unsigned snapshots

CHANGED: dict[str, object] = {"signature": bytes(64), "n": 1, "head": bytes(32), "parts": (b"\x80",), "seat": 1}


@pytest.mark.parametrize("what", CHANGED)
def test_snapshot_that_the_host_has_not_signed_is_rejected(
    room: Room, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The view of another seat is rejected, too."""

    def tell_snapshot(viewer: Viewer, game: HostedGame) -> None:
        seat = 1 if what == "seat" else viewer.seat
        packed = pack(encode_state(view(game.state, seat)))
        honest = Snapshot(game.n, game.head, (packed,), game.host_log.sign_view(seat, packed))
        tell(viewer, honest if what == "seat" else replace(honest, **{what: CHANGED[what]}))

    monkeypatch.setattr(audience, "tell_snapshot", tell_snapshot)
    guest = without_files(room, 0)
    with rejects("unsigned"):
        room.carry()
    assert updates(guest, Alarm) == []
    assert guest.client.state is None
