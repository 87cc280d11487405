"""Hosts that tell two stories, and files whose owners changed them."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.identity import verify as signed_by
from citadels_lan.crypto.log import (
    Move,
)
from citadels_lan.crypto.packing import u64
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.verify import verify
from tests.crypto.forging import Forge, drafts, find, saved
from tests.crypto.table import GAME, HOST, Game, begin, recorded


def test_two_histories(tmp_path: Path) -> None:
    """The host plays two games under one number and tells each player another."""
    first, second = recorded(2, seed=1), recorded(2, seed=2)
    one = saved(tmp_path / "a.ctr", first.transcript(0))
    other = saved(tmp_path / "b.ctr", second.transcript(1))
    assert verify([one]).code == verify([other]).code == 0
    report = verify([one, other])
    assert report.code == 1
    (finding,) = report.findings
    assert finding.code == "two_histories"
    assert finding.details["n"] == find(drafts(first), Move) + 1
    for evidence in finding.evidence:
        assert evidence.key == HOST.public
        assert evidence.signed.hex() in report_text.text(report)
    assert finding.evidence[0].signed != finding.evidence[1].signed
    n = finding.details["n"]
    assert isinstance(n, int)
    for evidence, game in zip(finding.evidence, (first, second), strict=True):
        assert signed_by(HOST.public, evidence.signature, "entry", GAME, u64(n), game.host_log.head_at(n))


def test_two_histories_of_an_unfinished_game(tmp_path: Path) -> None:
    paths = []
    for seat in (0, 1):
        game = begin(2, seed=seat + 1, followed=False).play(until=lambda game: game.state.round > 1)
        paths.append(saved(tmp_path / f"{seat}.ctr", game.transcript(seat, finish=False)))
    assert verify(paths).code == 1


def test_two_histories_need_no_seal(tmp_path: Path) -> None:
    """The host signs every entry: the first that differs is enough."""
    paths = []
    for seat in (0, 1):
        game = begin(2, seed=seat + 1, followed=False).play(until=lambda game: game.host_log.chain.n > 8)
        paths.append(saved(tmp_path / f"{seat}.ctr", game.transcript(seat, finish=False)))
    report = verify(paths)
    assert report.code == 1
    assert [finding.code for finding in report.findings] == ["unfinished", "unfinished", "two_histories"]
    assert report.findings[2].details == {"n": 4}


@pytest.mark.parametrize("finish", [True, False])
def test_who_changes_the_own_file_has_not_the_hosts_signature(duel: Game, tmp_path: Path, finish: bool) -> None:
    """Whether its owner signs it or not, it is damaged, and accuses neither host nor owner."""
    entries = drafts(duel)
    at = find(entries, Move, hidden=False)
    entries[at].entry = replace(entries[at].entry, what="end")
    forge = Forge(resign=False)
    forge.signatures = {n: duel.host_log.signature(n) for n in range(1, len(entries) + 1)}
    report = verify([saved(tmp_path / "a.ctr", forge.file(entries, finish=finish))])
    assert (report.code, [finding.code for finding in report.findings]) == (3, ["link"])
    assert report.findings[0].details == {"n": at + 1}
    good = saved(tmp_path / "b.ctr", duel.transcript(1))
    report = verify([good, tmp_path / "a.ctr"])
    assert [file.code for file in report.files] == [0, 3]
