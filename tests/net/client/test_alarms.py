"""What the host has signed is written before it is judged: a lie stays in the file as its proof, and ends the game
for whoever was told it. What the host has not signed is no lie of it."""

import errno
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.log import FINISHED, AnyEntry, Chain, Close, Delta, encode_delta, encode_entry, sign_entry
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Alarmed, Writer, read
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.frames import Frame
from citadels_lan.net.wire.messages import ENTRY
from tests.facts import RULES
from tests.net.room import Guest, Room

LIE = Close(FINISHED, (), b"", (), ())
"""An entry that comes after the game only."""


def lie(room: Room, guest: Guest) -> Delta:
    """The next entry for a guest, signed by the host and impossible here."""
    chain, core = guest.records.chain, room.core
    public = encode_entry(LIE)
    signature = sign_entry(core.host, core.game, chain.n + 1, chain.next_head(public, b""))
    return Delta(chain.n + 1, signature, public, b"", None, None)


def tell(guest: Guest, delta: Delta) -> Refusal:
    """Send a guest an entry that it does not bear."""
    guest.client.out.clear()
    with pytest.raises(Refusal) as refusal:
        guest.client.receive(Frame(ENTRY, encode_delta(delta)))
    return refusal.value


def file_of(guest: Guest) -> Path:
    assert guest.records.path is not None
    return guest.records.path


def alarms(guest: Guest) -> list[dict[str, str | int]]:
    return [dict(one.details) for one in guest.client.updates if isinstance(one, Alarm)]


def test_each_entry_is_in_the_file_before_it_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, int]] = []
    anna: list[Guest] = []
    append, judge = Writer.append, Auditor.read

    def write(writer: Writer, body: bytes) -> None:
        append(writer, body)
        if writer is anna[0].records._writer:
            done.append(("written", len(read(file_of(anna[0])).bodies)))

    def look(audit: Auditor, n: int, *rest: object) -> None:
        client_log = anna[0].records.client_log if anna else None
        if client_log is not None and client_log.audit is audit:
            done.append(("judged", n))
        judge(audit, n, *rest)  # type: ignore[arg-type]

    room = Room(tmp_path, 2)
    anna.append(room.seat("Player 0")[0])
    monkeypatch.setattr(Writer, "append", write)
    monkeypatch.setattr(Auditor, "read", look)
    room.seat("Player 1")
    for guest in room.guests:
        room.table.lobby.ready(guest.identity.public, True)
    room.table._start(anna[0].identity.public)
    room.table.playing.pump(room.now)
    room.play(4)
    n = room.game.n
    assert n > 6
    assert done == [(what, entry) for entry in range(1, n + 1) for what in ("written", "judged")]


def test_a_lie_is_kept_signed_and_the_end(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    anna, bea = room.players
    n, acked = anna.records.n, anna.client._acked
    refusal = tell(anna, lie(room, anna))
    assert (refusal.code, refusal.details) == ("entry", {"n": n + 1, "reason": "order"})
    assert anna.client.trust.farewell is refusal
    assert anna.client.out == [], "nothing is given to that table any more"
    assert anna.client._acked == acked
    assert alarms(anna) == [{"n": n + 1, "reason": "order"}]
    assert anna.records.finished
    assert anna.records._writer is None
    file = read(file_of(anna))
    assert (len(file.bodies), file.alarm) == (n + 1, Alarmed(n + 1, "order"))
    assert file.whole
    report = verify([file_of(anna)])
    (finding,) = report.findings
    assert (report.code, finding.contradiction, finding.details["n"]) == (1, "order", n + 1)
    assert report.files[0].signed
    assert not alarms(bea)


def test_whoever_has_raised_an_alarm_does_not_come_back(tmp_path: Path) -> None:
    """Also where it was a false one, or the program was stopped before it had signed the file."""
    room = Room(tmp_path, 2).begin().play(3)
    for guest, cut in zip(room.players, (False, True), strict=True):
        n = guest.records.n
        with pytest.raises(Refusal):
            guest.client.trust.alarm(n, "snapshot")
        path = file_of(guest)
        assert read(path).alarm == Alarmed(n, "snapshot")
        if cut:
            path.write_bytes(path.read_bytes()[:-20])
        kept = path.read_bytes()
        guest.cut()
        for _ in range(2):
            with pytest.raises(Refusal) as turned:
                guest.open()
            assert (turned.value.code, turned.value.details) == ("entry", {"n": n, "reason": "snapshot"})
            assert turned.value.transcript == path
        assert list(guest.folder.glob("*.ctr")) == [path]
        assert kept.startswith(path.read_bytes())
        report = verify([path])
        assert report.code == 4, "a false alarm accuses nobody"
        assert "false_alarm" in {one.code for one in report.findings}
        assert {one.kind for one in report.findings} == {"incomplete"}


def test_what_the_host_has_not_signed_is_not_written(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    anna = room.players[0]
    anna.hear = lambda: False  # type: ignore[method-assign]
    room.move()
    good = room.game.host_log.delta(anna.records.n + 1, 0)
    before = file_of(anna).read_bytes()
    wrong = [
        replace(good, signature=bytes(64)),
        replace(good, public=encode_entry(LIE)),
        replace(good, leaves=bytes(33)),
        replace(good, salt=bytes(16), private=b"\x90"),
    ]
    for delta in wrong:
        refusal = tell(anna, delta)
        assert (refusal.code, refusal.details) == ("unsigned", {"n": good.n})
        assert anna.client.trust.farewell is refusal
        anna.client.trust.farewell = None
    assert file_of(anna).read_bytes() == before
    assert not alarms(anna)
    assert not anna.records.finished
    anna.client.receive(Frame(ENTRY, encode_delta(good)))
    assert anna.records.n == good.n


def test_an_entry_that_is_not_next_is_not_written(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    anna = room.players[0]
    before, n = file_of(anna).read_bytes(), anna.records.n
    for number in (n, 1):
        anna.client.receive(Frame(ENTRY, room.game.host_log.body(number, 0)))
    anna.client.receive(Frame(ENTRY, encode_delta(replace(lie(room, anna), n=n + 2))))
    assert file_of(anna).read_bytes() == before
    assert anna.records.n == n


def test_a_lie_for_which_the_disk_has_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is it judged, nor acknowledged: whoever has not written it cannot prove it."""
    room = Room(tmp_path, 2).begin().play(3)
    anna = room.players[0]
    n, judged = anna.records.n, anna.records.chain.n

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Writer, "_write", full)
    anna.client.receive(Frame(ENTRY, encode_delta(lie(room, anna))))
    assert anna.client.notices.halted == "own_disk_waits"
    assert (anna.records.n, anna.records.chain.n) == (n, judged)
    with pytest.raises(Refusal) as refusal:
        anna.client.trust.alarm(n, "snapshot")
    assert refusal.value.code == "entry"
    assert read(file_of(anna)).alarm is None


@pytest.mark.slow
def test_a_finished_file_has_no_place_for_an_alarm(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin().play()
    anna = room.players[0]
    whole = file_of(anna)
    before = whole.read_bytes()
    anna.records.alarm(3, "order")
    assert whole.read_bytes() == before


def test_a_lie_that_was_written_and_never_judged_is_found_when_the_program_comes_back(tmp_path: Path) -> None:
    """It was stopped in between."""
    room = Room(tmp_path, 2).begin().play(3)
    anna = room.players[0]
    n, writer = anna.records.n, anna.records._writer
    assert writer is not None
    writer.append(encode_delta(lie(room, anna)))
    anna.cut()
    anna.records.close()
    with pytest.raises(Refusal) as turned:
        anna.open()
    assert (turned.value.code, turned.value.details) == ("entry", {"n": n + 1, "reason": "order"})


def first(room: Room, guest: Guest, entry: AnyEntry, *, signed: bool = True) -> Delta:
    """A first entry for a guest that has heard of none."""
    core, public = room.core, encode_entry(entry)
    head = Chain(core.game, RULES, core.fp).next_head(public, b"")
    signature = sign_entry(core.host, core.game, 1, head) if signed else bytes(64)
    return Delta(1, signature, public, b"", None, None)


def test_a_first_entry_that_is_no_table(tmp_path: Path) -> None:
    room = Room(tmp_path, 2)
    anna = room.seat("Anna")[0]
    assert tell(anna, first(room, anna, LIE, signed=False)).code == "unsigned"
    assert anna.records.path is None, "nothing begins with what nobody has said"
    assert list(anna.folder.glob("*.ctr")) == []
    anna.client.trust.farewell = None
    assert tell(anna, first(room, anna, LIE)).code == "unsigned"
    assert list(anna.folder.glob("*.ctr")) == []


def test_a_table_without_ones_own_key_is_none_of_ones_own(tmp_path: Path) -> None:
    room = Room(tmp_path, 2).begin()
    zoe = Guest(room, "Zoe")
    with pytest.raises(Refusal) as turned:
        zoe.client.receive(Frame(ENTRY, room.game.host_log.body(1, None)))
    assert (turned.value.code, turned.value.details) == ("not_agreed", {"what": "players"})
    assert list(zoe.folder.glob("*.ctr")) == []
