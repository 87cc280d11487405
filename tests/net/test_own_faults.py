"""Deliberate faults of this program: it reports them, and accuses no player and no host."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from citadels_lan.crypto import bookkeeping as books
from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import read
from citadels_lan.net.client import client, own_seat
from citadels_lan.net.client.own_seat import PendingSignatures
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Alarm, Disconnected
from citadels_lan.net.host.opening import OpenTable, open_table
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Refusal, failed
from citadels_lan.platform.logs import bare
from tests.effort import quick
from tests.facts import first_table

from .playing import QUICK, join, play_all, reached, until
from .room import Room

CARD = "a card of another hand"


def mistake(*_: object, **__: object) -> NoReturn:
    raise KeyError(CARD)


class Reports(list[BaseException]):
    """Collects errors in place of report files."""

    def __call__(self, fault: BaseException) -> Path:
        self.append(fault)
        return Path(f"report-{len(self)}.log")


@contextlib.asynccontextmanager
async def opened(
    folder: Path, reports: Reports, *names: str, **options: Any
) -> AsyncIterator[tuple[OpenTable, list[Session]]]:
    """Context with a table: the host's player is Ada, and the other players have these names."""
    usual: dict[str, Any] = {"host": "127.0.0.1", "port": 0, "timing": QUICK, "report": reports}
    async with asyncio.timeout(60), open_table(first_table(2), folder / "host", **usual | options) as table:
        ada = await table.join("Ada", folder / "0")
        yield table, [ada, *[await join(table, folder / name, name) for name in names]]
        await ada.leave()


# The host's faults


def test_fault_report_has_the_code_location_and_no_values() -> None:
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
    assert (failed(None).code, failed(None).details) == ("failed", {})


async def test_host_with_an_internal_error_ends_the_table_and_resumes_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host's player sees the report. The others see that the host failed, and reconnect by themselves."""
    reports, sessions = Reports(), list[Session]()

    async def play() -> None:
        async with opened(tmp_path, reports, "Bea") as (table, players):
            sessions.extend(players)
            journals.append(table.journal)
            await players[0].start()
            await until(reached(players[1], 3))
            monkeypatch.setattr(HostTable, "_say", mistake)
            await players[1].chat("hello")
            await asyncio.sleep(30)

    journals: list[Path] = []
    with pytest.raises(Refusal) as raised:
        await play()
    ada, bea = sessions
    await until(lambda: ada.table.reason is not None)
    for reason in (ada.table.reason, raised.value):
        assert reason is not None
        assert (reason.code, reason.details) == ("failed_report", {"path": "report-1.log"})
    lost = await anext(one async for one in bea.updates() if isinstance(one, Disconnected))
    assert lost == Disconnected("host_failed")
    assert [type(fault) for fault in reports] == [KeyError]
    assert bea.table.reason is None
    async with opened(tmp_path, reports, port=None, resume=journals[0]) as (again, (ada,)):
        await play_all([ada, bea])
        await again.over()
        assert ada.table.head == bea.table.head
        await bea.leave()


def test_moves_that_raise_errors_are_rejected_with_one_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path, 2).begin().play(3)
    n, room.game.report = room.game.n, Reports()
    with monkeypatch.context() as broken:
        broken.setattr("citadels_lan.net.host.hosted_game.decide", mistake)
        assert [room.refused_move() for _ in range(3)] == ["undecided"] * 3
    assert len(room.game.report) == 1
    assert room.game.n == n
    assert room.play().game.closed


# The client's faults

FAULTS: dict[str, tuple[object, str]] = {
    "judging": (ClientLog, "judge"),
    "auditing": (Auditor, "read"),
    "bookkeeping": (books, "followed"),
    "choosing": (own_seat, "decisions"),
    "own secrets": (own_seat.OwnView, "_with_own_secret"),
    "pending signatures": (PendingSignatures, "due"),
}


@pytest.mark.parametrize("fault", quick(FAULTS, "own secrets", "bookkeeping"))
@pytest.mark.parametrize("mended", quick([True, False], False))
def test_client_with_an_internal_error_accuses_no_one(
    tmp_path: Path, fault: str, mended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry is written before it is judged. A file that ends with such an entry is no alarm, neither for
    verify nor for the restarted program, whether or not it fails again."""
    room = Room(tmp_path, 2).begin().play(3)
    anna = room.players[0]
    with monkeypatch.context() as broken:
        broken.setattr(*FAULTS[fault], mistake)
        with pytest.raises(KeyError):
            room.play(60)
        path = anna.path
        for guest in room.guests:
            guest.stop()
        before = path.read_bytes()
        if not mended:
            with contextlib.suppress(KeyError):  # pending signatures are looked up at the table only
                anna.open()
            anna.records.close()
    assert path.read_bytes() == before
    transcript = read(path)
    assert (transcript.alarm, transcript.footer) == (None, None)
    assert {one.code for one in verify([path]).findings} == {"unfinished"}
    for guest in room.guests:
        guest.open()
        guest.join()
    assert anna.path == path
    assert room.play().game.closed
    assert not any(isinstance(update, Alarm) for update in anna.client.updates)
    assert verify([path]).code == 0


async def test_session_with_an_internal_error_reports_it_and_keeps_its_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports, apply = Reports(), client.Client._apply

    def careless(self: client.Client, step: Any) -> None:
        apply(self, step) if self.seat != 1 or self.state is None else mistake()

    async with opened(tmp_path, Reports()) as (table, (ada,)):
        bea = await join(table, tmp_path / "1", "Bea", report=reports)
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
        await bea.leave()
