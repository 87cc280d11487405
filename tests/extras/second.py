"""The second verifier, loaded from its folder without any module of the program."""

import importlib
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final
from unittest import mock

from citadels_lan.crypto.codec import Field
from tests.once import signatures

BOOKS: Final = {"turn", "no_events", "offer", "uncalled", "copies", "score", "winners", "impossible_event"}
REPLAYED: Final = {
    "illegal", "notation", "no_table", "event", "event_count", "private", "setup", "substitute_nonce",
}  # fmt: skip
RULED: Final = BOOKS | REPLAYED | {"private_event", "malformed", "edition", "snapshot"}
"""Codes of contradictions that the second verifier does not find, because it knows neither the rules and
views nor all events."""
FOLDER: Final = Path(__file__).parents[2] / "extras"


def load(name: str = "check_transcript") -> ModuleType:
    """Load a module of the second verifier."""
    with mock.patch.object(sys, "path", [str(FOLDER), *sys.path]):
        return importlib.import_module(name)


@cache
def remembering() -> ModuleType:
    """Load the second verifier with a cache of checked signatures, for tests of many games."""
    module = load()
    checked = cache(module.valid)

    def valid(key: bytes, signature: bytes, *said: Field) -> bool:
        return signatures.get((key, *said)) == signature or checked(key, signature, *said)

    for part in (module, load("check_log")):
        part.valid = valid  # type: ignore[attr-defined]
    return module


def check(folder: Path, *files: bytes) -> int:
    """Return the exit code of the second verifier for these files."""
    return check_paths([save(folder, f"{at}.ctr", data) for at, data in enumerate(files)])


def check_paths(paths: Sequence[Path]) -> int:
    code: int = load().main([str(path) for path in paths])
    return code


def save(folder: Path, name: str, data: bytes) -> Path:
    (folder / name).write_bytes(data)
    return folder / name
