"""What the system gives a program and may take away: its three streams, and the signals that end it.

Not every system has every signal, nor every program all streams.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from types import FrameType
from typing import Final
from unicodedata import category

NAMES: Final = ("stdin", "stdout", "stderr")
STOPPING: Final = ("SIGTERM", "SIGHUP", "SIGBREAK")
"""A service manager or a shutdown; a terminal window that was closed, and the same on Windows."""

ASKING: Final = "SIGUSR1" if hasattr(signal, "SIGUSR1") else ""
"""The signal by which a program is asked for something, where there is one. Not SIGHUP, which comes when a window
is closed, and ends a program."""


def open_streams() -> None:
    """Whatever is closed of the three streams leads nowhere: Python has None there, and the next file or socket
    that is opened would get the stream's number. A character that the output cannot show is a question mark there,
    as in a Windows terminal of an old code page; a byte of the input that cannot be read is U+FFFD."""
    for number, name in enumerate(NAMES):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, "r" if number == 0 else "w", encoding="utf-8"))
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def printable(text: str) -> str:
    """Return text that cannot steer a terminal: names, files and typed lines may contain such characters. Line
    breaks stay."""
    if text.isprintable():  # nearly all text, and many times as quick
        return text
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if sign != "\n" and category(sign).startswith("C") else sign for sign in text
    )


def drop_output() -> None:
    """Nothing more goes to standard output, not even what is still waiting."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def forget_typed(fd: int) -> None:
    """What was typed at the terminal `fd` until now is not read any more; and a program in a terminal's background
    is not stopped because it reads. Where there is no such terminal, nothing."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import termios

        with contextlib.suppress(termios.error):
            termios.tcflush(fd, termios.TCIFLUSH)


def kill_children() -> None:
    """End the processes that play games for `simulate` and `arena`: unlike Ctrl-C, other signals reach this one
    alone, and it would wait for them."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None and multiprocessing.parent_process() is None:
        for child in multiprocessing.active_children():
            child.kill()


def end_with_parent() -> None:
    """Called in a process that plays games for another one: it ends when that one does, however that ended, and
    at whatever signal."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    assert parent is not None
    for name in STOPPING:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def inheritable_streams() -> Iterator[None]:
    """Inside, other processes can be started: while screens are shown, another standard error stands in the place
    of the one that there is, and Python would hand that on."""
    with contextlib.redirect_stderr(sys.__stderr__):
        yield


def give_way() -> None:
    """Called in a process that works for another one: whatever else wants to run goes before it, where the system
    knows such an order."""
    if hasattr(os, "nice"):
        os.nice(10)


def ignore_ctrl_c() -> None:
    """Called in a process that plays games for another one: that one hears Ctrl-C too, and has more to say."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def asked(heard: Callable[[], None]) -> Iterator[None]:
    """Inside, `heard` is called in the running loop whenever this program gets the signal ASKING."""
    import asyncio

    loop, number = asyncio.get_running_loop(), getattr(signal, ASKING, None) if ASKING else None
    with contextlib.ExitStack() as stack:
        if number is not None:
            with contextlib.suppress(
                NotImplementedError, ValueError, RuntimeError
            ):  # not here: see `told_to_stop`
                loop.add_signal_handler(number, heard)
                stack.callback(loop.remove_signal_handler, number)
        yield


@contextlib.contextmanager
def told_to_stop() -> Iterator[list[int]]:
    """Inside, whatever tells this program to stop ends it as Ctrl-C does: players are told, files are closed. The
    list has the signals that came."""
    told: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        told.append(number)
        kill_children()
        interrupt = signal.getsignal(signal.SIGINT)
        if callable(interrupt):
            interrupt(signal.SIGINT, frame)

    before = {}
    with contextlib.suppress(ValueError):  # only a program's main thread hears signals
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN and hasattr(signal, "pthread_sigmask"):
            # Ctrl-C is switched off, as in a script's background, and stays so; but asyncio puts its handler,
            # which `stop` needs, only in the place of Python's own.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in STOPPING:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, stop)
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
