"""Every ruling of this folder holds, and every numbered rule of the 2016 edition is covered."""

from pathlib import Path

import pytest

from .files import NOT_RULINGS, Case, load, load_yaml
from .runner import run

HERE = Path(__file__).parent
CASES = load([str(HERE)])
NUMBERS = {f"R{number:03}" for number in range(1, 338)}
"""The rules of the 2016 edition; what follows them are other editions."""
NOT_EXECUTABLE: dict[str, str] = load_yaml((HERE / NOT_RULINGS).read_text(encoding="utf-8"))


def covered() -> set[str]:
    return {number for case in CASES if case.ruling is not None for number in case.ruling.covers}


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_ruling_holds(case: Case) -> None:
    for seed in ("", "other", "third"):
        result = run(case, seed)
        if result.outcome == "waiting":
            pytest.skip(result.why)
        assert result.outcome == "ok", f"{case.path.name}: {result.why}"


def test_every_rule_is_covered() -> None:
    assert sorted(NUMBERS - covered() - set(NOT_EXECUTABLE)) == []


def test_a_rule_is_called_not_executable_only_where_no_ruling_covers_it() -> None:
    assert sorted(covered() & set(NOT_EXECUTABLE)) == []
    assert set(NOT_EXECUTABLE) <= NUMBERS
    assert all(NOT_EXECUTABLE.values())


def test_no_ruling_of_the_2016_edition_waits() -> None:
    waiting = [case.id for case in CASES if case.ruling is not None and run(case).outcome == "waiting"]
    assert waiting == []
