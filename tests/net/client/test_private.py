"""A session has a connection that has a client: none of them reads what is private to another."""

import ast
from pathlib import Path

import citadels_lan.net.client as client_side
from tests.effort import one_case

MODULES = sorted(Path(client_side.__file__).parent.rglob("*.py"))


def intrusions(source: str) -> list[str]:
    """Every private attribute in a source that is not the object's own."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]


@one_case("path", MODULES, ids=lambda path: path.stem)
def test_nobody_reads_what_is_private_to_another(path: Path) -> None:
    assert intrusions(path.read_text(encoding="utf-8")) == []


def test_an_intrusion_is_found() -> None:
    found = intrusions("self._own; session._link.send(self.connection._queue)")
    assert set(found) == {"session._link", "self.connection._queue"}


def test_none_of_them_is_another() -> None:
    """Neither a session nor a connection inherits anything."""
    from citadels_lan.net.client.client import Client
    from citadels_lan.net.client.connection import Connection
    from citadels_lan.net.client.session import Session

    assert all(kind.__bases__ == (object,) for kind in (Session, Connection, Client))
