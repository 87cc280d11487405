"""Hosts that tell two histories, or go back to an earlier one."""

from pathlib import Path
from typing import ClassVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import AnyEntry, Close, Move
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.host.table import HostTable
from citadels_lan.net.wire.errors import Refusal
from tests.facts import first_table

from .attacks import OPEN, Verdict, attack, slow
from .court import Court, TwoHistories, crooked, events_in, hold

case = pytest.param


class Whispering(TwoHistories):
    """Forks at the first move from some entry on, or at the end of a round: in the other history the first seat is
    told something else in private, which the last one cannot know."""

    after: ClassVar[int] = 0
    last: ClassVar[bool] = False

    def whispers(self, n: int, entry: AnyEntry) -> bool:
        if self.at or n < self.after or not isinstance(entry, Move):
            return False
        return not self.last or bool(events_in(entry, 15))


@attack("tells two histories")
@pytest.mark.parametrize(
    ("after", "last"), [slow(0, False), case(30, False), case(12, True)], ids=["draft", "middle", "last"]
)
def test_two_histories(
    after: int, last: bool, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(type("Forking", (Whispering,), {"after": after, "last": last})))
    host_log = court.game.host_log
    assert isinstance(host_log, TwoHistories)
    assert host_log.at
    # Whoever comes to a signature of the other history leaves.
    signatures = ("move_signature", "cosignature", "said_signature")
    assert {code for code, _ in court.alarms.values()} <= {*signatures}
    files = court.files()
    verdict.of([files[seat] for seat in court.alarms], *signatures)
    verdict.together(files)


@OPEN  # at a sealed draft the next call shows it to everybody: see test_two_histories
@attack("signs two entries for one place, and breaks off")
def test_two_entries_for_one_place(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Either file alone is one of a game that was not finished."""
    monkeypatch.setattr(
        "citadels_lan.net.host.table.HostedGame", crooked(type("Late", (Whispering,), {"after": 30}))
    )
    court = Court(tmp_path, first_table(2))
    court.begin()
    host_log = court.game.host_log
    assert isinstance(host_log, TwoHistories)
    while not host_log.at:
        court.play(1)
    assert court.alarms == {}
    files = court.files()
    for path in files:
        assert [finding.code for finding in verdict.of([path]).findings] == ["unfinished"]
    verdict.together(files)


class TwoEnds(TwoHistories):
    """Everybody has the same game; only the order of the last openings is told otherwise."""

    def otherwise(self, n: int, entry: AnyEntry) -> AnyEntry:
        return replace(entry, openings=entry.openings[::-1]) if isinstance(entry, Close) else entry


@pytest.mark.slow
@attack("tells two ends")
def test_two_ends(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is verified by itself: only together they are proof."""
    court = hold(tmp_path, monkeypatch, crooked(TwoEnds))
    assert court.alarms == {}
    verdict(court)
    (finding,) = verdict.together(court.files()).findings
    ends = [n for n, entry in enumerate(court.game.host_log.entries(), 1) if isinstance(entry, Close)]
    assert finding.code == "two_histories"
    assert finding.details["n"] in ends


# Going back


def host_goes_back(court: Court, n: int, patch: pytest.MonkeyPatch) -> None:
    """The host forgets what came after entry `n`, and does not say so."""
    court.restart(n)
    patch.setattr(HostTable, "_check_history", lambda *_: None)
    court.table.audience.wanted = ()  # nor waits for anyone
    patch.setattr(HostLog, "knows", lambda *_: True)
    court.game.go_on()


@attack("goes back after a crash")
def test_going_back_after_a_crash(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host forgets the last moves and would like to go on otherwise; nobody moves before what it has."""
    court = Court(tmp_path, first_table(2))
    court.begin()
    court.play(30)
    before = court.game.n
    court.restart(before - 4)
    for guest in court.guests:
        guest.open()
        with pytest.raises(Refusal, match="not of the same game"):
            guest.join()
    assert court.table.stopped is not None, "an honest one stops"
    host_goes_back(court, before - 4, monkeypatch)
    for guest in court.guests:
        guest.open()
        guest.join()
    court.dice.seed(99)
    assert court.game.n < before
    court.play()
    assert court.game.n < before
    verdict(court)


def gone_back(folder: Path, patch: pytest.MonkeyPatch) -> tuple[Path, Court]:
    """Both seats have lost their files, of which one is kept by somebody; the host goes on otherwise with them."""
    court = Court(folder, first_table(2))
    court.begin()
    while len(ends(court)) < 3:
        court.play(5)
    court.files()
    host_goes_back(court, ends(court)[0], patch)  # so far that hardly all moves are made again as they were
    aside = []
    for guest in court.guests:
        assert guest.records.path is not None
        aside.append(guest.records.path.rename(folder / f"{guest.name}.ctr"))
        guest.open()
        guest.join()
    court.dice.seed(12345)
    court.play()
    assert court.game.closed
    return aside[0], court


def ends(court: Court) -> list[int]:
    """The entries with check words so far."""
    return [written.n for written in court.journal if written.public[:2] == b"\x92\x05"]


@pytest.mark.slow
@attack("goes back after a crash")
def test_going_back_and_playing_on(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of the one who was further is against any file of what came then."""
    aside, court = gone_back(tmp_path, monkeypatch)
    verdict.of([aside])
    now = court.files()
    assert verify(now).code == 0
    for path in now:
        verdict.together([aside, path])
