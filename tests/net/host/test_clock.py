"""The soft time for a decision is counted and told, and decides nothing; a seat can be handed over to a bot."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import acting
from citadels_lan.net.client.updates import ClockSet
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import Pause, SubstituteFor
from citadels_lan.net.wire.timing import Countdown
from tests.net.host.table.looking import refusals
from tests.net.room import TIMING, Guest, Room

from .test_substitutes import Watched, own_moves, until


def timed(folder: Path, seconds: int = 60) -> Room:
    room = Room(folder, 2, replace(TIMING, clock=seconds))
    room.table.playing.takeover = Takeover(lambda _: Watched())
    return room.begin()


def set_for(guest: Guest) -> list[tuple[int, int]]:
    return [(one.seconds, one.gone) for one in guest.client.updates if isinstance(one, ClockSet)]


def test_a_count_begins_anew_with_each_decision_and_stands_still_in_a_pause() -> None:
    count = Countdown(60, since=0.0, moment=1)
    assert count.gone(10.0) == 10
    count.at(1, 20.0)
    assert count.gone(20.0) == 20
    count.pause(True, 20.0)
    assert count.gone(500.0) == 20
    count.pause(False, 500.0)
    assert count.gone(505.0) == 25
    count.at(2, 510.0)
    assert count.gone(511.0) == 1


def test_whoever_comes_back_is_told_what_is_gone(tmp_path: Path) -> None:
    room = timed(tmp_path)
    assert [set_for(guest) for guest in room.players] == [[(60, 0)], [(60, 0)]]
    room.play(3)
    (mover,) = [guest for guest in room.players if guest.client.may_move]
    before = room.game.n
    room.wait(20)
    other = next(guest for guest in room.players if guest is not mover)
    other.cut()
    other.join()
    room.carry()
    assert set_for(other)[-1] == (60, 20)
    room.wait(200)
    assert room.game.n == before, "the time decides nothing"
    mover.say(Pause(True))
    other.cut()
    room.wait(300)
    other.join()
    room.carry()
    assert set_for(other)[-1] == (60, 220)


def test_who_comes_back_late_is_told_once_the_log_is_there(tmp_path: Path) -> None:
    room = timed(tmp_path)
    room.play(3)
    late = next(guest for guest in room.players if not guest.client.may_move)
    late.cut()
    room.move()
    late.open()
    late.join()
    room.carry()
    kinds = [type(one).__name__ for one in late.client.updates]
    assert kinds.index("Clock") > kinds.index("Happened")


@pytest.mark.slow
def test_a_seat_is_handed_over_at_once_and_taken_back(tmp_path: Path) -> None:
    room = timed(tmp_path)
    room.play(3)
    leaver = next(guest for guest in room.players if guest.client.may_move)
    seat = leaver.client.seat
    assert seat is not None
    leaver.say(SubstituteFor(seat, ""))
    assert leaver.port.code == "left"
    leaver.viewer = None
    until(room, lambda: room.game.substituted(seat))
    before = len(own_moves(room, seat))
    until(room, lambda: len(own_moves(room, seat)) > before + 2)
    leaver.open()
    leaver.join()
    room.carry()
    (absence,) = room.game.host_log.audit.absences.all
    assert absence.until is not None
    leaver.cut()
    room.wait(500)
    assert not room.game.substituted(seat), "the wish was for that time only"
    leaver.join()
    room.play()
    assert room.game.closed
    assert verify([leaver.records.path]).code == 0  # type: ignore[list-item]


def test_where_no_bot_moves_the_seat_is_kept(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    room.play(3)
    (seat,) = acting(room.game.state)
    mover = next(guest for guest in room.players if guest.client.seat == seat)
    mover.say(SubstituteFor(seat, ""))
    assert refusals(mover) == ["no_bots"]
    assert mover.act(room.choice(mover)).taken
