"""Every small mistake that can be made in the proofs and in the network: the kinds of mistakes that
`mistakes` makes in the engine, and others in code that checks, waits, writes and rejects.

A mistake is named after its module, its function and the text that it changes, so it keeps its name when the
lines around it change.
"""

import ast
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from tools.mutation.mistakes import DEFINITIONS, Change, Finder, Mistake, mistakes_in, numbered, swapped

PACKAGE: Final = Path(__file__).parents[2] / "citadels_lan"
FOLDERS: Final = (PACKAGE / "crypto", PACKAGE / "net")
WORDS: Final = {"errors.py", "facts.py", "report_text.py", "show.py"}
"""Modules that only turn results into words. They get no mistakes."""


@cache
def proof_mistakes() -> tuple[Mistake, ...]:
    """Return every mistake in the proofs and the network, in order of their names."""
    found = [
        replace(one, name=f"{one.module.removeprefix('citadels_lan.')}: {one.name}")
        for folder in FOLDERS
        for one in mistakes_in(folder, ProofFinder)
        if one.path.name not in WORDS
    ]
    return tuple(numbered(sorted(found, key=lambda one: one.name)))


class ProofFinder(Finder, ast.NodeVisitor):
    """A finder of mistakes for the modules of the proofs: besides those of `Finder`, a wait or a guard is
    left out, an error is not raised, a limit is higher, a result is negated or None, two arguments are
    exchanged."""

    def __init__(self, tree: ast.Module) -> None:
        self._returns: list[str] = []
        super().__init__(tree)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name == "__repr__":
            return
        self._returns.append("" if node.returns is None else ast.unparse(node.returns))
        super().visit_FunctionDef(node)  # type: ignore[arg-type]  # both have the same fields
        self._returns.pop()

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not _is_logging(node):
            self.generic_visit(node)

    def drop(self, node: ast.stmt) -> None:
        if _is_logging(node):
            return
        super().drop(node)
        if not self.within:
            self._limit(node)
        elif isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Await)):
            self.note(node, lambda _: ast.Pass())
        elif isinstance(node, ast.With | ast.AsyncWith) and all(one.optional_vars is None for one in node.items):
            self.note(node, _body_alone)
        elif isinstance(node, ast.Return) and node.value is not None:
            self._answer(node.value)

    def _limit(self, node: ast.stmt) -> None:
        """Note a mistake that doubles a constant limit of a module."""
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, int | float) and value.value:
            self.note(value, _put(2 * value.value))

    def _answer(self, value: ast.expr) -> None:
        returns = self._returns[-1] if self._returns else ""
        if returns == "bool" and not isinstance(value, ast.Compare | ast.Constant):
            self.note(value, lambda node: ast.UnaryOp(ast.Not(), node))  # type: ignore[arg-type]  # it is one
        elif returns.endswith("| None") and not isinstance(value, ast.Constant):
            self.note(value, _put(None))

    def visit_Call(self, node: ast.Call) -> None:
        for at, (one, other) in enumerate(pairwise(node.args)):
            if isinstance(one, ast.Name) and isinstance(other, ast.Name) and one.id != other.id:
                self.note(node, swapped(at, at + 1))
        super().visit_Call(node)


def _put(value: float | None) -> Change:
    return lambda _: ast.Constant(value)


def _body_alone(node: ast.AST) -> ast.AST:
    """Return the body of a `with` statement without the context: the mistake is a missing time limit, a
    missing lock, or an error that is not suppressed."""
    assert isinstance(node, ast.With | ast.AsyncWith)
    return ast.If(ast.Constant(True), node.body, [])


def _is_logging(node: ast.stmt) -> bool:
    """Whether a statement only writes to the log of the program."""
    return not isinstance(node, DEFINITIONS) and ast.unparse(node).startswith("log.")
