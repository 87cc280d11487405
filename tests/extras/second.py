"""The second verifier, loaded as it runs: from its own folder, with nothing of the program."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Final
from unittest import mock

FOLDER: Final = Path(__file__).parents[2] / "extras"


def load(name: str = "check_transcript") -> ModuleType:
    """One of its modules."""
    with mock.patch.object(sys, "path", [str(FOLDER), *sys.path]):
        return importlib.import_module(name)
