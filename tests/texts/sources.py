"""Reads codes (of rejections, events and reasons) from the syntax trees of the engine's sources, so that a
test can check that each code has a text."""

import ast
import inspect
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import citadels_lan.engine
from citadels_lan.engine import events

ENGINE = Path(citadels_lan.engine.__file__).parent
PLAN = ENGINE.parent / "presenter" / "plan.py"
REFUSERS = ("IllegalMove", "Unplayable", "BadNotation")
MARKS = ("killed", "bewitched", "robbed")
"""The values that `{mark.kind}` can have in `f"{mark.kind}_safe"`."""
OF_CARDS = ("monument_late", "never_built", "in_city_already", "stands_elsewhere")
"""Codes of rejections with a card as their detail; other such codes have a character."""


ANSWERS: dict[str, type[ast.Return | ast.DictComp]] = {"str | None": ast.Return, "dict[str, str]": ast.DictComp}
"""By return type of a function: the kind of syntax node that contains the codes in it."""


class Named(ast.NodeTransformer):
    """Replaces the name of a constant by its text, if the module defines it as `KEY = "lighthouse"`."""

    def __init__(self, tree: ast.Module) -> None:
        self.texts = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.texts.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


@cache
def trees() -> Sequence[ast.AST]:
    """Return the syntax trees of the engine's modules, and of the module that rejects tables before the
    engine."""
    paths = [*sorted(ENGINE.rglob("*.py")), PLAN]
    found = [ast.parse(path.read_text(encoding="utf-8"), str(path)) for path in paths]
    return [Named(tree).visit(tree) for tree in found]


def constants(node: ast.AST) -> set[str]:
    """Return the texts that an expression can have as its value. The expression is a constant, a choice
    between two, or an f-string with the kind of a marker."""
    if isinstance(node, ast.Constant):
        return {node.value} if isinstance(node.value, str) else set()
    if isinstance(node, ast.IfExp):
        return constants(node.body) | constants(node.orelse)
    if isinstance(node, ast.JoinedStr):
        tail = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        return {kind + tail for kind in MARKS}
    return set()


def name_of(call: ast.Call) -> str:
    """Return the name of a called function."""
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


@cache
def calls() -> Sequence[tuple[str, ast.Call]]:
    """Return every call in these modules, with the name of the called function."""
    nodes = (node for tree in trees() for node in ast.walk(tree))
    return [(name_of(node), node) for node in nodes if isinstance(node, ast.Call)]


@cache
def refusals() -> dict[str, set[str]]:
    """Return every code of a rejection, with the names of its details."""
    found: dict[str, set[str]] = {}
    for name, call in calls():
        if name in REFUSERS and call.args:
            details = {keyword.arg for keyword in call.keywords if keyword.arg}
            for code in constants(call.args[0]):
                found.setdefault(code, set()).update({"word"} if name == "BadNotation" else details)
    for code in returned():
        found.setdefault(code, set()).update({"card"} if code in OF_CARDS else {"character"})
    return found


def returned() -> set[str]:
    """Return the codes that functions return as the reason for a rejection. Such a function returns one code,
    or a dictionary with a code for each card."""
    found = set()
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.returns is not None:
                kind = ANSWERS.get(ast.unparse(node.returns), ())
                for inner in ast.walk(node):
                    if isinstance(inner, kind):
                        found |= constants(inner.value) if inner.value is not None else set()
    return found


def arguments(event: str, field: str) -> set[str]:
    """Return the texts that the engine puts into a field of an event."""
    kind: Any = getattr(events, event)
    position = list(inspect.signature(kind).parameters).index(field)
    found: set[str] = set()
    for name, call in calls():
        if name == event:
            given = [keyword.value for keyword in call.keywords if keyword.arg == field]
            given += call.args[position : position + 1]
            for node in given:
                found |= constants(node)
    return found


def last_arguments(function: str) -> set[str]:
    """Return the texts that the engine passes as the last argument to this method of its table."""
    found: set[str] = set()
    for name, call in calls():
        if name == function and call.args:
            found |= constants(call.args[-1])
    return found
