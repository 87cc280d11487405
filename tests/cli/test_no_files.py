"""What is no file, or never ends: every command that reads one says so in a sentence, and waits for nothing."""

import os
import socket
from pathlib import Path

import pytest

from tests.effort import one_case
from tests.extras.second import load

from .program import run

READERS = (("verify",), ("show",), ("replay",), ("host", "--headless", "--no-mdns", "--resume"))
MESSAGES = Path("/proc/kmsg")
"""A file of no size, of which one could wait for more for ever."""


@pytest.fixture(params=["pipe", "socket", "device", "folder", "messages", "nothing"])
def no_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "a.ctr"
    match request.param:
        case "pipe":
            if not hasattr(os, "mkfifo"):
                pytest.skip("no pipes with names here")
            os.mkfifo(path)
        case "socket":
            if not hasattr(socket, "AF_UNIX"):
                pytest.skip("no sockets with names here")
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(str(path))
        case "device":
            path = Path("/dev/zero")
        case "folder":
            path.mkdir()
        case "messages":
            path = MESSAGES
    if path.is_absolute() and path.parent in (Path("/dev"), Path("/proc")) and not os.access(path, os.R_OK):
        pytest.skip("there is none here")
    return path


@one_case("reader", READERS, ids=" ".join)
def test_a_command_says_that_it_is_no_file(reader: tuple[str, ...], no_file: Path, tmp_path: Path) -> None:
    text = ["--text"] if reader == ("replay",) else []
    done = run(tmp_path, *reader, str(no_file), *text)
    assert done.returncode == 3
    said = " ".join((done.stdout + done.stderr).split())
    assert str(no_file) in said or str(no_file) in said.replace(" ", "")
    words = ("cannot be read", "is empty", "not a journal", "no transcript")
    assert sum(said.count(each) for each in words) == 1, said


def test_the_second_verifier_waits_for_none_of_them(no_file: Path) -> None:
    assert load().main([str(no_file)]) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_games_are_listed_without_what_is_no_file(tmp_path: Path) -> None:
    for folder, name in (("transcripts", "a.ctr"), ("tables", "b.journal")):
        path = tmp_path / "data" / folder / name
        path.parent.mkdir(parents=True)
        os.mkfifo(path)
    for more in ((), ("--json",), ("--statistics",)):
        assert run(tmp_path, "games", *more).returncode == 0
