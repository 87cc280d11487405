"""What holds for all tests."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from unittest import mock

import pytest

# Compiled modules are kept for the next run, the other workers and the programs that tests start, also where the
# environment forbids it. pytest compiles all of Hypothesis, so this comes before its import. No file is written
# beside the sources.
BYTECODE: Final = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
sys.dont_write_bytecode = False
sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

from . import effort  # noqa: E402

NEW_OBJECTS = 100_000
"""So many more objects than before are made until the collector looks for garbage."""
USERS_OWN: Final = ("CITADELS_", "XDG_", "LANG", "LC_", "NO_COLOR", "COLUMNS", "LINES")
"""Variables that begin so are the user's choices. No test reads them."""
HOME: Final = pytest.StashKey[str]()
_unused: Final[list[str]] = []
"""Folders of tests that have written nothing."""


def pytest_configure(config: pytest.Config) -> None:
    """Before any module of tests or of the package is imported: the package reads some variables then."""
    _isolate(config)
    effort.load(config)
    _share_out(config)
    _hear_signals()
    gc.disable()


def pytest_unconfigure(config: pytest.Config) -> None:
    """After the last test."""
    shutil.rmtree(config.stash[HOME], ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests begin first: at the end there are short ones left to share, and no worker is alone."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """What has been read stays until the end: the collector need not search it again and again."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
    gc.enable()


def _isolate(config: pytest.Config) -> None:
    for name in [name for name in os.environ if name.startswith(USERS_OWN)]:
        del os.environ[name]
    config.stash[HOME] = tempfile.mkdtemp(prefix="citadels-lan-tests-")
    os.environ.update(own_home(config.stash[HOME]))


def own_home(folder: str) -> dict[str, str]:
    """The variables with which this process, and those that it starts, keep everything in a folder."""
    return {"CITADELS_HOME": folder, "HOME": folder, "USERPROFILE": folder}


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


@pytest.fixture(scope="session", autouse=True)
def remembered() -> Iterator[None]:
    """The same signatures are checked once."""
    from .once import once  # imports the package, and so not before `pytest_configure`

    with once():
        yield


@pytest.fixture(scope="session", autouse=True)
def unsynced() -> Iterator[None]:
    """No test outlives the machine: nothing waits until the disk has what was written."""
    with mock.patch.object(os, "fsync"):
        yield


@pytest.fixture(scope="session", autouse=True)
def session_home(pytestconfig: pytest.Config) -> Iterator[str]:
    """Fixtures that many tests share run in a folder of their own, which the run deletes at its end."""
    home, before = pytestconfig.stash[HOME], os.getcwd()
    os.chdir(home)
    yield home
    os.chdir(before)


@pytest.fixture(autouse=True)
def own_folders(session_home: str) -> Iterator[Path]:
    """Each test has its own data, settings, logs, home and working folder. Gives the folder of all these. Most
    tests write nothing: the next test then uses the same folder."""
    home = _unused.pop() if _unused else tempfile.mkdtemp(dir=session_home)
    work = os.path.join(home, "work")
    os.makedirs(work, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(work)
        for name, value in own_home(home).items():
            patch.setenv(name, value)
        yield Path(home)
    if os.listdir(home) == ["work"] and not os.listdir(work):
        _unused.append(home)


@pytest.fixture
def on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are announced and looked for on this machine alone."""
    from citadels_lan.net.discovery import interfaces

    there = [one for one in interfaces.interfaces() if one.far == 3]
    monkeypatch.setattr(interfaces, "interfaces", lambda: there)
