"""What a screen shows, as lines of text, and comparing it with what was kept.

UPDATE_GOLDEN=1 pytest tests/ui keeps what is shown now; look at the difference before it goes in.
"""

import os
from pathlib import Path
from unittest import mock

from rich.console import Console
from textual.app import App

from citadels_lan.ui.app import CitadelsApp

GOLDEN = Path(__file__).parent / "golden"


def shown(app: App[None]) -> list[str]:
    """The lines on the screen, without colours: a screenshot of which nobody draws the picture."""
    with mock.patch.object(Console, "export_svg", lambda console, **_: console.export_text()):
        lines = [line.rstrip() for line in app.export_screenshot().splitlines()]
    return [*lines, *[""] * (app.size.height - len(lines))]


def compare(app: App[None], name: str) -> None:
    """The screen is as it was kept under a name."""
    path = GOLDEN / f"{name}.txt"
    now = "\n".join(shown(app)) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(now, encoding="utf-8")
    assert path.exists(), f"{name} has not been kept yet: run with UPDATE_GOLDEN=1"
    assert now == path.read_text(encoding="utf-8"), name


def language(app: App[None]) -> str:
    """The language on the screen."""
    assert isinstance(app, CitadelsApp)
    return app.texts.language
