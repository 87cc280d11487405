"""Locks on every system: with fcntl, with msvcrt, with neither, and where the file system has none."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from citadels_lan.platform import locks
from citadels_lan.platform.locks import FAR, Lock
from tests.effort import one_case


class Msvcrt(ModuleType):
    """The locks of Windows, as far as another system can show them: a byte of a file that is open."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self._posix = pytest.importorskip("fcntl")
        self.bytes: set[int] = set()

    def locking(self, handle: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        try:
            self._posix.flock(handle, self._posix.LOCK_EX | self._posix.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None
        self.bytes.add(os.lseek(handle, 0, os.SEEK_CUR))


def with_fcntl(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fcntl")


def with_msvcrt(monkeypatch: pytest.MonkeyPatch) -> None:
    if os.name != "nt":
        windows = Msvcrt()
        monkeypatch.setitem(sys.modules, "fcntl", None)
        monkeypatch.setitem(sys.modules, "msvcrt", windows)


def with_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fcntl", "msvcrt"):
        monkeypatch.setitem(sys.modules, name, None)


def without_locks_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fcntl")

    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refused)


@pytest.fixture(params=[with_fcntl, with_msvcrt, with_neither, without_locks_on_the_disk], autouse=True)
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    prepare: Callable[[pytest.MonkeyPatch], None] = request.param
    prepare(monkeypatch)
    yield
    assert not locks._own


def test_lock_has_one_holder(tmp_path: Path) -> None:
    first = Lock.take(tmp_path / "lock")
    assert first is not None
    assert Lock.take(tmp_path / "lock") is None
    other = Lock.take(tmp_path / "other")
    assert other is not None
    other.close()
    first.close()
    again = Lock.take(tmp_path / "lock")
    assert again is not None
    again.close()
    again.close()


def test_locked_file_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"all of it")
    lock = Lock.take(path)
    assert lock is not None
    assert path.read_bytes() == b"all of it"
    lock.close()
    windows = sys.modules.get("msvcrt")
    if isinstance(windows, Msvcrt):
        assert windows.bytes == {FAR}


def test_killed_process_releases_its_lock(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    prepare = request.node.callspec.params["system"]
    if prepare is with_msvcrt:
        pytest.skip("Windows lets go by itself; what stands for it here does not know of other processes")
    path = tmp_path / "lock"
    absent = {
        with_fcntl: "",
        with_neither: "sys.modules['fcntl'] = sys.modules['msvcrt'] = None",
        without_locks_on_the_disk: "import fcntl\ndef no(*_): raise OSError(37, '')\nfcntl.flock = no",
    }[prepare]
    program = (
        f"import os, signal, sys\n{absent}\n"
        "from pathlib import Path\n"
        "from citadels_lan.platform.locks import Lock\n"
        "lock = Lock.take(Path(sys.argv[1]))\n"
        "assert lock is not None\n"
        "print('locked', flush=True)\n"
        "sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        (sys.executable, "-c", program, str(path)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        assert Lock.take(path) is None
    finally:
        process.kill()
        process.communicate()
    lock = Lock.take(path)
    assert lock is not None
    lock.close()


@one_case("left", ["", "not a number", "own"])
def test_file_of_a_crashed_process_is_no_lock(tmp_path: Path, left: str) -> None:
    (tmp_path / "lock.pid").write_text(str(os.getpid()) if left == "own" else left)
    lock = Lock.take(tmp_path / "lock")
    assert lock is not None
    lock.close()
