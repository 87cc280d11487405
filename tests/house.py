"""The house, counted: circles of imports, type-only ones included, flat folders, class names that stand twice.

    python -m tests.house        prints what it finds; exits with 1 where there is anything

A module imports whatever it names in an import, wherever that stands: at the top, in a function or under
TYPE_CHECKING. Importing from a package means its `__init__`, unless the name is a module inside.
"""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

PACKAGE: Final = "citadels_lan"
ROOT: Final = Path(__file__).resolve().parent.parent
MOST: Final = 25
"""Modules in a folder, beyond which nobody sees who is below whom."""
CARDS: Final = frozenset({f"{PACKAGE}/engine/characters", f"{PACKAGE}/engine/districts"})
"""Folders with a file for each card: long lists, in which nobody is below anybody."""


def sources(root: Path = ROOT) -> dict[str, Path]:
    """The modules of the package by dotted name."""
    return {_name(path.relative_to(root)): path for path in sorted((root / PACKAGE).rglob("*.py"))}


@cache
def tree(path: Path) -> ast.Module:
    """A module as Python reads it; read once, and changed by nobody."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(root: Path = ROOT) -> dict[str, set[str]]:
    """Which modules of the package each module names in its imports."""
    known = sources(root)
    return {module: set(_imported(tree(path), module, path, known)) for module, path in known.items()}


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other in a circle (Kosaraju's algorithm)."""
    order: list[str] = []
    seen: set[str] = set()
    for module in graph:
        _visit(module, graph, seen, order)
    backwards: defaultdict[str, set[str]] = defaultdict(set)
    for module, found in graph.items():
        for other in found:
            backwards[other].add(module)
    groups = []
    placed: set[str] = set()
    for module in reversed(order):
        group: list[str] = []
        _visit(module, backwards, placed, group)
        if len(group) > 1:
            groups.append(sorted(group))
    return groups


def flat(root: Path = ROOT) -> dict[str, int]:
    """Folders with more than MOST modules, and how many they have."""
    folders = Counter(path.parent.relative_to(root).as_posix() for path in sources(root).values())
    return {folder: count for folder, count in folders.items() if count > MOST and folder not in CARDS}


def twice(root: Path = ROOT) -> dict[str, list[str]]:
    """Class names that stand in several modules."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for module, path in sources(root).items():
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(module)
    return {name: modules for name, modules in found.items() if len(modules) > 1}


def _visit(start: str, graph: Mapping[str, Iterable[str]], seen: set[str], order: list[str]) -> None:
    """Depth first, without recursion: each module after all that it leads to."""
    if start in seen:
        return
    seen.add(start)
    stack = [(start, iter(sorted(graph.get(start, ()))))]
    while stack:
        module, rest = stack[-1]
        following = next((other for other in rest if other not in seen), None)
        if following is None:
            order.append(module)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(sorted(graph.get(following, ())))))


def _imported(tree: ast.AST, module: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = parts[: len(parts) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inside = f"{source}.{alias.name}"
                target = inside if inside in known else source
                if target in known and target != module:
                    yield target


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def main() -> int:
    """Print what is wrong with the house; 1 where anything is."""
    graph = imports()
    rings, wide, names = circles(graph), flat(), twice()
    for ring in rings:
        print(f"circle of {len(ring)}: {' '.join(ring)}")
    for folder, count in wide.items():
        print(f"flat folder: {folder} has {count} modules")
    for name, modules in names.items():
        print(f"class {name} stands in {', '.join(modules)}")
    print(f"{len(graph)} modules, {len(rings)} circles, {len(wide)} flat folders, {len(names)} names twice")
    return 1 if rings or wide or names else 0


if __name__ == "__main__":
    sys.exit(main())
