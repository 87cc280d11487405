"""The same hosts at tables with a sealed draft: what is found with open picks is found there, too."""

from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import AnyEntry, DraftCalled
from citadels_lan.net.wire.messages import Settings
from tests.facts import first_game

from .attacks import Verdict, attack
from .court import Cheat, Private, crooked, hold, with_event
from .test_hosts import Forger

REVEALED: Final = 11
SEALED_DRAFT: Final = Settings(replace(first_game(4), draft="sealed"))


class OtherCall(Cheat):
    """Another character is revealed than was shown to the call."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        for event in entry.events if isinstance(entry, DraftCalled) and not self.done else ():
            if event[0] == REVEALED:
                other = next(one for one in self.header.cast if one != event[2])
                return with_event(entry, event, [REVEALED, event[1], other]), private
        return entry, private


@attack("forges a move")
def test_a_forged_move(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, Forger, SEALED_DRAFT)
    assert set(court.alarms) == {guest.records.seat for guest in court.players}
    verdict(court, "move_signature")


@attack("reveals another character")
def test_another_character(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(OtherCall), SEALED_DRAFT)
    ((_, n),) = set(court.alarms.values())
    assert n == court.game.host_log.done  # type: ignore[attr-defined]
    verdict(court, "revealed")


def test_the_honest_host_of_these_tests_is_honest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Cheat), SEALED_DRAFT)
    assert (court.alarms, court.left, court.verdict().code) == ({}, {}, 0)
