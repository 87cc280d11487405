"""Who goes is gone at once, and who is here is not moved for."""

from pathlib import Path

from citadels_lan.net.client.updates import PlayAgain
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import Again, Bye, Cosign, SubstituteFor
from tests.net.host.table.looking import refusals
from tests.net.room import Room

from .test_cosigning import holding_back
from .test_substitutes import Watched


def test_who_says_goodbye_in_a_game_is_gone_before_the_connection_is(tmp_path: Path) -> None:
    room = Room(tmp_path, 3).begin()
    anna, bea = room.players[:2]
    assert bea.viewer is not None
    room.table.receive(bea.viewer, Bye("left"), room.now)
    room.carry()
    assert bea.viewer not in room.table.viewers
    assert anna.client.roster.away == (1,)
    assert bea.port.code == "left"


def test_no_bot_moves_for_somebody_who_is_here(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    room.table.playing.takeover = Takeover(lambda level: Watched(), None)
    anna, bea = room.begin().players
    room.table.lobby.own.add(anna.identity.public)
    anna.say(SubstituteFor(1, "sensible"))
    assert refusals(anna) == ["not_gone"]
    assert not room.game.substituted(1)
    assert bea.viewer is not None


def test_everybody_is_told_where_it_goes_on_also_who_comes_later(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    anna, bea = room.players
    bea.cut()
    room.table.play_again(Again(4711, bytes(16), bytes(32)))
    room.carry()
    bea.join()
    room.carry()
    assert anna.client.notices.again == bea.client.notices.again == PlayAgain(4711, bytes(16), bytes(32))


def test_the_next_tick_says_who_is_waited_for_and_the_last_word_that_nobody_is(tmp_path: Path) -> None:
    """Most give at once what is asked of them: nobody is told of each."""
    room = Room(tmp_path, 3).begin()
    anna, bea = room.players[:2]
    again = holding_back(bea, Cosign)
    while not room.game.cosigning:
        room.move()
    room.carry()
    anna.hear()
    assert list(room.game.awaited) == [1]
    assert list(anna.client.roster.awaited) == []
    room.table.tick(room.now)
    anna.hear()
    assert list(anna.client.roster.awaited) == [1]
    again()
    bea.client._owe()
    bea.speak()
    room.carry()
    anna.hear()
    assert not room.game.awaited
    assert not anna.client.roster.awaited
