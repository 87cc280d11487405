"""Colours, symbols and styles, and the displayed names of keys. No information is shown by colour alone."""

import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.color import Color
from textual.filter import LineFilter
from textual.keys import format_key

from citadels_lan.platform.process import transliterated
from citadels_lan.presenter.symbols import Glyphs
from citadels_lan.texts import Texts, msg_in
from citadels_lan.texts.pages import gap
from citadels_lan.texts.tables import data_file

if TYPE_CHECKING:
    from citadels_lan.engine import Edition

PRINTED: Final = {"Enter": msg_in("key", "Enter"), "Space": msg_in("key", "Space")}
"""The displayed names of keys that are translated, by the name that hints use. Other keys have the same name
in every language."""
NAMES: Final = {
    "enter": "Enter", "space": "Space", "escape": "Esc", "tab": "Tab", "pageup": "PgUp", "pagedown": "PgDn",
}  # fmt: skip
"""The displayed names of special keys, by Textual's name of the key."""


def printed(texts: Texts, key: str) -> str:
    """Return the displayed name of a key in the language of the player."""
    return texts.say(PRINTED[key]) if key in PRINTED else key


def shown(key: str) -> str:
    """Return the displayed name of a key from Textual's name of it."""
    if key.startswith("ctrl+"):
        return f"Ctrl-{shown(key.removeprefix('ctrl+')).upper()}"
    if key[:1] == "f" and key[1:].isdigit():
        return key.upper()
    return NAMES.get(key) or format_key(key)


class Palette(NamedTuple):
    """The colours, by their meaning. `faint` is only for frames and empty places, because text in it would be
    hard to read."""

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


COLOURS: Final = data_file("citadels_lan.ui.widgets", "colours.toml")
"""The colours of each theme, from `colours.toml`."""
DARK, LIGHT, CONTRAST = (Palette(**COLOURS[name]["palette"]) for name in ("dark", "light", "contrast"))


class AsciiFilter(LineFilter):
    """Replaces typographic characters, frames and blocks by ASCII in all widgets, for terminals that cannot
    show them; also letters that the terminal's encoding does not contain."""

    TABLE: Final = str.maketrans("·…’“”–—←→↑↓╭╮╰╯─│▌▐▎▊█▀▄▁▂▃▅▆▇▔", '-~\'""--<>^v++++-||  ' + " " * 11)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        table = self.TABLE
        return [Segment(_in_ascii(text.translate(table)), style, control) for text, style, control in segments]


@lru_cache(1024)
def _in_ascii(text: str) -> str:
    encoding = getattr(sys.__stderr__, "encoding", None) or "utf-8"  # Textual writes to this stream
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        cells = (transliterated(char, wide=False)[:1].ljust(cell_len(char), "?") for char in text)
        return "".join(cells)
    return text


class PlainFilter(LineFilter):
    """Removes all colours if the variable NO_COLOR is set. Text with a marked background is shown inverse."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, style and _plain(style, background), control) for text, style, control in segments]


MARKED: Final = 0.1
"""If the brightness of a background differs by this much from that of the screen, it marks the text."""


@lru_cache(1024)
def _plain(style: Style, background: Color) -> Style:
    plain = style.without_color
    marked = style.bgcolor is not None and not style.bgcolor.is_default
    if marked and style.bgcolor is not None:
        here = Color.from_rich_color(style.bgcolor)
        return plain + Style(reverse=abs(here.brightness - background.brightness) >= MARKED or bool(style.reverse))
    return plain


class Look:
    """The current colours and symbols, and the styles that are made from them."""

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
        """Return the style for the type of a card."""
        return self.types[edition.types[key]] if key in edition.types else self.bold


def paragraphs(look: Look, title: str, texts: Sequence[str]) -> Text:
    """Return a title and paragraphs as one text."""
    page = Text(title, look.title)
    for text in texts:
        page.append(f"{gap(text)}{text}", "not bold default")
    return page
