"""The front ends: screens where there is a terminal for them, lines otherwise."""

import os
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from citadels_lan.cli.console import Console
from citadels_lan.plain import plain_async
from citadels_lan.ui import app_async

if TYPE_CHECKING:  # the first frame stands before anything of a table is loaded
    from citadels_lan.front.launcher import Place

    from .launcher import TableLauncher


def wants_lines(plain: bool) -> bool:
    """Whether to use lines: asked for, or nothing else is possible here."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # screens are written to the last one
    return plain or os.environ.get("TERM") == "dumb" or not all(stream.isatty() for stream in streams)


async def front(
    console: Console,
    launcher: "TableLauncher",
    opening: "Callable[[], Awaitable[Place]] | None" = None,
    *,
    plain: bool,
    piped: bool = False,
) -> int:
    """Show the home screen, or at once the table that `opening` opens; the exit code. `piped`: the screens go to
    the program at the other end of the pipes, and there is no home. Raises CannotOpen."""
    if piped and not plain:
        return await app_async(console.texts, launcher, opening, piped=True)
    show = plain_async if wants_lines(plain) else app_async
    return await show(console.texts, launcher, opening)
