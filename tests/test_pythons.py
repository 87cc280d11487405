"""The Python versions for the quick tests: `.ci/pythons` finds the installed ones."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

FIND = Path(__file__).parents[1] / ".ci" / "pythons"

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="a script of bash"),
    pytest.mark.skipif(not FIND.exists(), reason="not part of what is handed out"),
]


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def found(home: Path) -> list[str]:
    """Return the lines of `.ci/pythons` about interpreters in `home`; it may also list other interpreters of
    this machine."""
    paths = os.pathsep.join((str(home / "bin"), "/usr/bin", "/bin"))
    done = subprocess.run(
        (FIND,), env={"PATH": paths, "HOME": str(home)}, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_python_version_is_listed_only_if_the_interpreter_runs(tmp_path: Path) -> None:
    (tmp_path / ".pyenv/versions/3.11.99/bin").mkdir(parents=True)
    program(tmp_path / ".pyenv/versions/3.11.99/bin/python3.11", "echo 3.11.99 /of/pyenv")
    program(tmp_path / "bin/python3.98", "echo 3.98.0 /on/path")
    program(tmp_path / "bin/python3.97", "echo 'python3.97: command not found' >&2; exit 127")
    program(tmp_path / "bin/python3.96-config", "echo 3.96.0 /no/python")
    program(tmp_path / "bin/python3.9", f'exec {sys.executable} "$@"')
    lines = found(tmp_path)
    assert lines[-1] == "3.98.0 /on/path"
    assert "3.11.99 /of/pyenv" in lines
    assert f"{platform.python_version()} {sys._base_executable}" in lines  # type: ignore[attr-defined]  # for venvs
    assert not any("3.97" in line or "3.96" in line for line in lines)
    versions = [tuple(map(int, line.split()[0].split("."))) for line in lines]
    assert versions == sorted(set(versions))
