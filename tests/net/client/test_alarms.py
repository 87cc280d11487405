"""A client stores each signed entry before it checks it. A false entry stays in the transcript as proof, and
ends the game for this client. An entry that the host has not signed is no proof."""

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.host_log import HostLog, ReadMove, Written
from citadels_lan.crypto.log import FINISHED, Close, Delta, encode_delta, entry_hash, sign_entry
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Alarmed, Writer, read
from citadels_lan.engine import Event
from citadels_lan.engine.events import Built
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Alarm, Happened
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import ENTRY, Frame
from tests.net.playing import play, seated, until
from tests.net.room import Guest, Room

LIE = Close(FINISHED, (), b"", (), ())
"""An entry that can come only after the game."""


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path, 2).begin().play(3)


@pytest.fixture
def anna(room: Room) -> Guest:
    return room.players[0]


def lie(guest: Guest) -> Delta:
    """Return the next entry for a guest: signed by the host, but not allowed now."""
    chain, core = guest.records.log.chain, guest.room.core
    public = pack(LIE)
    head = entry_hash(chain.head, chain.n + 1, public, b"")
    signature = sign_entry(core.host, core.game, chain.n + 1, head)
    return Delta(chain.n + 1, signature, public, b"", None, None)


def rejected(guest: Guest, delta: Delta) -> Refusal:
    """Send a guest an entry that must end its connection. Return the reason."""
    guest.client.out.clear()
    with pytest.raises(Refusal) as refusal:
        guest.client.receive(Frame(ENTRY, encode_delta(delta)))
    assert guest.client.out == [], "the client sends nothing more"
    return refusal.value


def file_of(guest: Guest) -> Path:
    assert guest.records.path is not None
    return guest.records.path


def alarms(guest: Guest) -> list[dict[str, str | int]]:
    return [dict(update.details) for update in guest.client.updates if isinstance(update, Alarm)]


def test_entry_is_written_to_the_transcript_before_it_is_judged(
    room: Room, anna: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[str, int]] = []
    append, judge = Writer.append, Auditor.read

    def write(writer: Writer, body: bytes) -> None:
        append(writer, body)
        if writer is anna.records._writer:
            done.append(("written", len(read(file_of(anna)).bodies)))

    def look(audit: Auditor, n: int, *rest: object) -> None:
        if audit is anna.records.log.audit:
            done.append(("judged", n))
        judge(audit, n, *rest)  # type: ignore[arg-type]

    first = room.game.n + 1
    monkeypatch.setattr(Writer, "append", write)
    monkeypatch.setattr(Auditor, "read", look)
    n = room.play(4).game.n
    assert n > first + 2
    assert done == [(what, entry) for entry in range(first, n + 1) for what in ("written", "judged")]


def test_false_entry_is_kept_as_proof_and_ends_the_game(anna: Guest) -> None:
    n, acked = anna.records.n, anna.client._acked
    anna.client.updates.clear()
    refusal = rejected(anna, lie(anna))
    assert (refusal.code, refusal.details) == ("entry", {"n": n + 1, "reason": "order"})
    assert anna.client.trust.farewell is refusal
    assert anna.client._acked == acked
    assert alarms(anna) == [{"n": n + 1, "reason": "order"}]
    assert not any(isinstance(update, Happened) for update in anna.client.updates)
    assert anna.records.finished
    file = read(file_of(anna))
    assert (len(file.bodies), file.alarm, file.whole) == (n + 1, Alarmed(n + 1, "order"), True)
    report = verify([file_of(anna)])
    (finding,) = report.findings
    assert (report.code, finding.contradiction, finding.details["n"]) == (1, "order", n + 1)
    assert report.files[0].signed


def test_client_that_has_raised_an_alarm_does_not_reconnect(room: Room) -> None:
    """This also holds after a false alarm, and if the program was stopped before it had signed the file."""
    for guest, cut in zip(room.players, (False, True), strict=True):
        n = guest.records.n
        with pytest.raises(Refusal):
            guest.client.trust.accuse("entry", {"n": n, "reason": "snapshot"}, "snapshot")
        path = file_of(guest)
        assert read(path).alarm == Alarmed(n, "snapshot")
        if cut:
            path.write_bytes(path.read_bytes()[:-20])
        guest.cut()
        for _ in range(2):
            with pytest.raises(Refusal) as turned:
                guest.open()
            assert (turned.value.code, turned.value.details) == ("entry", {"n": n, "reason": "snapshot"})
            assert turned.value.transcript == path
        assert list(guest.folder.glob("*.ctr")) == [path]
        report = verify([path])
        assert report.code == 4, "a false alarm accuses no one"
        assert "false_alarm" in {finding.code for finding in report.findings}


def test_entry_without_the_host_signature_is_not_written(room: Room, anna: Guest) -> None:
    anna.hear = lambda: False  # type: ignore[method-assign]
    room.move()
    good = room.game.host_log.delta(anna.records.n + 1, 0)
    before = file_of(anna).read_bytes()
    for delta in (
        replace(good, signature=bytes(64)),
        replace(good, public=pack(LIE)),
        replace(good, leaves=bytes(33)),
        replace(good, salt=bytes(16), private=b"\x90"),
    ):
        refusal = rejected(anna, delta)
        assert (refusal.code, refusal.details) == ("unsigned", {"n": good.n})
        anna.client.trust.farewell = None
    assert file_of(anna).read_bytes() == before
    assert not alarms(anna)
    anna.client.receive(Frame(ENTRY, encode_delta(good)))
    assert anna.records.n == good.n


def test_entry_with_another_number_than_the_next_is_not_written(room: Room, anna: Guest) -> None:
    before, n = file_of(anna).read_bytes(), anna.records.n
    for number in (n, 1):
        anna.client.receive(Frame(ENTRY, room.game.host_log.body(number, 0)))
    anna.client.receive(Frame(ENTRY, encode_delta(replace(lie(anna), n=n + 2))))
    assert (file_of(anna).read_bytes(), anna.records.n) == (before, n)


def test_false_entry_of_a_killed_program_is_found_when_it_returns(anna: Guest) -> None:
    n, writer = anna.records.n, anna.records._writer
    assert writer is not None
    writer.append(encode_delta(lie(anna)))
    anna.cut()
    anna.records.close()
    with pytest.raises(Refusal) as turned:
        anna.open()
    assert (turned.value.code, turned.value.details) == ("entry", {"n": n + 1, "reason": "order"})


async def test_sessions_of_all_players_end_at_a_false_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No session reconnects, and each file proves that a district was built that was not paid for."""
    tell = HostLog.move

    def cheat(log: HostLog, move: ReadMove, events: Sequence[Event]) -> Written:
        return tell(log, move, [*events, Built(0, "tavern", 1)] if move.what == "gather gold" else events)

    async def ended(session: Session) -> None:
        with contextlib.suppress(Rejected):
            await play(session)
        await until(lambda: session.table.reason is not None)

    monkeypatch.setattr(HostLog, "move", cheat)
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
