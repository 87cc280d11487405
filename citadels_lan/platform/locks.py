"""Locks, so that two programs, or two parts of one program, do not use the same file.

| there is | a lock is | after a crash |
|---|---|---|
| `fcntl` (POSIX) | `flock` on the file | the system lets go |
| `msvcrt` (Windows) | one byte far behind the file's end, locked | the system lets go |
| neither, or a file system without | another file, with the number of the process | see below |

The file with the number is created only if it does not exist. After a crash, the next program sees that there
is no such process, and replaces the file; Windows removes it with the process.

A lock has one holder. A second `take` fails, also in the same process.

The library filelock is no replacement. It locks a second file, by its name: a journal
under another name, or the one of a listing, would no longer be protected. On Windows its lock makes the file
itself unreadable. It has no fallback for disks whose lock call fails with ENOLCK."""

import errno
import importlib
import os
from pathlib import Path
from typing import Any, BinaryIO, Final

from citadels_lan.platform.files import without_waiting

FAR: Final = 0x7FFF_FFFE
"""Position of the locked byte on Windows. Other programs cannot read a locked byte, so it is behind the end of
every file."""
HELD: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK})
"""Error numbers that mean that the lock is held. Any other error means that there are no locks here."""
NEW: Final = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_TEMPORARY", 0)
"""Flags for creating a file that must not exist. Windows removes it when it is closed or its program ends."""

_own: set[Path] = set()
"""The marker files that this process has created."""


class Lock:
    """A lock that is held until `close`, or until the process ends. Use `take`."""

    def __init__(self, file: BinaryIO, mark: "_Mark | None" = None) -> None:
        self._file = file
        self._mark = mark

    @classmethod
    def take(cls, path: Path) -> "Lock | None":
        """Lock the file `path`, which is created if it is missing; None if the lock is held. Raises OSError
        if the file cannot be written."""
        file = open(path, "ab", opener=without_waiting)  # noqa: SIM115 - open for as long as it is held
        try:
            try:
                if _locked(file):
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
        """Release the lock."""
        if self._mark is not None:
            self._mark.close()
            self._mark = None
        self._file.close()


def _locked(file: BinaryIO) -> bool:
    """Lock a file; False if the system has no locks. Raises OSError."""
    if fcntl := _module("fcntl"):
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif msvcrt := _module("msvcrt"):  # Windows
        file.seek(FAR)  # The position of the file is the first byte to lock.
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        return False
    return True


def _module(name: str) -> Any:
    """Return a module of the standard library that only some systems have, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class _Mark:
    """The marker file that serves as lock if the system has none. It contains the number of the process."""

    def __init__(self, handle: int, path: Path) -> None:
        self._handle = handle
        self._path = path
        _own.add(path)

    @classmethod
    def make(cls, path: Path) -> "_Mark | None":
        """Create the file, or replace one whose process is gone; None if the lock is held. Raises OSError."""
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
    except (FileNotFoundError, ValueError):  # Its program ended before it wrote the number.
        return False
    if number == os.getpid():  # Numbers are used again, in containers soon.
        return mark in _own
    return _alive(number)


def _alive(number: int) -> bool:
    """Return whether a process exists, even one that this program may not signal. On Windows the file exists
    only as long as its process, and `os.kill` would interrupt that."""
    if os.name == "nt":
        return True
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except (OSError, AttributeError):
        return True
    return True
