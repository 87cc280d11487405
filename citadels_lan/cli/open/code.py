"""The code of a table at the command line: what the host is told of it, and how there is a new one without a
screen."""

import asyncio
import contextlib
import errno
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from citadels_lan.cli.console import USAGE, Console, Failure
from citadels_lan.front.failures import why
from citadels_lan.front.invitation import qr_lines
from citadels_lan.net.join.door import STRONG, bits, read_secret, read_words
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.systems.process import ASKING, asked, forget_typed
from citadels_lan.texts import msg

if TYPE_CHECKING:
    from citadels_lan.cli.addresses import Address
    from citadels_lan.net.host.opening import OpenTable

NEW_CODE: Final = "n"
HAND: Final = "hand "
ANEW: Final = msg("For a new code type n and Enter.")
ANEW_BY_SIGNAL: Final = msg("For a new code type n and Enter, or send the signal {signal} to process {number}.")


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
    except Refusal as reason:
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
    except Refusal:
        raise console.wrong(
            msg("--code wants the three words, or the table's link; an address comes before it.")
        ) from None
    return code


def first_line() -> str:
    """The first line of standard input, and nothing behind it: that is for others to read."""
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(sys.stdin.fileno(), 1)):
        line += byte
    return line.decode(errors="replace").strip()


def tell_code(console: Console, table: "OpenTable", where: "Address") -> None:
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


async def keep_door(console: Console, table: "OpenTable", where: "Address") -> NoReturn:
    """Say when somebody guesses the code, and make a new one whenever that is asked for: by a line `n` of standard
    input, or by a signal. A line `hand NAME` hands the game over to that player."""

    loop, handing = asyncio.get_running_loop(), list[asyncio.Task[None]]()

    def heard(line: str) -> None:
        if line == NEW_CODE:
            table.door.renew()
        elif line.startswith(HAND):
            # kept: in `handing`; each task says what comes of it
            handing.append(loop.create_task(_hand(console, table, line.removeprefix(HAND).strip())))

    with asked(table.door.renew), _lines(heard):
        if not table.door.open:
            console.say(ANEW_BY_SIGNAL if ASKING else ANEW, signal=ASKING, number=os.getpid())
        while True:
            await table.door_changed.wait()
            table.door_changed.clear()
            if table.door.guessed:
                console.say(msg("Somebody is guessing the code: friends come in with the link, or wait."))
            else:
                tell_code(console, table, where)


async def _hand(console: Console, table: "OpenTable", name: str) -> None:
    """Hand the game over to a player, and say what came of it."""
    try:
        await table.hand_to(name)
    except Refusal as reason:
        console.complain(why(console.texts, reason))
    else:
        if (handed := table.table.handing.now) is not None:
            console.line(why(console.texts, handed))


@contextlib.contextmanager
def _lines(heard: Callable[[str], None]) -> Iterator[None]:
    """Inside, `heard` is called in the running loop with each line of standard input, until that ends. The thread
    reads without Python's buffers, so that it may be left behind when the program ends."""
    loop, inside = asyncio.get_running_loop(), True

    def tell(line: str) -> None:
        if inside:
            heard(line)

    def read() -> None:
        for line in _read(fd):
            with contextlib.suppress(RuntimeError):  # the table is gone and its loop closed
                loop.call_soon_threadsafe(tell, line)

    try:
        fd = sys.stdin.fileno()
    except (OSError, ValueError):
        pass
    else:
        forget_typed(fd)  # what came before is no answer to this
        threading.Thread(target=read, daemon=True).start()
    yield
    inside = False


def _read(fd: int) -> Iterator[str]:
    """The lines of a file, without spaces around; what is longer than a line of ours is none."""
    rest = b""
    while True:
        try:
            data = os.read(fd, 1024)
        except OSError as error:
            if error.errno != errno.EIO:  # that is the terminal's background
                return
            time.sleep(1)
            continue
        if not data:
            return
        *lines, rest = (rest + data).split(b"\n")
        rest = rest[-1024:]
        yield from (line.decode(errors="replace").strip().lower() for line in lines)
