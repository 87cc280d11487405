"""What people ask a table for is answered once: granted behind all that came of it, or refused."""

from pathlib import Path

import pytest

from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.limits import Bucket
from citadels_lan.net.wire.frames import KNOWN, Decoder
from citadels_lan.net.wire.messages import (
    ENTRY,
    FROM_HOST,
    Configure,
    Granted,
    LobbyNews,
    Message,
    Pause,
    Paused,
    Ready,
    Refused,
    Remove,
    Start,
    SubstituteFor,
    decode,
)
from tests.net.host.test_substitutes import Watched
from tests.net.room import Guest, Room


def told(room: Room, guest: Guest, message: Message) -> list[int]:
    """The types of what a guest is sent when it says something, but for the entries behind the first."""
    assert guest.viewer is not None
    guest.port.all.clear()
    room.table.receive(guest.viewer, message, room.now)
    frames = list(Decoder(KNOWN).feed(bytes(guest.port.all)))
    answers = [decode(frame, FROM_HOST) for frame in frames if frame.type in (Granted.type, Refused.type)]
    assert [answer.about for answer in answers if isinstance(answer, Granted | Refused)] == [message.type]
    return [frame.type for frame in frames]


def test_in_the_lobby(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, bea = room.seat("Anna", "Bea")
    for message in (Configure(room.settings), Ready(True)):
        types = told(room, anna, message)
        assert types.index(LobbyNews.type) < types.index(Granted.type) == len(types) - 1
    assert told(room, anna, Start())[-1] == Refused.type
    assert bea.viewer is not None
    bea.viewer.asking = Bucket(1, 1)
    assert told(room, bea, Ready(True))[-1] == Granted.type
    assert told(room, bea, Ready(False))[-1] == Refused.type
    assert told(room, anna, Start())[-2:] == [ENTRY, Granted.type]


@pytest.mark.parametrize("paused", [True, False])
def test_a_pause_is_granted_also_where_there_is_none_to_end(tmp_path: Path, paused: bool) -> None:
    room = Room(tmp_path, 2).begin()
    assert told(room, room.players[1], Pause(paused)) == [Paused.type, Granted.type]


def test_substitute_is_granted_after_its_entries_and_goodbye_answers_who_goes(tmp_path: Path) -> None:
    room = Room(tmp_path, 3)
    room.table.playing.takeover = Takeover(lambda level: Watched(), None)
    anna, bea, carla = room.begin().players
    room.table.lobby.own.add(anna.identity.public)
    carla.cut()
    room.wait(1)
    assert told(room, anna, Remove(carla.identity.public))[-1] == Refused.type
    assert told(room, anna, SubstituteFor(2, "")) == [ENTRY, ENTRY, Granted.type]  # away, bot
    assert bea.viewer is not None
    room.table.receive(bea.viewer, SubstituteFor(1, ""), room.now)
    room.carry()
    assert bea.port.code == "left"
    assert bea.client.answers == []
