"""Locks on every system: with fcntl, with msvcrt, with neither, and where the file system has none."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from citadels_lan.cli.open.hosting import Hosted
from citadels_lan.cli.open.wanted import Wanted
from citadels_lan.cli.profiles import Profiles
from citadels_lan.net.host.journal import Journal
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.systems import locks
from citadels_lan.systems.locks import FAR, Lock
from tests.effort import one_case
from tests.facts import first_table
from tests.net.host.test_journal import LOBBY, TABLE


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


def test_a_lock_is_one_holders(tmp_path: Path) -> None:
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


def test_a_locked_file_is_read_and_keeps_what_it_has(tmp_path: Path) -> None:
    """A locked byte of a file cannot be read on Windows, so none is that anybody reads."""
    path = tmp_path / "file"
    path.write_bytes(b"all of it")
    lock = Lock.take(path)
    assert lock is not None
    assert path.read_bytes() == b"all of it"
    lock.close()
    windows = sys.modules.get("msvcrt")
    if isinstance(windows, Msvcrt):
        assert windows.bytes == {FAR}


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Lock.take(tmp_path / "nowhere" / "lock")


def test_every_bot_has_an_identity_of_its_own(tmp_path: Path) -> None:
    """Else no table with two bots begins: the second comes back to the seat of the first."""
    with closing(Profiles(tmp_path)) as profiles, closing(Profiles(tmp_path)) as other:
        assert profiles.person() == tmp_path
        assert other.person() != tmp_path
        bots = [profiles.bot(), profiles.bot(), other.bot(), profiles.bot(), other.bot()]
        assert len(set(bots)) == 5
    with closing(Profiles(tmp_path)) as later:
        assert (later.person(), later.bot()) == (tmp_path, bots[0])


async def test_a_table_with_two_bots_begins(tmp_path: Path) -> None:
    out = tmp_path / "out"
    wanted = Wanted(first_table(3, 2), ("random", "random"), "Anna", tmp_path, out, network=False, begin=True)
    hosted = Hosted(wanted)
    await hosted.open()
    assert hosted.table.table.game is not None
    await hosted.close()


def test_a_journal_has_one_host(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    journal = Journal.create(path, TABLE, LOBBY)
    with pytest.raises(Refusal) as refused:
        Journal.resume(path)
    assert refused.value.code == "journal_used"
    journal.close()
    again, content = Journal.resume(path)
    assert (content.table, content.lobby, content.entries) == (TABLE, LOBBY, ())
    again.close()


def test_a_lock_does_not_outlive_its_process(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Of a program that was killed nothing is left that locks."""
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
        "from citadels_lan.systems.locks import Lock\n"
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
def test_what_a_crash_has_left_locks_nothing(tmp_path: Path, left: str) -> None:
    """Also where this process has got the number of the one that crashed, as in containers."""
    (tmp_path / "lock.pid").write_text(str(os.getpid()) if left == "own" else left)
    lock = Lock.take(tmp_path / "lock")
    assert lock is not None
    lock.close()


def test_on_windows_no_process_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """`os.kill` would interrupt it there."""

    def interrupted(*_: int) -> None:
        raise AssertionError("Ctrl-C was sent")

    monkeypatch.setattr(os, "kill", interrupted)
    monkeypatch.setattr(os, "name", "nt")
    alive = locks._alive(1)
    monkeypatch.undo()
    assert alive
