"""The mistakes are what they say, and the script finds what it should."""

import ast
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.effort import one_case
from tests.rulings.files import load_yaml
from tools.mutation.__main__ import EQUAL
from tools.mutation.mistakes import ENGINE, Mistake, all_mistakes, sample


@cache
def in_the_engine() -> Sequence[Mistake]:
    """All of them, found once, and not where none of these tests is run."""
    return all_mistakes()


def mistakes(folder: Path, code: str) -> dict[str, str]:
    """The mistakes in a module of its own: what each changes, and the code with it."""
    (folder / "module.py").write_text(code, encoding="utf-8")
    return {one.name: one.source() for one in all_mistakes(folder)}


@pytest.mark.slow
def test_every_mistake_has_a_name_of_its_own_and_code_that_can_be_read() -> None:
    found = in_the_engine()
    assert len({one.name for one in found}) == len(found) > 1500
    for one in sample(found, 100, 1):
        assert one.source() != ast.unparse(one.tree)
        compile(one.source(), one.name, "exec")


@pytest.mark.slow
def test_every_module_of_the_engine_that_decides_something_has_some() -> None:
    without = {path.name for path in ENGINE.rglob("*.py")} - {one.path.name for one in in_the_engine()}
    assert without <= {
        "chance.py",
        "king.py",
        "patrician.py",
        "cardinal.py",
        "__init__.py",
        "base.py",
        "words.py",
        "data.py",
        "score.py",
        "plain.py",
        "rules_digests.py",
    }


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
def test_a_mistake_changes_one_place(tmp_path: Path, code: str, name: str, changed: str) -> None:
    (tmp_path / "a").mkdir()
    found = mistakes(tmp_path / "a", code)
    assert changed in found[name]


def test_a_mistake_keeps_its_name_when_its_code_moves(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    code = "class Rule:\n    def refusal(self, a):\n        return a == 1\n"
    here = mistakes(tmp_path, code).keys()
    assert here == mistakes(tmp_path / "deep", f"import sys\n\n\n{code}").keys()
    assert "Rule.refusal: return a == 1 | a == 1 -> a != 1" in here


@pytest.mark.slow
def test_every_mistake_judged_equal_can_still_be_made_and_has_a_reason() -> None:
    groups = load_yaml(EQUAL.read_text(encoding="utf-8"))
    names = [name for group in groups for name in group["mistakes"]]
    assert len(names) == len(set(names))
    assert set(names) <= {one.name for one in in_the_engine()}
    assert all(group["because"] for group in groups)


@pytest.mark.slow
def test_a_spy_who_shows_the_hand_to_everybody_is_found_by_the_rulings() -> None:
    found = found_by("Spied.redact: def", where="rank2")
    assert found
    assert "tests" not in found


@pytest.mark.slow
def test_what_changes_nothing_is_not_found() -> None:
    assert found_by("KeepRule.perform: step = table.state.steps[-1] | 1 -> 0") == "nothing"


def found_by(name: str, where: str = "") -> str:
    """What finds a mistake, without the slower tests; in a process that has not imported the engine. Only rulings
    of files that are called so."""
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
