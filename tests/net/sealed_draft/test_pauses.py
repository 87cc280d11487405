"""While the table pauses nobody chooses anything in a sealed draft; what nobody chooses goes on."""

from pathlib import Path

import pytest

from citadels_lan.net.wire.messages import Pause
from tests.net.room import Guest, Room

from .rooms import away_at_a_call, sealed, sealed_room, verified


def refused(room: Room, guest: Guest) -> str:
    """With what code the host refuses a choice of somebody who has not heard of a pause that somebody else has
    begun."""
    other = next(one for one in room.players if one is not guest)
    choice, n = room.choice(guest), room.game.n
    other.client.ask(Pause(True))
    other.speak()
    sent = guest.act(choice)
    assert room.game.n == n
    assert not guest.client.may_move
    other.say(Pause(False))
    assert guest.client.may_move
    return sent.refusal.code if sent.refusal is not None else ""


@pytest.mark.slow
def test_a_pick_is_refused(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4)).play(1)
    (guest,) = [one for one in room.players if one.client.may_move]
    assert room.draft.due == ("pick", (guest.client.seat,))
    assert refused(room, guest) == "paused"
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_replies_to_a_call_go_on(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4)).play(4)
    away = away_at_a_call(room)
    room.players[0].say(Pause(True))
    n = room.game.n
    away.join()
    room.carry()
    assert room.game.n > n
    room.players[0].say(Pause(False))
    room.play()
    assert verified(room) == (0, [])
