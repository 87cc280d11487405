"""Locks: that two programs, or two parts of one, do not use the same file.

| there is | a lock is | after a crash |
|---|---|---|
| `fcntl` (POSIX) | `flock` on the file | the system lets go |
| `msvcrt` (Windows) | one byte far behind the file's end, locked | the system lets go |
| neither, or a file system without | a file beside it, with the number of the process | see below |

Such a file is made only where there is none. After a crash whoever comes next sees that there is no such process,
and takes it; Windows removes it with the process.

A lock is one holder's: whoever takes it again, in the same process too, is refused.
"""

import errno
import importlib
import os
from pathlib import Path
from typing import Any, BinaryIO, Final

from citadels_lan.systems.files import without_waiting

FAR: Final = 0x7FFF_FFFE
"""The byte that is locked on Windows: a locked one cannot be read by others, and no file of ours is so long."""
HELD: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK})
"""Errors that say that somebody else has the lock; any other says that there are no locks here."""
NEW: Final = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_TEMPORARY", 0)
"""A file that was not there before; Windows removes it when it is closed, or its program has ended."""

_own: set[Path] = set()
"""The files with a number in them that this process has made."""


class Lock:
    """A lock that is held until `close`, or until the process ends. Use `take`."""

    def __init__(self, file: BinaryIO, mark: "_Mark | None" = None) -> None:
        self._file = file
        self._mark = mark

    @classmethod
    def take(cls, path: Path) -> "Lock | None":
        """Lock the file `path`, which is made if it is not there; None where somebody has it. Raises OSError where
        it cannot be written."""
        file = open(path, "ab", opener=without_waiting)  # noqa: SIM115 - open for as long as it is held
        try:
            for locked in (_by_fcntl, _by_msvcrt):
                try:
                    if locked(file):
                        return cls(file)
                except OSError as error:
                    if error.errno in HELD:
                        file.close()
                        return None
            mark = _Mark.make(path.with_name(f"{path.name}.pid").absolute())
            if mark is not None:
                return cls(file, mark)
        except BaseException:
            file.close()
            raise
        file.close()
        return None

    def close(self) -> None:
        """Let others have it."""
        if self._mark is not None:
            self._mark.close()
            self._mark = None
        self._file.close()


def _by_fcntl(file: BinaryIO) -> bool:
    """Lock a file; False where the system has no such locks. Raises OSError."""
    fcntl = _module("fcntl")
    if fcntl is None:
        return False
    fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True


def _by_msvcrt(file: BinaryIO) -> bool:
    """As `_by_fcntl`."""
    msvcrt = _module("msvcrt")
    if msvcrt is None:
        return False
    file.seek(FAR)  # the byte is counted from where the file stands
    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    return True


def _module(name: str) -> Any:
    """A module of the standard library that only some systems have, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class _Mark:
    """The file that is a lock where the system has none."""

    def __init__(self, handle: int, path: Path) -> None:
        self._handle = handle
        self._path = path
        _own.add(path)

    @classmethod
    def make(cls, path: Path) -> "_Mark | None":
        """Make it, in the place of one whose process is gone; None where somebody has it. Raises OSError."""
        for _ in range(2):
            try:
                handle = os.open(path, NEW, 0o600)
            except FileExistsError:
                if _holder_lives(path):
                    return None
                path.unlink(missing_ok=True)
            else:
                os.write(handle, str(os.getpid()).encode())
                return cls(handle, path)
        return None

    def close(self) -> None:
        _own.discard(self._path)
        os.close(self._handle)
        self._path.unlink(missing_ok=True)


def _holder_lives(mark: Path) -> bool:
    try:
        number = int(mark.read_bytes())
    except (FileNotFoundError, ValueError):  # nothing is in it where its program ended before it wrote
        return False
    if number == os.getpid():  # numbers come back, in containers soon
        return mark in _own
    return _alive(number)


def _alive(number: int) -> bool:
    """Whether there is a process of this number; a number that may not be asked about belongs to one. Windows is
    not asked: `os.kill` would interrupt it, and a file that is there has its process."""
    if os.name == "nt":
        return True
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except (OSError, AttributeError):
        return True
    return True
