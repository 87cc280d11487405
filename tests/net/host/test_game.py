"""A game at a table from the seed to the end: moves, requests, and who is sent what."""

from pathlib import Path

import pytest

from citadels_lan.crypto.log import Agreement, CoSignature
from citadels_lan.engine import acting, decisions, parse
from citadels_lan.net.client.updates import Ended, Happened, PlayAgain
from citadels_lan.net.wire.messages import (
    FROM_HOST,
    Again,
    Bye,
    CheckWord,
    Cosign,
    Message,
    Noise,
    Play,
    Refused,
    SeedCommit,
    SeedPart,
    decode,
)
from tests.effort import quick
from tests.net.links import frames_in
from tests.net.room import Guest, Room, holding_back, refusals, rejects, updates

# Moves


@pytest.mark.parametrize("players", quick([4, 2], 4))
def test_host_and_clients_agree_on_the_whole_game_and_on_who_has_to_move(tmp_path: Path, players: int) -> None:
    room = Room(tmp_path, players).begin()
    watcher = room.watch("Wanda")
    moving = True
    while moving:
        seats = acting(room.game.state)
        assert seats == tuple(decisions(room.game.state))
        for guest in room.guests:
            assert acting(guest.state) == seats
            assert guest.client.may_move == (guest.client.seat in seats)
        assert bool(seats) != bool(room.game.awaited) or room.game.closed
        moving = room.move() is not None
    assert room.game.closed
    assert room.table.over
    assert room.game.awaited == ()
    assert {(guest.records.n, guest.records.head) for guest in room.guests} == {(room.game.n, room.game.head)}
    for guest in room.guests:
        assert len(updates(guest, Ended)) == 1
        assert guest.records.finished
    assert watcher.state.winners


def test_only_the_mover_sees_the_notation_line_of_a_pick(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    mover, other = room.mover, room.other
    updates(mover, Happened), updates(other, Happened)
    action = room.choice(mover)
    assert mover.act(action).taken
    (own,), (theirs,) = updates(mover, Happened), updates(other, Happened)
    assert isinstance(own, Happened)
    assert isinstance(theirs, Happened)
    assert (own.seat, own.line) == (mover.seat, str(action))
    assert (theirs.seat, theirs.line) == (mover.seat, None)


def test_illegal_moves_are_rejected(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    mover, other, n = room.mover, room.other, room.game.n
    with rejects("not_your_turn"):
        other.client.move(parse("gather gold", 0))
    illegal = mover.act(parse("gather gold", mover.seat))
    assert illegal.refusal is not None
    assert illegal.refusal.code == "answer_first"
    assert mover.client.may_move
    assert (room.game.n, len(room.journal)) == (n, n)


def test_repeated_move_is_played_once_and_is_rejected_from_another_seat(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    mover, other, n = room.mover, room.other, room.game.n
    sent = mover.client.move(room.choice(mover))
    out, mover.client.out = mover.client.out, []
    assert rejection(other, sent.play) == "not_your_turn"
    assert room.game.n == n
    mover.client.out = 3 * out
    room.carry()
    assert sent.taken
    assert refusals(mover) == []
    assert sum(one.public == room.journal[n].public for one in room.journal) == 1


def rejection(guest: Guest, message: Message) -> str:
    """Send a message for a guest. Return the code with which the host rejects it."""
    guest.port.all.clear()
    guest.tell(message)
    frames = [frame for frame in frames_in(bytes(guest.port.all)) if frame.type == Refused.type]
    (refused,) = [decode(frame, FROM_HOST) for frame in frames]
    assert isinstance(refused, Refused)
    return refused.code


OF_A_SEAT: tuple[Message, ...] = (
    SeedCommit(Agreement(bytes(32), (), bytes(64))),
    SeedPart(bytes(32)),
    Cosign(3, CoSignature(0, bytes(32), 0, bytes(64)), ()),
    CheckWord(4, bytes(16)),
    Play(4, "gather gold", bytes(64), ()),
)
"""Messages in a game that only a seat may send, not a spectator."""


def test_player_messages_from_spectators_are_rejected(tmp_path: Path) -> None:
    """This also holds if the table waits for such a message."""
    room = Room(tmp_path, 2)
    room.seat("Anna", "Bea")
    watcher = room.watch("Wanda")
    for guest in room.players:
        holding_back(guest, SeedCommit)
    room.start()
    n = room.game.n
    for message in OF_A_SEAT:
        assert rejection(watcher, message) == "spectator", message
    assert (room.game.n, room.game.awaited) == (n, (0, 1))
    with rejects("playing"):
        Guest(room, "Late").join()


def test_noise_of_a_seat_is_sent_to_all_viewers_while_the_game_lasts(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna, _ = room.seat("Anna", "Bea")
    wanda = room.watch("Wanda")

    def noise(guest: Guest) -> list[int]:
        for one in room.guests:
            one.port.all.clear()
        guest.tell(Noise())
        return [one.received.count(Noise.type) for one in room.guests]

    assert noise(anna) == [0, 0, 0]
    room.start()
    assert noise(anna) == [1, 1, 1]
    assert noise(wanda) == [0, 0, 0]
    room.play()
    room.now += 60
    assert noise(anna) == [0, 0, 0]


# Absent and awaited players


def test_player_who_says_goodbye_is_away_at_once(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    anna, bea = room.players[:2]
    bea.tell(Bye("left"))
    room.carry()
    assert bea.viewer not in room.table.audience.viewers
    assert anna.client.roster.away == (1,)
    assert bea.port.code == "left"


def test_all_viewers_are_sent_to_the_rematch_also_those_who_come_later(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    bea.cut()
    room.table.play_again(Again(4711, bytes(16), bytes(32)))
    room.carry()
    bea.join()
    room.carry()
    assert anna.client.notices.again == bea.client.notices.again == PlayAgain(4711, bytes(16), bytes(32))


def test_repr_contains_no_secret(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(6)
    shown = f"{room.core!r} {room.core.host!r} {room.table!r} {room.players[0].records!r}"
    for secret in (room.core.secret, room.players[0].records.key):
        assert secret.hex() not in shown
        assert repr(secret) not in shown
