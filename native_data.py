"""What `make compiled` does to the engine's data before mypyc sees it.

Compiled code has to look up each attribute of a msgspec Struct by its name. `python native_data.py ENGINE`
rewrites `state.py` and `events` in a folder of the engine: every Struct becomes a class with the same fields and
methods, which mypyc makes native. The Structs stay in `told_state.py` and `told_events`. Data from outside is
decoded into them, with the same checks, and then converted.
"""

import ast
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

DATA: Final = frozenset({"Data", "Event"})
"""The bases that make a class one of data."""

ENCODING: Final = '''"""Events and states as plain values, for the wire, and back."""

from typing import Any, Final, Union

from msgspec import Struct, convert, structs, to_builtins
from msgspec.structs import asdict, replace

from . import events as native_events
from . import state as native_state
from . import told_events, told_state
from .data import Data

EVENTS: Final[Any] = Union[tuple(told_events.Event.__subclasses__())]
"""The union of all kinds of events."""


class _Told(Struct, array_like=True):
    """An event. msgspec prepares a Struct once, but a union at every conversion."""

    event: EVENTS


_STATE: Final[list[Any]] = [kind for kind in Data.__subclasses__() if kind.__module__ == told_state.__name__]
_KINDS: Final[dict[Any, Any]] = {
    **{kind: getattr(native_events, kind.__name__) for kind in told_events.Event.__subclasses__()},
    **{kind: getattr(native_state, kind.__name__) for kind in _STATE},
}
_TAGS: Final[dict[Any, Any]] = {
    _KINDS[kind]: kind.__struct_config__.tag for kind in told_events.Event.__subclasses__()
}


def encode_event(event: native_events.Event) -> list[Any]:
    """An event as plain data: [tag, fields...]."""
    return [_TAGS[type(event)], *to_builtins([getattr(event, name) for name in event.__struct_fields__])]


def decode_event(plain: Any) -> native_events.Event:
    """The event of plain data; msgspec.ValidationError where it is none."""
    told = convert([plain], _Told).event
    event: native_events.Event = _KINDS[type(told)](*[getattr(told, name) for name in told.__struct_fields__])
    return event


def encode_state(state: native_state.State) -> Any:
    """A state as dicts, lists and plain values, in the order of its fields."""
    return to_builtins(state, enc_hook=_fields)


def _fields(data: Any) -> dict[str, Any]:
    fields: dict[str, Any] = data.fields()
    return fields


def decode_state(plain: Any) -> native_state.State:
    """The state of plain values; msgspec.ValidationError where they are none."""
    state: native_state.State = _taken_over(convert(plain, told_state.State))
    return state


def _taken_over(value: Any) -> Any:
    """The same value with native data in place of Structs."""
    if isinstance(value, list | tuple):
        return type(value)(map(_taken_over, value))
    if type(value) not in _KINDS:
        return value
    return _KINDS[type(value)](**{name: _taken_over(field) for name, field in asdict(value).items()})


_NATIVE: Final = frozenset(_KINDS.values())


def _replaced(data: Any, /, **changes: Any) -> Any:
    """`msgspec.structs.replace` for Structs and native data."""
    return data.but(**changes) if type(data) in _NATIVE else replace(data, **changes)


def _as_dict(data: Any, /) -> dict[str, Any]:
    """`msgspec.structs.asdict` for Structs and native data."""
    return _fields(data) if type(data) in _NATIVE else asdict(data)


# Plug-in bots are written for Structs, and must work the same way with a compiled engine.
structs.replace, structs.asdict = _replaced, _as_dict
'''
"""The content of `encoding.py` in a compiled engine."""


def native(source: str) -> str:
    """A module with its Structs as classes that mypyc makes native."""
    module = ast.parse(source)
    module.body = [_native_class(node) if _is_data(node) else node for node in module.body if not _is_base(node)]
    module.body[1:1] = ast.parse("from typing import Any, ClassVar").body
    return ast.unparse(ast.fix_missing_locations(module))


def _is_base(node: ast.stmt) -> bool:
    """Whether this imports the base of data, which nothing has any more."""
    return isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] in ("data", "msgspec")


def _is_data(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and any(_derives(node, base) for base in DATA)


def _derives(node: ast.ClassDef, name: str) -> bool:
    return any(isinstance(base, ast.Name) and base.id == name for base in node.bases)


def _native_class(node: ast.stmt) -> ast.stmt:
    """The same class without its base: annotations alone as attributes, the methods, and what a Struct has."""
    assert isinstance(node, ast.ClassDef)
    fields = [field for field in node.body if isinstance(field, ast.AnnAssign) and not _belongs_to_class(field)]
    rest = [statement for statement in node.body if statement not in fields]
    base = "(Event)" if _derives(node, "Event") else ""
    text = [f"class {node.name}{base}:", f"    {ast.get_docstring(node)!r}"]
    text += [f"    {_name(field)}: {ast.unparse(field.annotation)}" for field in fields]
    text += _made_of(node.name, fields, frozen=any(keyword.arg == "frozen" for keyword in node.keywords))
    made = ast.parse("\n".join(text)).body[0]
    assert isinstance(made, ast.ClassDef)
    made.body += rest[1:] if ast.get_docstring(node) else rest
    return made


def _belongs_to_class(field: ast.AnnAssign) -> bool:
    return ast.unparse(field.annotation).startswith("ClassVar")


def _name(field: ast.AnnAssign) -> str:
    assert isinstance(field.target, ast.Name)
    return field.target.id


def _made_of(kind: str, fields: list[ast.AnnAssign], *, frozen: bool) -> Iterator[str]:
    """What a Struct of these fields has of its own."""
    names = [_name(field) for field in fields]
    for attribute in ("__struct_fields__", "__match_args__"):
        yield f"    {attribute}: ClassVar[tuple[str, ...]] = {tuple(names)!r}"
    yield f"    def __init__({', '.join(('self', *map(_parameter, fields)))}) -> None:"
    if not fields:
        yield "        pass"
    for field, name in zip(fields, names, strict=True):
        yield f"        self.{name} = " + (f"[] if {name} is None else {name}" if _made_empty(field) else name)
    if kind not in DATA:  # a base is no record itself
        yield "    def __eq__(self, other: object) -> bool:"
        equal = (f"isinstance(other, {kind})", *(f"self.{name} == other.{name}" for name in names))
        yield f"        return {' and '.join(equal)}"
        if frozen:
            yield "    def __hash__(self) -> int:"
            yield f"        return hash(({''.join(f'self.{name}, ' for name in names)}))"
    yield "    def __repr__(self) -> str:"
    yield f'        return f"{kind}({", ".join(f"{name}={{self.{name}!r}}" for name in names)})"'
    yield f"    def but(self, **changes: Any) -> '{kind}':"
    yield f"        return {kind}(**(self.fields() | changes))"
    yield f"    def shallow(self) -> '{kind}':"
    yield f"        return {kind}({', '.join(f'self.{name}' for name in names)})"
    yield "    def fields(self) -> dict[str, Any]:"
    yield f"        return {{{', '.join(f'{name!r}: self.{name}' for name in names)}}}"


def _made_empty(field: ast.AnnAssign) -> bool:
    """Whether a field is a new list where nothing is given."""
    return isinstance(field.value, ast.List)


def _parameter(field: ast.AnnAssign) -> str:
    kind = ast.unparse(field.annotation)
    if _made_empty(field):
        return f"{_name(field)}: {kind} | None = None"
    return f"{_name(field)}: {kind}" + ("" if field.value is None else f" = {ast.unparse(field.value)}")


def main(engine: Path) -> None:
    shutil.copy(engine / "state.py", engine / "told_state.py")
    shutil.copytree(engine / "events", engine / "told_events")
    for module in (engine / "state.py", *(engine / "events").glob("[!_]*.py")):
        module.write_text(native(module.read_text(encoding="utf-8")), encoding="utf-8")
    encoding = engine / "encoding.py"
    assert encoding.exists(), "encoding.py was renamed: rename it here, too"
    encoding.write_text(ENCODING, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
