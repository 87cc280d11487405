"""The structure of the package: import cycles, class names used twice, code lines and small modules.

    python -m tools.structure        prints sizes and faults; exits with 1 if there is a fault

A module imports whatever it names in an import: at the top, in a function or under TYPE_CHECKING. An import from a
package means its `__init__`, unless the name is a module inside. Code lines are lines that are not blank, and not
only a comment or a docstring.
"""

import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

PACKAGE: Final = "citadels_lan"
ROOT: Final = Path(__file__).resolve().parent.parent
BLANK: Final = frozenset(
    (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENCODING,
        tokenize.ENDMARKER,
    )
)
"""The tokens that do not count as code."""
SMALL: Final = 40
"""A module with fewer code lines is small."""
CARDS: Final = frozenset({"characters", "districts", "cards"})
"""Folders with a module for each card. Small modules are allowed in them."""


def sources(root: Path = ROOT) -> dict[str, Path]:
    """The modules of the package by dotted name."""
    return {_name(path.relative_to(root)): path for path in sorted((root / PACKAGE).rglob("*.py"))}


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a module. It is cached, so do not change it."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(root: Path = ROOT) -> dict[str, set[str]]:
    """Return for each module the modules of the package that it imports."""
    known = sources(root)
    return {module: set(_imported(tree(path), module, path, known)) for module, path in known.items()}


def cycles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other in a cycle (Kosaraju's algorithm)."""
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


@cache
def code_lines(path: Path) -> int:
    """The code lines of a module."""
    text = path.read_text(encoding="utf-8")
    strings: set[int] = set()
    for node in ast.walk(tree(path)):
        body = getattr(node, "body", None)
        for item in body if isinstance(body, list) else ():
            value = item.value if isinstance(item, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                strings.update(range(item.lineno, item.end_lineno + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in BLANK:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - strings)


def sizes(root: Path = ROOT) -> dict[str, tuple[int, int]]:
    """The code lines and the number of modules of each folder below the package; "" for its own modules."""
    lines: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    for path in sources(root).values():
        parts = path.relative_to(root / PACKAGE).parts
        folder = parts[0] if len(parts) > 1 else ""
        lines[folder] += code_lines(path)
        modules[folder] += 1
    return {folder: (lines[folder], modules[folder]) for folder in modules}


def small(root: Path = ROOT) -> list[str]:
    """Return the modules with fewer than SMALL code lines, except those in CARDS and `__init__`."""
    return [
        module
        for module, path in sources(root).items()
        if path.name != "__init__.py" and not CARDS & set(path.parts) and code_lines(path) < SMALL
    ]


def repeated(root: Path = ROOT) -> dict[str, int]:
    """Return each module name that several folders have, with the number of these modules."""
    names = Counter(path.stem for path in sources(root).values() if path.name != "__init__.py")
    return {name: count for name, count in names.items() if count > 1}


def twice(root: Path = ROOT) -> dict[str, list[str]]:
    """Return each class name that several modules define, with these modules."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for module, path in sources(root).items():
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(module)
    return {name: modules for name, modules in found.items() if len(modules) > 1}


def _visit(start: str, graph: Mapping[str, Iterable[str]], seen: set[str], order: list[str]) -> None:
    """Visit modules depth first from `start`, without recursion, and append each to `order` after all modules
    that it leads to."""
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
    """Print sizes and faults. Return 1 if there is a fault."""
    graph = imports()
    rings, names, counted = cycles(graph), twice(), sizes()
    for folder, (lines, modules) in sorted(counted.items(), key=lambda item: -item[1][0]):
        print(f"{lines:6} code lines {modules:4} modules  {folder or PACKAGE}")
    print(f"{sum(lines for lines, _ in counted.values()):6} code lines {len(graph):4} modules  together")
    print(f"{len(small())} small modules, {len(repeated())} module names used twice")
    for cycle in rings:
        print(f"import cycle: {' '.join(cycle)}")
    for name, found in names.items():
        print(f"class {name} in {', '.join(found)}")
    return 1 if rings or names else 0


if __name__ == "__main__":
    sys.exit(main())
