"""Fixtures and hooks for all tests."""

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
# beside the sources, unless the environment names another folder.
BYTECODE: Final = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
sys.dont_write_bytecode = False
sys.pycache_prefix = os.environ.setdefault("PYTHONPYCACHEPREFIX", str(BYTECODE)) or None
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

from . import effort  # noqa: E402

NEW_OBJECTS = 100_000
"""Python's garbage collector runs after this many new objects."""
USERS_OWN: Final = ("CITADELS_", "XDG_", "LANG", "LC_", "NO_COLOR", "COLUMNS", "LINES")
"""Beginnings of the names of environment variables with which users change the program. They are removed, so
that no test reads them."""
HOME: Final = pytest.StashKey[str]()
_unused: Final[list[str]] = []
"""Folders in which a test has written no file. The next test can use them."""


def pytest_configure(config: pytest.Config) -> None:
    """Set the environment before any module of the tests or of the package is imported, because the package
    reads some variables at import."""
    _isolate(config)
    effort.load(config)
    _share_out(config)
    _hear_signals()
    gc.disable()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Clean up after the last test."""
    shutil.rmtree(config.stash[HOME], ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest tests first: the short ones at the end balance the load of the workers."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Exclude the imported modules from garbage collection, which would search them again and again."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
    gc.enable()


def _isolate(config: pytest.Config) -> None:
    for name in [name for name in os.environ if name.startswith(USERS_OWN)]:
        del os.environ[name]
    config.stash[HOME] = tempfile.mkdtemp(prefix="citadels-lan-tests-")
    os.environ.update(own_home(config.stash[HOME]))


def own_home(folder: str) -> dict[str, str]:
    """Return the environment variables that make this process and its child processes store everything in
    `folder`."""
    return {"CITADELS_HOME": folder, "HOME": folder, "USERPROFILE": folder}


def _share_out(config: pytest.Config) -> None:
    """Give each worker consecutive tests, because these often share a recorded game, which is then played
    once. A worker without tests takes half of the remaining tests of another worker."""
    if config.getoption("dist", "no") == "load":
        config.option.dist = "worksteal"


def _hear_signals() -> None:
    """Handle Ctrl-C and a lost terminal in this process, if it ignores them because it was started in the
    background or by `nohup`. Programs that tests start inherit ignored signals, but not the handlers of this
    process."""
    for name, handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", lambda *_: None)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture(scope="session", autouse=True)
def remembered() -> Iterator[None]:
    """For the whole test run: cache the results of signature checks."""
    from .once import once  # This imports the package, so it must run after `pytest_configure`.

    with once():
        yield


@pytest.fixture(scope="session", autouse=True)
def unsynced() -> Iterator[None]:
    """For the whole test run: do not sync files to the disk, because no test has to survive a power cut."""
    with mock.patch.object(os, "fsync"):
        yield


@pytest.fixture(scope="session", autouse=True)
def session_home(pytestconfig: pytest.Config) -> Iterator[str]:
    """Run shared fixtures in a temporary folder, which is deleted at the end."""
    home, before = pytestconfig.stash[HOME], os.getcwd()
    os.chdir(home)
    yield home
    os.chdir(before)


@pytest.fixture(autouse=True)
def own_folders(session_home: str) -> Iterator[Path]:
    """Give each test its own data, settings, logs, home and working folder. Yields the folder that contains
    them. If a test has written nothing, the next test uses the same folder."""
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
    """Let the tests announce and search tables on this machine only."""
    from citadels_lan.net.discovery import interfaces

    there = [one for one in interfaces.interfaces() if one.far == 3]
    monkeypatch.setattr(interfaces, "interfaces", lambda: there)
