"""Lines that the canvases of a screen show, and pictures and films made of them, without a terminal."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment, Segments
from rich.style import Style
from textual.screen import Screen
from textual.strip import Strip

from citadels_lan.front.retelling import asciicast
from citadels_lan.ui.widgets.canvas import Canvas

Frame = Sequence[Strip]
"""The lines of a screen, each as wide as it."""
FONT_FACE: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts that a picture would fetch from elsewhere; whoever looks at it has some."""
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
    """The lines that the canvases of a screen show now, drawn first if they have changed."""
    width, height = screen.size
    lines: list[list[tuple[int, Strip]]] = [[] for _ in range(height)]
    for canvas in screen.query(Canvas):
        if canvas.display and canvas.drawing.lines:  # whoever asks gets that of now
            region = canvas.region
            for y in range(min(region.height, height - region.y)):
                lines[region.y + y].append((region.x, canvas.render_line(y)))
    return [_joined(parts, width, screen.rich_style) for parts in lines]


def _joined(parts: list[tuple[int, Strip]], width: int, background: Style) -> Strip:
    """One line of strips side by side."""
    strips: list[Strip] = []
    x = 0
    for start, strip in sorted(parts, key=lambda part: part[0]):
        strips += [Strip.blank(max(start - x, 0), background), strip]
        x = start + strip.cell_length
    return Strip.join(strips).adjust_cell_length(width, background)


def as_svg(shown: Frame, title: str) -> str:
    """A frame as a picture; the same frame is the same picture."""
    width = shown[0].cell_length if shown else 1
    console = Console(
        file=io.StringIO(), width=width, height=len(shown), record=True,
        force_terminal=True, color_system="truecolor", legacy_windows=False,
    )  # fmt: skip
    for strip in shown:
        console.print(Segments([*strip, Segment.line()]), end="")
    return FONT_FACE.sub("", console.export_svg(title=title, unique_id="citadels"))


def as_codes(strip: Strip) -> str:
    """A line as text with the codes that colour it in a terminal."""
    return "".join(_codes(segment) for segment in Strip(strip).simplify())


def _codes(segment: Segment) -> str:
    style = segment.style
    return style.render(segment.text, color_system=ColorSystem.TRUECOLOR) if style is not None else segment.text


def changes(before: Frame | None, after: Frame) -> Iterator[str]:
    """What a terminal must be sent so that it shows `after` in place of `before`: of each line what is new in
    it."""
    for number, strip in enumerate(after):
        start, end = (0, strip.cell_length) if before is None else _changed(before[number], strip)
        if start < end:
            yield f"\x1b[{number + 1};{start + 1}H{as_codes(strip.crop(start, end))}"


def _changed(before: Strip, after: Strip) -> tuple[int, int]:
    """The first cell that is another one, and the one behind the last."""
    if before == after:
        return 0, 0
    pairs = list(zip(_cells(before), _cells(after), strict=True))
    other = [number for number, (old, new) in enumerate(pairs) if old != new]
    return (other[0], other[-1] + 1) if other else (0, 0)


def _cells(strip: Strip) -> list[tuple[str, Style | None]]:
    """Each cell with its style; the second one of a wide sign is empty."""
    return [
        cell
        for segment in strip
        for sign in segment.text
        for cell in [(sign, segment.style), ("", segment.style)][: cell_len(sign)]
    ]


def picture(screen: Screen[None]) -> Iterator[str]:
    """A screen as SVG."""
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
