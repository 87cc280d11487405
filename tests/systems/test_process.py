"""Streams and signals, also where the system lacks some of them."""

import io
import signal
import sys
from collections.abc import Iterator

import pytest

from citadels_lan.systems.process import STOPPING, forget_typed, open_streams, told_to_stop
from tests.effort import one_case


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """The handlers that a program starts with, also if this run ignores a lost terminal. All are restored."""
    numbers = [getattr(signal, name) for name in (*STOPPING, "SIGINT", "SIGTTIN") if hasattr(signal, name)]
    before = {number: signal.signal(number, signal.SIG_DFL) for number in numbers if number != signal.SIGINT}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@one_case("absent", [*((name,) for name in STOPPING), STOPPING])
def test_a_signal_that_the_system_lacks_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, absent: tuple[str, ...]
) -> None:
    there = [getattr(signal, name) for name in STOPPING if hasattr(signal, name) and name not in absent]
    for name in absent:
        monkeypatch.delattr(signal, name, raising=False)
    with told_to_stop() as told:
        for number in there:
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(number)
    assert told == there


def test_where_signals_cannot_be_held_back_ctrl_c_stays_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with told_to_stop() as told:
        signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    assert told == []


def test_windows_has_a_signal_of_its_own_for_a_closed_window() -> None:
    assert "SIGBREAK" in STOPPING


@one_case("absent", ["SIGTTIN", "termios", "terminal"])
def test_what_was_typed_is_forgotten_only_where_there_is_a_terminal(
    monkeypatch: pytest.MonkeyPatch, absent: str
) -> None:
    if absent == "SIGTTIN":
        monkeypatch.delattr(signal, "SIGTTIN", raising=False)
    elif absent == "termios":
        monkeypatch.setitem(sys.modules, "termios", None)
    forget_typed(-1)


def test_a_sign_that_the_output_cannot_show_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a Windows terminal: its code page lacks most of the signs that names of friends are written in."""
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer, encoding="cp1252", newline="\n"))
    open_streams()
    print("Zoë and Łukasz ✓", flush=True)
    assert buffer.getvalue().decode("cp1252") == "Zoë and ?ukasz ?\n"


@one_case("name", ["stdin", "stdout", "stderr"])
def test_a_stream_that_is_not_there_leads_nowhere(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(sys, name, None)
    open_streams()
    stream = getattr(sys, name)
    assert stream.read() == "" if name == "stdin" else stream.write("nobody reads this")
    stream.close()
