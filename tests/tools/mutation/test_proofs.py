"""The mistakes in the proofs and in the network are what they say, and are found by who should."""

import ast
from pathlib import Path

import pytest

from tests.effort import one_case
from tests.rulings.files import load_yaml
from tools.mutation.__main__ import EQUAL_PROOFS
from tools.mutation.mistakes import mistakes_in, sample
from tools.mutation.proofs import ProofFinder, proof_mistakes
from tools.mutation.proofs_trial import portions


@pytest.mark.slow
def test_every_mistake_has_a_name_of_its_own_and_code_that_can_be_read() -> None:
    found = proof_mistakes()
    assert len({one.name for one in found}) == len(found) > 2500
    for one in sample(found, 100, 1):
        assert one.source() != ast.unparse(one.tree)
        compile(one.source(), one.name, "exec")


@pytest.mark.slow
def test_what_is_judged_equal_has_a_reason() -> None:
    """Whether it can still be made, the script says: code that goes takes nothing with it here."""
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
def test_it_changes_one_place(tmp_path: Path, code: str, changed: str) -> None:
    folder = tmp_path / "package" / "room"
    folder.mkdir(parents=True)
    (folder / "module.py").write_text(code, encoding="utf-8")
    sources = [one.source() for one in mistakes_in(folder, ProofFinder)]
    assert any(changed in source for source in sources), sources


@pytest.mark.parametrize(
    "code", ["def f():\n    log.info('x')", "class A:\n    def __repr__(self):\n        g(1)"]
)
def test_what_is_only_told_to_programmers_is_left_as_it_is(tmp_path: Path, code: str) -> None:
    folder = tmp_path / "package" / "room"
    folder.mkdir(parents=True)
    (folder / "module.py").write_text(code, encoding="utf-8")
    assert list(mistakes_in(folder, ProofFinder)) == []


def test_the_quickest_tests_are_tried_first() -> None:
    seconds = [("a", 0.5), ("b", 1.5), ("c", 3.0), ("d", 7.0), ("e", 8.0)]
    assert list(portions(seconds)) == [["a", "b"], ["c", "d"], ["e"]]
    assert list(portions([("slow", 60.0)])) == [["slow"]]
    assert list(portions([])) == []
