"""Pictures and films of a recorded game. They are drawn by the replay screen without a terminal."""

from collections.abc import Callable, Iterable, Iterator

from textual.pilot import Pilot

from citadels_lan.presenter.recording import Recording
from citadels_lan.presenter.symbols import ASCII, UNICODE
from citadels_lan.texts import Texts
from citadels_lan.ui.screens.replay_screen import ReplayScreen

from .app import CitadelsApp

Size = tuple[int, int]
"""The size of a screen in columns and lines."""


async def picture(recording: Recording, texts: Texts, size: Size, step: int, *, plain: bool = False) -> list[str]:
    """Return the table after a step as lines of SVG. `plain`: with ASCII symbols."""

    def draw(screen: ReplayScreen) -> Iterator[str]:
        screen.show(step)
        return screen.picture()

    return await _made(recording, texts, size, draw, plain=plain)


async def film(recording: Recording, texts: Texts, size: Size, speed: float, *, plain: bool = False) -> list[str]:
    """Return the whole game as lines of an asciicast, a recording of a terminal, with `speed` moves per
    second."""
    return await _made(recording, texts, size, lambda screen: screen.film(speed), plain=plain)


async def _made(
    recording: Recording, texts: Texts, size: Size, make: Callable[[ReplayScreen], Iterable[str]], *, plain: bool
) -> list[str]:
    """Open the replay screen in this size, and return the lines that `make` returns for it."""
    screen = ReplayScreen(recording)
    app = CitadelsApp(language=texts.language, first=screen, glyphs=ASCII if plain else UNICODE)
    lines: list[str] = []

    async def when_shown(pilot: Pilot[object]) -> None:
        await pilot.pause()
        lines.extend(make(screen))
        app.exit()

    await app.run_async(headless=True, size=size, auto_pilot=when_shown)
    return lines
