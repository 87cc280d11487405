"""Every small mistake that this tool can put into the engine's code: its place, and the code of the module
with the mistake.

A mistake is named after its function and the text that it changes, so it keeps its name when code moves to
another file.
"""

import ast
import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

ENGINE: Final = Path(__file__).parents[2] / "citadels_lan" / "engine"
SEATS: Final = {
    "seat",
    "other",
    "owner",
    "by",
    "giver",
    "taker",
    "victim",
    "heir",
    "lender",
    "receiver",
    "blackmailer",
}
COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
SHOWN: Final = {"hide", "masked"}
"""Functions that hide cards from a viewer."""

LONGEST: Final = 80
"""Names of mistakes contain at most this many characters of the changed code."""

DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

Change = Callable[[ast.AST], ast.AST]
"""A function that gets a copy of a node and returns the node to put in its place."""


@dataclass(frozen=True)
class Place:
    """A node of a module's syntax tree, and the change that makes the mistake in it."""

    node: ast.AST
    change: Change
    function: str
    statement: str

    def changed(self) -> ast.AST:
        after = self.change(copy.deepcopy(self.node))
        return ast.fix_missing_locations(ast.copy_location(after, self.node))


@dataclass(frozen=True)
class Mistake:
    """A mistake in a module, which is given by its dotted name: one node is replaced."""

    name: str
    module: str
    path: Path
    tree: ast.Module
    place: Place

    def source(self) -> str:
        """The whole module with the mistake."""
        return ast.unparse(_Exchange(self.place.node, self.place.changed()).visit(self.tree))


def all_mistakes(folder: Path = ENGINE) -> list[Mistake]:
    """Return every mistake in the engine, in order of their names. If several have the same name, a number is
    added."""
    return list(numbered(sorted(mistakes_in(folder, Finder), key=lambda one: (one.name, one.module))))


def mistakes_in(folder: Path, finder: type["Finder"]) -> Iterator[Mistake]:
    """Return every mistake that a finder finds in the modules of a folder of the package."""
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = ".".join(path.relative_to(folder.parents[1]).with_suffix("").parts).removesuffix(".__init__")
        for place in finder(tree).places:
            before, after = _line(place.node), _line(place.changed())
            if before != after:
                name = f"{place.function}: {place.statement} | {before} -> {after}"
                yield Mistake(name, module, path, tree, place)


def sample(mistakes: Sequence[Mistake], count: int, seed: int) -> list[Mistake]:
    """Return a random sample of `count` mistakes; the same `seed` gives the same sample."""
    return random.Random(seed).sample(list(mistakes), min(count, len(mistakes)))


def numbered(mistakes: Sequence[Mistake]) -> Iterator[Mistake]:
    """Return the same mistakes. If several have the same name, a number makes each name unique."""
    seen: Counter[str] = Counter()
    for one in mistakes:
        seen[one.name] += 1
        number = seen[one.name]
        yield one if number == 1 else replace(one, name=f"{one.name} #{number}")


def _line(node: ast.AST) -> str:
    """Return the code of a node in one line of at most LONGEST characters."""
    return _cut(" ".join(ast.unparse(node).split()))


class _Exchange(ast.NodeTransformer):
    """Replaces one node of a tree. The nodes above it are copied; all other nodes are shared with the
    original tree."""

    def __init__(self, node: ast.AST, after: ast.AST) -> None:
        self.node, self.after = node, after

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.node:
            return self.after
        changed = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(changed, name, [self.visit(part) if isinstance(part, ast.AST) else part for part in value])
            elif isinstance(value, ast.AST):
                setattr(changed, name, self.visit(value))
        return changed


class Finder(ast.NodeVisitor):
    """Walks a module and notes every place where a mistake can be made."""

    def __init__(self, tree: ast.Module) -> None:
        self.places: list[Place] = []
        self.within: list[str] = []
        self._fields: list[list[str]] = []
        self._statement = ""
        self.visit(tree)

    def note(self, node: ast.AST, change: Change) -> None:
        function = ".".join(self.within) or "the module"
        self.places.append(Place(node, change, function, self._statement))

    # Nodes that are not changed

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave assertions unchanged: they only inform the type checker."""

    def visit_Import(self, node: ast.Import) -> None: ...

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None: ...

    # The current place in the tree

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        fields = [
            one.target.id
            for one in node.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ]
        self._fields.append(fields)
        self._inside(node.name, node.body)
        self._fields.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.within.append(node.name)
        self._statement = "def"
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self.within.pop()
        self._inside(node.name, node.body)

    def _inside(self, name: str, body: list[ast.stmt]) -> None:
        self.within.append(name)
        for statement in body:
            self.visit(statement)
        self.within.pop()

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt) and not isinstance(node, DEFINITIONS):
            outer, self._statement = self._statement, _head(node)
            self.drop(node)
            super().visit(node)
            self._statement = outer
        else:
            super().visit(node)

    def drop(self, node: ast.stmt) -> None:
        """Note a mistake that leaves out a statement, if the module still runs without that statement."""
        stored = isinstance(node, ast.Assign | ast.AugAssign | ast.Delete) and all(
            isinstance(one, ast.Attribute | ast.Subscript) for one in _targets(node)
        )
        called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        guard = (
            isinstance(node, ast.If)
            and not node.orelse
            and isinstance(node.body[-1], ast.Return | ast.Continue | ast.Raise)
        )
        if self.within and (stored or called or guard):
            self.note(node, lambda _: ast.Pass())

    # Conditions

    def visit_If(self, node: ast.If) -> None:
        if _line(node.test) == "TYPE_CHECKING":
            return
        self._condition(node.test)
        for part in (node.test, *node.body, *node.orelse):
            self.visit(part)

    def visit_While(self, node: ast.While) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._condition(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    def _condition(self, test: ast.expr) -> None:
        if not isinstance(test, ast.Compare):  # a comparison is negated elsewhere
            self.note(test, _negated)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.note(node, _other_operator)
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for index in range(len(node.ops)):
            self.note(node, _other_comparison(index))
        for index, one in enumerate(node.comparators):
            if _is_seat(one) and isinstance(one, ast.Attribute):
                for name in _other_seats(one.attr, self._fields[-1] if self._fields else ()):
                    self.note(node, _other_seat(index, name))
        self.generic_visit(node)

    # Values

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            outer = self._statement
            if key is not None:
                self._statement = _cut(f"{_line(key)}: {_line(value)}")
                self.visit(key)
            self.visit(value)
            self._statement = outer

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id == "secrets" and isinstance(node.value, ast.Dict):
            for index in range(len(node.value.keys)):
                self.note(node.value, _without(index))
        if node.value is not None:
            self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.note(node, _constant(not node.value))
        elif isinstance(node.value, int):
            self.note(node, _constant(node.value + 1))
            self.note(node, _constant(node.value - 1))

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "strict":  # of zip: a check for mistakes in our code
            self.visit(node.value)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add | ast.Sub) and not isinstance(node.right, ast.Constant | ast.Tuple):
            self.note(node, _other_sign)
        if not _is_type(node):
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.op, ast.Add | ast.Sub):
            self.note(node, _other_sign)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            if node.func.id in NAMES:
                self.note(node, _other_name)
            if node.func.id in SHOWN:
                self.note(node, _argument)
        seats = [index for index, one in enumerate(node.args) if _is_seat(one)]
        for first, second in pairwise(seats):
            self.note(node, swapped(first, second))
        self.generic_visit(node)


# The mistakes


def _negated(node: ast.AST) -> ast.AST:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    assert isinstance(node, ast.expr)
    return ast.UnaryOp(ast.Not(), node)


def _other_operator(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
    return node


def _other_comparison(index: int) -> Change:
    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Compare)
        node.ops[index] = COMPARISONS[type(node.ops[index])]()
        return node

    return change


def _other_seat(index: int, name: str) -> Change:
    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Compare)
        seat = node.comparators[index]
        assert isinstance(seat, ast.Attribute)
        seat.attr = name
        return node

    return change


def _constant(value: int) -> Change:
    return lambda _: ast.Constant(value)


def _other_sign(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BinOp | ast.AugAssign)
    node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    return node


def _other_name(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    node.func.id = NAMES[node.func.id]
    return node


def _argument(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.Call)
    return node.args[0]


def swapped(first: int, second: int) -> Change:
    """Return a change that exchanges the arguments number `first` and `second` of a call."""

    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Call)
        node.args[first], node.args[second] = node.args[second], node.args[first]
        return node

    return change


def _without(index: int) -> Change:
    """Return a change that removes one entry of a table of secret fields, so that all viewers see that
    field."""

    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Dict)
        del node.keys[index], node.values[index]
        return node

    return change


# Analysis of code


def _head(node: ast.stmt) -> str:
    """Return the first line of a statement's code."""
    return _cut(ast.unparse(node).splitlines()[0].strip())


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _targets(node: ast.stmt) -> Sequence[ast.expr]:
    if isinstance(node, ast.AugAssign):
        return [node.target]
    return node.targets if isinstance(node, ast.Assign | ast.Delete) else ()


def _is_seat(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in SEATS) or (
        isinstance(node, ast.Attribute) and node.attr in SEATS
    )


def _other_seats(name: str, fields: Sequence[str]) -> list[str]:
    """Return the names of the fields in `fields` that contain a seat, except `name`."""
    return [one for one in fields if one in SEATS and one != name] if name in fields else []


def _is_type(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.BitOr)
