"""In a sealed draft the table waits at several moments. At each of them a player, a client or the host
fails."""

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from citadels_lan.crypto.log import AGREED, Close
from citadels_lan.crypto.transcript import read
from citadels_lan.engine import HIDDEN, Event
from citadels_lan.engine.events import Offered, Picked
from citadels_lan.net.client.updates import Happened, Update
from citadels_lan.net.host.hosted_game import HostedGame
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import SubstituteFor
from tests.crypto.sealed.files import theater_on_top
from tests.effort import quick
from tests.net.host.test_substitutes import Watched
from tests.net.room import Guest, Room
from tests.net.sealed_draft.rooms import exchange, finish, sealed, sealed_room, theater

TAKEOVER = Takeover(lambda _: Watched(), 60.0)
"""Substitute bots would play after a minute, if the draft were open."""


@pytest.fixture(autouse=True)
def deck() -> Iterator[None]:
    """Put the Theater on top of the deck in all tests of this module."""
    with theater_on_top():
        yield


def message(kind: str) -> Callable[[Path], tuple[Room, Guest]]:
    """Return a function that makes a room which waits for a message of this kind, and the disconnected player
    who has to send it."""

    def reach(folder: Path) -> tuple[Room, Guest]:
        room, dice = sealed_room(folder, sealed(4), takeover=TAKEOVER), random.Random(kind)
        while True:
            away = dice.choice(room.players)
            away.cut()
            room.play(dice.randrange(1, 6))
            while room.game.cosigning:
                room.wait(30.0)
            what, seats = room.draft.due
            if what == kind and away.seat in seats and room.move() is None:
                return room, away
            away.join()
            room.carry()

    return reach


def pick(moves: int) -> Callable[[Path], tuple[Room, Guest]]:
    """Return a function that makes a room which waits for the pick after this many moves, and the
    disconnected player who has to pick."""

    def reach(folder: Path) -> tuple[Room, Guest]:
        room = sealed_room(folder, sealed(4), takeover=TAKEOVER).play(moves)
        what, (seat,) = room.draft.due
        assert what == "pick"
        room.at(seat).cut()
        return room, room.at(seat)

    return reach


def hand(folder: Path) -> tuple[Room, Guest]:
    """Return a room in which an exchange waits for the second character, and the disconnected player who has
    to give it."""
    room, owner, other = theater(folder)
    other.cut()
    owner.act(exchange(owner, other))
    assert room.draft.due == ("hand", (other.seat,))
    return room, other


MOMENTS = {
    "first pick": pick(0),
    "pick": pick(2),
    "last pick": pick(3),
    "call": message("call"),
    "begin": message("begin"),
    "hand": hand,
}
RETURNS: dict[str, Callable[[Room, Guest], object]] = {
    "player": lambda room, away: away.join(),
    "program": lambda room, away: away.restart(),
    "host": lambda room, away: room.kill_all(),
}
TABLE = [(moment, returns) for moment in MOMENTS for returns in RETURNS]


@pytest.mark.parametrize(("moment", "returns"), quick(TABLE, ("pick", "host")))
def test_table_waits_for_missing_player_and_continues(tmp_path: Path, moment: str, returns: str) -> None:
    room, away = MOMENTS[moment](tmp_path / "table")
    n, due = room.game.n, room.draft.due
    room.wait(20 * room.timing.drop)
    host = next(guest for guest in room.players if guest is not away)
    room.table.lobby.own.add(host.identity.public)
    host.say(SubstituteFor(away.seat, "sensible"))
    room.play()
    assert (room.game.n, room.draft.due) == (n, due)
    if "pick" not in moment:
        assert room.game.awaited == (away.seat,)
    RETURNS[returns](room, away)
    room.carry()
    assert room.game.n > n or room.at(away.seat).client.may_move
    finish(room)


def events(updates: Iterable[Update]) -> list[tuple[Event, ...]]:
    """Return the events of each entry, from a client's updates."""
    return [one.events for one in updates if isinstance(one, Happened)]


@pytest.mark.parametrize("players", [2, 3, 4, 7])
@pytest.mark.slow
def test_programs_killed_after_each_move_know_the_same_as_before(tmp_path: Path, players: int) -> None:
    room = sealed_room(tmp_path / "table", sealed(players))
    for _ in range(20):
        host = room.game.state, room.game.head
        states = [guest.state for guest in room.players]
        history = [events([*guest.client.past, *guest.client.updates]) for guest in room.players]
        room.kill_all()
        assert (room.game.state, room.game.head) == host
        assert [guest.state for guest in room.players] == states
        assert [events(guest.client.past) for guest in room.players] == history
        room.play(1)
    for guest in room.players:
        past = [event for entry in events(guest.client.past) for event in entry]
        own = [one for one in past if isinstance(one, Offered | Picked) and one.seat == guest.seat]
        assert own
        assert not any(HIDDEN in (*one.fields().values(), *one.fields().get("packet", ())) for one in own)
    finish(room)


def picking(folder: Path, players: int = 4) -> tuple[Room, Guest]:
    """Return a room that waits for a pick, and the player who has to pick."""
    room = sealed_room(folder / "table", sealed(players)).play(2)
    _, (seat,) = room.draft.due
    return room, room.at(seat)


def agree(*guests: Guest) -> None:
    """Let these players agree to end the game without a result."""
    for guest in guests:
        guest.client.end(agrees=True)
        guest.speak()
        guest.room.carry()


def test_game_does_not_end_while_the_awaited_connected_player_has_not_agreed(tmp_path: Path) -> None:
    room, picker = picking(tmp_path, 2)
    agree(room.at(1 - picker.seat))
    assert room.game.ending == (1 - picker.seat,)
    assert not room.game.closed
    agree(picker)
    assert room.game.closed
    assert room.verified()[0] == 4


def test_players_end_the_game_without_an_absent_player(tmp_path: Path) -> None:
    room, picker = picking(tmp_path)
    picker.cut()
    room.wait(room.timing.drop)
    others = [guest for guest in room.players if guest is not picker]
    for number, guest in enumerate(others, 1):
        assert not room.game.closed
        agree(guest)
        if not room.game.closed:
            shown = tuple(sorted(one.seat for one in others[:number]))
            assert {one.client.notices.ending for one in others} == {shown}
    assert room.game.host_log.audit.absences.now(picker.seat) is not None
    close = room.game.host_log.entry(room.game.n)
    assert isinstance(close, Close)
    assert (close.why, [one.seat for one in close.sigs]) == (AGREED, sorted(one.seat for one in others))
    assert all(one.kind != "link" for one in close.openings)
    for guest in others:
        assert [one.seat for one in read(guest.path).own if one.kind == "link"] == [guest.seat]
        assert guest.client.closed
    assert room.game.state.phase != "over"
    assert room.verified()[0] == 4


def test_agreement_to_end_a_game_opens_no_commitments(tmp_path: Path) -> None:
    """The game continues if another player does not agree, so its secrets must stay hidden."""
    room, _ = picking(tmp_path)
    client = room.players[0].client
    client.end(agrees=True)
    sent = b"".join(client.out)
    assert client.records.client_log is not None
    opened = client.records.owner(room.players[0].seat).opened_at_the_end(client.records.client_log.audit)
    assert opened
    assert all(one.nonce not in sent for one in opened)


def test_agreed_end_takes_effect_if_the_only_player_who_did_not_agree_leaves(tmp_path: Path) -> None:
    room, _ = picking(tmp_path)
    agree(*room.players[1:])
    assert not room.game.closed
    room.players[0].cut()
    room.wait(room.timing.drop)
    assert room.game.closed
    assert room.verified()[0] == 4


@pytest.mark.parametrize("agreed", [True, False])
@pytest.mark.slow
def test_host_that_crashed_between_two_close_entries_writes_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agreed: bool
) -> None:
    monkeypatch.setattr("citadels_lan.crypto.log.OPENINGS", 1)
    room = sealed_room(tmp_path / "table", sealed(4)).play(40 if agreed else 10**9)
    if agreed:
        agree(*room.players)
    assert room.game.closed
    written = room.game.host_log.written
    first = next(at for at, one in enumerate(written) if isinstance(room.game.host_log.entry(one.n), Close))
    assert len(written) - first > 2
    for length in range(first + 1, len(written)):
        game = HostedGame.restore(written[:length], room.core.secret, room.core.host, lambda _: None)
        game.go_on()
        assert game.host_log.written == written
