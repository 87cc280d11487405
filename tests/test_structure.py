"""The structure of the package: no import cycle, no repeated class name, no unreferenced task, sizes within
the budget."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.effort import one_case
from tools import structure

ROOT: Final = Path(__file__).parents[1]
BUDGET: Final = {
    "": (170, 3),
    "bots": (3_310, 30),
    "cli": (2_680, 17),
    "crypto": (3_840, 23),
    "doctor": (230, 2),
    "engine": (5_000, 87),
    "line_mode": (1_530, 9),
    "net": (6_340, 36),
    "platform": (420, 5),
    "presenter": (4_270, 27),
    "texts": (1_280, 12),
    "ui": (6_070, 37),
    "web": (930, 6),
}
"""The largest number of code lines and of modules for each folder. If a folder needs more, first look for
code that can be removed."""
BUDGET_OF_TESTS: Final = (33_900, 322)
"""The largest number of code lines and of modules for these folders of tests. Delete or merge the tests that
a new test replaces."""


@pytest.mark.slow
def test_package_has_no_import_cycle() -> None:
    assert structure.cycles(structure.imports()) == []


@pytest.mark.slow
def test_class_names_of_the_package_are_unique() -> None:
    assert structure.twice() == {}


@pytest.mark.slow
def test_folders_stay_within_their_size_budget() -> None:
    sizes = structure.sizes()
    assert set(sizes) == set(BUDGET)
    over = {name: size for name, size in sizes.items() if size[0] > BUDGET[name][0] or size[1] > BUDGET[name][1]}
    assert over == {}
    assert len(structure.small()) <= 24
    assert len(structure.repeated()) <= 12


@pytest.mark.slow
def test_tests_stay_within_their_size_budget() -> None:
    modules = list((ROOT / "tests").rglob("*.py"))
    lines, most = BUDGET_OF_TESTS
    assert sum(map(structure.code_lines, modules)) <= lines
    assert len(modules) <= most


def test_import_cycle_is_detected(tmp_path: Path) -> None:
    """The check includes imports for types only, and imports through a package."""
    package = tmp_path / "citadels_lan"
    (package / "wing").mkdir(parents=True)
    for name, text in {
        "__init__.py": "",
        "wing/__init__.py": "",
        "wing/one.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import two\n",
        "wing/two.py": "def f():\n    from citadels_lan.wing.one import g\n",
        "wing/three.py": "from . import one\nclass Same: ...\n",
        "wing/four.py": "class Same: ...\n",
    }.items():
        (package / name).write_text(text, encoding="utf-8")
    assert structure.cycles(structure.imports(tmp_path)) == [["citadels_lan.wing.one", "citadels_lan.wing.two"]]
    assert structure.twice(tmp_path) == {"Same": ["citadels_lan.wing.four", "citadels_lan.wing.three"]}


def test_comments_docstrings_and_blank_lines_are_not_counted_as_code(tmp_path: Path) -> None:
    package = tmp_path / "citadels_lan"
    package.mkdir()
    text = '"""Doc."""\n\n# comment\nA = 1  # and code\n"""What A is."""\n\n\n'
    text += 'def f() -> str:\n    """Doc."""\n    return (\n        "a"\n    )\n'
    (package / "f.py").write_text(text, encoding="utf-8")
    assert structure.sizes(tmp_path) == {"": (5, 1)}
    assert structure.small(tmp_path) == ["citadels_lan.f"]


MAKING = ("create_task", "ensure_future")
REASON = "# kept:"


def named(node: ast.AST | None) -> str:
    """Return the name of a variable or attribute, such as `tasks` or `self._tasks`."""
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def mentions_group(node: ast.AST | None) -> bool:
    return node is not None and any(named(part).endswith("TaskGroup") for part in ast.walk(node))


def groups(tree: ast.AST) -> set[str]:
    """Return the names that refer to a TaskGroup somewhere in a module: opened, annotated, or assigned to an
    attribute."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.withitem) and mentions_group(node.context_expr):
            found.add(named(node.optional_vars))
        elif isinstance(node, ast.arg) and mentions_group(node.annotation):
            found.add(node.arg)
        elif isinstance(node, ast.AnnAssign) and mentions_group(node.annotation):
            found.add(named(node.target))
        elif isinstance(node, ast.Assign) and mentions_group(node.value):
            found.update(map(named, node.targets))
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and named(node.value) in found:
            found.update(map(named, node.targets))
    return found - {""}


def bare(source: str) -> Iterator[int]:
    """Yield the lines that create an asyncio task outside a TaskGroup, without a comment that gives a
    reason."""
    if not any(name in source for name in MAKING):
        return
    tree, lines = ast.parse(source), ["", *source.splitlines()]
    known = groups(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAKING:
            said = any(REASON in line for line in lines[node.lineno - 1 : node.lineno + 1])
            if named(node.func.value) not in known and not said:
                yield node.lineno


def test_every_asyncio_task_is_referenced() -> None:
    paths = [
        path
        for folder in ("citadels_lan", "tests", "benchmarks", "extras", "tools")
        for path in (ROOT / folder).rglob("*.py")
    ]
    found = [
        f"{path.relative_to(ROOT)}:{line}" for path in paths for line in bare(path.read_text(encoding="utf-8"))
    ]
    assert len(paths) > 200
    assert found == []


@one_case(
    ("source", "lines"),
    [
        ("asyncio.get_running_loop().create_task(work())", [1]),
        ("loop = get_running_loop()\nloop.create_task(work())", [2]),
        ("async def f(loop, tasks):\n    tasks.create_task(work())", [2]),
        ("asyncio.ensure_future(work())", [1]),
        ("async def f():\n    async with TaskGroup() as tasks:\n        tasks.create_task(work())", []),
        ("async def f(tasks: asyncio.TaskGroup):\n    self._tasks = tasks\n    self._tasks.create_task(w())", []),
        ("task = loop.create_task(work())  # kept: awaited below", []),
    ],
)
def test_unreferenced_asyncio_task_is_detected(source: str, lines: list[int]) -> None:
    assert list(bare(source)) == lines
