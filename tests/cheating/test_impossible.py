"""A host that tells of something that cannot be at any table is found at once; a fault of the client's is none."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import AnyEntry, TableMove
from citadels_lan.engine import encode_event
from citadels_lan.engine.events import GoldGained

from .attacks import Verdict, attack
from .court import Cheat, Private, crooked, hold


class NoSuchSeat(Cheat):
    """Pays a seat that is not there."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, TableMove) and not self.done:
            return replace(entry, events=[*entry.events, encode_event(GoldGained(7, 1, "income"))]), private
        return entry, private


@attack("tells of a seat, card or district that is not there")
def test_gold_for_nobody(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(NoSuchSeat))
    assert {code for code, _ in court.alarms.values()} == {"impossible_event"}
    assert set(court.alarms) == {guest.records.seat for guest in court.players}
    verdict(court, "impossible_event")
