"""A host that edits one value of one entry, and chains and signs everything again. The file proves it, even
the file of a client that left at once.

There is one edit of each shape. `test_fuzz` makes random edits, also those of a person without keys, and
those that all players sign."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from citadels_lan.crypto.codec import Malformed, pack, unpack
from citadels_lan.crypto.log import decode_entry
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from tests.cheating import fuzz
from tests.cheating.records import Place, edited, edits
from tests.crypto.forging import Draft, Forge, drafts, refused, saved
from tests.crypto.table import HOST, Game

PARTS = 6
"""The edits are divided among this many test cases."""


class Edit(NamedTuple):
    """One edit: the index of the entry (`at`), the place in it, and what is changed. `shape` is equal for
    similar edits."""

    at: int
    place: Place
    what: str
    shape: str


def shape(kind: str, value: Any, place: Place, what: str) -> str:
    """Return the shape of a place in an entry: indices in lists of similar values are left out, but numbers
    of events are not."""
    words, here = [kind], value
    for index in place:
        many = (len(here) > 1 and len({type(item) for item in here}) == 1) or isinstance(here[0], list)
        words.append("*" if many else str(index))
        here = here[index]
        if isinstance(here, list) and here and isinstance(here[0], int) and len(words) == 3:
            words.append(f"event {here[0]}")
    return f"{' '.join(words)}: {what}"


def one_of_each(found: Iterator[Edit]) -> list[Edit]:
    """Return one edit of each shape: the last one, because many later entries depend on it."""
    return list({edit.shape: edit for edit in found}.values())


def entry_edits(game: Game) -> list[Edit]:
    found = (
        Edit(at, place, what, shape(str(value[0]), value, place, what))
        for at, written in enumerate(game.host_log.written)
        for value in [unpack(written.public)]
        for place, what in edits(value)
    )
    return one_of_each(found)


def assert_nobody_accused(report: Report, codes: tuple[int, ...] = (3,)) -> None:
    assert report.code in codes
    assert not [finding for finding in report.findings if finding.accused]


def assert_host_alone(report: Report) -> None:
    found = [finding for finding in report.findings if finding.accused]
    assert found
    for finding in found:
        assert (finding.code, finding.accused) == ("host_cheated", "host")
        assert finding.evidence[0].key == HOST.public


# By the host


def tampered(game: Game, edit: Edit) -> list[Draft] | None:
    """Return the entries of a game with one edit; None if the edit changes nothing."""
    entries = drafts(game)
    public = pack(edited(unpack(game.host_log.written[edit.at].public), edit.place, edit.what))
    draft = entries[edit.at]
    try:
        changed = decode_entry(public)
    except Malformed:
        draft.public = public
        return entries
    if changed == draft.entry:
        return None
    draft.entry = changed
    return entries


def taken(entries: list[Draft], fault_at: int, folder: Path) -> Report:
    """Verify the file of an honest client that left because of entry `fault_at`. Return the report."""
    data = Forge(players=False).file(entries[:fault_at], finish=False)
    return verify([saved(folder / "a.ctr", data)])


def leaves_out_a_seal(edit: Edit, report: Report) -> bool:
    """Return whether an edit only removes an opening of a sealed move at the end. The game is then
    incomplete, and the report names the seat."""
    dropped = edit.what == "drop" and edit.shape.startswith(("7 1", "6 2"))
    return dropped and report.code == 4 and {finding.code for finding in report.findings} == {"unopened"}


def check_host_edits(game: Game, folder: Path, step: int, first: int = 0) -> int:
    """Let the host make every `step`-th edit, beginning with number `first`, and chain and sign the entries
    again. Check that each is proof against it. Return the number of edits."""
    chosen = entry_edits(game)[first::step]
    for edit in chosen:
        entries = tampered(game, edit)
        assert entries is not None, edit
        fault = refused(entries, forge=Forge(players=False))
        if fault is None:
            report = verify([saved(folder / "a.ctr", Forge(players=False).file(entries))])
            if not leaves_out_a_seal(edit, report):
                assert_host_alone(report)
            continue
        assert fault.n > edit.at
        report = taken(entries, fault.n, folder)
        if {finding.code for finding in report.findings} <= {"other_rules", "forged"}:
            # A reader who knows the edition may accept it; the host of another table has not signed it.
            assert_nobody_accused(report, (3, 5))
        else:
            assert_host_alone(report)
    return len(chosen)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_each_value_edited_by_the_host_is_proof_against_it(marked: Game, tmp_path: Path, part: int) -> None:
    assert check_host_edits(marked, tmp_path, PARTS, part) > 20


EDITS = 24
"""Number of random edits in one test case. `tools.long_fuzz` makes any number."""


def check(edits: range, folder: Path, editions: tuple[str, ...]) -> list[fuzz.Trial]:
    """Make the random edits with these numbers. Fail if a verifier gives a wrong result for one of them.
    Return the trials."""
    trials = [fuzz.trial(1, number, folder, editions) for number in edits]
    assert not [
        str(trial) for trial in trials if trial.unnoticed or trial.unjust or trial.failed or trial.disagreed
    ]
    return trials


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_random_edits_of_transcripts_are_detected(part: int, tmp_path: Path) -> None:
    first = EDITS * part
    trials = check(range(first, first + EDITS), tmp_path, fuzz.EDITIONS)
    assert {trial.manner for trial in trials} == set(fuzz.MANNERS)
    assert {0, 1, 3, 4} >= {trial.report.code for trial in trials} >= {1, 3, 4}


@pytest.mark.slow
def test_unedited_transcripts_are_verified(tmp_path: Path) -> None:
    """Without edits both verifiers verify the same files."""
    for edition in fuzz.QUICK:
        game = fuzz.game_of(edition)
        assert verify([saved(tmp_path / "a.ctr", game.transcript(1))]).code == 0
        forged = Forge().file(drafts(game), 1)
        assert verify([saved(tmp_path / "a.ctr", forged)]).code == 0
