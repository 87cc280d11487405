"""Hosts that cheat when they open what they have, after the game."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import AnyEntry, Close
from citadels_lan.crypto.report.verify import verify

from .attacks import Verdict, attack
from .court import SEALED, Cheat, Court, Private, assert_alarmed, crooked, hold


class OtherSecret(Cheat):
    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Close) and entry.secret:
            return replace(entry, secret=bytes(32)), private
        return entry, private


class Withholding(Cheat):
    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Close) and not self.done:
            return replace(entry, openings=entry.openings[1:]), private
        return entry, private


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        pytest.param(OtherSecret, "secret", marks=attack("changes its secret at the end")),
        pytest.param(Withholding, "withheld", marks=attack("leaves out an opening that it had")),
    ],
)
def test_lies_at_the_end(
    kind: type[Cheat], code: str, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(kind))
    assert_alarmed(court, code, later=kind is Withholding)
    verdict(court, code)


class Forgetful(Cheat):
    """Leaves out what the owners opened of their seals."""

    left: frozenset[int] = frozenset()

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Close):
            kept = tuple(one for one in entry.openings if one.kind not in ("warrant", "threaten"))
            self.left |= {one.seat for one in entry.openings if one not in kept}
            return replace(entry, openings=kept), private
        return entry, private


def several_left(court: Court) -> bool:
    """Whether several owners' seals are left out: no file alone is complete then."""
    cheat = court.game.host_log
    assert isinstance(cheat, Forgetful)
    return len(cheat.left) > 1


@pytest.mark.slow
@attack("leaves out the openings of seals")
def test_openings_of_seals_left_out(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can say who left them out, but whoever has opened has it in the own file."""
    court = hold(tmp_path, monkeypatch, crooked(Forgetful), SEALED, dice=13, did=several_left)
    assert court.game.closed
    assert court.alarms == {}
    files = court.files()
    assert verify(files).code == 0
    for seat, path in enumerate(files):
        found = verdict.of([path]).findings
        assert {finding.code for finding in found} == {"unopened"}
        assert seat not in {finding.seat for finding in found}
