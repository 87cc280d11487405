"""The interface of the app for its screens (no screen imports the app); the base classes of all screens; and
the widgets of simple screens: a list, a page of text, a prompt for a line."""

from asyncio import Lock
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, Protocol, TypeVar, cast

from rich.text import Text
from textual import events, message, on
from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from citadels_lan.presenter.text_width import pad
from citadels_lan.texts import Message, Texts
from citadels_lan.texts.tables import data_file
from citadels_lan.ui.widgets.look import Look

if TYPE_CHECKING:  # the first frame imports none of these
    from citadels_lan.bots.thinking import ThinkingPool
    from citadels_lan.net.client.updates import Update
    from citadels_lan.presenter.error_messages import Violation
    from citadels_lan.presenter.known_players import Evening
    from citadels_lan.presenter.launcher import Launcher, Place, Preferences

Result = TypeVar("Result")
SECONDS: Final = 4
"""How many seconds a notification stays on the screen."""


def letters(**actions: str) -> list[BindingType]:
    """Return key bindings from keyword arguments: the small and the capital letter run the same action."""
    return [Binding(f"{letter},{letter.upper()}", action, show=False) for letter, action in actions.items()]


def bindings_of(screen: str) -> list[BindingType]:
    """Return the key bindings of a screen, from its section in `keys.toml`."""
    rows = data_file("citadels_lan.ui", "keys.toml")["bindings"][screen]
    return [Binding(row["keys"], row["action"], show=False, priority="priority" in row) for row in rows]


class ScreenCommand(NamedTuple):
    """A command of a screen, as the command palette lists it: its key, title and Textual action; `does`
    explains it."""

    key: str
    title: Message
    action: str
    does: Message = ""


class Program(Protocol):
    """The interface of the app for its screens."""

    texts: Texts
    look: Look
    clock: Callable[[], float]
    keymap: Mapping[str, str]
    """The keys that the player has changed, by the name of the table's command."""
    keys: Mapping[str, str]
    """The displayed key of each command of the table, by the name of the command."""

    launcher: "Launcher | None"
    """Hosts and joins tables; None for an app without a home screen."""
    evening: "Evening | None"
    """The finished games since the program started."""
    moving: Lock
    """Held while the player leaves one table for another. A key press that would leave a table waits until
    the next table is open."""

    @property
    def thinking(self) -> "ThinkingPool":
        """The processes in which bots think."""

    @property
    def may_rematch(self) -> bool:
        """Whether a rematch with the same players is possible."""

    def dress(self, preferences: "Preferences") -> None:
        """Apply the preferred colours and symbols."""

    def sit_down(self, place: "Place") -> None:
        """Play at the table of `place` until the player leaves it."""

    def leave_table(self) -> object:
        """Leave the table and go to the home screen; if there is none, end the program."""

    def action_hand_to(self) -> object:
        """Hand over the hosting of the game to another player."""

    def raise_alarm(self, found: "Violation") -> None:
        """Show the alarm about a violation by the host above all screens, unless an alarm is already open."""

    def attention(self, mine: bool, *, again: bool = False) -> None:
        """If `mine`, alert the player that they must decide (bell, window title, notification); otherwise end
        the alert. With `again`, alert the player once more because the decision time is over."""

    def action_switch_language(self) -> None:
        """Switch to the next language."""

    def commands(self) -> Iterable[ScreenCommand]:
        """Return the commands that are possible on every screen now."""


def program(app: App[Any]) -> Program:
    """Return the app as `Program`. Textual itself knows only the type `App`."""
    return cast(Program, app)


class ProgramScreen(Screen[Result]):
    """The base class of all screens. A screen is dismissed only once, even if Enter arrives twice. If a
    terminal delivers two Enters at the same time, both reach this screen; Textual would use the second one to
    dismiss the screen below. Key presses that the app has not yet delivered are dropped by
    `CitadelsApp.on_event`."""

    STAGE: ClassVar[Literal["", "lobby", "table", "end"]] = ""
    """The stage of a game that the screen shows."""
    closing: Sequence[str] = ()
    """Further keys that close the screen, besides Escape."""

    @property
    def program(self) -> Program:
        return program(self.app)

    @property
    def look(self) -> Look:
        return self.program.look

    @property
    def texts(self) -> Texts:
        return self.program.texts

    def commands(self) -> Iterable[ScreenCommand]:
        """Return the commands of this screen that are possible now, a harmless one first."""
        return ()

    def updated(self, updates: "Sequence[Update]") -> None:
        """Show what the updates of the table have changed. Most screens do not depend on the table and do
        nothing."""

    def say(self, word: str) -> None:
        """Show `word` as a notification in place of earlier ones; "" only removes them. A screen that the
        player has already left shows nothing."""
        self.app.clear_notifications()
        if word and self in self.app.screen_stack:
            self.notify(word, severity="warning", timeout=SECONDS, markup=False)

    def on_key(self, event: events.Key) -> None:
        if event.key in self.closing:
            event.stop()
            self.dismiss()

    def retell(self) -> None:
        """Show everything in the new language. A page of text keeps its language."""

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Leave the screen with a result. Do nothing if it was already left, or if another screen is above
        it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class ProgramModal(ModalScreen[Result], ProgramScreen[Result]):
    """A screen over another one. ModalScreen must be the first base class, because Textual takes the styles
    of the first one."""


# The list

LABEL = 24
"""Columns of the label of a row that has a value."""


@dataclass(frozen=True)
class Row:
    """A row of a list. `key` identifies it; a row without a key cannot be chosen. Left and Right change
    `value`. `warns`: the row is a warning. `aside`: the row has no number, and the cursor does not start on
    it. `letter`: the key that does the same as choosing the row; it is shown instead of a number. `text`
    replaces label and detail."""

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
    """Shows rows. Posts `Chosen` if a row is chosen, and `Changed` if its value is changed. A click chooses a
    row; with `points`, the first click only moves the cursor to the row."""

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
    class Chosen(message.Message):
        """A row was chosen, with Enter or a click."""

        key: str

    @dataclass
    class Changed(message.Message):
        """Left or Right was pressed on a row with a value."""

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
        """Show these rows. The cursor stays on the row with the same key; if there is no such row any more,
        it moves to the first one."""
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
        """Move the cursor to the row with this key."""
        keys = [row.key for row in self.rows]
        self.highlighted = keys.index(key) if key in keys else None

    def _show(self) -> None:
        """Draw all rows again."""
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


# Pages and prompts

LONGEST: Final = 1000
"""How many characters a typed line can have."""


class PageScreen(ProgramModal[None]):
    """Shows a page of text over the screen. Arrow keys scroll. Escape, Enter, the keys in `closing` and a
    click outside the page close it."""

    CSS_PATH = "page.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,Q,question_mark,i,f1", "dismiss", show=False)]

    def __init__(
        self, text: Text, closing: Sequence[str] = (), *, at_end: bool = False, wide: bool = False
    ) -> None:
        """`at_end`: the page opens scrolled to its end. `wide`: the page has the width of the screen."""
        super().__init__()
        self.text = text
        self._at_end = at_end
        self.set_class(wide, "-wide")
        self.closing = closing

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(self.text, markup=False)

    def on_mount(self) -> None:
        page = self.query_one("#page")
        page.focus()
        if self._at_end:
            page.scroll_end(animate=False)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss()


class LineInput(Input):
    """An input for one line. Pasted lines are joined to one; Textual alone would keep only the first line."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+j", "submit", show=False)]

    def __init__(self, value: str, hint: str) -> None:
        super().__init__(value, placeholder=hint, compact=True, max_length=LONGEST)

    def on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        start, end = sorted(self.selection)
        room = LONGEST - len(self.value) + end - start
        self.replace(" ".join(event.text.split())[:room], start, end)


class LinePrompt(ProgramModal[str | None]):
    """Asks a question that is answered with one line of text. Returns the line, or None if the player
    cancels."""

    CSS_PATH = "page.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, question: str, value: str = "", hint: str = "") -> None:
        super().__init__()
        self.question = question
        self.value = value
        self.hint = hint

    def compose(self) -> ComposeResult:
        with Vertical(id="prompt"):
            yield Static(self.question, markup=False)
            yield LineInput(self.value, self.hint)

    @on(Input.Submitted)
    def _answered(self, message: Input.Submitted) -> None:
        self.answer(message.value.strip())

    def answer(self, text: str) -> None:
        """Return the typed text as the result of the screen."""
        self.value = text
        self.dismiss(text or None)
