"""The standard streams of the program, its signals and its child processes.

Not every system has every signal, and not every program has all streams.
"""

import codecs
import contextlib
import os
import signal
import sys
import threading
import unicodedata
from collections.abc import Iterator
from io import TextIOWrapper
from types import FrameType
from typing import Final
from unicodedata import category

NAMES: Final = ("stdin", "stdout", "stderr")
STOPPING: Final = ("SIGTERM", "SIGHUP", "SIGBREAK")
"""The names of the signals that stop the program: from a service manager or a shutdown, from a closed
terminal window, and from Ctrl-Break on Windows."""


TERMINAL_GONE: Final = threading.Event()
"""Set when the terminal of this program was closed, so that the program does not count this as the player's
choice to leave."""


def open_streams() -> None:
    """Open missing standard streams on the null device: otherwise the next file or socket would get their
    numbers.

    A character that the output cannot show is transliterated, as on a Windows terminal with an old code page. A
    byte of the input that is no text becomes U+FFFD."""
    for number, name in enumerate(NAMES):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(null, "r" if number == 0 else "w", encoding="utf-8"))
    codecs.register_error(TRANSLITERATE, _transliterated)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, TRANSLITERATE), (sys.stderr, TRANSLITERATE)):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


TRANSLITERATE: Final = "citadels-transliterate"
"""Name of the error handler that transliterates characters that an encoding lacks."""
MARKS: Final = "\N{COMBINING GRAVE ACCENT}\N{COMBINING ACUTE ACCENT}"
"""Accents that become an apostrophe, as people write on keyboards without them."""
SPELLED: Final = {
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d",
    "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-",
    "…": "...", "·": "-", "€": "EUR",
    "×": "x",
}  # fmt: skip


def transliterated(char: str, *, wide: bool = True) -> str:
    """Return an ASCII text for a character: è becomes e', or e if `wide` is False. Return a question mark if
    there is no similar text."""
    parts = unicodedata.normalize("NFKD", char)
    spelled = SPELLED.get(char, parts[0] if parts[0].isascii() else "?")
    return spelled + "'" * (wide and parts[0].isalpha() and parts[1:2] in (*MARKS,))


def _transliterated(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(transliterated, error.object[error.start : error.end])), error.end


def printable(text: str) -> str:
    """Return text without control characters, which names, files and typed lines can contain. Line breaks
    stay."""
    if text.isprintable():  # This is true of nearly all text, and much faster.
        return text
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if sign != "\n" and category(sign).startswith("C") else sign for sign in text
    )


def drop_output() -> None:
    """Discard all further standard output, and what is buffered."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def forget_typed(fd: int) -> None:
    """Discard what was typed at the terminal `fd` until now. A program in the background is not stopped by
    this. Does nothing if `fd` is no terminal."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)
    with contextlib.suppress(ImportError, OSError, ValueError):
        import termios

        with contextlib.suppress(termios.error):
            termios.tcflush(fd, termios.TCIFLUSH)


def command_of(module: str) -> list[str]:
    """Return the command that runs a module of this program as a new process. A program in a single file
    (made by PyInstaller) has no `-m`: the command starts the program itself with the name of the module,
    which `__main__` reads."""
    if getattr(sys, "frozen", False):
        return [sys.executable, module]
    return [sys.executable, "-m", module]


def kill_children() -> None:
    """End the processes that play games for `simulate` and `arena`. Ctrl-C reaches them directly; other
    signals reach only this process, which would wait for them."""
    multiprocessing = sys.modules.get("multiprocessing")
    if multiprocessing is not None and multiprocessing.parent_process() is None:
        for child in multiprocessing.active_children():
            child.kill()


def end_with_parent() -> None:
    """End this process as soon as its parent process ends for any reason, or when a stop signal arrives. For
    the processes that play games."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    assert parent is not None
    # The handlers of the parent are inherited by a fork.
    for name in STOPPING:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def inheritable_streams() -> Iterator[None]:
    """Context in which child processes are started: they inherit the real standard error, instead of the
    replacement that the screens install."""
    with contextlib.redirect_stderr(sys.__stderr__):
        yield


def give_way() -> None:
    """Lower the priority of this process, if the system has priorities. For the processes that think for
    bots."""
    if hasattr(os, "nice"):
        os.nice(10)


def ignore_ctrl_c() -> None:
    """Ignore Ctrl-C in a process that plays games, because its parent also gets it and ends this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def told_to_stop() -> Iterator[list[int]]:
    """Context in which each signal of STOPPING acts like Ctrl-C, so that other players are informed and files
    are closed. Yields a list that receives the numbers of the signals."""
    signals: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        if number == getattr(signal, "SIGHUP", 0):
            TERMINAL_GONE.set()
        kill_children()
        interrupt = signal.getsignal(signal.SIGINT)
        if callable(interrupt):
            interrupt(signal.SIGINT, frame)

    before = {}
    with contextlib.suppress(ValueError):  # Only the main thread gets signals.
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN and hasattr(signal, "pthread_sigmask"):
            # Ctrl-C is ignored, as for a background process of a script, and stays so. But asyncio installs its
            # handler, which `stop` needs, only in place of Python's own.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in STOPPING:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, stop)
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        TERMINAL_GONE.clear()
