"""Log files: no one can fill them, they do not contain received data, and only their owner can read them."""

import asyncio
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from citadels_lan.systems.logs import KINDS, LARGEST, LONGEST, MINUTE, LogFile, log_to_file
from tests.effort import one_case

SENT = "SENT-BY-A-STRANGER"


class Clock:
    """Monotonic seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def file(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The log file of a program that has just started."""
    monkeypatch.setattr(logging, "raiseExceptions", True)
    root = logging.getLogger()
    before = root.handlers
    handler = LogFile(tmp_path / "warnings.log", clock)
    root.handlers = [handler]
    yield tmp_path / "warnings.log"
    root.handlers = before
    handler.close()


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def test_repeated_warning_is_written_once_a_minute_with_a_count(file: Path, clock: Clock) -> None:
    log = logging.getLogger("citadels_lan.net")
    for minute in range(2):
        clock.now = minute * MINUTE
        for number in range(813):
            log.warning("%s is no host", f"10.0.0.{number}")
    clock.now = 2 * MINUTE
    log.warning("something else")
    said = [line.split("WARNING ")[1] for line in lines(file)]
    repeated = "… and 812 more like it in the last minute: 10.0.0.0 is no host"
    assert said == ["10.0.0.0 is no host", repeated, "10.0.0.0 is no host", repeated, "something else"]


def test_closed_log_contains_the_count(file: Path) -> None:
    for _ in range(3):
        logging.getLogger("citadels_lan").warning("busy")
    logging.getLogger().handlers[0].close()
    assert lines(file)[-1].endswith("… and 2 more like it in the last minute: busy")


def test_own_errors_are_distinguished_by_what_failed(file: Path) -> None:
    for what in ("one", "two", "one"):
        logging.getLogger("citadels_lan.net").error("%s: %s", what, "a fault")
    assert [line.split("ERROR ")[1] for line in lines(file)] == ["one: a fault", "two: a fault"]


@one_case("name", ["aiohttp.server", "asyncio", "zeroconf", "citadels_lan.net.client.connection"])
def test_text_of_an_error_is_never_written(file: Path, name: str) -> None:
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
def test_data_received_by_a_library_is_never_written(file: Path, sent: str) -> None:
    del logging.getLogger().handlers[1:]  # pytest's own, which cannot send a lone surrogate to another process
    logging.getLogger("zeroconf").warning("invalid packet from %s: %r", sent, sent.encode(errors="replace"))
    logging.getLogger("aiohttp.server").error(f"bad request {sent}")
    first, second = lines(file)
    assert "zeroconf WARNING invalid packet from %s: %r (test_logs.py:" in first
    assert "aiohttp.server ERROR (test_logs.py:" in second
    assert not sent or sent not in file.read_text(encoding="utf-8")


def test_callback_that_fails_is_written_without_its_data(file: Path) -> None:
    def fail(data: bytes) -> None:
        raise ValueError(data)

    async def run() -> None:
        asyncio.get_running_loop().call_soon(fail, SENT.encode())
        await asyncio.sleep(0)

    asyncio.run(run())
    text = file.read_text(encoding="utf-8")
    assert "asyncio ERROR" in text
    assert "in fail" in text
    assert SENT not in text


def test_system_reason_of_an_error_is_written(file: Path) -> None:
    logging.getLogger("citadels_lan.net").warning("the beacon has failed: %s", OSError(13, "No way", SENT))
    assert lines(file)[0].endswith("the beacon has failed: PermissionError: No way")


def test_log_grows_by_less_than_a_megabyte_a_minute(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger().handlers[0], "maxBytes", 0)  # without rotation
    for number in range(4 * KINDS):
        logging.getLogger("citadels_lan").error("%s", f"{number} " + "x y" * LONGEST)
    assert file.stat().st_size < 2**20
    assert len(lines(file)) == KINDS + 1


@pytest.mark.slow
def test_two_files_are_kept_at_most(file: Path, clock: Clock) -> None:
    for number in range(200):
        clock.now += MINUTE
        logging.getLogger("citadels_lan").error("%s", f"{number} " + "x y" * LONGEST)
    kept = list(file.parent.iterdir())
    assert len(kept) == 2
    assert sum(path.stat().st_size for path in kept) <= 2 * LARGEST


@pytest.mark.skipif(os.name != "posix", reason="files have no such mode there")
def test_log_file_is_readable_for_its_owner_alone(file: Path, clock: Clock) -> None:
    file.touch(0o644)
    file.chmod(0o644)
    for number in range(100):
        clock.now += MINUTE
        logging.getLogger("citadels_lan").error("%s", f"{number} " + "x y" * LONGEST)
        assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o600}


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")
def test_log_is_written_to_a_file_and_to_nothing_else(file: Path) -> None:
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


def test_log_without_a_folder_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("citadels_lan.systems.logs.log_folder", lambda: tmp_path / "file" / "log")
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    log_to_file()
    logging.getLogger("citadels_lan").warning("nothing")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
