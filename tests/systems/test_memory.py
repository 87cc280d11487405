"""What a program keeps of its memory."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from citadels_lan.systems import system
from citadels_lan.systems.system import give_back, keep_loaded
from tests.effort import one_case


def test_what_is_loaded_is_kept_once() -> None:
    keep_loaded.cache_clear()
    loaded: list[list[int]] = [[]]
    assert any(one is loaded for one in gc.get_objects())
    keep_loaded()
    assert all(one is not loaded for one in gc.get_objects())
    later: list[list[int]] = [[]]
    keep_loaded()
    assert any(one is later for one in gc.get_objects())


FREED = """
import sys
from citadels_lan.systems.system import give_back
blocks = [bytes(2000) for _ in range(20_000)]
last = bytes(2000)  # so that what is before it cannot be cut off at the end
del blocks
before = int(open("/proc/self/statm").read().split()[1])
given = give_back()
print(given, before - int(open("/proc/self/statm").read().split()[1]))
"""
PAGES = 20_000 * 2000 // 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="/proc")
def test_what_is_free_goes_back_to_the_system() -> None:
    """Forty megabytes that the C library would keep."""
    words = subprocess.run(
        [sys.executable, "-c", FREED], capture_output=True, text=True, check=True
    ).stdout.split()
    assert words[0] == "False" or int(words[1]) > PAGES / 2


@one_case("error", [AttributeError, TypeError, OSError])
def test_a_system_that_cannot_keeps_it(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def library(name: None) -> None:
        raise error

    system._trim.cache_clear()
    monkeypatch.setattr("ctypes.CDLL", library)
    assert not give_back()
    system._trim.cache_clear()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits another process")
def test_process_cannot_have_more_memory_than_its_limit() -> None:
    code = "input(); print(len(bytes(10**7))); bytes(2 * 10**8)"
    with subprocess.Popen(
        (sys.executable, "-c", code),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        system.limit_memory(process.pid, 10**8)
        out, error = process.communicate("\n")
    assert out == "10000000\n"
    assert "MemoryError" in error
