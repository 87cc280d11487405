"""Pictures and films of a screen, without a terminal."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment, Segments
from textual.screen import Screen
from textual.strip import Strip

from citadels_lan.presenter.recording import asciicast

Frame = Sequence[Strip]
"""The lines of a screen, each as wide as it."""
FONT_FACE: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts that a picture would fetch from elsewhere; each reader has some."""
TITLE: Final = "citadels-lan"
SPEED: Final = 2.0
"""Moves in a second of a film."""
LAST: Final = 3.0
"""Seconds for which a film stays at its last picture."""
EMPTY: Final = "\x1b[2J\x1b[?25l"
"""An empty terminal without a cursor."""
CURSOR: Final = "\x1b[?25h"
"""The cursor again."""


def frame(screen: Screen[None]) -> Frame:
    """Return the lines of a screen. Canvases that have changed are drawn first."""
    return screen._compositor.render_strips(screen.size)


def as_svg(shown: Frame, title: str) -> str:
    """A frame as a picture. Equal frames give equal pictures."""
    console = Console(
        file=io.StringIO(), width=shown[0].cell_length, height=len(shown), record=True,
        force_terminal=True, color_system="truecolor", legacy_windows=False,
    )  # fmt: skip
    for strip in shown:
        console.print(Segments([*strip, Segment.line()]), end="")
    return FONT_FACE.sub("", console.export_svg(title=title, unique_id="citadels"))


def changes(before: Frame | None, after: Frame) -> Iterator[str]:
    """Yield the codes that turn a terminal from `before` to `after`: the lines that differ."""
    for number, strip in enumerate(after):
        if before is None or before[number] != strip:
            segments = Strip(strip).simplify()  # neighbours of one style become one, which keeps films small
            codes = (style.render(text, color_system=ColorSystem.TRUECOLOR) if style else text
                     for text, style, _ in segments)  # fmt: skip
            yield f"\x1b[{number + 1};1H{''.join(codes)}"


def film(screen: Screen[None], show: Callable[[int], None], steps: range, speed: float = SPEED) -> Iterator[str]:
    """Yield an asciicast of a screen, with so many steps in a second. `show` makes the screen show a step."""

    def pictures() -> Iterator[tuple[float, str]]:
        before: Frame | None = None
        for number, step in enumerate(steps):
            show(step)
            now = frame(screen)
            yield number / speed, "".join((EMPTY if before is None else "", *changes(before, now)))
            before = now
        yield len(steps) / speed + LAST, CURSOR

    width, height = screen.size
    return asciicast(width, height, TITLE, pictures())
