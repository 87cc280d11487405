"""A screen as a picture, and as a film of all the steps that it can show."""

from collections.abc import Callable, Iterator
from typing import Final

from textual.screen import Screen

from citadels_lan.front.past.asciicast import asciicast
from citadels_lan.ui.widgets.frame import Frame, as_svg, changes, frame

TITLE: Final = "citadels-lan"
SPEED: Final = 2.0
"""Moves in a second of a film."""
LAST: Final = 3.0
"""Seconds for which a film stays at its last picture."""
EMPTY: Final = "\x1b[2J\x1b[?25l"
"""An empty terminal without a cursor."""
CURSOR: Final = "\x1b[?25h"
"""The cursor again."""


def picture(screen: Screen[None]) -> Iterator[str]:
    """What a screen shows now, as SVG."""
    yield as_svg(frame(screen), TITLE)


def film(screen: Screen[None], show: Callable[[int], None], steps: range, speed: float = SPEED) -> Iterator[str]:
    """An asciicast of what a screen shows once `show` has shown a step, with so many steps in a second."""
    width, height = screen.size
    return asciicast(width, height, TITLE, _pictures(screen, show, steps, speed))


def _pictures(
    screen: Screen[None], show: Callable[[int], None], steps: range, speed: float
) -> Iterator[tuple[float, str]]:
    before: Frame | None = None
    for number, step in enumerate(steps):
        show(step)
        now = frame(screen)
        yield number / speed, "".join((EMPTY if before is None else "", *changes(before, now)))
        before = now
    yield len(steps) / speed + LAST, CURSOR
