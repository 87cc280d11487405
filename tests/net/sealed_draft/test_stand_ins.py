"""Bots that draft for players who are gone, and owners who come back in the middle of a round."""

import random
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.crypto.audit.drafts import Drafts
from citadels_lan.crypto.log import Beacons, DraftWithout
from citadels_lan.engine import HIDDEN, acting
from citadels_lan.net.host.broadcast import tell
from citadels_lan.net.host.draft.hosted_draft import HostedDraft
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.wire.messages import Beacon, Entrusted, Settings
from tests.net.room import Guest, Room

from .rooms import Deaf, crash, everybody_back, held, sealed, verified


def with_stand_ins(folder: Path, players: int = 4) -> Room:
    """A game that has begun, whose host lets bots move for those who are gone for a minute."""
    bot = Deaf(random.Random(3))
    takeover = Takeover(lambda level: {"sensible": bot}[level], 60.0)
    return Room(folder, settings=Settings(sealed(players)), takeover=takeover).begin()


def drafts_of(room: Room) -> Drafts:
    drafts = room.game.draft.drafts
    assert drafts is not None
    return drafts


def gone_until(room: Room, away: Guest, holds: Callable[[Drafts, int], bool]) -> int:
    """A player is gone until something holds of its seat; which that is."""
    seat = away.client.seat
    assert seat is not None
    if away.viewer is not None:
        away.cut()
    for _ in range(400):
        room.wait(1.0)
        if holds(drafts_of(room), seat):
            return seat
        room.carry()
        for guest in room.players:
            if guest.viewer is not None and guest.client.may_move:
                guest.act(room.choice(guest))
                break
    raise AssertionError("it never held")


def has_drafted(drafts: Drafts, seat: int) -> bool:
    """Whether a stand-in has picked for a seat in this round what is not shown yet, and so have all others."""
    concealed = any(holding.live for holding in drafts.record.holdings.get(seat, ()))
    return seat in drafts.now.stints and drafts.record.due[0] == "over" and concealed


def is_to_draft(drafts: Drafts, seat: int) -> bool:
    """Whether a stand-in drafts for a seat in this round, and somebody else is to pick first."""
    waits = all(done.seat != seat for done in drafts.record.steps) and drafts.record.due[1] != seat
    return seat in drafts.now.stints and drafts.record.due[0] == "pick" and waits


def has_left(drafts: Drafts, seat: int) -> bool:
    """Whether the seat has picked itself in this round what is not shown yet, and a stand-in moves for it."""
    concealed = any(holding.live for holding in drafts.record.holdings.get(seat, ()))
    return seat not in drafts.now.stints and drafts._movers.stint(seat) is not None and concealed


def play_out(room: Room) -> None:
    """Play to the end, stand-ins included."""
    while not room.game.closed:
        n = room.game.n
        room.play()
        room.wait(2.0)
        assert room.game.n > n or room.game.closed


def drafted(room: Room, seat: int) -> list[str]:
    """What the stand-in of a seat holds."""
    hand = room.game.draft.hand(seat)
    assert hand is not None
    return list(hand.record.table.plan.names(hand.held()))


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 2])
def test_an_owner_who_is_back_has_what_was_drafted_for_it(tmp_path: Path, players: int) -> None:
    room = with_stand_ins(tmp_path, players)
    room.play(5)
    away = room.players[1]
    seat = gone_until(room, away, has_drafted)
    away.join()
    room.carry()
    assert room.game.stint(seat) is None
    state = away.client.state
    assert state is not None
    assert sorted(state.players[seat].concealed) == sorted(drafted(room, seat)) != []
    assert HIDDEN not in held(away)
    others = [guest.client.state for guest in room.players if guest is not away]
    assert all(set(other.players[seat].concealed) == {HIDDEN} for other in others if other is not None)
    key = room.game.draft.entrusted(seat)
    assert key is not None
    assert [key in guest.port.all for guest in room.players] == [guest is away for guest in room.players]
    crash(away)
    room.carry()
    assert away.client.state == state
    everybody_back(room)
    again = away.client.state
    assert again is not None
    assert again.players[seat] == state.players[seat]
    play_out(room)
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_an_owner_who_is_back_before_its_stand_in_has_picked_waits_for_that(tmp_path: Path) -> None:
    room = with_stand_ins(tmp_path)
    room.play(5)
    away = room.players[1]
    seat = gone_until(room, away, is_to_draft)
    away.join()
    room.carry()
    assert room.game.stint(seat) is None
    assert not away.client.may_move
    while not any(done.seat == seat for done in drafts_of(room).record.steps):
        n = room.game.n
        room.play(1)
        room.wait(1.0)
        assert room.game.n > n
    state = away.client.state
    assert state is not None
    assert list(state.players[seat].concealed) == drafted(room, seat)
    play_out(room)
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_an_owner_who_has_picked_itself_has_that_again_from_key_and_log(tmp_path: Path) -> None:
    """With two players it holds another one when the first is called."""
    room = with_stand_ins(tmp_path, 2)
    away = room.players[1]
    while not (away.client.may_move and drafts_of(room).record.due[0] == "over"):
        room.play(1)
    seat = gone_until(room, away, has_left)
    away.records.close()
    away.open()
    away.join()
    room.carry()
    assert away.records.entrusted_draft is None
    own = held(away)
    assert own
    assert HIDDEN not in own
    everybody_back(room)
    assert held(away) == own
    assert seat not in drafts_of(room).now.stints
    play_out(room)
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_an_owner_who_is_back_just_before_a_round_is_told_when_that_has_begun(tmp_path: Path) -> None:
    """Its stand-in drafts in that round, for the owner has signed no *present* before it."""
    room = with_stand_ins(tmp_path)
    room.play(5)
    slow, away = room.players[0], room.players[1]
    owed = slow.client.duties.owed

    def none_of_it() -> object:
        message = owed()
        return None if isinstance(message, Beacon) else message

    seat = gone_until(room, away, lambda drafts, seat: drafts._movers.stint(seat) is not None)
    assert seat not in drafts_of(room).now.stints
    with mock.patch.object(slow.client.duties, "owed", none_of_it):
        while not room.game.host_log.audit.expects(Beacons):
            room.play()
            room.wait(1.0)
        away.join()
        room.carry()
        assert away.records.entrusted_draft is None
        slow.cut()
    slow.join()
    room.carry()
    assert seat in drafts_of(room).now.stints
    assert room.game.stint(seat) is None
    assert away.records.entrusted_draft == room.game.draft.entrusted(seat) is not None
    play_out(room)
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_a_key_that_is_not_its_stand_ins_means_nothing(tmp_path: Path) -> None:
    room = with_stand_ins(tmp_path)
    room.play(5)
    away = room.players[1]
    seat = gone_until(room, away, has_drafted)
    with mock.patch.object(HostedDraft, "entrusted", return_value=bytes(32)):
        away.join()
        room.carry()
    assert set(held(away)) == {HIDDEN}
    assert away.viewer is not None
    tell(away.viewer, Entrusted((), room.game.draft.entrusted(seat)))
    room.carry()
    assert held(away) == drafted(room, seat)
    play_out(room)
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_a_stand_in_comes_in_time_for_the_next_draft(tmp_path: Path) -> None:
    """Also where its seat has nothing to decide in this round any more."""
    room = with_stand_ins(tmp_path)
    while not any(player.revealed for player in room.game.state.players):
        room.play(1)
    gone = next(seat for seat, player in enumerate(room.game.state.players) if player.revealed)
    while gone in acting(room.game.state):
        room.play(1)
    round_ = room.game.state.round
    room.players[gone].cut()
    room.wait(70.0)
    assert room.game.stint(gone) is not None
    seat = gone_until(room, room.players[gone], has_drafted)
    assert room.game.state.round == round_ + 1
    assert not any(isinstance(entry, DraftWithout) for entry in room.game.host_log.entries())
    room.players[gone].join()
    room.carry()
    assert held(room.players[gone]) == drafted(room, seat)
    play_out(room)
    assert verified(room) == (0, [])


@pytest.mark.slow
@pytest.mark.parametrize("moment", [is_to_draft, has_drafted])
def test_a_host_that_comes_back_without_bots_replies_for_those_it_had(
    tmp_path: Path, moment: Callable[[Drafts, int], bool]
) -> None:
    """Nobody else has what they drafted with; where one is to pick it is left out."""
    room = with_stand_ins(tmp_path)
    room.play(5)
    away = room.players[1]
    seat = gone_until(room, away, moment)
    assert seat in drafts_of(room).now.stints
    room.takeover = None
    everybody_back(room)
    while seat in drafts_of(room).now.stints:
        n = room.game.n
        room.play()
        room.wait(2.0)
        assert room.game.n > n
    play_out(room)
    assert verified(room) == (0, [])
