"""The work that a file can cause grows only with its length. Calls are counted, not seconds."""

import contextlib
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from citadels_lan.cli.transcripts import TranscriptText
from citadels_lan.crypto import transcript
from citadels_lan.crypto.report.report_text import figures, text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import MAX_FILE, Damaged, hear, parse
from citadels_lan.texts import load
from tests.crypto.forging import saved
from tests.crypto.table import Game, with_bodies

from . import hostile

SMALL = 64 * 1024
MIB = 1024 * 1024
BASE = 300 * MIB
"""Bytes of address space that a Python process with the libraries reserves; it uses only a small part of
them."""
QUICK = ("sealed",)
SHOWN = ("opened", "names", "sealed moves", "endless drafts")
LESS = ("broken", "signed", "drafted", "sealed", "events", "endless", "endless for a seat")
"""Kinds of files that take less than a third of the limits, or as much as another file of the same game."""
PARTS = {"endless drafts": 4}
"""For some kinds, both the largest file and the limits are divided by this number. (Twice the file is twice
the work.)"""
KINDS = [pytest.param(kind, marks=() if kind in QUICK else pytest.mark.slow) for kind in hostile.KINDS]


def calls(work: Callable[[], object]) -> int:
    """Return how many calls of Python and C functions `work` causes."""
    counted = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted


def told(path: Path) -> None:
    report = verify([path])
    text(report)
    figures(report)


def shown(path: Path) -> None:
    with contextlib.suppress(Damaged):
        list(TranscriptText(hear(parse(path.read_bytes())), load("en")).lines())


@pytest.mark.parametrize("kind", KINDS)
def test_work_grows_linearly_with_the_size_of_the_file(kind: str, tmp_path: Path) -> None:
    make = hostile.KINDS[kind]
    paths = [saved(tmp_path / f"{size}.ctr", make(size)) for size in (SMALL, 2 * SMALL, 4 * SMALL)]
    for work in (told, shown):
        work(paths[0])  # for what is prepared only once
        one, two, four = (calls(partial(work, path)) for path in paths)
        assert four - two <= 2.3 * (two - one) + 200, (work, one, two, four)  # a few calls are of no interest


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory hold on Linux")
@pytest.mark.parametrize("kind", [kind for kind in hostile.KINDS if kind not in LESS])
@pytest.mark.long
def test_largest_file_is_checked_and_shown_within_limits(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operating system ends a process that takes more than ten seconds of processor time or 500 MB. This
    test uses only the kinds of files that take `verify` and `show` the longest; `python -m benchmarks proofs`
    measures both commands with all kinds."""
    part = PARTS.get(kind, 1)
    monkeypatch.setattr(hostile, "MAX_SAID", transcript.MAX_SAID // part)
    path = saved(tmp_path / "a.ctr", hostile.KINDS[kind](MAX_FILE // part))
    assert limited("verify", path, part) in (0, 1, 3, 4)
    if kind in SHOWN:
        assert limited("show", path, part) in (0, 3)


def test_count_of_unpadded_entries_is_limited(duel: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = duel.transcript(0)
    said = sum(map(transcript.unpadded, parse(data).bodies))
    assert said < transcript.MAX_SAID // 10
    monkeypatch.setattr(transcript, "MAX_SAID", said)
    assert parse(duel.transcript(0)) == parse(data)
    monkeypatch.setattr(transcript, "MAX_SAID", said - 1)
    with pytest.raises(OSError, match="says as much"):
        duel.transcript(0)
    report = verify([saved(tmp_path / "a.ctr", data)])
    assert [finding.code for finding in report.findings] == ["too_large"]
    assert report.code == 3


def limited(command: str, path: Path, part: int) -> int:
    """Run a command on a file, with limits for memory and processor time, each divided by `part`. Return its
    exit code."""
    program = (
        "import resource, sys; from citadels_lan.cli.main import main;"
        f"resource.setrlimit(resource.RLIMIT_AS, ({500 * MIB // part + BASE},) * 2);"
        f"resource.setrlimit(resource.RLIMIT_CPU, ({-(-10 // part)},) * 2);"
        f"sys.exit(main([{command!r}, {str(path)!r}]))"
    )
    return subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False).returncode


@pytest.mark.slow
def test_copies_of_a_file_are_judged_once_and_listed_in_one_line(duel: Game, tmp_path: Path) -> None:
    data = duel.transcript(0)
    path = saved(tmp_path / "a.ctr", data)
    one = calls(lambda: verify([path]))
    copies = [saved(tmp_path / f"b{number}.ctr", data) for number in range(100)]
    report = verify([path, *copies])
    assert report.code == 0
    assert len(text(report).splitlines()) < 40
    assert "and 97 more" in text(report)
    assert calls(lambda: verify([path, *copies])) < 2 * one
    assert calls(lambda: verify([path] * 300)) < 2 * one


def test_partial_file_beside_a_complete_one_is_verified(duel: Game, tmp_path: Path) -> None:
    whole = saved(tmp_path / "a.ctr", duel.transcript(0))
    for n in (0, 9, len(duel.bodies)):
        early = with_bodies(duel, duel.bodies[:n]).transcript(None, finish=False)
        part = saved(tmp_path / "b.ctr", early)
        assert verify([part]).code == 4
        for paths in ([whole, part], [part, whole]):
            report = verify(paths)
            assert report.code == 0
            assert text(report).startswith("VERIFIED")
            assert figures(report)["games"][0]["closed"], "the facts are those of the whole file"
            assert n == 0 or "part of the same game" in text(report)
