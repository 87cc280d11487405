"""Waiting for screens in tests until nothing is left to do, instead of as long as the processor is busy.
Textual sleeps at least twice for 20 ms after every key, and longer if other processes work."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final
from unittest import mock

from textual.app import App
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen

MOMENT: Final = 0.001
"""Seconds to wait for other threads."""
PATIENCE: Final = 20.0
"""Seconds to wait: a busy machine needs longer for work of a few milliseconds."""


async def nothing_left(_least: float = 0, _most: float = 1) -> None:
    """Wait until the event loop has nothing to run; after PATIENCE seconds stop waiting. Every event loop of
    CPython from 3.11 to 3.14 has the private field `_ready`; without it every test fails."""
    loop: Any = asyncio.get_running_loop()
    until = time.monotonic() + PATIENCE
    await asyncio.sleep(MOMENT)
    while loop._ready and time.monotonic() < until:  # noqa: ASYNC110 - nothing public tells it
        await asyncio.sleep(0)


really_paint: Final = Screen._compositor_refresh
unpainted: Final[dict[Screen[Any], App[Any]]] = {}


def paint_later(screen: Screen[Any]) -> None:
    """Delay painting: no one sees it without a terminal, so painting once at the end of a test is enough."""
    unpainted[screen] = screen.app


def paint() -> None:
    """Paint what has changed, and fail if painting fails."""
    while unpainted:
        screen, app = unpainted.popitem()
        if app._running and not app._exit:
            with app._context():
                really_paint(screen)


async def arrived(pilot: Pilot[Any], _timeout: float = 30.0) -> bool:
    """Like `Pilot._wait_for_screen`, which sends a message to every widget and waits until all have arrived."""
    await nothing_left()
    return not pilot.app._exception_event.is_set()


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until all messages have arrived and their effects are shown."""
    for _ in range(2 if pilot.app.is_running else 0):
        await pilot.pause()


async def painted(pilot: Pilot[Any]) -> None:
    """Wait until all messages have arrived, and paint; painting may send more messages."""
    for _ in range(3):
        await settle(pilot)
        paint()


really_press: Final = Pilot.press
really_click: Final = Pilot.click
really_run: Final = App.run_test


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Like `Pilot.press`, and wait until the screen shows the effects of all keys."""
    await really_press(pilot, *keys)
    await settle(pilot)


async def click(pilot: Pilot[Any], *place: Any, **named: Any) -> bool:
    """Like `Pilot.click`, and wait until the screen shows the effect."""
    hit = await really_click(pilot, *place, **named)
    await settle(pilot)
    return hit


@asynccontextmanager
async def run_test(app: App[Any], **named: Any) -> AsyncIterator[Pilot[Any]]:
    """Like `App.run_test`, beginning when the first screen is shown."""
    unpainted.clear()  # a task of a test that has failed
    async with really_run(app, **named) as pilot:
        await settle(pilot)
        yield pilot
        paint()


really_resize: Final = Pilot.resize_terminal


async def resize(pilot: Pilot[Any], width: int, height: int) -> None:
    """Like `Pilot.resize_terminal`, and wait until the screen has the size, which the app passes on a moment
    later."""
    await really_resize(pilot, width, height)
    app: Any = pilot.app
    while app._resize_timer is not None or app.screen.size != (width, height):  # noqa: ASYNC110 - nothing public
        await asyncio.sleep(MOMENT)
    await settle(pilot)


really_parse: Final = Stylesheet._parse_rules
parsed: Final[dict[object, Any]] = {}


def parse_once(sheet: Stylesheet, *said: Any, **named: Any) -> Any:
    """Parse each style sheet only once for the same colours, not again for each app."""
    key = (said, tuple(named.items()), tuple(sheet._variables.items()))
    if key not in parsed:
        parsed[key] = really_parse(sheet, *said, **named)
    return parsed[key]


@contextmanager
def quick_waiting() -> Iterator[None]:
    """Within this context every pilot waits like this."""
    with (
        mock.patch("textual.pilot.wait_for_idle", nothing_left),
        mock.patch("textual.app.wait_for_idle", nothing_left),
        mock.patch.object(Pilot, "resize_terminal", resize),
        mock.patch.object(Pilot, "_wait_for_screen", arrived),
        mock.patch.object(Pilot, "press", press),
        mock.patch.object(Pilot, "click", click),
        mock.patch.object(App, "run_test", run_test),
        mock.patch.object(Screen, "_compositor_refresh", paint_later),
        mock.patch.object(Stylesheet, "_parse_rules", parse_once),
    ):
        yield
