"""The language, memory, streams and signals of the system, also if it lacks some of them."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from citadels_lan.platform import system
from citadels_lan.platform.process import STOPPING, TRANSLITERATE, open_streams, told_to_stop
from citadels_lan.texts import default_language
from tests.effort import one_case

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc and limits of other processes")

# Characters that the terminal cannot show


@one_case(
    ("text", "ascii_only"),
    [
        ("è à ì ò ù é", "e' a' i' o' u' e'"),
        ("Zoë, Łódź", "Zoe, Lo'dz'"),
        ("straße “œuvre” — 5 €…", 'strasse "oeuvre" - 5 EUR...'),
        ("漢😀", "??"),
        ("ñ ç ü", "n c u"),
    ],
)
def test_missing_characters_of_an_encoding_are_transliterated(text: str, ascii_only: str) -> None:
    open_streams()
    assert text.encode("ascii", TRANSLITERATE).decode() == ascii_only
    assert "è€".encode("latin-1", TRANSLITERATE) == "èEUR".encode("latin-1")


# Language


@one_case(
    ("number", "absent", "language"),
    [(0x410, "", "it"), (0x407, "", "en"), (0xFFFF, "", "en"), (0x410, "ctypes", "en"), (0x410, "locale", "en")],
)
def test_windows_language_is_that_of_the_user(
    monkeypatch: pytest.MonkeyPatch, number: int, absent: str, language: str
) -> None:
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: number)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    if absent:
        monkeypatch.setitem(sys.modules, absent, None)
    monkeypatch.setattr(os, "name", "nt")
    found, by_variable = default_language({}), default_language({"LANG": "it_IT"})
    monkeypatch.undo()
    assert (found, by_variable) == (language, "it")


# Memory


@linux
def test_memory_of_a_process_is_limited() -> None:
    code = "input(); print(len(bytes(10**7))); bytes(2 * 10**8)"
    pipe = subprocess.PIPE
    with subprocess.Popen(
        (sys.executable, "-c", code), stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as process:
        system.limit_memory(process.pid, 10**8)
        out, error = process.communicate("\n")
    assert out == "10000000\n"
    assert "MemoryError" in error


# Streams and signals


@pytest.fixture
def handlers() -> Iterator[None]:
    """Install the signal handlers that a program has at its start, even if this test run ignores some
    signals. Restore the previous handlers afterwards."""
    numbers = [getattr(signal, name) for name in (*STOPPING, "SIGINT", "SIGTTIN") if hasattr(signal, name)]
    before = {number: signal.signal(number, signal.SIG_DFL) for number in numbers if number != signal.SIGINT}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
@one_case("absent", [*((name,) for name in STOPPING), STOPPING])
def test_available_stop_signals_stop_the_program(monkeypatch: pytest.MonkeyPatch, absent: tuple[str, ...]) -> None:
    assert "SIGBREAK" in STOPPING, "Windows sends it when a window is closed"
    there = [getattr(signal, name) for name in STOPPING if hasattr(signal, name) and name not in absent]
    for name in absent:
        monkeypatch.delattr(signal, name, raising=False)
    with told_to_stop() as signals:
        for number in there:
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
    assert signals == there


@pytest.mark.usefixtures("handlers")
def test_ignored_ctrl_c_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with told_to_stop() as signals:
        signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    assert signals == []
