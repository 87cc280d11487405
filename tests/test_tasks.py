"""No task is lost: what it raises reaches somebody.

`asyncio.create_task` is banned by ruff, which does not see methods. Here every `….create_task(…)` belongs to a
TaskGroup, or says in a comment `# kept:`, on its line or the one above, who keeps the task and gets its error.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.effort import one_case

ROOT = Path(__file__).parents[1]
MAKING = ("create_task", "ensure_future")
REASON = "# kept:"


def named(node: ast.AST | None) -> str:
    """`tasks` or `self._tasks`."""
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def mentions_group(node: ast.AST | None) -> bool:
    return node is not None and any(named(part).endswith("TaskGroup") for part in ast.walk(node))


def groups(tree: ast.AST) -> set[str]:
    """Names that stand for a TaskGroup somewhere in a module: opened, annotated, or put into an attribute."""
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
    """The lines where a task is made that belongs to no group and has no reason."""
    if not any(name in source for name in MAKING):
        return
    tree, lines = ast.parse(source), ["", *source.splitlines()]
    known = groups(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MAKING:
            said = any(REASON in line for line in lines[node.lineno - 1 : node.lineno + 1])
            if named(node.func.value) not in known and not said:
                yield node.lineno


def test_no_task_is_lost() -> None:
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
def test_a_lost_task_is_found(source: str, lines: list[int]) -> None:
    assert list(bare(source)) == lines
