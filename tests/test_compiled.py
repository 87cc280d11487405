"""What `make compiled` gives to mypyc is such that mypyc compiles it to the same."""

from importlib import import_module
from inspect import getmembers, isclass

from msgspec import Struct

from .compiled import given_to_mypyc


def test_no_struct_is_given_to_mypyc() -> None:
    """It would make a field of everything that belongs to the class, as the verb of an action does."""
    names = list(given_to_mypyc())
    assert "citadels_lan.engine.play" in names
    for name in names:
        classes = [cls for _, cls in getmembers(import_module(name), isclass) if cls.__module__ == name]
        assert not any(issubclass(cls, Struct) for cls in classes), (
            f"{name}: actions stand in actions and edition_actions"
        )
