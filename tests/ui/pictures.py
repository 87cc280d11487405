"""What a screen shows, as lines of text, and comparing it with what was kept.

UPDATE_GOLDEN=1 pytest tests/ui keeps what is shown now; look at the difference before it goes in.
"""

import asyncio
import os
import time
from pathlib import Path
from unittest import mock

from rich.console import Console
from textual.app import App
from textual.pilot import Pilot

from citadels_lan.ui.app import CitadelsApp

GOLDEN = Path(__file__).parent / "golden"
PATIENCE = 20.0
"""Seconds until a screen must be as it was kept."""


def shown(app: App[None]) -> list[str]:
    """The lines on the screen, without colours: a screenshot of which nobody draws the picture."""
    with mock.patch.object(Console, "export_svg", lambda console, **_: console.export_text()):
        lines = [line.rstrip() for line in app.export_screenshot().splitlines()]
    return [*lines, *[""] * (app.size.height - len(lines))]


def text(pilot: Pilot[None]) -> str:
    """The same as one text."""
    return "\n".join(shown(pilot.app))


async def compare(app: App[None], name: str) -> None:
    """The screen is as it was kept under a name, or comes to be: how soon is for the machine to say."""
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
    """The language on the screen."""
    assert isinstance(app, CitadelsApp)
    return app.texts.language
