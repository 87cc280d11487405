"""The modules that `make compiled` prepares for mypyc behave like the originals."""

from importlib import import_module
from inspect import getmembers, getsource, isclass
from typing import Any

import pytest
from msgspec import Struct

import native_data
import native_once
from citadels_lan.engine import state as of_python
from citadels_lan.engine.data import Data
from tests.effort import one_case
from tools.compiled import given_to_mypyc

DATA = [cls for _, cls in getmembers(of_python, isclass) if issubclass(cls, Data) and cls is not Data]
VALUES: dict[str, Any] = {"verb": "pick", "seat": 1, "key": "keep", "printed": 3, "card": "docks", "gold": 2}
VALUES |= {"character": "king", "seller": 0, "floor": 1, "kind": "killed", "by": 4, "edition": "2016", "cast": ()}
VALUES |= {"districts": (), "players": [], "deck": ["docks"], "what": "call", "seats": (0, 2)}


def test_modules_prepared_for_mypyc_have_no_struct() -> None:
    """mypyc would turn every class attribute of a Struct, such as the verb of an action, into a field. So
    Structs are replaced by native classes before mypyc runs."""
    names = list(given_to_mypyc())
    assert "citadels_lan.engine.play" in names
    for name in names:
        classes = [cls for _, cls in getmembers(import_module(name), isclass) if cls.__module__ == name]
        assert not any(issubclass(cls, Struct) and not issubclass(cls, Data) for cls in classes), (
            f"{name}: actions belong in actions"
        )


@pytest.fixture(scope="module")
def native() -> dict[str, Any]:
    """Return what the module of the state defines in the form that is given to mypyc, run by Python."""
    there = {"__name__": of_python.__name__, "__package__": of_python.__package__}
    exec(compile(native_data.native(getsource(of_python)), "native state", "exec"), there)
    return there


@one_case("kind", DATA)
def test_native_class_behaves_like_the_struct(native: dict[str, Any], kind: type[Data]) -> None:
    needed = {name: VALUES[name] for name in kind.__struct_fields__ if name in VALUES}  # type: ignore[attr-defined]
    struct, made = kind(**needed), native[kind.__name__](**needed)
    assert not isinstance(made, Struct)
    assert repr(made) == repr(struct)
    assert made.fields() == struct.fields()
    assert made.__struct_fields__ == made.__match_args__ == struct.__struct_fields__  # type: ignore[attr-defined]
    assert made == native[kind.__name__](**needed)
    for name in needed:
        other = made.but(**{name: None})
        assert other != made
        assert other.fields() == {**struct.fields(), name: None}


def test_native_class_copies_default_lists(native: dict[str, Any]) -> None:
    one, other = native["Player"](), native["Player"]()
    one.hand.append("docks")
    assert other.hand == []


KEPT = """
from functools import cached_property

from citadels_lan.bots.heuristics.values import once

class Mind:
    def __init__(self, asked: list[str]) -> None:
        self.asked = asked

    @once
    def useful(self) -> list[str]:
        self.asked.append("useful")
        return ["docks"]

    @property
    def always(self) -> int:
        return 1

class LearnedMind(Mind):
    @cached_property
    def useful(self) -> list[str]:
        self.asked.append("learned")
        return ["tavern"]
"""


@pytest.mark.parametrize("made_native", [False, True])
def test_cached_property_becomes_a_field_of_the_native_class(*, made_native: bool) -> None:
    there: dict[str, Any] = {"__name__": "kept"}
    exec(native_once.native(KEPT) if made_native else KEPT, there)
    for kind, asked, cards in (("Mind", "useful", ["docks"]), ("LearnedMind", "learned", ["tavern"])):
        mind = there[kind]([])
        assert mind.useful is mind.useful
        assert mind.useful == cards
        assert mind.asked == [asked]


@one_case("name", ["bots.heuristics.mind", "bots.heuristics.turns", "bots.heuristics.learned", "engine.edition"])
def test_compiled_classes_store_values_only_in_fields(name: str) -> None:
    source = getsource(import_module(f"citadels_lan.{name}"))
    assert _keeps_values(source)
    assert not _keeps_values(native_once.native(source))


def _keeps_values(source: str) -> bool:
    return any(f"@{mark}" in source for mark in native_once.ONCE)
