"""Colours, symbols and styles. Every meaning of a colour is also shown by a letter or a symbol."""

import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from citadels_lan.platform.process import transliterated
from citadels_lan.presenter.symbols import Glyphs

if TYPE_CHECKING:
    from citadels_lan.engine import Edition


class Palette(NamedTuple):
    """Colours by their meaning. `faint` is for frames and empty places, never for text."""

    noble: str
    religious: str
    trade: str
    military: str
    unique: str
    gold: str
    accent: str
    danger: str
    dim: str
    faint: str
    strong: str
    turn: str
    cursor: str


DARK: Final = Palette(
    noble="#e6c65c", religious="#7db4ff", trade="#6fca85", military="#f07f76", unique="#c99bf5",
    gold="#e6c65c", accent="#6fd0c5", danger="#ff8f80", dim="#8b93a1", faint="#646e7e", strong="#ffffff",
    turn="#263d4d", cursor="#33566b",
)  # fmt: skip
LIGHT: Final = Palette(
    noble="#7d5a00", religious="#1a4fae", trade="#1c6e34", military="#a8231b", unique="#6e2fae",
    gold="#7d5a00", accent="#006a63", danger="#a8231b", dim="#5d6570", faint="#868d96", strong="#000000",
    turn="#d7e8ee", cursor="#b4d6e2",
)  # fmt: skip
CONTRAST: Final = Palette(
    noble="#ffff00", religious="#66c2ff", trade="#00ff66", military="#ff6666", unique="#ff99ff",
    gold="#ffff00", accent="#00ffff", danger="#ff6666", dim="#d0d0d0", faint="#a0a0a0", strong="#ffffff",
    turn="#003c64", cursor="#0050a0",
)  # fmt: skip
"""High contrast: at least 7 to 1 against black."""


class AsciiFilter(LineFilter):
    """Replaces typographic characters, frames and blocks of all widgets, for terminals without them, and letters
    that the encoding of the terminal lacks."""

    TABLE: Final = str.maketrans("·…’“”–—←→↑↓╭╮╰╯─│▌▐▎▊█▀▄▁▂▃▅▆▇▔", '-~\'""--<>^v++++-||  ' + " " * 11)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        table = self.TABLE
        return [Segment(_in_ascii(text.translate(table)), style, control) for text, style, control in segments]


@lru_cache(1024)
def _in_ascii(text: str) -> str:
    encoding = getattr(sys.__stderr__, "encoding", None) or "utf-8"  # Textual writes there
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        cells = (transliterated(char, wide=False)[:1].ljust(cell_len(char), "?") for char in text)
        return "".join(cells)
    return text


class PlainFilter(LineFilter):
    """Removes all colours, for NO_COLOR. What a background marks is shown inverse."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, style and _plain(style, background), control) for text, style, control in segments]


MARKED: Final = 0.1
"""The difference in brightness from which a background marks something."""


@lru_cache(1024)
def _plain(style: Style, background: Color) -> Style:
    plain = style.without_color
    marked = style.bgcolor is not None and not style.bgcolor.is_default
    if marked and style.bgcolor is not None:
        here = Color.from_rich_color(style.bgcolor)
        return plain + Style(reverse=abs(here.brightness - background.brightness) >= MARKED or bool(style.reverse))
    return plain


class Look:
    """A palette, a set of symbols, and the styles of both."""

    def __init__(self, palette: Palette, glyphs: Glyphs) -> None:
        self.palette = palette
        self.glyphs = glyphs
        self.dim = Style(color=palette.dim)
        self.faint = Style(color=palette.faint)
        self.strong = Style(color=palette.strong, bold=True)
        self.bold = Style(bold=True)
        self.accent = Style(color=palette.accent)
        self.title = Style(color=palette.accent, bold=True)
        self.danger = Style(color=palette.danger, bold=True)
        self.gold = Style(color=palette.gold)
        self.struck = Style(color=palette.dim, strike=True)
        self.reverse = Style(reverse=True)
        self.complete = Style(color=palette.gold, bold=True, reverse=True)
        self.turn = Style(bgcolor=palette.turn)
        self.cursor = Style(bgcolor=palette.cursor, bold=True)
        kinds = ("noble", "religious", "trade", "military", "unique")
        self.types: Mapping[str, Style] = {kind: Style(color=getattr(palette, kind)) for kind in kinds}

    def card(self, edition: "Edition", key: str) -> Style:
        """Return the style of a card's type."""
        return self.types[edition.types[key]] if key in edition.types else self.bold
