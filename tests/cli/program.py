"""Run the program as its users do, with a separate home folder: `run` runs it in this process; `run_process`
in a new process, for tests of signals, streams, and several programs at once."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TextIO, TypeAlias
from unittest import mock

from citadels_lan.cli.main import main

Run: TypeAlias = "subprocess.CompletedProcess[str]"
PROGRAM = (sys.executable, "-m", "citadels_lan")


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment in which the program keeps all files in a folder."""
    own = {"CITADELS_HOME": str(home), "HOME": str(home), "LANG": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}
    return os.environ | own | more


def run(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> Run:
    """Run the program to its end in this process, without standard input. It must not print a traceback."""
    new = environment(home, COLUMNS="80", **(more or {}))
    with mock.patch.dict(os.environ, new, clear=True), streams() as (out, err):
        try:
            code = main(arguments)
        except SystemExit as reason:
            code = reason.code if isinstance(reason.code, int) else 0 if reason.code is None else 1
        done = subprocess.CompletedProcess(arguments, code, written(out), written(err))
    assert "Traceback" not in done.stdout + done.stderr
    return done


@contextlib.contextmanager
def streams() -> Iterator[tuple[TextIO, TextIO]]:
    """Context in which standard output and error go to files, and standard input is empty. Yields the two
    files."""
    with (
        open(os.devnull, encoding="utf-8") as null,
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8") as err,
        mock.patch.multiple(sys, stdin=null, stdout=out, stderr=err),
    ):
        yield out, err


def written(stream: TextIO) -> str:
    """Return what was written to an output stream so far."""
    stream.seek(0)
    return stream.read()


def run_process(home: Path, *arguments: str, timeout: float = 120) -> Run:
    """Run the program to its end in a new process."""
    done = subprocess.run(
        (*PROGRAM, *arguments), env=environment(home), capture_output=True, text=True,
        encoding="utf-8", stdin=subprocess.DEVNULL, timeout=timeout, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    return done


def refused(done: Run, code: int = 2) -> str:
    """Check that the program rejected its command line with this exit code, and return the line with the
    reason."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.endswith((".", "?"))
    return line


def local(link: str) -> str:
    """Return the link that a host has printed, with its address replaced by the loopback address."""
    return "citadels://127.0.0.1:" + link.rpartition(":")[2]
