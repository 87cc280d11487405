"""What comes of a move is shown before the rules have judged it; but the host is given nothing until they have."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.chain import sign_entry
from citadels_lan.crypto.client_log import decode_events
from citadels_lan.crypto.delta import Delta, encode_delta
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import AnyEntry, Move, Seal, decode_entry, encode_entry, events_of
from citadels_lan.crypto.received_moves import ReadMove
from citadels_lan.crypto.referee import judge
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Alarmed, read
from citadels_lan.engine import Action, Event, encode_event, parse
from citadels_lan.engine.actions import Gather
from citadels_lan.engine.events import Gathered
from citadels_lan.net.client import connection as connections
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Alarm, Happened
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import Decoder, Frame
from citadels_lan.net.wire.messages import ENTRY, Ping, encode
from tests.net.playing import QUICK, random_action, seated, until
from tests.net.room import Guest, Room


def more(event: Event) -> Event:
    """The same, with more gold for whoever gathers."""
    return replace(event, gold=event.gold + 1) if isinstance(event, Gathered) and event.gold else event


def generous(entry: AnyEntry) -> AnyEntry:
    """The same move, of which somebody has more gold."""
    assert isinstance(entry, Move)
    return replace(entry, events=[encode_event(more(event)) for event in decode_events(events_of(entry))])


def signed(room: Room, guest: Guest, entry: AnyEntry) -> Frame:
    """An entry that comes next for a guest, with the host's signature."""
    chain, core, public = guest.records.chain, room.core, encode_entry(entry)
    signature = sign_entry(core.host, core.game, chain.n + 1, chain.next_head(public, b""))
    return Frame(ENTRY, encode_delta(Delta(chain.n + 1, signature, public, b"", None, None)))


@pytest.fixture
def lied_to(tmp_path: Path) -> tuple[Room, Guest]:
    """Somebody who has gathered gold, and has been told of too much; it may move again."""
    room = Room(tmp_path, 2).begin()
    while True:
        guest = next(guest for guest in room.players if guest.client.may_move)
        action = room.choice(guest)
        if action == Gather("gold"):
            break
        guest.act(action)
    guest.hear = lambda: False  # type: ignore[method-assign]
    seat, n = guest.client.seat, guest.records.n
    assert seat is not None
    guest.act(parse("gather gold", seat))
    guest.client.updates.clear()
    honest = decode_entry(room.game.host_log.delta(n + 1, seat).public)
    guest.client.receive(signed(room, guest, generous(honest)))
    return room, guest


def ping(n: int) -> Frame:
    (frame,) = Decoder().feed(encode(Ping(1, n)))
    return frame


def moves(room: Room, guest: Guest) -> None:
    assert guest.client.seat is not None
    guest.client.move(parse("end", guest.client.seat))


ANSWERS: dict[str, Callable[[Room, Guest], None]] = {
    "a move": moves,
    "an acknowledgement": lambda room, guest: guest.client.settle(),
    "the answer to a ping": lambda room, guest: guest.client.receive(ping(guest.records.n)),
    "asking again": lambda room, guest: guest.client.receive(ping(guest.records.n + 1)),
    "a line of chat": lambda room, guest: guest.client.say("well played", 1),
    "the next entry": lambda room, guest: guest.client.receive(signed(room, guest, Seal((bytes(64),)))),
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_nothing_is_given_on_an_entry_that_is_not_judged(
    lied_to: tuple[Room, Guest], answer: Callable[[Room, Guest], None]
) -> None:
    room, guest = lied_to
    client, n, acked = guest.client, guest.records.n, guest.client._acked
    assert [update.n for update in client.updates if isinstance(update, Happened)] == [n], "it is shown"
    assert (client.farewell, client.out) == (None, [])
    with pytest.raises(Refusal) as refusal:
        answer(room, guest)
    assert (refusal.value.code, refusal.value.details["n"]) == ("entry", n)
    assert client.farewell is refusal.value
    assert (client.out, client._acked) == ([], acked)
    assert len([update for update in client.updates if isinstance(update, Alarm)]) == 1
    path = guest.records.path
    assert path is not None
    file = read(path)
    assert len(file.bodies) == n, "nothing is written after the lie"
    assert file.alarm == Alarmed(n, str(refusal.value.details["reason"]))
    assert verify([path]).code == 1


def test_there_is_one_alarm_however_often_it_is_judged(lied_to: tuple[Room, Guest]) -> None:
    guest = lied_to[1]
    for _ in range(2):
        with pytest.raises(Refusal):
            guest.client.judge()
    assert len([update for update in guest.client.updates if isinstance(update, Alarm)]) == 1


def test_a_lie_that_was_not_judged_is_found_when_the_program_comes_back(lied_to: tuple[Room, Guest]) -> None:
    guest = lied_to[1]
    guest.cut()
    guest.records.close()
    with pytest.raises(Mismatch) as found:
        guest.open()
    assert found.value.n == guest.records.n


Lying = tuple[Session, Session]
SILENT = replace(QUICK, ping=3600.0, away=3600.0, drop=3600.0)
"""Who answers a ping has judged what it was told before."""


@pytest.fixture
async def lying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Lying]:
    """Sessions that have been told of too much gold, and acknowledge nothing by themselves, nor are asked whether
    they are there: first whoever may move again."""
    tell = HostLog.move

    def lie(log: HostLog, move: ReadMove, events: Sequence[Event]) -> Written:
        return tell(log, move, [more(event) for event in events])

    monkeypatch.setattr(connections, "ACK_AFTER", 3600.0)
    monkeypatch.setattr(HostLog, "move", lie)
    dice = random.Random(1)
    async with seated(tmp_path, 2, timing=SILENT) as (_, sessions):
        await sessions[0].start()
        gathered = False
        while not gathered:
            await until(lambda: any(session.choices() for session in sessions))
            me = next(session for session in sessions if session.choices())
            action = random_action(me.choices(), dice)
            await me.act(action)
            gathered = action == Gather("gold")
        (other,) = (session for session in sessions if session is not me)
        await until(lambda: other.head.n == me.head.n)
        assert (me.status, other.status) == ("playing", "playing")
        yield me, other


def alarmed(session: Session) -> bool:
    """Whether a session has ended, and its file says why."""
    path = session.transcript
    assert path is not None
    alarm = read(path).alarm
    return alarm is not None and alarm.n == session.head.n and verify([path]).code == 1


async def ended(session: Session) -> str:
    """Why a session has ended; its last alarm was told."""
    async with asyncio.timeout(30):
        told = [update async for update in session.updates()]
    assert [update.code for update in told if isinstance(update, Alarm)] == ["entry"]
    assert session.reason is not None
    return session.reason.code


async def test_whoever_moves_on_a_lie_ends_instead(lying: Lying) -> None:
    me, _ = lying
    with pytest.raises(Rejected, match="lost"):
        await me.act(any_of(me))
    assert await ended(me) == "entry"
    assert alarmed(me)


async def test_a_connection_that_is_lost_after_a_lie_is_not_opened_again(lying: Lying) -> None:
    _, other = lying
    other.connection.abort("lost")
    assert await ended(other) == "entry"
    assert alarmed(other)


async def test_whoever_leaves_after_a_lie_has_judged_it(lying: Lying) -> None:
    me, other = lying
    for session in (me, other):
        await session.leave()
        assert alarmed(session)


async def test_a_fault_of_ours_in_judging_is_told_as_one(lying: Lying, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever wants to move is told nothing of it; the session is."""
    me, _ = lying

    def mistake(*_: object) -> None:
        raise KeyError("missing")

    monkeypatch.setattr(judge, "completed", mistake)
    with pytest.raises(Rejected, match="lost"):
        await me.act(any_of(me))
    async with asyncio.timeout(30):
        told = [update async for update in me.updates()]
    assert not any(isinstance(update, Alarm) for update in told)
    assert me.reason is not None
    assert me.reason.code == "failed"


def any_of(session: Session) -> Action:
    """Any of its choices."""
    return random_action(session.choices(), random.Random(2))
