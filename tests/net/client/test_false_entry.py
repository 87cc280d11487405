"""A client that receives a false entry keeps it, shows and sends nothing more, and raises one alarm."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.host_log import HostLog, ReadMove, Written
from citadels_lan.crypto.log import (
    AnyEntry,
    Delta,
    Mismatch,
    Move,
    decode_entry,
    encode_delta,
    encode_entry,
    sign_entry,
)
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Alarmed, read
from citadels_lan.engine import Event, encode_event, parse
from citadels_lan.engine.actions import Gather
from citadels_lan.engine.events import Built
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Alarm, Happened
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import ENTRY
from tests.net.playing import play, seated, until
from tests.net.room import Guest, Room

FREE = Built(0, "tavern", 1)
"""A district that nobody has paid for."""


def false(entry: AnyEntry) -> AnyEntry:
    """The same move, by which a district stands that was not paid for."""
    assert isinstance(entry, Move)
    return replace(entry, events=[*entry.events, encode_event(FREE)])


def signed(room: Room, guest: Guest, entry: AnyEntry) -> Frame:
    """An entry that comes next for a guest, with the host's signature."""
    chain, core, public = guest.records.chain, room.core, encode_entry(entry)
    signature = sign_entry(core.host, core.game, chain.n + 1, chain.next_head(public, b""))
    return Frame(ENTRY, encode_delta(Delta(chain.n + 1, signature, public, b"", None, None)))


@pytest.fixture
def lied_to(tmp_path: Path) -> tuple[Guest, Callable[[], None]]:
    """A guest who has gathered gold, and what delivers a false entry about it."""
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
    frame = signed(room, guest, false(decode_entry(room.game.host_log.delta(n + 1, seat).public)))
    return guest, lambda: guest.client.receive(frame)


def test_false_entry_is_kept_as_proof_and_not_shown(lied_to: tuple[Guest, Callable[[], None]]) -> None:
    guest, deliver = lied_to
    client, n, acked = guest.client, guest.records.n + 1, guest.client._acked
    with pytest.raises(Refusal) as refusal:
        deliver()
    assert (refusal.value.code, refusal.value.details["n"]) == ("entry", n)
    assert client.trust.farewell is refusal.value
    assert (client.out, client._acked) == ([], acked)
    assert not any(isinstance(update, Happened) for update in client.updates)
    assert len([update for update in client.updates if isinstance(update, Alarm)]) == 1
    path = guest.records.path
    assert path is not None
    file = read(path)
    assert (len(file.bodies), file.alarm) == (n, Alarmed(n, "impossible_event"))
    assert verify([path]).code == 1


def test_false_entry_without_an_alarm_is_found_when_the_program_returns(
    lied_to: tuple[Guest, Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program was killed after it had written the entry."""
    guest, deliver = lied_to
    monkeypatch.setattr(guest.records, "alarm", lambda *_: None)
    with pytest.raises(Refusal):
        deliver()
    guest.cut()
    guest.records.close()
    with pytest.raises(Mismatch) as found:
        guest.open()
    assert found.value.n == guest.records.n


async def test_sessions_end_at_a_false_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No session connects again, and each file proves the lie."""
    tell = HostLog.move

    def lie(log: HostLog, move: ReadMove, events: Sequence[Event]) -> Written:
        return tell(log, move, [*events, FREE] if move.what == "gather gold" else events)

    async def ended(session: Session) -> None:
        with contextlib.suppress(Rejected):
            await play(session)
        await until(lambda: session.table.reason is not None)

    monkeypatch.setattr(HostLog, "move", lie)
    async with seated(tmp_path, 2) as (_, sessions), asyncio.timeout(60):
        await sessions[0].start()
        await asyncio.gather(*map(ended, sessions))
        for session in sessions:
            assert session.table.reason is not None
            assert session.table.reason.code == "entry"
            path = session.table.transcript
            assert path is not None
            assert read(path).alarm == Alarmed(session.table.head.n, "impossible_event")
            assert verify([path]).code == 1
