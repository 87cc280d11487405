"""A list to choose from on the quieter screens: arrows, numbers or a click; a line may carry a value to change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from citadels_lan.front.cells import cut, pad
from citadels_lan.front.glyphs import ASCII

from .canvas import TO_ASCII
from .drawing import Drawing, Pen
from .look import Look
from .program import program

LABEL = 24
"""Cells of a label before a value."""


@dataclass(frozen=True)
class Row:
    """A line: `key` names it when it is chosen, empty if it can only be read. Left and right change `value`.
    `warns`: the line is a warning. `aside`: it has no number, and the cursor does not begin on it. `letter`: the
    key of the screen that does the same, shown instead of a number. `text`: drawn in place of label and detail."""

    key: str
    label: str
    detail: str = ""
    value: str | None = None
    warns: bool = False
    aside: bool = False
    letter: str = ""
    text: Text | None = None

    @property
    def numbered(self) -> bool:
        """Whether a digit goes to it."""
        return bool(self.key) and not self.aside and not self.letter


class ChoiceList(OptionList):
    """Shows rows; posts `Chosen` for the one chosen and `Changed` for a value. A click chooses; with `points` a
    first click only puts the cursor on a row."""

    DEFAULT_CSS = """
    ChoiceList { scrollbar-size: 0 0; &:focus { background-tint: $foreground 0%; } }
    ChoiceList > .option-list--option-disabled { color: $foreground; }
    ChoiceList > .option-list--option-highlighted, ChoiceList:focus > .option-list--option-highlighted {
        color: $foreground; background: $list-cursor; text-style: none;
    }
    """

    @dataclass
    class Chosen(Message):
        """Enter or a click on a row."""

        key: str

    @dataclass
    class Changed(Message):
        """Left or right on a row with a value."""

        key: str
        step: int

    def __init__(self, id: str, *, numbers: bool = True, points: bool = False) -> None:  # noqa: A002
        super().__init__(id=id, compact=True, markup=False)
        self._numbers = numbers
        self._points = points
        self._wanted = self._stands = ""
        self.rows: Sequence[Row] = []

    @property
    def _look(self) -> Look:
        return program(self.app).look

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.highlighted] if self.highlighted is not None and self.rows else None

    def put(self, rows: Sequence[Row]) -> None:
        """Show these rows. The cursor stays on its row; while that row is gone, it stands on the first row."""
        here = self.current.key if self.current else ""
        wanted = self._wanted if here == self._stands else here
        keys = [row.key for row in rows if row.key]
        if len(rows) != len(self.rows):
            self.rows = ()
            self.clear_options()
            self.add_options(Option("") for _ in rows)
        self.rows = rows
        for option, row in zip(self.options, rows, strict=True):
            option.disabled = not row.key
        first = next((row.key for row in rows if row.key and not row.aside), "")
        self._stands = wanted if wanted in keys else first
        self._wanted = wanted or first
        self.point(self._stands)
        self._show()

    def point(self, key: str) -> None:
        """Put the cursor on the row with a key."""
        keys = [row.key for row in self.rows]
        self.highlighted = keys.index(key) if key in keys else None

    def _show(self) -> None:
        """Draw all rows as they are now."""
        number = 0
        for place, row in enumerate(self.rows):
            number += row.numbered
            self.replace_option_prompt_at_index(place, self._line(row, number, here=place == self.highlighted))

    def watch_highlighted(self, highlighted: int | None) -> None:
        super().watch_highlighted(highlighted)
        self._show()

    def _move_page(self, direction: Literal[-1, 1]) -> None:
        if self.scrollable_content_region:  # Textual fails if there is no room for a line
            super()._move_page(direction)

    def on_resize(self) -> None:
        self._show()
        self.scroll_to_highlight()

    def on_key(self, event: events.Key) -> None:
        row = self.current
        if event.key in ("j", "k"):
            (self.action_cursor_down if event.key == "j" else self.action_cursor_up)()
        elif event.key.isdecimal() and self._numbers:
            numbered = [row.key for row in self.rows if row.numbered]
            if 1 <= int(event.key) <= len(numbered):
                self.point(numbered[int(event.key) - 1])
        elif event.key in ("left", "right") and row is not None and row.value is not None:
            self.post_message(self.Changed(row.key, 1 if event.key == "right" else -1))
        else:
            return
        event.stop()

    def on_click(self, event: events.Click) -> None:
        place = event.style.meta.get("option")
        if self._points and place is not None and place != self.highlighted and self.rows[place].key:
            self.highlighted = place
            event.prevent_default()
        elif event.chain > 1 and not self._points:
            event.prevent_default()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        message.stop()
        row = self.rows[message.option_index]
        self.post_message(self.Chosen(row.key) if row.value is None else self.Changed(row.key, 1))

    # Drawing

    def _line(self, row: Row, number: int, *, here: bool) -> Text:
        look, width, pen = self._look, self.size.width, Pen(Drawing())
        if not row.key:
            style = look.danger if row.warns else None if row.aside else look.dim
            pen.write(cut(f" {row.label}", width), style)
        else:
            pen.write(look.glyphs.turn if here else " ", look.title)
            if row.letter:
                pen.write(f"{row.letter.upper()} ", look.title)
            elif not row.aside and row.text is None:
                pen.write(f"{number if number < 10 and self._numbers else ' '} ", look.title)
            self._content(row, pen, width, here=here)
        if look.glyphs is ASCII:
            pen.line.plain = pen.line.plain.translate(TO_ASCII)
        return pen.line

    def _content(self, row: Row, pen: Pen, width: int, *, here: bool) -> None:
        look = self._look
        if row.text is not None:
            pen.line.append_text(row.text)
        elif row.value is not None:
            pen.write(pad(row.label, LABEL), look.strong if here else None)
            pen.write(f"< {row.value} >" if here else f"  {row.value}  ", look.title)
        else:
            style = look.strong if here else look.danger if row.warns else None
            pen.write(cut(row.label, width - pen.x - 1), style)
        if row.detail:
            pen.write(cut(f"   {row.detail}", width - pen.x - 1), look.dim)

    def render_line(self, y: int) -> Strip:
        """A line; the first and the last one count the lines that have no room."""
        strip, glyphs = super().render_line(y), self._look.glyphs
        above = self.scroll_offset.y
        below = self.virtual_size.height - above - self.size.height
        if y == 0 and above > 0:
            return self._counted(strip, f" {glyphs.up} {above}")
        if y == self.size.height - 1 and below > 0:
            return self._counted(strip, f" {glyphs.down} {below}")
        return strip

    def _counted(self, strip: Strip, count: str) -> Strip:
        room = max(self.size.width - len(count), 0)
        style = self.rich_style + self._look.dim
        if cell_len(strip.text.rstrip()) > room:
            room, count = max(room - 1, 0), f"{self._look.glyphs.cut}{count}"
        return Strip([*strip.crop(0, room), Segment(count, style)])
