"""Which kind of system this is, as far as what a person has to do differs."""

import platform
import sys
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["linux", "macos", "windows", "wsl"]
NAMES: Final[dict[Kind, str]] = {"linux": "Linux", "macos": "macOS", "windows": "Windows", "wsl": "WSL"}


def system_kind(system: str = sys.platform, release: str | None = None) -> Kind:
    """The kind; `release` is that of the kernel, which names Microsoft in a Linux inside Windows. A system that is
    none of the four is asked like a Linux."""
    if system == "win32":
        return "windows"
    if system == "darwin":
        return "macos"
    kernel = platform.release() if release is None else release
    return "wsl" if "microsoft" in kernel.lower() else "linux"
