"""The system that the program runs on: its kind, terminal, firewall, memory and language.

How the firewall is found, by a program without special rights:

    Linux, ufw          `ENABLED=yes` in its settings
    Linux, firewalld    the socket or the process number of the running service
    macOS               `socketfilterfw --getglobalstate`
    Windows, WSL        not found: it is on unless a person has switched it off
"""

import contextlib
import gc
import os
import re
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["linux", "macos", "windows", "wsl"]
NAMES: Final[dict[Kind, str]] = {"linux": "Linux", "macos": "macOS", "windows": "Windows", "wsl": "WSL"}


def system_kind(system: str = sys.platform, release: str | None = None) -> Kind:
    """Return the kind of system. `release` is that of the kernel, which names Microsoft in a Linux inside
    Windows. Any other system counts as Linux."""
    if system == "win32":
        return "windows"
    if system == "darwin":
        return "macos"
    import platform

    kernel = platform.release() if release is None else release
    return "wsl" if "microsoft" in kernel.lower() else "linux"


NO_SCREEN: Final = ("dumb", "unknown")
"""Values of TERM that name terminals without screen control."""


class Terminal(NamedTuple):
    """The terminal of this program. `there` is False if the output goes to a pipe or a file. `columns` and
    `rows` are the size of the terminal, `encoding` is Python's name of its encoding."""

    there: bool
    columns: int
    rows: int
    encoding: str
    dumb: bool
    colours: bool

    @property
    def unicode(self) -> bool:
        """Whether the terminal can show more than ASCII."""
        return self.encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-16", "utf-32")


def terminal(environ: Mapping[str, str] = os.environ) -> Terminal:
    """Return the terminal of this program."""
    import shutil

    columns, rows = shutil.get_terminal_size()
    there = sys.stdin.isatty() and sys.stdout.isatty()
    dumb = environ.get("TERM", "") in NO_SCREEN or (os.name == "posix" and not environ.get("TERM"))
    return Terminal(there, columns, rows, sys.stdout.encoding or "ascii", dumb, not environ.get("NO_COLOR"))


UFW: Final = Path("/etc/ufw/ufw.conf")
FIREWALLD: Final = (Path("/run/firewalld.pid"), Path("/run/firewalld"))
MACOS: Final = ("/usr/libexec/ApplicationFirewall/socketfilterfw", "--getglobalstate")


def firewall(kind: Kind, root: Path = Path("/")) -> str:
    """Return the name of the firewall; "" if none is found. `root` is the root of the file system."""
    if kind in ("windows", "wsl"):
        return "Windows"
    if kind == "macos":
        return "macOS" if "enabled" in _said_by(MACOS) else ""
    if re.search(r"^\s*ENABLED\s*=\s*yes", _text(root / UFW.relative_to("/")), re.MULTILINE | re.IGNORECASE):
        return "ufw"
    return "firewalld" if any((root / path.relative_to("/")).exists() for path in FIREWALLD) else ""


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _said_by(command: tuple[str, ...]) -> str:
    import subprocess

    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=3, check=False).stdout.lower()
    except (OSError, subprocess.SubprocessError):
        return ""


@cache
def keep_loaded() -> None:
    """Exclude all present objects from garbage collection, which would otherwise pause the program for 25
    milliseconds or more. Call it only once: objects that are excluded are never freed."""
    gc.freeze()


def give_back() -> bool:
    """Return memory that this process has freed to the system, such as that of many spectators who have left.
    Return False if the C library cannot do that (only glibc can). Takes about 0.2 ms."""
    trim = _trim()
    if trim is not None:
        trim(0)
    return trim is not None


def limit_memory(pid: int, most: int) -> None:
    """Limit the private memory (without mapped files) of a process and its children to `most` bytes. Only on
    Linux. A process that needs more ends with an error."""
    with contextlib.suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        resource.prlimit(pid, resource.RLIMIT_DATA, (most, most))


@cache
def _trim() -> Any:
    """Return the function malloc_trim of the C library; None if it has none."""
    import ctypes

    with contextlib.suppress(AttributeError, OSError, TypeError):  # TypeError: Windows has no library of that kind
        return ctypes.CDLL(None).malloc_trim
    return None


# The language of the system

VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables of POSIX that name the language, the most important first."""


def system_language(environ: Mapping[str, str] = os.environ) -> str:
    """Return the code of the language, such as `it` of `it_IT.UTF-8`; `c` or "" if there is none."""
    name = next((environ[one] for one in VARIABLES if environ.get(one)), "") or _windows_language()
    return name.replace("-", "_").split("_")[0].split(".")[0].lower()


def _windows_language() -> str:
    """Return the language of a Windows user; "" on other systems."""
    if os.name != "nt":
        return ""
    try:
        import ctypes
        import locale

        number = vars(ctypes)["windll"].kernel32.GetUserDefaultUILanguage()
        return locale.windows_locale.get(number, "")
    except (ImportError, AttributeError, KeyError, OSError):
        return ""
