"""Viewers that lose the connection, lack entries, reconnect, or send invalid messages."""

from pathlib import Path

import pytest

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import SeatKind
from citadels_lan.net.join.handshake import Applicant
from citadels_lan.net.wire.messages import Ack, HostShare, Presence, Resync
from tests.net.room import Room, refusals, rejects

# Lost connections and frames


def test_lost_entries_are_requested_again(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    for lost in room.players:
        room.play(3)
        hear, lost.hear = lost.hear, lambda: False  # type: ignore[method-assign]
        room.play(3)
        lost.hear = hear  # type: ignore[method-assign]
        lost.port.waiting.clear()
        room.wait(7)
        assert (lost.records.n, lost.records.head) == (room.game.n, room.game.head)


def test_connected_players_are_shown_to_a_player_who_comes_from_the_old_host(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    anna = room.players[0]
    anna.client.roster.attend(Presence((1,), ()))
    anna.join()
    room.carry()
    assert anna.client.roster.away == ()


def test_move_whose_connection_is_lost_is_sent_again(tmp_path: Path) -> None:
    """This holds whether the host had received the move or not."""
    room = Room(tmp_path, 2).begin()
    for number in range(40):
        mover = room.mover
        sent = mover.client.move(room.choice(mover))
        if number % 2:
            mover.speak()
        mover.client.out.clear()
        mover.cut()
        mover.join()
        room.carry()
        assert sent.taken
    assert len({guest.records.head for guest in room.players}) == 1


# What the host rejects


def test_invalid_messages_of_viewers_are_rejected(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna = room.players[0]
    for message in (Ack(room.game.n + 1), HostShare(bytes(32))):
        with pytest.raises(Malformed):
            anna.tell(message)
    anna.say(Resync(3, bytes(32)))
    assert refusals(anna) == ["fork"]


def test_player_with_another_history_is_rejected_and_stays_away(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(5)
    anna = room.players[0]
    anna.cut()
    who = Applicant(anna.identity.public, "Anna", "player", SeatKind.PLAYER, 3, bytes(32))
    with rejects("fork"):
        room.table.join(who, anna.port, room.now)
    assert room.table.lobby.places[0].away
