"""Guests that fall silent, miss entries, come back, or lie."""

from pathlib import Path

import pytest

from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.client.client import Client
from citadels_lan.net.client.updates import Alarm, Away
from citadels_lan.net.host import audience
from citadels_lan.net.host.audience import WINDOW
from citadels_lan.net.join.handshake import Applicant
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import (
    ENTRY,
    Ack,
    HostShare,
    Noise,
    Ping,
    Resync,
    Snapshot,
    encode,
)
from tests.effort import quick
from tests.net.room import Guest, Room

from .looking import refusals, updates


def test_silence_is_seen_and_then_dropped(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    room.wait(12, deaf=(bea,))
    assert updates(anna, Away) == [Away(1, True)]
    assert bea.port.code == ""
    room.wait(22, deaf=(bea,))
    assert bea.port.code == "dropped"
    bea.join()
    room.carry()
    assert updates(anna, Away) == [Away(1, False)]
    assert room.play().game.closed


def test_one_who_answers_but_never_acknowledges_is_dropped_too(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    watcher = room.watch("Wanda")
    watcher.client.settle = lambda: None  # type: ignore[method-assign]
    room.play(5)
    room.wait(40)
    assert watcher.port.code == "dropped"


@pytest.mark.slow
def test_a_deaf_spectator_costs_little_and_delays_nobody(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    watcher = room.watch("Wanda")
    watcher.hear = lambda: False  # type: ignore[method-assign]
    room.play()
    assert room.game.closed
    assert watcher.viewer is not None
    assert watcher.viewer.sent - watcher.viewer.acked <= WINDOW


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> int:
    """A window of so few entries that a table of two soon has more."""
    few = 20
    monkeypatch.setattr(audience, "WINDOW", few)
    return few


def test_history_comes_in_order_behind_a_snapshot(tmp_path: Path, window: int) -> None:
    room = Room(tmp_path, 2).begin()
    while room.game.n <= window + 20:
        assert room.move() is not None
    watcher = Guest(room, "Wanda", player=False).join()
    room.guests.append(watcher)
    shown = []
    for frame in watcher.decoder.feed(bytes(watcher.port.waiting)):
        watcher.client.receive(frame)
        if frame.type == Snapshot.type:
            shown.append(watcher.client.state)
    watcher.port.waiting.clear()
    watcher.client.settle()
    assert watcher.client.behind
    assert watcher.client.state is shown[0]
    room.carry()
    assert not watcher.client.behind
    assert watcher.client.state == shown[0]
    assert (watcher.records.n, watcher.records.head) == (room.game.n, room.game.head)
    room.play()
    assert watcher.records.finished


def test_a_snapshot_that_lies_is_found_out(tmp_path: Path, window: int) -> None:
    room = Room(tmp_path, 2).begin()
    while room.game.n <= window + 20:
        assert room.move() is not None
    room.game.state.players[0].gold += 1
    watcher = Guest(room, "Wanda", player=False).join()
    room.guests.append(watcher)
    with pytest.raises(Refusal) as turned:
        room.carry()
    assert turned.value.details["reason"] == "snapshot"


def test_what_was_lost_is_asked_for_again(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    for lost in (anna, bea):
        carry, lost.hear = lost.hear, lambda: False  # type: ignore[method-assign]
        room.play(3)
        lost.hear = carry  # type: ignore[method-assign]
        assert lost.port.waiting
        lost.port.waiting.clear()
        room.wait(7)
        assert (lost.records.n, lost.records.head) == (room.game.n, room.game.head)
    assert room.play().game.closed


def test_what_cannot_be_acknowledged(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna = room.players[0]
    assert anna.viewer is not None
    with pytest.raises(Malformed):
        room.table.receive(anna.viewer, Ack(room.game.n + 1), room.now)


def test_what_only_a_host_says_is_no_message_of_a_guest(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    (anna,) = room.seat("Anna")
    assert anna.viewer is not None
    with pytest.raises(Malformed):
        room.table.receive(anna.viewer, HostShare(bytes(32)), room.now)


def test_resync_from_another_history_is_refused(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna = room.players[0]
    anna.say(Resync(3, bytes(32)))
    assert refusals(anna) == ["fork"]


def test_a_transcript_of_another_history_does_not_join(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(10)
    anna = room.players[0]
    anna.cut()
    room.restart(room.game.n - 5)
    with pytest.raises(Refusal) as turned:
        anna.join()
    assert turned.value.code == "fork"


def test_a_second_connection_of_one_player_replaces_the_first(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(4)
    anna = room.players[0]
    before = anna.port
    anna.join()
    assert before.code == "replaced"
    assert room.play().game.closed


@pytest.mark.slow
@pytest.mark.parametrize("times", quick([20, 60], 20))
def test_a_client_that_lies_dead_opens_its_commitments_later(tmp_path: Path, times: int) -> None:
    room = Room(tmp_path, 2).begin()
    for count in range(times):
        for guest in room.players:
            if count % 3 == guest.client.seat:
                guest.cut()
                guest.records.close()
                guest.open()
                guest.join()
        room.carry()
        room.move()
    room.play()
    assert room.game.closed
    assert {guest.records.head for guest in room.guests} == {room.game.head}


def test_a_move_on_its_way_when_the_connection_breaks(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    arrives = False
    for _ in range(40):
        guest = next((one for one in room.players if one.client.may_move), None)
        if guest is None:
            break
        sent = guest.client.move(room.choice(guest))
        arrives = not arrives
        if arrives:
            guest.speak()
        guest.client.out.clear()
        guest.cut()
        guest.join()
        room.carry()
        assert sent.taken
    assert len({guest.records.head for guest in room.players}) == 1


def test_an_entry_that_was_changed_was_not_said_by_the_host(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(4)
    bea = room.players[1]
    bea.hear = lambda: False  # type: ignore[method-assign]
    room.move()
    (frame, *_) = bea.decoder.feed(bytes(bea.port.waiting))
    at = frame.body.index(room.journal[bea.records.n].public) + 6
    body = frame.body[:at] + bytes([frame.body[at] ^ 1]) + frame.body[at + 1 :]
    head = bea.records.head
    with pytest.raises(Refusal) as turned:
        bea.client.receive(Frame(frame.type, body))
    assert turned.value.code == "unsigned"
    assert updates(bea, Alarm) == []
    assert bea.records.head == head
    assert bea.records.path is not None
    assert body not in bea.records.path.read_bytes()


def test_an_entry_of_another_history_was_not_said_in_this_one(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    rooms = [Room(tmp_path / name, 2).begin() for name in ("one", "two")]
    rooms[1].dice.seed(3)
    for moves, room in zip((3, 6), rooms, strict=True):
        room.play(moves)
    anna = rooms[0].players[0]
    with pytest.raises(Refusal) as turned:
        anna.client.receive(Frame(ENTRY, rooms[1].game.host_log.body(anna.records.n + 1, 0)))
    assert turned.value.code == "unsigned"
    assert updates(anna, Alarm) == []


def test_who_is_turned_away_is_not_shown_as_back(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(5)
    anna = room.players[0]
    anna.cut()
    who = Applicant(anna.identity.public, "Anna", "player", SeatKind.PLAYER, 3, bytes(32))
    with pytest.raises(Refusal) as turned:
        room.table.join(who, anna.port, room.now)
    assert turned.value.code == "fork"
    assert room.table.lobby.places[0].away


def test_a_client_starts_from_its_transcript(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(12)
    anna = room.players[0]
    state, head = anna.client.state, anna.records.head
    anna.cut()
    anna.records.close()
    anna.open()
    assert isinstance(anna.client, Client)
    assert anna.records.head == head
    assert anna.client.state == state


@pytest.mark.slow
def test_noise_right_after_a_resync_is_answered_with_what_the_host_knows(tmp_path: Path) -> None:
    """The host takes a resync for an acknowledgement; one of less than that would end the connection."""
    room = Room(tmp_path, 2).begin()
    anna = room.players[0]
    settle, anna.client.settle = anna.client.settle, lambda: None  # type: ignore[method-assign]
    room.move()
    assert anna.records.n > anna.client._acked
    for message in (Ping(1, room.game.n + 1), Noise()):
        (frame,) = anna.decoder.feed(encode(message))
        anna.client.receive(frame)
    anna.client.settle = settle  # type: ignore[method-assign]
    anna.speak()
    assert anna.viewer is not None
    assert anna.viewer.acked == room.game.n
    assert room.play().game.closed
