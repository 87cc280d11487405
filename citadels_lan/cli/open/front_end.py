"""The front ends: screens where there is a terminal for them, lines otherwise."""

import contextlib
import os
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from citadels_lan.cli.console import Console, OutputLost
from citadels_lan.plain import plain_async
from citadels_lan.texts import msg
from citadels_lan.texts.commands import word
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
    """Show the home screen, or at once the table that `opening` opens, and close the table at the end; the exit
    code. `piped`: a guest's page is at the other end of the pipes, and there is no home. Raises CannotOpen."""
    import asyncio

    lines, interrupted = plain if piped else wants_lines(plain), False
    show = plain_async if lines else app_async
    try:
        return await show(console.texts, launcher, opening, piped=piped)
    except asyncio.CancelledError:
        interrupted = True
        raise
    except Exception:
        await launcher.close(failed=True)
        raise
    finally:
        await launcher.close()
        if not piped and (kept := _kept(launcher, lines=lines)) is not None:
            with contextlib.suppress(OutputLost, OSError):
                launcher.console.line(f"\n{kept}" if interrupted else kept)  # the terminal has written ^C


def _kept(launcher: "TableLauncher", *, lines: bool) -> str | None:
    """How to go on with the game that was left unfinished here; None where none was."""
    from citadels_lan.front.archive import is_unfinished

    texts, journal = launcher.console.texts, launcher.journal
    if journal is None or not is_unfinished(journal):
        return None
    games = [game.path for game in launcher.unfinished()]
    if journal not in games:
        return texts.say(
            msg("The game is kept: `citadels-lan host --resume {path}` goes on with it."), path=journal
        )
    if not lines:
        return texts.say(msg("The game is kept: the first screen of `citadels-lan` leads back to it."))
    command = f"{word(texts, 'go on')} {games.index(journal) + 1}"
    return texts.say(
        msg("The game is kept: `citadels-lan --plain`, then {command}, goes on with it."), command=command
    )
