"""What holds for all tests."""

import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each worker begins with its share of the slow tests: at the end all have short ones left, and nobody waits
    for the last long one."""
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        slow = [item for item in items if item.get_closest_marker("slow")]
        short = [item for item in items if not item.get_closest_marker("slow")]
        items[:] = [
            item for number in range(workers) for part in (slow, short) for item in _share(part, number, workers)
        ]


def pytest_collection_finish() -> None:
    """What has been read stays until the end: the collector need not search it again and again."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
    gc.enable()


def _share(items: Sequence[pytest.Item], number: int, of: int) -> Sequence[pytest.Item]:
    """One of so many parts of about the same length, that follow each other."""
    return items[len(items) * number // of : len(items) * (number + 1) // of]


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
