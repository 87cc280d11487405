"""Alarms: borne out by the entry, or false."""

import io
from pathlib import Path

import pytest

from citadels_lan.crypto.log import CoSigned
from citadels_lan.crypto.packing import pack
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.model import sentence
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Alarmed, FileHead, Writer
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.table import FP, GAME, HOST, Game, player, with_bodies
from tests.effort import one_case
from tests.facts import RULES

from .judging import assert_host_named


def alarmed(path: Path, forge: Forge, entries: list[Draft], alarm: Alarmed, viewer: int = 0) -> Path:
    """The file of a viewer who has left in alarm, signed at the end of what it took."""
    stream = io.BytesIO()
    stream.close = lambda: None  # type: ignore[method-assign]
    writer = Writer(stream, FileHead(GAME, RULES, FP, HOST.public, viewer, player(viewer).public))
    writer.begin()
    for draft in entries:
        writer.append(forge.body(draft, viewer))
    writer.append_alarm(alarm)
    writer.finish(player(viewer), forge.chain)
    return saved(path, stream.getvalue())


def test_a_true_alarm_is_borne_out_by_the_entry(duel: Game, tmp_path: Path) -> None:
    entries = drafts(duel)
    at = find(entries, CoSigned)
    del entries[at]
    path = alarmed(tmp_path / "a.ctr", Forge(), entries[: at + 1], Alarmed(at + 1, "order"))
    report = verify([path])
    assert_host_named(report, "order")
    assert "false_alarm" not in {finding.code for finding in report.findings}


@one_case("n", [6, 12])
@pytest.mark.parametrize("viewer", [0, 1])
def test_a_false_alarm_accuses_nobody(duel: Game, tmp_path: Path, n: int, viewer: int) -> None:
    path = alarmed(tmp_path / "a.ctr", Forge(), drafts(duel)[:n], Alarmed(n, "event"), viewer)
    report = verify([path])
    assert (report.code, report.files[0].signed) == (4, True)
    assert [finding.code for finding in report.findings] == ["false_alarm", "unfinished"]
    said = sentence(report.findings[0], report.files[0].header)
    assert f"Player {viewer}" in said
    assert "nobody is accused" in said
    others = verify([path, saved(tmp_path / "b.ctr", duel.transcript(1 - viewer))])
    assert others.files[1].code == 0
    assert {finding.kind for finding in others.findings} == {"incomplete"}


def test_a_false_alarm_of_a_spectator_is_told(duel: Game, tmp_path: Path) -> None:
    data = with_bodies(duel, duel.bodies[:9]).transcript(None, finish=False)
    record = pack(Alarmed(9, "event"))
    report = verify([saved(tmp_path / "a.ctr", data + len(record).to_bytes(4, "big") + b"A" + record)])
    assert report.code == 4
    assert "a spectator left in alarm at entry 9 (event)" in report_text.text(report)


def test_a_lie_that_is_not_signed_is_no_proof_whatever_is_said_of_it(duel: Game, tmp_path: Path) -> None:
    """Somebody makes up an entry, and an alarm because of it."""
    entries = drafts(duel)
    del entries[5]
    forge = Forge(resign=False)
    forge.signatures = {n: duel.host_log.signature(n) for n in range(1, 6)}
    report = verify([alarmed(tmp_path / "a.ctr", forge, entries[:6], Alarmed(6, "order"))])
    assert report.code == 3
    assert all(finding.kind != "proof" for finding in report.findings)
