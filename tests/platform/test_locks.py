"""Locks on every system: with fcntl, with msvcrt, and where the disk has none."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from citadels_lan.platform import files
from citadels_lan.platform.files import FAR, Lock


class Msvcrt(ModuleType):
    """A simulation of Windows's module `msvcrt` on another system. It locks one byte of an open file."""

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


@pytest.fixture(params=[with_fcntl, with_msvcrt], autouse=True)
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare: Callable[[pytest.MonkeyPatch], None] = request.param
    prepare(monkeypatch)


def test_lock_is_held_by_one_process(tmp_path: Path) -> None:
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
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from citadels_lan.platform.files import Lock\n"
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


def test_disk_without_locks_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(files, "_lock", refused)
    with pytest.raises(OSError, match="No locks available"):
        Lock.take(tmp_path / "lock")
