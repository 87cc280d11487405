"""The list of the quiet screens: a row is chosen or its value changed by arrows, digits or clicks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from citadels_lan.presenter.text_width import pad

from .program import program

LABEL = 24
"""Columns of a label before a value."""


@dataclass(frozen=True)
class Row:
    """A row. `key` identifies it; a row without a key cannot be chosen. Left and right change `value`. `warns`:
    the line is a warning. `aside`: it has no number, and the cursor does not begin on it. `letter`: the key of
    the screen that does the same, shown instead of a number. `text`: drawn instead of label and detail."""

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
        """Whether a digit chooses the row."""
        return bool(self.key) and not self.aside and not self.letter


class ChoiceList(OptionList):
    """Shows rows. Posts `Chosen` for a row and `Changed` for its value. A click chooses; with `points` the first
    click only moves the cursor to the row."""

    DEFAULT_CSS = """
    ChoiceList {
        scrollbar-size: 0 1; scrollbar-color: $primary 50%; text-wrap: nowrap; text-overflow: ellipsis;
        &:focus { background-tint: $foreground 0%; }
    }
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

    def __init__(self, id: str, *, numbers: bool = True, points: bool = False) -> None:  # noqa: A002 - as in Textual
        super().__init__(id=id, compact=True, markup=False)
        self._numbers = numbers
        self._points = points
        self._wanted = self._placed = ""
        self.rows: Sequence[Row] = []

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.rows[self.highlighted] if self.highlighted is not None and self.rows else None

    def put(self, rows: Sequence[Row]) -> None:
        """Show these rows. The cursor stays on its row; if that row is gone, it moves to the first one."""
        here = self.current.key if self.current else ""
        if here != self._placed:  # the player has moved it
            self._wanted = here
        self.rows = ()
        self.clear_options()
        self.add_options(Option("", disabled=not row.key) for row in rows)
        self.rows = rows
        first = next((row.key for row in rows if row.key and not row.aside), "")
        self._wanted = self._wanted or first
        self._placed = self._wanted if any(row.key == self._wanted for row in rows) else first
        self.point(self._placed)
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
        self.scroll_to_highlight()

    def on_key(self, event: events.Key) -> None:
        row, letters = self.current, {row.letter for row in self.rows}
        if event.key in ("j", "k") and event.key not in letters:
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
        look = program(self.app).look
        if not row.key:
            style = look.danger if row.warns else None if row.aside else look.dim
            return Text().append(f" {row.label}", style)
        line = Text().append(look.glyphs.turn if here else " ", look.title)
        if row.letter:
            line.append(f"{row.letter.upper()} ", look.title)
        elif not row.aside and row.text is None:
            line.append(f"{number if number < 10 and self._numbers else ' '} ", look.title)
        if row.text is not None:
            return line.append_text(row.text)
        style = look.strong if here else look.danger if row.warns else None
        if row.value is None:
            line.append(row.label, style)
        else:
            line.append(pad(row.label, LABEL), style)
            line.append(f"< {row.value} >" if here else f"  {row.value}  ", look.title)
        return line.append(f"   {row.detail}" if row.detail else "", look.dim)
