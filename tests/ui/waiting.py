"""Faster waiting in tests of screens: they wait until the app has nothing left to do. Textual's own functions
sleep at least twice for 20 ms after every key press, and longer if other processes use the processor."""

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
"""How many seconds each wait for other threads takes."""
PATIENCE: Final = 20.0
"""How many seconds to wait at most. On a busy machine, work of a few milliseconds takes longer."""


async def nothing_left(_least: float = 0, _most: float = 1) -> None:
    """Wait until the event loop has nothing to run, at most PATIENCE seconds. This uses the private field
    `_ready`, which every event loop of CPython 3.11 to 3.14 has; without the field, every test fails."""
    loop: Any = asyncio.get_running_loop()
    until = time.monotonic() + PATIENCE
    await asyncio.sleep(MOMENT)
    while loop._ready and time.monotonic() < until:  # noqa: ASYNC110 - nothing public tells it
        await asyncio.sleep(0)


really_paint: Final = Screen._compositor_refresh
unpainted: Final[dict[Screen[Any], App[Any]]] = {}


def paint_later(screen: Screen[Any]) -> None:
    """Do not paint the screen now: without a terminal no one sees it, so painting once at the end of a test
    is enough."""
    unpainted[screen] = screen.app


def paint() -> None:
    """Paint what has changed, and fail if painting fails."""
    while unpainted:
        screen, app = unpainted.popitem()
        if app._running and not app._exit:
            with app._context():
                really_paint(screen)


async def arrived(pilot: Pilot[Any], _timeout: float = 30.0) -> bool:
    """Replaces `Pilot._wait_for_screen`, which sends a message to every widget: wait until the event loop has
    nothing to run. Return False if the app has failed."""
    await nothing_left()
    return not pilot.app._exception_event.is_set()


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until all messages have been handled and their effects are visible."""
    for _ in range(2 if pilot.app.is_running else 0):
        await pilot.pause()


async def painted(pilot: Pilot[Any]) -> None:
    """Wait until all messages have been handled, and paint. Painting may send further messages, so repeat
    that."""
    for _ in range(3):
        await settle(pilot)
        paint()


really_press: Final = Pilot.press
really_click: Final = Pilot.click
really_run: Final = App.run_test


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Replaces `Pilot.press`: press keys, and wait until the screen shows their effects."""
    await really_press(pilot, *keys)
    await settle(pilot)


async def click(pilot: Pilot[Any], *place: Any, **named: Any) -> bool:
    """Replaces `Pilot.click`: click, and wait until the screen shows the effect."""
    hit = await really_click(pilot, *place, **named)
    await settle(pilot)
    return hit


@asynccontextmanager
async def run_test(app: App[Any], **named: Any) -> AsyncIterator[Pilot[Any]]:
    """Replaces `App.run_test`: the test begins when the first screen is visible."""
    unpainted.clear()  # a task of a test that has failed
    async with really_run(app, **named) as pilot:
        await settle(pilot)
        yield pilot
        paint()


really_resize: Final = Pilot.resize_terminal


async def resize(pilot: Pilot[Any], width: int, height: int) -> None:
    """Replaces `Pilot.resize_terminal`: also wait until the screen has the new size, which the app sets a
    moment later."""
    await really_resize(pilot, width, height)
    app: Any = pilot.app
    while app._resize_timer is not None or app.screen.size != (width, height):  # noqa: ASYNC110 - nothing public
        await asyncio.sleep(MOMENT)
    await settle(pilot)


really_parse: Final = Stylesheet._parse_rules
parsed: Final[dict[object, Any]] = {}


def parse_once(sheet: Stylesheet, *said: Any, **named: Any) -> Any:
    """Parse each style sheet only once for each set of colours, not again for each app."""
    key = (said, tuple(named.items()), tuple(sheet._variables.items()))
    if key not in parsed:
        parsed[key] = really_parse(sheet, *said, **named)
    return parsed[key]


@contextmanager
def quick_waiting() -> Iterator[None]:
    """Use the functions of this module for every pilot within this context."""
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
