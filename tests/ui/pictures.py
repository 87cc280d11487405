"""What a screen shows, as lines of text, and comparing it with what was kept.

UPDATE_GOLDEN=1 pytest tests/ui keeps what is shown now; look at the difference before it goes in.
"""

import asyncio
import os
import re
import time
from pathlib import Path
from xml.etree import ElementTree

from textual.app import App
from textual.pilot import Pilot

from citadels_lan.ui.app import CitadelsApp

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"
PATIENCE = 3.0
"""Seconds until a screen must be as it was kept."""
CELL = 12.2
"""How wide the picture draws a cell."""


def shown(app: App[None]) -> list[str]:
    """The lines on the screen, without colours."""
    rows: dict[int, dict[int, str]] = {}
    for element in ElementTree.fromstring(app.export_screenshot()).iter(f"{SVG}text"):
        line = re.search(r"line-(\d+)", element.get("clip-path", ""))
        if line is not None:
            column = round(float(element.get("x", "0")) / CELL)
            rows.setdefault(int(line[1]), {})[column] = (element.text or "").replace("\xa0", " ")
    lines = []
    for number in range(app.size.height):
        row = ""
        for column, text in sorted(rows.get(number, {}).items()):
            row = row.ljust(column) + text
        lines.append(row.rstrip())
    return lines


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
    while _lines(app) != kept and time.monotonic() < until:
        await asyncio.sleep(0.02)
    assert _lines(app) == kept, name


def _lines(app: App[None]) -> str:
    return "\n".join(shown(app)) + "\n"


def language(app: App[None]) -> str:
    """The language on the screen."""
    assert isinstance(app, CitadelsApp)
    return app.texts.language
