"""The text of a screen, and comparing it with a golden file.

To store the present screens as golden files, run `UPDATE_GOLDEN=1 pytest tests/ui`. Check the difference
before you commit it."""

import asyncio
import os
import time
from pathlib import Path
from typing import TypeVar

from textual._compositor import LayoutUpdate
from textual.app import App
from textual.pilot import Pilot

from citadels_lan.presenter.game import Game
from citadels_lan.presenter.symbols import UNICODE, Glyphs
from citadels_lan.presenter.text_width import wrap
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.screens.end import Ending
from citadels_lan.ui.widgets.look import DARK, Look

GOLDEN = Path(__file__).parent / "golden"
PATIENCE = 20.0
"""Seconds until a screen must equal its golden file."""


Kind = TypeVar("Kind")


def the(kind: type[Kind], found: object) -> Kind:
    """Check that `found` is an instance of `kind`, and return it."""
    assert isinstance(found, kind)
    return found


def shown(app: App[None]) -> list[str]:
    """Return the lines of the screen as text, without colours."""
    drawn = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
    return ["".join(strip.text for strip in line).rstrip() for line in the(LayoutUpdate, drawn).strips]


def text(pilot: Pilot[None]) -> str:
    """Return the screen as one text."""
    return "\n".join(shown(pilot.app))


async def compare(app: App[None], name: str) -> None:
    """Wait until the screen equals the golden file of this name."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(_lines(app), encoding="utf-8")
    assert path.exists(), f"{name} has not been kept yet: run with UPDATE_GOLDEN=1"
    kept, until = path.read_text(encoding="utf-8"), time.monotonic() + PATIENCE
    while _lines(app) != kept and time.monotonic() < until:  # noqa: ASYNC110 - nothing tells that it is drawn
        await asyncio.sleep(0.02)
    assert _lines(app) == kept, name


def _lines(app: App[None]) -> str:
    return "\n".join(shown(app)) + "\n"


def language(app: App[None]) -> str:
    """Return the language that the app displays."""
    assert isinstance(app, CitadelsApp)
    return app.texts.language


def notified(app: App[None]) -> str:
    """Return the notifications on the screen as one text."""
    return " ".join(note.message for note in app._notifications)


def ending_lines(game: Game, width: int, height: int = 0, glyphs: Glyphs = UNICODE) -> list[str]:
    """Return the lines of all pages about the end of a game."""
    end = Ending(game, Look(DARK, glyphs))
    parts = [end.first(width), end.rounds(width), end.part("cities", width, height)[1]]
    proof = [row for line in end.proof_lines() for row in wrap(line, max(width, 1))]
    return [*(line.plain for part in parts for line in part.lines), *proof]
