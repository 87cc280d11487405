"""The front ends: screens where there is a terminal for them, lines otherwise."""

import os
import sys

from citadels_lan.net.session import Session

from .console import Console


def wants_lines(plain: bool) -> bool:
    """Whether to use lines: asked for, or nothing else is possible here."""
    return plain or os.environ.get("TERM") == "dumb" or not (sys.stdin.isatty() and sys.stdout.isatty())


async def sit(console: Console, session: Session, *, plain: bool) -> None:
    """Let a person play, or watch, until the table is left."""
    if wants_lines(plain):
        from citadels_lan.ui.plain import Lines, PlainTable

        await PlainTable(session, console.texts, Lines(sys.stdin), sys.stdout).run()
    else:
        from citadels_lan.ui.app import CitadelsApp

        await CitadelsApp(session, language=console.texts.language).run_async()
