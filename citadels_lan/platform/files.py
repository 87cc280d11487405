"""Files: the folders on each system, files that only their owner can read, and files that are written completely
or not at all; and locks, so that two programs, or two parts of one program, do not use the same file.

| there is | a lock is |
|---|---|
| `fcntl` (POSIX) | `flock` on the file |
| `msvcrt` (Windows) | one byte far behind the file's end, locked |

The system releases a lock when its process ends. A lock has one holder: a second `take` fails, also in the same
process. On a disk without locks `take` raises OSError; the user can choose another folder with `CITADELS_HOME`.

The library filelock is no replacement. It locks a second file, by its name: a journal under another name, or the
one of a listing, would no longer be protected. On Windows its lock makes the file itself unreadable.
"""

import contextlib
import errno
import importlib
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

PROGRAM: Final = "citadels-lan"
VARIABLE: Final = "CITADELS_HOME"
"""The environment variable with a folder for everything, so that several people can use one computer."""


def data_folder() -> Path:
    """Return the folder of keys, transcripts and journals."""
    return _folder("data", "data")


def settings_folder() -> Path:
    """Return the folder of the preferences."""
    return _folder("settings", "config")


def log_folder() -> Path:
    """Return the folder of warnings and error reports."""
    return _folder("log", "log")


def _folder(name: str, kind: str) -> Path:
    """Return the folder `name` below the home that CITADELS_HOME names; without that variable, the usual
    folder of this kind on this system."""
    if home := os.environ.get(VARIABLE):
        return Path(home, name)
    import platformdirs

    path: Path = getattr(platformdirs, f"user_{kind}_path")(PROGRAM, appauthor=False)
    return path


class NoFile(OSError):
    """The path is not a regular file: a device, or a pipe that may never end."""


def read_file(path: Path, most: int) -> bytes:
    """Return the first `most` bytes of a regular file. Raises OSError; NoFile for a pipe, a device or a
    socket. Never reads beyond the size of the file: to read more could block forever, for example in a file
    with messages of the kernel."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise NoFile(errno.EINVAL, "not a file")
    with open(path, "rb", opener=without_waiting) as file:
        return file.read(min(most, status.st_size))


def without_waiting(name: str, flags: int) -> int:
    """Open a file without blocking: opening a pipe normally waits until another program opens its other
    end."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def own_file(name: str, flags: int) -> int:
    """Open a regular file and give it mode 0600. Raises OSError; NoFile if it is a pipe, a device, a link or
    anything else."""
    # A link could lead to a file of another owner, and a pipe would block.
    more = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(name, flags | more, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NoFile(errno.EINVAL, "not a file")
        # The mode of `open` applies to new files only.
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, 0o600)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def open_private(path: Path, mode: Literal["wb", "xb", "x+b", "ab"], *, buffering: int = -1) -> BinaryIO:
    """Open a file for writing; a new one is readable by its owner only (0600). With `buffering` 0, writes go
    to the system at once. On Windows, which has no such mode, the folder of the user protects the file.
    Raises OSError."""
    return open(path, mode, buffering, opener=lambda name, flags: os.open(name, flags, 0o600))


def write_private(path: Path, data: bytes, *, replace: bool = False) -> None:
    """Write a file of mode 0600, completely or not at all. An existing file is replaced only if `replace` is
    True. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with open_private(draft, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # Otherwise a power cut could leave an empty file under the new name.
        if replace or not path.exists():
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_at(file: BinaryIO, end: int, data: bytes, *, sync: bool = False) -> None:
    """Write `data` at position `end` of an unbuffered file, and remove what followed that position. If the
    write fails, the file ends at `end`. `sync`: after the return, a power cut does not undo it. Raises
    OSError."""
    if file.seek(0, os.SEEK_END) != end:  # The rest of a record that was not written completely.
        file.truncate(end)
        file.seek(end)
    try:
        rest = memoryview(data)
        while rest:  # A disk that gets full takes only the beginning.
            rest = rest[file.write(rest) :]
        if sync:
            os.fsync(file.fileno())
    except OSError:
        with contextlib.suppress(OSError):
            file.truncate(end)
        raise


def free_space(folder: Path) -> int:
    """Return the free bytes of the disk with this folder, which is created if it is missing; 0 if the folder
    cannot be written."""
    import shutil
    import tempfile

    # Access rights do not show a full or a read-only disk, so a file is written.
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return 0
    return shutil.disk_usage(folder).free


def sync_folder(folder: Path) -> None:
    """Make new and changed file names in a folder survive a power cut. Does nothing except on POSIX. Raises
    OSError."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


FAR: Final = 0x7FFF_FFFE
"""Position of the locked byte on Windows. Other programs cannot read a locked byte, so it is behind the end of
every file."""
HELD: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK})
"""Error numbers that mean that another program holds the lock. Any other error means that the disk has no
locks."""


class Lock:
    """A lock that this process holds until `close`, or until it ends. Created by `take`."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    @classmethod
    def take(cls, path: Path) -> "Lock | None":
        """Lock the file `path`, which is created if it is missing. Return None if the lock is held already.
        Raises OSError if the file cannot be written or locked."""
        file = open(path, "ab", opener=without_waiting)  # noqa: SIM115 - open for as long as it is held
        try:
            _lock(file)
        except OSError as error:
            file.close()
            if error.errno in HELD:
                return None
            raise
        return cls(file)

    def close(self) -> None:
        """Release the lock."""
        self._file.close()


def _lock(file: BinaryIO) -> None:
    """Lock a file. Raises OSError."""
    try:
        fcntl: Any = importlib.import_module("fcntl")
    except ImportError:  # Windows
        msvcrt: Any = importlib.import_module("msvcrt")
        file.seek(FAR)  # The position of the file is the first byte to lock.
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
