"""The front ends: screens if there is a terminal for them, otherwise lines. The first frame appears before the
rest is loaded.
"""

import contextlib
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.console import Console, OutputLost
from citadels_lan.plain import plain_async
from citadels_lan.systems.system import Terminal, terminal
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.commands import word
from citadels_lan.ui import app_async
from citadels_lan.ui.widgets.letters import large

if TYPE_CHECKING:
    from citadels_lan.cli.open.launcher import TableLauncher
    from citadels_lan.front.launcher import Place


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
    from citadels_lan.front.archive import of_journal

    texts, journal = launcher.console.texts, launcher.journal
    kept = of_journal(journal) if journal is not None else None
    if journal is None or kept is None or kept.handed is not None:
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


TITLE: Final = "citadels"
RAISE: Final = "\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H"
"""The second screen of a terminal, empty and without a cursor."""
DROP: Final = "\x1b[?25h\x1b[?1049l"
"""Back to the first one, as it was."""


@contextlib.contextmanager
def curtain(texts: Texts, *, plain: bool) -> Iterator[None]:
    """Inside, screens are loaded and shown. The name of the game stands there until they paint over it; where they
    fail to come, the terminal is as it was, and whatever is said of that can be read. Nothing where lines are
    wanted instead, or where no system promises that the terminal reads such signs."""
    if wants_lines(plain) or os.name != "posix":
        yield
        return
    _write(RAISE + "\r\n".join(f" {line}" for line in ("", *_frame(texts, terminal()))))
    try:
        yield
    except BaseException:
        _write(DROP)
        raise


def _frame(texts: Texts, there: Terminal) -> list[str]:
    """Where the home screen has it, so that it does not jump."""
    letters = large(TITLE, there.columns - 2) if there.unicode else []
    return [*(letters or [TITLE.upper()]), "", texts.say(msg("One moment…"))]


def _write(signs: str) -> None:
    """To the stream on which the screens are drawn. A terminal that is gone needs no frame."""
    with contextlib.suppress(OSError):
        sys.stderr.write(signs)
        sys.stderr.flush()
