"""Log files: no one can fill them, they do not contain received data, and only their owner can read them."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from citadels_lan.platform.logs import KINDS, LARGEST, LONGEST, MINUTE, LogFile, log_to_file
from tests.effort import one_case

SENT = "SENT-BY-A-STRANGER"


Clock = SimpleNamespace
"""A clock for tests; `now` is its time in monotonic seconds."""


@pytest.fixture
def clock() -> Clock:
    return Clock(now=0.0)


@pytest.fixture
def file(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Start logging as a new program does, and yield the path of its log file."""
    monkeypatch.setattr(logging, "raiseExceptions", True)
    root = logging.getLogger()
    before = root.handlers
    handler = LogFile(tmp_path / "warnings.log", lambda: clock.now)
    root.handlers = [handler]
    yield tmp_path / "warnings.log"
    root.handlers = before
    handler.close()


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def test_repeated_warning_is_written_once_a_minute(file: Path, clock: Clock) -> None:
    log = logging.getLogger("citadels_lan.net")
    for minute in range(2):
        clock.now = minute * MINUTE
        for number in range(813):
            log.warning("%s is no host", f"10.0.0.{number}")
    clock.now = 2 * MINUTE
    log.warning("something else")
    said = [line.split("WARNING ")[1] for line in lines(file)]
    assert said == ["10.0.0.0 is no host", "10.0.0.0 is no host", "something else"]


def test_verbose_program_without_a_screen_prints_warnings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    log_to_file(verbose=True)
    logging.getLogger("citadels_lan.net").warning("%s is no host: %s", "10.0.0.1", ValueError(SENT))
    logging.getLogger().setLevel(logging.WARNING)
    logging.getLogger("zeroconf").setLevel(logging.NOTSET)
    assert capsys.readouterr().err == "citadels_lan.net WARNING 10.0.0.1 is no host: ValueError\n"


@one_case("name", ["aiohttp.server", "asyncio", "zeroconf", "citadels_lan.net.client.connection"])
def test_text_of_an_error_is_never_logged(file: Path, name: str) -> None:
    def fail() -> None:
        raise ValueError(SENT) from KeyError(SENT)

    try:
        fail()
    except ValueError as fault:
        logging.getLogger(name).exception("it has failed")
        logging.getLogger(name).warning("it has failed: %r", fault)
    text = file.read_text(encoding="utf-8")
    assert SENT not in text
    assert "ValueError" in text
    assert "test_logs.py" in text


@one_case("sent", ["", "x" * 10_000, "\x1b[31m\x00", "a\nb\r\nERROR forged", "\udcff", SENT], ids=range(6))
def test_data_received_by_a_library_is_never_logged(file: Path, sent: str) -> None:
    del logging.getLogger().handlers[1:]  # pytest's own, which cannot send a lone surrogate to another process
    logging.getLogger("zeroconf").warning("invalid packet from %s: %r", sent, sent.encode(errors="replace"))
    logging.getLogger("aiohttp.server").error(f"bad request {sent}")
    first, second = lines(file)
    assert "zeroconf WARNING invalid packet from %s: %r (test_logs.py:" in first
    assert "aiohttp.server ERROR (test_logs.py:" in second
    assert not sent or sent not in file.read_text(encoding="utf-8")


def test_log_grows_by_less_than_a_megabyte_a_minute(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger().handlers[0], "maxBytes", 0)  # without rotation
    for number in range(4 * KINDS):
        logging.getLogger("citadels_lan").error("%s", f"{number} " + "x y" * LONGEST)
    assert file.stat().st_size < 2**20
    assert len(lines(file)) == KINDS + 1


@pytest.mark.skipif(os.name != "posix", reason="files have no such mode there")
def test_two_log_files_are_kept_and_only_their_owner_can_read_them(file: Path, clock: Clock) -> None:
    file.touch(0o644)
    file.chmod(0o644)
    for number in range(100):
        clock.now += MINUTE
        logging.getLogger("citadels_lan").error("%s", f"{number} " + "x y" * LONGEST)
        assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o600}
    sizes = [path.stat().st_size for path in file.parent.iterdir()]
    assert len(sizes) == 2
    assert sum(sizes) <= 2 * LARGEST


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")
def test_log_is_written_only_to_a_regular_file(file: Path) -> None:
    other = file.with_name("other")
    other.write_bytes(b"")
    other.chmod(0o644)
    for kind in ("link", "pipe", "folder"):
        file.symlink_to(other) if kind == "link" else os.mkfifo(file) if kind == "pipe" else file.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(logging, "raiseExceptions", False)
            logging.getLogger("citadels_lan").error("is dropped: a %s", kind)
        assert other.read_bytes() == b""
        assert stat.S_IMODE(other.stat().st_mode) == 0o644
        file.rmdir() if kind == "folder" else file.unlink()
    logging.getLogger("citadels_lan").error("is written")
    assert "is written" in file.read_text(encoding="utf-8")
