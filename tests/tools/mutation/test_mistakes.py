"""The mistakes that `tools.mutation` makes change what their names say, and the rulings (tests of rules in
tests/rulings) detect them."""

import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.effort import one_case
from tests.rulings.files import load_yaml
from tools.mutation.__main__ import EQUAL, EQUAL_PROOFS
from tools.mutation.mistakes import ENGINE, Mistake, all_mistakes, mistakes_in
from tools.mutation.proofs import ProofFinder, proof_mistakes


@cache
def in_the_engine() -> Sequence[Mistake]:
    """Return all mistakes in the engine, computed once for all tests of this module."""
    return all_mistakes()


def mistakes(folder: Path, code: str) -> dict[str, str]:
    """Return the mistakes that the tool finds in a module with this code: by the name of each mistake, the
    module's code with it."""
    (folder / "module.py").write_text(code, encoding="utf-8")
    return {one.name: one.source() for one in all_mistakes(folder)}


@one_case(
    ("code", "name", "changed"),
    [
        ("def f(a):\n    return a < 3", "f: return a < 3 | a < 3 -> a <= 3", "return a <= 3"),
        ("def f(a):\n    return a < 3", "f: return a < 3 | 3 -> 4", "return a < 4"),
        ("def f(a, b):\n    return a and b", "f: return a and b | a and b -> a or b", "return a or b"),
        ("def f(a):\n    if a:\n        a()", "f: if a: | a -> not a", "if not a:"),
        ("def f(t):\n    t.emit(1)", "f: t.emit(1) | t.emit(1) -> pass", "pass"),
        (
            "def f(seat, other):\n    g(seat, other)",
            "f: g(seat, other) | g(seat, other) -> g(other, seat)",
            "g(other",
        ),
        ("def f(a):\n    return hide(a)", "f: return hide(a) | hide(a) -> a", "return a"),
        ("def f(a, b):\n    return a - b", "f: return a - b | a - b -> a + b", "return a + b"),
    ],
)
def test_mutation_of_engine_code_makes_the_expected_change(
    tmp_path: Path, code: str, name: str, changed: str
) -> None:
    (tmp_path / "a").mkdir()
    found = mistakes(tmp_path / "a", code)
    assert changed in found[name]


@pytest.mark.slow
def test_listed_equivalent_engine_mutations_exist_and_have_reasons() -> None:
    groups = load_yaml(EQUAL.read_text(encoding="utf-8"))
    names = [name for group in groups for name in group["mistakes"]]
    assert len(names) == len(set(names))
    assert set(names) <= {one.name for one in in_the_engine()}
    assert all(group["because"] for group in groups)


@pytest.mark.slow
def test_rulings_find_a_spy_event_that_shows_the_hand_to_all() -> None:
    found = found_by("Spied: secrets", where="rank2")
    assert found
    assert "tests" not in found


def found_by(name: str, where: str = "") -> str:
    """Return the id of the ruling that detects a mistake, found in a process that has not imported the
    engine. Only files of rulings whose names begin with `where` are run."""
    code = f"""
from tools.mutation.mistakes import all_mistakes
from tools.mutation.trial import Trials
one = next(one for one in all_mistakes() if one.name.startswith({name!r}))
trials = Trials()
trials.cases = [case for case in trials.cases if case.path.name.startswith({where!r})]
print(trials.found_by(one, tests=()) or "nothing")
"""
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ENGINE.parents[1], capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


# Mistakes in the proofs and in the network


@pytest.mark.slow
def test_listed_equivalent_proof_mutations_have_reasons() -> None:
    """Whether the listed mistakes exist is reported by the tool itself."""
    groups = load_yaml(EQUAL_PROOFS.read_text(encoding="utf-8"))
    names = [name for group in groups for name in group["mistakes"]]
    assert len(names) == len(set(names))
    assert all(group["because"] and group["mistakes"] for group in groups)
    assert set(names) & {one.name for one in proof_mistakes()}


@one_case(
    ("code", "changed"),
    [
        ("def f(a):\n    raise ValueError", "    pass"),
        ("def f(file):\n    file.flush()", "    pass"),
        ("async def f(a):\n    await a()", "    pass"),
        ("def f(a):\n    with a.lock:\n        g()", "    if True:\n        g()"),
        ("async def f(a):\n    async with a.limit(3):\n        g()", "    if True:\n        g()"),
        ("def f(a) -> bool:\n    return a()", "    return not a()"),
        ("def f(a) -> bytes | None:\n    return a()", "    return None"),
        ("def f(a, b):\n    g(a, b)", "    g(b, a)"),
        ("MOST: int = 64", "MOST: int = 128"),
        ("MINUTE = 60.0", "MINUTE = 120.0"),
        ("def f(a):\n    if a > 1:\n        raise ValueError", "    pass"),
    ],
)
def test_mutation_of_proof_code_makes_the_expected_change(tmp_path: Path, code: str, changed: str) -> None:
    folder = tmp_path / "package" / "room"
    folder.mkdir(parents=True)
    (folder / "module.py").write_text(code, encoding="utf-8")
    sources = [one.source() for one in mistakes_in(folder, ProofFinder)]
    assert any(changed in source for source in sources), sources
