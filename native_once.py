"""What `make compiled` does to what is worked out once, before mypyc sees it.

In Python `once` and `cached_property` keep a value in the `__dict__` of its owner, which mypyc's classes lack.
`python native_once.py PATH...` writes modules anew, single ones or those of a folder: every such property becomes
a field of its own that is worked out when it is first asked for.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ONCE: Final = ("once", "cached_property")
"""The decorators of such properties."""

PROPERTY: Final = """
@property
def {name}(self) -> {kind}:
    try:
        return self.{field}
    except AttributeError:
        self.{field}: {kind} = self.{field}_worked_out()
        return self.{field}
"""
"""What stands for a property; beside it the work itself."""


def native(source: str) -> str:
    """A module with what is worked out once as properties that mypyc makes native."""
    module = ast.parse(source)
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            node.body = [made for member in node.body for made in _native_members(node.name, member)]
    return ast.unparse(ast.fix_missing_locations(module))


def _native_members(owner: str, member: ast.stmt) -> Iterator[ast.stmt]:
    if not isinstance(member, ast.FunctionDef) or not any(map(_is_once, member.decorator_list)):
        yield member
        return
    assert member.returns is not None
    field = f"_{owner}_{member.name}"
    yield from ast.parse(PROPERTY.format(name=member.name, field=field, kind=ast.unparse(member.returns))).body
    member.decorator_list.clear()
    member.name = f"{field}_worked_out"
    yield member


def _is_once(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Name) and mark.id in ONCE


def main(paths: list[Path]) -> None:
    for path in paths:
        for module in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            if module.stem not in ONCE:
                module.write_text(native(module.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main([Path(path) for path in sys.argv[1:]])
