"""Mistakes of this program, made on purpose: told as such, with a report, and without accusing anybody."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

from citadels_lan.crypto import bookkeeping as books
from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import read
from citadels_lan.net.client import client, own_view
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.signing import PendingSignatures
from citadels_lan.net.client.updates import Alarm, Disconnected
from citadels_lan.net.host import opening as hosting
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Refusal, failed
from citadels_lan.systems.logs import bare
from tests.effort import quick
from tests.facts import first_table

from .playing import QUICK, join, play_all, reached, until
from .room import Room

CARD = "a card of somebody's hand"


def mistake(*_: object, **__: object) -> NoReturn:
    raise KeyError(CARD)


class Reports:
    """Where reports go in these tests; nothing is written."""

    def __init__(self) -> None:
        self.faults: list[BaseException] = []

    def __call__(self, fault: BaseException) -> Path:
        self.faults.append(fault)
        return Path(f"report-{len(self.faults)}.log")


@pytest.fixture
def reports() -> Reports:
    return Reports()


def opening(folder: Path, reports: Reports, **options: Any) -> AbstractAsyncContextManager[OpenTable]:
    usual: dict[str, Any] = {"host": "127.0.0.1", "port": 0, "timing": QUICK, "report": reports}
    return open_table(first_table(2), folder / "host", **usual | options)


async def seen(session: Session) -> AsyncIterator[object]:
    async for update in session.updates():
        yield update


# The host's


def test_a_report_says_where_and_not_what() -> None:
    try:
        try:
            mistake()
        except KeyError as inner:
            raise ExceptionGroup(CARD, [inner]) from inner
    except ExceptionGroup as fault:
        text = bare(fault)
    assert "in mistake" in text
    assert text.count("KeyError") > 1
    assert "ExceptionGroup" in text
    assert CARD not in text


async def test_a_lobby_that_the_host_breaks_says_so(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own person hears where the report is, all others that it was the host's; nobody hears of a disk."""
    monkeypatch.setattr(HostTable, "_say", mistake)

    async def talk() -> None:
        async with opening(tmp_path, reports) as table:
            sessions.extend([await table.join("Ada", tmp_path / "0"), await join(table, tmp_path / "1", "Bea")])
            await sessions[1].chat("hello")
            await asyncio.sleep(30)

    sessions: list[Session] = []
    with pytest.raises(Refusal) as turned:
        await talk()
    await until(lambda: sessions[0].table.reason is not None)
    own = sessions[0].table.reason
    assert own is not None
    assert (own.code, own.details) == ("failed_report", {"path": "report-1.log"})
    async for update in sessions[1].updates():
        if isinstance(update, Disconnected):
            assert update == Disconnected("host_failed")
            break
    await sessions[1].leave()
    assert (turned.value.code, turned.value.details) == (own.code, own.details)
    assert [type(fault) for fault in reports.faults] == [KeyError]


@pytest.mark.slow
async def test_a_guest_waits_for_a_host_that_broke(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after any other end of the host: from its journal the game goes on, and nobody has to do anything."""

    async def begun() -> tuple[Session, OpenTable]:
        async with opening(tmp_path, reports) as table:
            ada = await table.join("Ada", tmp_path / "0")
            bea = await join(table, tmp_path / "1", "Bea")
            await ada.start()
            await until(reached(bea, 3))
            try:
                monkeypatch.setattr(HostTable, "_say", mistake)
                await bea.chat("hello")
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                await ada.leave()
                found.append((bea, table))
                raise
        raise AssertionError

    found: list[tuple[Session, OpenTable]] = []
    with pytest.raises(Refusal):
        await begun()
    ((bea, table),) = found
    async for update in seen(bea):
        if isinstance(update, Disconnected):
            assert update.reason == "host_failed"
            break
    assert bea.table.reason is None
    async with opening(tmp_path, reports, port=None, resume=table.journal) as again, asyncio.timeout(60):
        ada = await again.join("Ada", tmp_path / "0")
        await play_all([ada, bea])
        await again.over()
        assert ada.table.head == bea.table.head
        await ada.leave()
        await bea.leave()


async def test_a_table_that_nobody_plays_at_is_not_over(tmp_path: Path, reports: Reports) -> None:
    async with opening(tmp_path, reports) as table, await join(table, tmp_path / "1", "Bea"):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await table.over()


async def test_a_broken_announcement_breaks_no_table(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "tell_network", mistake)
    async with opening(tmp_path, reports, announce=True) as table:
        await until(lambda: bool(reports.faults))
        async with await join(table, tmp_path / "1", "Bea") as bea:
            assert bea.table.status == "lobby"


async def test_a_fault_in_resuming_does_not_call_the_journal_damaged(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        opening(tmp_path, reports) as table,
        await table.join("Ada", tmp_path / "0") as ada,
        await join(table, tmp_path / "1", "Bea"),
    ):
        await ada.start()
    monkeypatch.setattr(HostedGame, "restore", mistake)
    with pytest.raises(KeyError):
        async with opening(tmp_path, reports, resume=table.journal):
            pass


@pytest.mark.slow
def test_one_report_for_all_moves_that_cannot_be_decided(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    room.game.report = reports
    with monkeypatch.context() as broken:
        broken.setattr("citadels_lan.net.host.game.decide", mistake)
        for _ in range(3):
            sent = room.move()
            assert sent is not None
            assert sent.refusal is not None
            assert sent.refusal.code == "undecided"
    assert len(reports.faults) == 1
    assert room.play().game.closed


# The client's


@pytest.mark.parametrize(
    ("module", "broken"),
    quick([(own_view, "decisions"), (books, "followed")], (books, "followed")),
)
def test_a_client_that_cannot_follow_accuses_nobody(
    tmp_path: Path, module: ModuleType, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    anna = room.players[0]
    with monkeypatch.context() as patched:
        patched.setattr(module, broken, mistake)
        with pytest.raises(KeyError):
            room.move()
    assert anna.client.trust.farewell is None
    assert not any(isinstance(update, Alarm) for update in anna.client.updates)
    for guest in room.guests:
        guest.cut()
        guest.records.close()
        guest.open()
        guest.join()
    assert room.play().game.closed


FAULTS = {
    "judging": (ClientLog, "judge"),
    "auditing": (Auditor, "read"),
    "bookkeeping": (books, "followed"),
    "choosing": (own_view, "decisions"),
    "own secrets": (own_view, "with_own_secrets"),
    "what is owed": (PendingSignatures, "due"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", quick(FAULTS, "own secrets"))
@pytest.mark.parametrize("mended", quick([True, False], False))
def test_what_was_written_before_a_fault_of_ours_accuses_nobody_later(
    tmp_path: Path, fault: str, mended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry is written before it is judged: the file with it is no alarm, not for verify and not for the same
    program started again, whether or not that makes its mistake once more."""
    room = Room(tmp_path, 2).begin().play(3)
    anna = room.players[0]
    with monkeypatch.context() as broken:
        broken.setattr(*FAULTS[fault], mistake)
        with pytest.raises(KeyError):
            room.play(60)
        path = anna.records.path
        assert path is not None
        for guest in room.guests:
            guest.cut()
            guest.records.close()
        kept = path.read_bytes()
        if not mended:
            with contextlib.suppress(KeyError):  # what is owed is asked for at the table only
                anna.open()
            anna.records.close()
    assert path.read_bytes() == kept
    transcript = read(path)
    assert (transcript.alarm, transcript.footer) == (None, None)
    assert {one.code for one in verify([path]).findings} == {"unfinished"}
    for guest in room.guests:
        guest.open()
        guest.join()
    assert anna.records.path == path
    assert room.play().game.closed
    assert not any(isinstance(update, Alarm) for update in anna.client.updates)
    assert verify([path]).code == 0


@pytest.mark.slow
async def test_a_session_that_fails_on_its_own_file_says_so(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody who comes back with a file that the program fails on hears of a host that cheats."""
    async with opening(tmp_path, Reports()) as table, asyncio.timeout(60):
        ada = await table.join("Ada", tmp_path / "0")
        bea = await join(table, tmp_path / "1", "Bea")
        await ada.start()
        await until(reached(bea, 3))
        await bea.leave()
        with monkeypatch.context() as broken:
            broken.setattr(books, "followed", mistake)
            with pytest.raises(Refusal) as turned:
                await join(table, tmp_path / "1", "Bea", report=reports)
        assert turned.value.code == "failed_report"
        assert len(reports.faults) == 1
        bea = await join(table, tmp_path / "1", "Bea")
        await play_all([ada, bea])
        assert ada.table.head == bea.table.head
        await ada.leave()
        await bea.leave()


def test_an_alarm_is_raised_on_a_full_disk_too(tmp_path: Path) -> None:
    """What proves it is in the file already; that the file cannot be signed must not hide it."""
    room = Room(tmp_path, 2).begin().play(3)
    anna = room.players[0]
    assert anna.records._writer is not None

    def full(*_: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    anna.records._writer.append_alarm = full  # type: ignore[method-assign, assignment]
    with pytest.raises(Refusal) as turned:
        anna.client.trust.alarm(anna.records.n, "impossible_event")
    assert turned.value.code == "entry"
    assert [type(update) for update in anna.client.updates][-1] is Alarm
    assert anna.client.trust.farewell is turned.value


def test_a_snapshot_that_the_program_cannot_show_accuses_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_view, "check_state", mistake)
    monkeypatch.setattr("citadels_lan.net.host.audience.WINDOW", 5)
    room = Room(tmp_path, 2).begin().play(20)
    with pytest.raises(KeyError):
        room.watch("Wanda")


async def test_a_session_that_breaks_keeps_its_seat(
    tmp_path: Path, reports: Reports, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opening(tmp_path, Reports()) as table, asyncio.timeout(60):
        ada = await table.join("Ada", tmp_path / "0")
        bea = await join(table, tmp_path / "1", "Bea", report=reports)
        real = client.Client._apply

        def careless(self: client.Client, step: Any) -> None:
            if self.seat == 1 and self.state is not None:
                mistake()
            real(self, step)

        with monkeypatch.context() as patched:
            patched.setattr(client.Client, "_apply", careless)
            await ada.start()
            updates = [update async for update in bea.updates()]
        assert not any(isinstance(update, Alarm) for update in updates)
        assert bea.table.reason is not None
        assert (bea.table.reason.code, bea.table.reason.details) == ("failed_report", {"path": "report-1.log"})
        await bea.leave()
        bea = await join(table, tmp_path / "1", "Bea")
        assert bea.table.seat == 1
        await play_all([ada, bea])
        await table.over()
        assert ada.table.head == bea.table.head
        await ada.leave()
        await bea.leave()


def test_without_a_report_none_is_promised() -> None:
    assert (failed(None).code, failed(None).details) == ("failed", {})
