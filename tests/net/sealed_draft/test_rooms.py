"""Whole games with a sealed draft in one place: the host knows nothing, and whoever crashes goes on."""

import random
from collections.abc import Iterable
from pathlib import Path
from unittest import mock

import pytest

from citadels_lan.crypto.transcript import read
from citadels_lan.engine import HIDDEN, Event
from citadels_lan.engine.events import Offered, Picked
from citadels_lan.net.client.draft.drafting import Drafting
from citadels_lan.net.client.updates import Happened, Update
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.wire.messages import Settings
from tests.effort import quick
from tests.net.room import Room

from .rooms import Deaf, awaiting, crash, everybody_back, held, sealed, sealed_room, unseen, verified

GAMES = [(4, "2016"), (2, "2016"), (3, "2016"), (7, "2016"), (8, "2016"), (4, "classic"), (4, "dark_city")]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "edition"), quick(GAMES, (2, "2016")))
def test_a_whole_game(tmp_path: Path, players: int, edition: str) -> None:
    room = sealed_room(tmp_path / "table", sealed(players, edition))
    picked = 0
    while room.move() is not None:
        assert unseen(room)
        for guest in room.players:
            assert HIDDEN not in held(guest)
            picked += len(held(guest))
    assert picked
    assert room.game.closed
    assert verified(room) == (0, [])


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whoever_crashed_has_its_picks_again(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    for _ in range(20):
        known = [guest.client.state for guest in room.players]
        for guest in room.players:
            crash(guest)
            room.carry()
        assert [guest.client.state for guest in room.players] == known
        room.play(1)
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_a_copy_of_a_finished_file_has_what_was_told_in_boxes(tmp_path: Path) -> None:
    """It names whoever has lied and gives no link, like the file itself."""
    room = sealed_room(tmp_path / "table", sealed(4)).play()
    anna = room.players[0]
    whole = anna.records.path
    anna.records.keep_heard(b"what somebody else was told")
    copied = anna.records.path
    assert whole is not None
    assert copied is not None
    assert copied != whole
    assert read(whole).boxes
    assert read(copied).boxes == read(whole).boxes


def told(updates: Iterable[Update]) -> list[tuple[Event, ...]]:
    """What has come of each entry, as a client was told it."""
    return [one.events for one in updates if isinstance(one, Happened)]


@pytest.mark.slow
@pytest.mark.parametrize("players", quick((2, 3, 4, 7), 2))
def test_whoever_crashed_is_told_the_same_of_the_past(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    while room.game.state.round < 4:
        room.play(1)
    for guest in room.players:
        before = told(guest.client.updates)
        crash(guest)
        assert told(guest.client.past) == before
        events = [event for events in before for event in events]
        own = [one for one in events if isinstance(one, (Offered, Picked)) and one.seat == guest.client.seat]
        assert own
        assert not any(HIDDEN in (*one.fields().values(), *one.fields().get("packet", ())) for one in own)
    room.carry()
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
@pytest.mark.parametrize("players", quick((2, 4), 2))
def test_a_host_that_was_killed_goes_on_in_the_middle_of_a_draft(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    for _ in range(20):
        state, head = room.game.state, room.game.head
        everybody_back(room)
        assert (room.game.state, room.game.head) == (state, head)
        assert {guest.records.head for guest in room.guests} == {head}
        room.play(1)
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_a_host_that_was_killed_at_a_call_goes_on_with_it(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4))
    room.play(4)
    away = room.players[2]
    away.cut()
    awaiting(room, away)
    n, inquiry = room.game.n, room.game.state.inquiry
    assert inquiry is not None
    everybody_back(room)
    assert room.game.n > n
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_whoever_is_gone_is_left_out_of_a_call(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4))
    room.play(4)
    away = room.players[2]
    away.cut()
    awaiting(room, away)
    n = room.game.n
    room.wait(room.timing.drop / 2)
    assert room.game.n == n
    room.wait(room.timing.drop)
    assert room.game.n > n
    away.join()
    room.carry()
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_the_chance_of_a_round_begins_anew_without_whoever_does_not_deal(tmp_path: Path) -> None:
    room = sealed_room(tmp_path / "table", sealed(4))
    room.play(6)
    with mock.patch.object(Drafting, "due", return_value=None):
        room.play()
    assert room.game.draft.waits_for_deal
    crowned = room.players[room.game.state.crown]
    crowned.cut()
    for guest in room.players:
        if guest is not crowned:
            guest.cut()
            guest.join()
    attempt = room.game.host_log.audit.between.attempt
    room.wait(2 * room.timing.drop)
    assert room.game.host_log.audit.between.attempt == attempt + 1
    assert not room.game.draft.waits_for_deal
    drafts = room.game.draft.drafts
    assert drafts is not None
    assert drafts.record.dealer == (room.game.state.crown + 1) % 4
    assert verified(room) == (4, [])
    crowned.join()
    room.carry()
    room.play()
    assert verified(room) == (0, [])


@pytest.mark.slow
def test_a_stand_in_drafts_from_the_next_round_on(tmp_path: Path) -> None:
    room = Room(tmp_path, settings=Settings(sealed(4)))
    dice = random.Random(3)
    bot = Deaf(dice)
    room.table.playing.takeover = Takeover(lambda level: {"sensible": bot}[level], 60.0)
    room.begin()
    room.play(5)
    away = room.players[1]
    seat = away.client.seat
    assert seat is not None
    away.cut()
    picked = 0
    while not picked:
        room.play()
        room.wait(2.0)
        drafts = room.game.draft.drafts
        assert drafts is not None
        picked += seat in drafts.now.stints and any(done.seat == seat for done in drafts.record.steps)
    assert picked
    away.join()
    room.carry()
    while not room.game.closed:
        room.play()
        room.wait(2.0)
    assert verified(room) == (0, [])
