"""The second verifier, loaded as it runs: from its own folder, with nothing of the program."""

import importlib
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final
from unittest import mock

from citadels_lan.crypto.frames import Field
from tests.once import signatures

FOLDER: Final = Path(__file__).parents[2] / "extras"


def load(name: str = "check_transcript") -> ModuleType:
    """One of its modules."""
    with mock.patch.object(sys, "path", [str(FOLDER), *sys.path]):
        return importlib.import_module(name)


@cache
def remembering() -> ModuleType:
    """The verifier; a signature that it has checked before, or that was made in this process, is not checked
    again."""
    module = load()
    checked = cache(module.valid)

    def valid(key: bytes, signature: bytes, *said: Field) -> bool:
        return signatures.get((key, *said)) == signature or checked(key, signature, *said)

    for part in (module, load("check_log")):
        part.valid = valid  # type: ignore[attr-defined]
    return module
