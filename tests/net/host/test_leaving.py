"""Who goes is gone at once, and who is here is not moved for."""

from pathlib import Path

from citadels_lan.crypto.log import Present, decode_entry
from citadels_lan.net.client.updates import PlayAgain
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.wire.messages import Again, Bye, Here, StandInFor
from tests.net.host.table.looking import refusals
from tests.net.room import Room

from .test_presence import holding_back
from .test_stand_ins import Watched


def test_who_says_goodbye_in_a_game_is_gone_before_the_connection_is(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    anna, bea = room.players[:2]
    assert bea.viewer is not None
    room.table.receive(bea.viewer, Bye("left"), room.now)
    room.carry()
    assert bea.viewer not in room.table.viewers
    assert anna.client.company.away == (1,)
    assert bea.port.code == "left"


def test_no_bot_moves_for_somebody_who_is_here(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    room.table.playing.takeover = Takeover(lambda level: Watched(), None)
    anna, bea = room.begin().players
    room.table.lobby.own.add(anna.identity.public)
    anna.say(StandInFor(1, "sensible"))
    assert refusals(anna) == ["not_gone"]
    assert room.game.stint(1) is None
    assert bea.viewer is not None


def test_everybody_is_told_where_it_goes_on_also_who_comes_later(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    bea.cut()
    room.table.play_again(Again(4711, bytes(16), bytes(32)))
    room.carry()
    bea.join()
    room.carry()
    assert anna.client.beside.again == bea.client.beside.again == PlayAgain(4711, bytes(16), bytes(32))


def test_with_the_entry_that_leaves_somebody_out_it_is_told_who_is_waited_for(tmp_path: Path) -> None:
    """And not some time later."""
    room = Room(tmp_path, 3).begin()
    anna, bea = room.players[:2]
    holding_back(bea, Here)
    while not room.game.between:
        room.move()
    bea.cut()
    before = room.game.n
    for _ in range(100):
        room.carry()
        room.now += 1
        room.table.tick(room.now)
        if room.game.n > before:
            break
    assert isinstance(decode_entry(room.journal[-1].public), Present)
    anna.hear()
    assert anna.client.company.awaited == room.game.awaited == (0, 2)


def test_the_next_tick_says_who_is_waited_for_and_the_last_word_that_nobody_is(tmp_path: Path) -> None:
    """Most give at once what is asked of them: nobody is told of each."""
    room = Room(tmp_path, 3).begin()
    anna, bea = room.players[:2]
    sending, owing = bea.client.ask, bea.client._owe
    holding_back(bea, Here)
    while not room.game.between:
        room.move()
    room.carry()
    anna.hear()
    assert list(room.game.awaited) == [1]
    assert list(anna.client.company.awaited) == []
    room.table.tick(room.now)
    anna.hear()
    assert list(anna.client.company.awaited) == [1]
    bea.client.ask, bea.client._owe = sending, owing  # type: ignore[method-assign]
    bea.client._owe()
    bea.speak()
    room.carry()
    anna.hear()
    assert not room.game.awaited
    assert not anna.client.company.awaited
