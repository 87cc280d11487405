"""The second verifier, and games that it reads."""

from collections.abc import Callable
from types import ModuleType

import pytest

from tests.crypto.table import Game, recorded
from tests.extras.second import load, remembering


@pytest.fixture(scope="session")
def script() -> ModuleType:
    """The verifier."""
    return remembering()


@pytest.fixture(scope="session")
def of_bytes() -> ModuleType:
    """Its sections 1 and 2."""
    return load("check_bytes")


@pytest.fixture(scope="session")
def check(script: ModuleType) -> Callable[..., int]:
    """Its exit code for some files."""
    return lambda *paths: script.main([str(path) for path in paths])


@pytest.fixture(scope="session")
def duel() -> Game:
    """A whole game of two."""
    return recorded(2)
