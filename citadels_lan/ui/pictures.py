"""Pictures and films of a recording, made without a terminal: the screen of the replay in an app that nobody sees."""

from collections.abc import Callable, Iterable

from textual.pilot import Pilot

from citadels_lan.front.glyphs import ASCII, UNICODE
from citadels_lan.front.recording import Recording
from citadels_lan.texts import Texts

from .app import CitadelsApp
from .screens.replay import ReplayScreen

Size = tuple[int, int]
"""Columns and lines."""


async def made(
    recording: Recording,
    texts: Texts,
    size: Size,
    make: Callable[[ReplayScreen], Iterable[str]],
    *,
    plain: bool = False,
) -> list[str]:
    """What `make` makes of the screen of a replay in this size; `plain`: with signs of ASCII alone."""
    screen = ReplayScreen(recording)
    app = CitadelsApp(language=texts.language, first=screen, glyphs=ASCII if plain else UNICODE)
    lines: list[str] = []

    async def when_shown(pilot: Pilot[None]) -> None:
        await pilot.pause()
        lines.extend(make(screen))
        app.exit()

    await app.run_async(headless=True, size=size, auto_pilot=when_shown)
    return lines
