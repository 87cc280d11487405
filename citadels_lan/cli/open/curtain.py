"""The first frame: the name of the game, on the screen before anything is loaded that takes its time."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Final

from citadels_lan.systems.terminal import Terminal, terminal
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.letters import large

from .front_end import wants_lines

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
