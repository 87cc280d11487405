"""Write frames of a screen as one animated SVG without scripts or fonts; it does not move if the reader's
system asks for reduced motion.

Each different line is drawn once. The frames are placed side by side and refer to the lines; CSS moves them.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from citadels_lan.ui.screens.replay_screen import Frame

CELL: Final = (9.0, 19.0)
"""Width and height of a cell, in pixels."""
SIZE: Final = 15
"""Font size, in pixels."""
BASE: Final = 14.5
"""From the top of a line to its base line, in pixels."""
MARGIN: Final = 10
PAPER: Final = "#181e26"
INK: Final = "#d9dee6"
STYLE: Final = """
text {{ white-space: pre; font: {size}px "DejaVu Sans Mono", Menlo, Consolas, monospace }}
.b {{ font-weight: bold }}
#film {{ animation: film {seconds:g}s steps({count}) infinite }}
@keyframes film {{ to {{ transform: translateX(-{travel:g}px) }} }}
@media (prefers-reduced-motion: reduce) {{ #film {{ animation: none }} }}
"""


def animated(frames: Sequence[Frame], title: str, pace: float) -> str:
    """Return the frames as one animated SVG with a title; each frame is shown for `pace` seconds."""
    (across, down), columns, rows = CELL, frames[0][0].cell_length, len(frames[0])
    width, height = columns * across + 2 * MARGIN, rows * down + 2 * MARGIN
    lines: dict[str, int] = {}
    shown = [[lines.setdefault(drawn(strip), len(lines)) for strip in one] for one in frames]
    style = STYLE.format(size=SIZE, seconds=pace * len(frames), count=len(frames), travel=width * len(frames))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" fill="{INK}">',
        f"<title>{escape(title)}</title><style>{style}</style>",
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/><defs>',
        *(f'<g id="l{number}">{line}</g>' for line, number in lines.items()),
        '</defs><g id="film">',
    ]
    for number, one in enumerate(shown):
        uses = (f'<use href="#l{line}" y="{MARGIN + row * down:g}"/>' for row, line in enumerate(one))
        parts.append(f'<g transform="translate({number * width + MARGIN:g})">{"".join(uses)}</g>')
    return "\n".join([*parts, "</g></svg>"])


def drawn(strip: Strip) -> str:
    """Return the SVG of one line of a screen: coloured backgrounds, then the text in segments of one
    style."""
    return "".join(_segments(strip))


def _segments(strip: Strip) -> Iterator[str]:
    across, down = CELL
    x = 0.0
    for segment in Strip(strip).simplify():
        width = cell_len(segment.text) * across
        ink, paper = _colours(segment.style or Style())
        if paper != PAPER:
            yield f'<rect x="{x:g}" width="{width:g}" height="{down:g}" fill="{paper}"/>'
        text = segment.text.rstrip()
        lead = cell_len(text) - cell_len(text.lstrip())
        if text:
            bold = ' class="b"' if segment.style is not None and segment.style.bold else ""
            fill = f' fill="{ink}"' if ink != INK else ""
            length = (cell_len(text) - lead) * across
            yield (
                f'<text x="{x + lead * across:g}" y="{BASE}" textLength="{length:g}"{bold}{fill}>'
                f"{escape(text.lstrip(), quote=False)}</text>"
            )
        x += width


def _colours(style: Style) -> tuple[str, str]:
    """Return the colours of text and background."""
    ink = style.color.get_truecolor().hex if style.color is not None else INK
    paper = (
        style.bgcolor.get_truecolor().hex if style.bgcolor is not None and not style.bgcolor.is_default else PAPER
    )
    return (paper, ink) if style.reverse else (ink, paper)
