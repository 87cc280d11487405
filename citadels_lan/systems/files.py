"""Files: where they belong on each system, files that only their owner can read, and files that are written
completely or not at all.
"""

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final, Literal

PROGRAM: Final = "citadels-lan"
VARIABLE: Final = "CITADELS_HOME"
"""The environment variable with a folder for everything: several people on one machine, each with their own."""


def data_folder() -> Path:
    """Keys, transcripts, journals."""
    if home := _home():
        return home / "data"
    from platformdirs import user_data_path

    return user_data_path(PROGRAM, appauthor=False)


def settings_folder() -> Path:
    """What the user has chosen."""
    if home := _home():
        return home / "settings"
    from platformdirs import user_config_path

    return user_config_path(PROGRAM, appauthor=False)


def log_folder() -> Path:
    """Warnings, and reports of faults."""
    if home := _home():
        return home / "log"
    from platformdirs import user_log_path

    return user_log_path(PROGRAM, appauthor=False)


def _home() -> Path | None:
    home = os.environ.get(VARIABLE)
    return Path(home) if home else None


class NoFile(OSError):
    """There is something else under this name: a device, or a pipe that may never end."""


def read_file(path: Path, most: int) -> bytes:
    """The first `most` bytes of a file, and no more than the system says that it has: for more of what has no
    size, like the messages of a kernel, one could wait for ever. Raises OSError; NoFile for a pipe, a device, a
    socket."""
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise NoFile(errno.EINVAL, "not a file")
    with open(path, "rb", opener=without_waiting) as file:
        return file.read(min(most, found.st_size))


def without_waiting(name: str, flags: int) -> int:
    """Open a file; where there is a pipe in its place, nobody waits for the other end."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def own_file(name: str, flags: int) -> int:
    """Open a file of mode 0600, also one that more people could read before. Raises OSError; NoFile for anything
    else of this name, such as a pipe, a device or a link to another file."""
    more = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(name, flags | more, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NoFile(errno.EINVAL, "not a file")
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, 0o600)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def open_private(path: Path, mode: Literal["wb", "xb", "x+b", "ab"], *, buffering: int = -1) -> BinaryIO:
    """Open a file for writing that, if it is new, only its owner may read (0600); with `buffering` 0 what is
    written goes to the system at once. Where files have no such mode (Windows), the folder of the user protects
    it. Raises OSError."""
    return open(path, mode, buffering, opener=lambda name, flags: os.open(name, flags, 0o600))


def write_private(path: Path, data: bytes, *, replace: bool = False) -> None:
    """Make a file of mode 0600 with `data`, whole or not at all. An existing one stays as it is, unless it is to
    be replaced. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with open_private(draft, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replace or not path.exists():
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_at(file: BinaryIO, end: int, data: bytes, *, sync: bool = False) -> None:
    """Write behind the first `end` bytes of an unbuffered file, and nothing else stands there then: all of `data`,
    or nothing of it. `sync`: when this returns, a power cut does not undo it. Raises OSError."""
    if file.seek(0, os.SEEK_END) != end:  # what was cut off, or could not be
        file.truncate(end)
        file.seek(end)
    try:
        rest = memoryview(data)
        while rest:  # a disk that gets full takes the beginning first
            rest = rest[file.write(rest) :]
        if sync:
            os.fsync(file.fileno())
    except OSError:
        with contextlib.suppress(OSError):
            file.truncate(end)
        raise


def free_space(folder: Path) -> int:
    """Bytes that there is room for in a folder, which is made if it is not there; 0 where it cannot be written."""
    import shutil

    return shutil.disk_usage(folder).free if writable(folder) else 0


def sync_folder(folder: Path) -> None:
    """Let the names of files survive a power cut, where a folder can be synced (POSIX). Raises OSError."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def writable(folder: Path) -> bool:
    """Whether files can be made in a folder, which is made if it is not there; tried, for rights do not tell it of
    a full or a read-only disk."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        import tempfile

        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        return False
    return True
