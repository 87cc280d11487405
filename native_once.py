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

ASKED: Final = """
_{owner}_{name}: {kind}
_{owner}_{name}_known: bool = False

@property
def {name}(self) -> {kind}:
    if not self._{owner}_{name}_known:
        self._{owner}_{name} = self._{owner}_work_out_{name}()
        self._{owner}_{name}_known = True
    return self._{owner}_{name}
"""
MISSED: Final = """
@property
def {name}(self) -> {kind}:
    try:
        return self._{owner}_{name}
    except AttributeError:
        self._{owner}_{name}: {kind} = self._{owner}_work_out_{name}()
        return self._{owner}_{name}
"""
ONCE: Final = {"once": ASKED, "cached_property": MISSED}
"""What stands for a property with each decorator; beside it the work itself. Minds are many and short-lived: an
exception for each value not yet known would slow them down. The fields of an edition,
a dataclass, are its own."""


def native(source: str) -> str:
    """A module with what is worked out once as properties that mypyc makes native."""
    module = ast.parse(source)
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            node.body = [made for member in node.body for made in _native_members(node.name, member)]
    return ast.unparse(ast.fix_missing_locations(module))


def _native_members(owner: str, member: ast.stmt) -> Iterator[ast.stmt]:
    mark = _mark(member)
    if not isinstance(member, ast.FunctionDef) or mark is None:
        yield member
        return
    assert member.returns is not None
    yield from ast.parse(ONCE[mark].format(owner=owner, name=member.name, kind=ast.unparse(member.returns))).body
    member.decorator_list.clear()
    member.name = f"_{owner}_work_out_{member.name}"
    yield member


def _mark(member: ast.stmt) -> str | None:
    """The decorator that has a value worked out once."""
    marks = member.decorator_list if isinstance(member, ast.FunctionDef) else []
    return next((mark.id for mark in marks if isinstance(mark, ast.Name) and mark.id in ONCE), None)


def main(paths: list[Path]) -> None:
    for path in paths:
        for module in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            if module.stem not in ONCE:
                module.write_text(native(module.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main([Path(path) for path in sys.argv[1:]])
