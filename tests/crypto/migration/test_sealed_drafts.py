"""A sealed draft goes on at another host, from what one seat was sent and the shares of enough seats."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import Beacons, DraftSaid
from citadels_lan.crypto.migration.escrow import SIGNATURE, TAG, seal_deposit
from citadels_lan.crypto.received_moves import HostDrafts, ReadDraft
from citadels_lan.net.host.new_host.inheriting import Spoiled
from tests.crypto.migrating import taken_over
from tests.crypto.sealed.files import accused, checked, sealed_first
from tests.crypto.table import GAME, Game, begin
from tests.effort import quick


def table(players: int = 3, *, kind: type[HostLog] = HostLog) -> Game:
    return begin(players, setup=sealed_first(players), migrate=2, seed=4, kind=kind)


def drafting(game: Game) -> tuple[str, int, int]:
    """From the second round on: what is to be said in the draft, how many have picked, how many were called."""
    drafts = game.host_log.audit.drafts
    if drafts is None or len(drafts.rounds) < 2:
        return "", 0, 0
    return drafts.record.due[0], len(drafts.record.steps), len(drafts.record.calls)


MOMENTS: dict[str, Callable[[Game], bool]] = {
    "before the deal": lambda game: drafting(game)[0] == "deal",
    "in the draft": lambda game: drafting(game)[:2] == ("pick", 1),
    "between draft and calls": lambda game: drafting(game) == ("over", 6, 0),
    "between calls": lambda game: drafting(game)[2] == 2,
    "while the last links are missing": lambda game: (
        game.host_log.audit.over and game.host_log.audit.expects(Beacons)
    ),
    "before the links of the drafts": lambda game: game.host_log.may_close,
}


@pytest.mark.parametrize("moment", quick(MOMENTS, "in the draft"))
def test_it_goes_on_to_a_verified_end(tmp_path: Path, moment: str) -> None:
    before = table().play(until=MOMENTS[moment])
    assert MOMENTS[moment](before)
    after = taken_over(before, 1, (1, 2)).play()
    report = checked(after, tmp_path)
    assert report.code == 0, report.findings
    (one,) = report.files[0].tally.moved
    assert one.n == before.host_log.chain.n + 1


@pytest.mark.slow
def test_at_every_entry_the_new_host_has_what_the_old_one_had() -> None:
    game = table(2)
    game.play(until=lambda game: game.host_log.audit.between.attempt == 1)
    while game.host_log.audit.round < 2 and game.step():
        after = taken_over(game, 1, (0, 1)).host_log
        had = [(one.public, one.private, one.signature, one.openings) for one in game.host_log.written]
        assert [(one.public, one.private, one.signature, one.openings) for one in after.written[:-1]] == had
    assert any(isinstance(entry, DraftSaid) for entry in game.host_log.entries())


class Stingy(HostLog):
    """A host that leaves in escrow nothing that is one."""

    @property
    def drafts(self) -> HostDrafts:
        return StingyDrafts(self.audit, self.chain, self._secret, self._write_drafted)


class StingyDrafts(HostDrafts):
    """What it takes of that."""

    def check_said(self, seat: int, n: int, what: bytes, signature: bytes) -> ReadDraft:
        read = super().check_said(seat, n, what, signature)
        return replace(read, entry=replace(read.entry, escrow=self._escrow(n)))

    def _escrow(self, n: int) -> bytes:
        return bytes(SIGNATURE + TAG)


class Forger(HostLog):
    """A host that leaves another signature there than the seat's."""

    @property
    def drafts(self) -> HostDrafts:
        return ForgerDrafts(self.audit, self.chain, self._secret, self._write_drafted)


class ForgerDrafts(StingyDrafts):
    """What it takes of that."""

    def _escrow(self, n: int) -> bytes:
        return seal_deposit(GAME, self._secret, n, self._chain.head, bytes(64), ())


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Stingy, Forger])
def test_what_is_not_left_in_escrow_is_not_taken_over_and_is_proof(tmp_path: Path, kind: type[HostLog]) -> None:
    before = table(kind=kind).play(until=MOMENTS["in the draft"])
    entries = enumerate(before.host_log.entries(), 1)
    said = [n for n, entry in entries if isinstance(entry, DraftSaid)]
    with pytest.raises(Spoiled) as spoiled:
        taken_over(before, 1, (1, 2))
    assert spoiled.value.n == (said[0] if kind is Stingy else before.host_log.audit.unsealed[0].n)
    report = checked(before.play(), tmp_path)
    assert {one.contradiction for file in report.files for one in file.findings} == {"escrow"}
    assert accused(report) == {("host", None)}


class Secretive(HostLog):
    """A host whose stand-ins draft with what nobody else can derive."""

    @property
    def drafts(self) -> HostDrafts:
        return SecretiveDrafts(self.audit, self.chain, self._secret, self._write_drafted)


class SecretiveDrafts(HostDrafts):
    """What it writes of them."""

    def stand_in(self, n: int, seat: int) -> tuple[bytes, ...]:
        return HostDrafts(self._audit, self._chain, bytes(32), self._write).stand_in(n, seat)


def test_a_stand_in_that_another_host_cannot_draft_for_is_not_taken_over() -> None:
    game = table(kind=Secretive)
    game.gone = lambda game: [0] if game.host_log.audit.round == 2 else []
    game.play(until=lambda game: bool(game.host_log.audit.movers.stints))
    with pytest.raises(Spoiled) as spoiled:
        taken_over(game, 1, (1, 2))
    assert spoiled.value.n == game.host_log.audit.movers.stints[0].n
