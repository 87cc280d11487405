"""What holds for all tests."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from . import effort
from .once import once

NEW_OBJECTS = 20_000
"""So many more objects than before are made until the collector looks for garbage."""


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is read."""
    effort.load(config)
    _share_out(config)
    _hear_signals()
    gc.disable()
    _keep_bytecode(config.rootpath / ".pytest_cache" / "bytecode")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests begin first: at the end there are short ones left to share, and no worker is alone."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """What has been read stays until the end: the collector need not search it again and again."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
    gc.enable()


def _share_out(config: pytest.Config) -> None:
    """Each worker goes through tests that stand together, so that the games they share are played by one of them;
    whoever has nothing left takes half of what another still has to do."""
    if config.getoption("dist", "no") == "load":
        config.option.dist = "worksteal"


def _hear_signals() -> None:
    """What runs in the background of a script, or by `nohup`, ignores Ctrl-C or a lost terminal, and so would
    every program that a test starts. A handler of our own goes to none of them; ours lets the tests go on without
    a terminal."""
    for name, handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", lambda *_: None)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def _keep_bytecode(folder: Path) -> None:
    """What is compiled is kept for the next run, for the other worker and for every program that a test starts,
    also where the environment says otherwise; nothing is written beside the sources."""
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(folder)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(scope="session", autouse=True)
def remembered() -> Iterator[None]:
    """The same signatures are checked once."""
    with once():
        yield


@pytest.fixture(scope="session", autouse=True)
def unsynced() -> Iterator[None]:
    """No test outlives the machine: nothing waits until the disk has what was written."""
    with mock.patch.object(os, "fsync"):
        yield
