"""Random edits of transcripts: none is verified, and only a host whose key has signed it is accused."""

from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from tests.crypto.forging import Forge, drafts, saved

from . import fuzz

EDITS = 60
"""In one test."""
QUICK = 12
"""In the quick suite; with these every manner and every outcome comes."""


def check(edits: range, folder: Path, editions: tuple[str, ...]) -> list[fuzz.Trial]:
    """Make these edits; nothing is wrong with what verification says of any."""
    trials = [fuzz.trial(1, number, folder, editions) for number in edits]
    assert not [
        str(trial) for trial in trials if trial.unnoticed or trial.unjust or trial.failed or trial.disagreed
    ]
    return trials


@pytest.mark.slow
def test_random_edits_are_found(tmp_path: Path) -> None:
    trials = check(range(QUICK), tmp_path, fuzz.QUICK[:2])
    assert {trial.manner for trial in trials} == set(fuzz.MANNERS)
    assert {0, 1, 3, 4} >= {trial.report.code for trial in trials} >= {1, 3, 4}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_more_random_edits_are_found(part: int, tmp_path: Path) -> None:
    first = EDITS * part
    assert check(range(first, first + EDITS), tmp_path, fuzz.EDITIONS)


@pytest.mark.slow
def test_unedited_transcripts_are_verified(tmp_path: Path) -> None:
    """Without edits the same files are verified."""
    for edition in fuzz.QUICK:
        game = fuzz.game_of(edition)
        assert verify([saved(tmp_path / "a.ctr", game.transcript(1))]).code == 0
        forged = Forge().file(drafts(game), 1)
        assert verify([saved(tmp_path / "a.ctr", forged)]).code == 0
