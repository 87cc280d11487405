"""A picture of strengths in SVG: a bar for each bot, its interval, and the line of par."""

from collections.abc import Sequence
from html import escape
from math import ceil

from .results import WinningShare

WIDTH, LEFT, RIGHT, TOP, ROW = 720, 190, 90, 64, 34
INK, PALE, FILL, LINE = "#333333", "#dddddd", "#7aa6c2", "#b5523b"


def picture(title: str, bars: Sequence[WinningShare], par: float, par_name: str) -> str:
    """The picture as text. The scale ends at the next tenth above all bars, their intervals and par."""
    most = min(1.0, ceil(10 * max(par, *(bar.high for bar in bars)) - 1e-9) / 10)
    height = TOP + ROW * len(bars) + 34

    def x(share: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * share / most, 1)

    bottom = TOP + ROW * len(bars)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        _text(16, 24, title, "start", ' font-size="15" font-weight="bold"'),
    ]
    for tenth in range(round(most * 10) + 1):
        lines.append(_line(x(tenth / 10), TOP - 6, x(tenth / 10), bottom, PALE))
        lines.append(_text(x(tenth / 10), bottom + 18, f"{10 * tenth} %", "middle"))
    for number, bar in enumerate(bars):
        lines += _bar(bar, x(0), x(bar.share), x(bar.low), x(bar.high), TOP + ROW * number)
    lines.append(_line(x(par), TOP - 10, x(par), bottom, LINE, ' stroke-dasharray="5 3" stroke-width="2"'))
    lines.append(_text(x(par), TOP - 14, par_name, "middle", f' fill="{LINE}"'))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _bar(bar: WinningShare, zero: float, share: float, low: float, high: float, top: int) -> list[str]:
    middle = top + ROW / 2
    return [
        _text(LEFT - 10, middle + 5, bar.bot, "end"),
        f'<rect x="{zero}" y="{top + 6}" width="{round(share - zero, 1)}" height="{ROW - 12}" fill="{FILL}"/>',
        _line(low, middle, high, middle, INK, ' stroke-width="2"'),
        *(_line(end, middle - 6, end, middle + 6, INK, ' stroke-width="2"') for end in (low, high)),
        _text(high + 8, middle + 5, f"{100 * bar.share:.1f} %", "start"),
    ]


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{more}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, more: str = "") -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}"{more}/>'
