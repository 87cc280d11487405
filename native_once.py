"""What `make compiled` does to what is worked out once, before mypyc sees it.

In Python `once` (`bots/thumb/once.py`) keeps a value in the `__dict__` of its owner, which mypyc's classes lack.
`python native_once.py FOLDER` writes the modules of a folder anew, with every such property as a field of its own
that is worked out when it is first asked for.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ONCE: Final = "once"

PROPERTY: Final = """
class {owner}:
    _{owner}_{name}: {kind}
    _{owner}_{name}_known: bool = False

    @property
    def {name}(self) -> {kind}:
        if not self._{owner}_{name}_known:
            self._{owner}_{name} = self._{owner}_work_out_{name}()
            self._{owner}_{name}_known = True
        return self._{owner}_{name}
"""
"""What stands for a property; beside it the work itself."""


def native(source: str) -> str:
    """A module with its `once` as properties that mypyc makes native."""
    module = ast.parse(source)
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            node.body = [made for member in node.body for made in _native_members(node.name, member)]
    return ast.unparse(ast.fix_missing_locations(module))


def _native_members(owner: str, member: ast.stmt) -> Iterator[ast.stmt]:
    if not isinstance(member, ast.FunctionDef) or not any(_is_once(mark) for mark in member.decorator_list):
        yield member
        return
    assert member.returns is not None
    made = ast.parse(PROPERTY.format(owner=owner, name=member.name, kind=ast.unparse(member.returns))).body[0]
    assert isinstance(made, ast.ClassDef)
    yield from made.body
    member.decorator_list.clear()
    member.name = f"_{owner}_work_out_{member.name}"
    yield member


def _is_once(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Name) and mark.id == ONCE


def main(folder: Path) -> None:
    for module in folder.glob("*.py"):
        if module.stem != ONCE:
            module.write_text(native(module.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
