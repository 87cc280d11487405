"""The same hosts at tables with a sealed draft: what is found with open picks is found there, too."""

from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import AnyEntry, DraftCalled
from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.wire.messages import Settings
from tests.facts import first_game

from .attacks import accused_by
from .court import Cheat, Crooked, Private, crooked, hold, with_event
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


HOSTS: Final[dict[str, type[Crooked]]] = {
    "forges a move": Forger,
    "reveals another character": crooked(OtherCall),
}


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_that_cheats_beside_a_sealed_draft_is_proven(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, HOSTS[name], SEALED_DRAFT)
    assert set(court.alarms) == {guest.records.seat for guest in court.players}
    for path in court.files():
        report = verify([path])
        assert (report.code, accused_by(report)) == (1, {"host"})


def test_the_honest_host_of_these_tests_is_honest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Cheat), SEALED_DRAFT)
    assert (court.alarms, court.left, court.verdict().code) == ({}, {}, 0)
