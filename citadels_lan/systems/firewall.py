"""Which firewall is on, where a program without rights can see it.

| system | firewall | where it is seen |
|---|---|---|
| Linux | ufw | `ENABLED=yes` in its settings |
| Linux | firewalld | the socket or the number that it leaves while it runs |
| macOS | its own | what `socketfilterfw --getglobalstate` says |
| Windows, WSL | its own | not seen: it is on unless somebody has switched it off |
"""

import re
import subprocess
from pathlib import Path
from typing import Final

from .kind import Kind

UFW: Final = Path("/etc/ufw/ufw.conf")
FIREWALLD: Final = (Path("/run/firewalld.pid"), Path("/run/firewalld"))
MACOS: Final = ("/usr/libexec/ApplicationFirewall/socketfilterfw", "--getglobalstate")


def firewall(kind: Kind, root: Path = Path("/")) -> str:
    """Its name, "" where none is seen. `root` is where the files of the system are."""
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
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=3, check=False).stdout.lower()
    except (OSError, subprocess.SubprocessError):
        return ""
