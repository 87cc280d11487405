"""The code of a table at the command line: what the host is told of it, and how it is unlocked with Enter."""

import asyncio
import contextlib
import errno
import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from citadels_lan.net.door import STRONG, bits, read_secret, read_words
from citadels_lan.net.hosting import OpenTable
from citadels_lan.net.reasons import Turned
from citadels_lan.systems.process import forget_typed
from citadels_lan.texts import msg
from citadels_lan.ui.qr import qr_lines
from citadels_lan.ui.refused import why

from .console import Console
from .failures import USAGE, Failure

if TYPE_CHECKING:
    from .addresses import Address


def wanted_code(console: Console, words: Sequence[str] | None, open_to_all: bool) -> str | None:
    """The code that `--code` and `--open` ask for, as `open_table` wants it; a word on what is wrong with it."""
    if open_to_all:
        if words is not None:
            raise console.wrong(msg("--code and --open do not go together: there is a code, or there is none."))
        console.complain(
            console.texts.say(
                "The table is open: whoever reaches this network can join, and your friends cannot tell a false"
                " table from yours."
            )
        )
        return None
    code = " ".join(words or ())
    if not code:
        return ""
    try:
        own = read_words(code)
    except Turned as reason:
        raise Failure(USAGE, f"--code: {why(console.texts, reason)}") from None
    if bits(own) < STRONG:
        console.complain(
            console.texts.say("This code is easy to guess: without --code the table gets a better one.")
        )
    return " ".join(own)


def given_code(console: Console, words: Sequence[str] | None) -> str:
    """The code that `join --code` says; a sentence for what can be none."""
    code = " ".join(words or ())
    try:
        read_secret(code)
    except Turned:
        raise console.wrong(
            msg("--code wants the three words, or the table's link; an address comes before it.")
        ) from None
    return code


def tell_code(console: Console, table: OpenTable, where: "Address") -> None:
    """The code and the link, and on a terminal the link as a QR code."""
    say, door = console.texts.say, table.door
    if door.open:
        console.line(f"{say('code')}: {say('none: whoever is on this network may join')}")
    else:
        console.line(f"{say('code')}: {door.code}")
    link = door.link(where.host, where.port)
    console.line(f"link: {link}")
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        for line in qr_lines(link, ascii_only=not _has_blocks()):
            console.line(line)


def _has_blocks() -> bool:
    try:
        "█▀▄".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


async def keep_door(console: Console, table: OpenTable, where: "Address") -> NoReturn:
    """Say when the door has locked, and unlock it at the next line of standard input."""
    while True:
        await table.door_changed.wait()
        table.door_changed.clear()
        if table.door.locked:
            console.say(msg("Locked after too many wrong codes: nobody new may join. Press Enter for a new code."))
            await _enter()
            table.door.renew()
            table.door_changed.clear()
            tell_code(console, table, where)


async def _enter() -> None:
    """Wait for a line; for ever where standard input has ended. The thread reads without Python's buffers, so that
    it may be left behind when the program ends."""
    loop = asyncio.get_running_loop()
    entered = asyncio.Event()

    def read() -> None:
        if _line(fd):
            with contextlib.suppress(RuntimeError):  # the table is gone and its loop closed
                loop.call_soon_threadsafe(entered.set)

    try:
        fd = sys.stdin.fileno()
    except (OSError, ValueError):
        fd = -1
    else:
        forget_typed(fd)  # what came before the door locked is no answer to that
        threading.Thread(target=read, daemon=True).start()
    await entered.wait()


def _line(fd: int) -> bool:
    """Read to the end of a line; False where there is none any more."""
    while True:
        try:
            data = os.read(fd, 1024)
        except OSError as error:
            if error.errno != errno.EIO:  # that is the terminal's background
                return False
            time.sleep(1)
            continue
        if not data:
            return False
        if b"\n" in data:
            return True
