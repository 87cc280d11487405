"""The program as its users run it: a process of its own, with a home of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

Run: TypeAlias = "subprocess.CompletedProcess[str]"
PROGRAM = (sys.executable, "-m", "citadels_lan")


def environment(home: Path, **more: str) -> dict[str, str]:
    """An environment in which nothing of the user's own is read or written."""
    kept = {
        key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS")
    }
    folders = {
        f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "STATE", "CONFIG", "CACHE", "RUNTIME")
    }
    return kept | folders | {"HOME": str(home), "LANG": "C.UTF-8", "PYTHONIOENCODING": "utf-8"} | more


def run(home: Path, *arguments: str, timeout: float = 120, more: Mapping[str, str] | None = None) -> Run:
    """A run to its end, without standard input. Never a traceback."""
    done = subprocess.run(
        (*PROGRAM, *arguments), env=environment(home, **(more or {})), capture_output=True, text=True,
        encoding="utf-8", stdin=subprocess.DEVNULL, timeout=timeout, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    return done


def refused(done: Run, code: int = 2) -> str:
    """The one sentence or two with which the program refused."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.endswith((".", "?"))
    return line


def local(link: str) -> str:
    """The link that a host has printed, to this machine's loopback address."""
    return "citadels://127.0.0.1:" + link.rpartition(":")[2]
