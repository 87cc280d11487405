"""The second verifier, and games that it reads."""

from collections.abc import Callable
from functools import cache
from types import ModuleType

import pytest

from citadels_lan.crypto.frames import Field
from tests.crypto.table import Game, recorded
from tests.extras.second import load
from tests.once import signatures


@pytest.fixture(scope="session")
def script() -> ModuleType:
    """The verifier; a signature that it has checked in another test, or that was made in this process, is not
    checked again."""
    module = load()
    checked = cache(module.valid)

    def valid(key: bytes, signature: bytes, *said: Field) -> bool:
        return signatures.get((key, *said)) == signature or checked(key, signature, *said)

    for part in (module, load("check_log")):
        part.valid = valid  # type: ignore[attr-defined]
    return module


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
