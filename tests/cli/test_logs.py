"""The log file: what is said again and again is counted there, and nobody can fill it."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from citadels_lan.cli.logs import KINDS, LARGEST, log_to_file

NAME = "asyncio"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The log file of a program that has just begun."""
    monkeypatch.setattr("citadels_lan.cli.logs.log_folder", lambda: tmp_path)
    monkeypatch.setattr(logging, "raiseExceptions", True)
    root = logging.getLogger()
    before, root.handlers = root.handlers, []
    log_to_file()
    (handler,) = root.handlers
    yield tmp_path / "warnings.log"
    handler.close()
    root.handlers = before


def test_what_is_repeated_is_written_once_with_a_count(file: Path) -> None:
    for _ in range(1000):
        logging.getLogger(NAME).warning("socket.send() raised exception.")
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 10
    assert lines[0].endswith("socket.send() raised exception.")
    assert lines[-1].endswith("socket.send() raised exception. (512 times)")


def test_details_do_not_make_another_warning(file: Path) -> None:
    for number in range(64):
        logging.getLogger(NAME).warning("%s is no host", f"10.0.0.{number}")
    assert len(file.read_text(encoding="utf-8").splitlines()) == 7


def test_faults_of_ours_are_told_apart(file: Path) -> None:
    for what in ("one", "two", "one"):
        logging.getLogger(NAME).error("%s: %s", what, "a fault")
    lines = file.read_text(encoding="utf-8").splitlines()
    said = [line.split("ERROR ")[1] for line in lines]
    assert said == ["one: a fault", "two: a fault", "one: a fault (2 times)"]


def test_the_file_is_bounded(file: Path) -> None:
    for number in range(4 * KINDS):
        logging.getLogger(NAME).warning(f"{number} " + "x" * 4000)
    kept = list(file.parent.iterdir())
    assert len(kept) == 2
    assert sum(path.stat().st_size for path in kept) <= 2 * LARGEST
