"""The app as its screens use it, the base classes of all screens, and what the quiet screens consist of: a list, a
page to read, a prompt for a line. No screen imports the app."""

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
"""Seconds for which a notification is shown."""


def letters(**actions: str) -> list[BindingType]:
    """Return bindings of letters, small or capital, to actions."""
    return [Binding(f"{letter},{letter.upper()}", action, show=False) for letter, action in actions.items()]


def bindings_of(screen: str) -> list[BindingType]:
    """Return the bindings of a screen in `keys.toml`."""
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
    """The app, as its screens use it."""

    texts: Texts
    look: Look
    clock: Callable[[], float]
    keymap: Mapping[str, str]
    """The changed keys of commands of the table, by the names of the commands."""
    keys: Mapping[str, str]
    """The name of the key of each command of the table."""

    launcher: "Launcher | None"
    """Opens and joins tables; None without a home screen."""
    evening: "Evening | None"
    """The games since the program started."""
    moving: Lock
    """Held while the player leaves a table: a key that is pressed meanwhile waits until the next one is open."""

    @property
    def thinking(self) -> "ThinkingPool":
        """The processes in which bots think."""

    @property
    def may_rematch(self) -> bool:
        """Whether the same players can play again."""

    def dress(self, preferences: "Preferences") -> None:
        """Apply the preferred colours and symbols."""

    def sit_down(self, place: "Place") -> None:
        """Play at a table until the player leaves it."""

    def leave_table(self) -> object:
        """Leave the table: back to home, or end the program."""

    def action_hand_to(self) -> object:
        """Hand the game over to another player."""

    def raise_alarm(self, found: "Violation") -> None:
        """Show a violation over everything else, once."""

    def attention(self, mine: bool, *, again: bool = False) -> None:
        """Alert the player to a move (bell, title, notification), or end the alert. `again`: alert once more,
        because the time is over."""

    def action_switch_language(self) -> None:
        """Switch to the next language."""

    def commands(self) -> Iterable[ScreenCommand]:
        """Return the commands that are possible on every screen now."""


def program(app: App[Any]) -> Program:
    """Return the app that shows a screen. Textual does not know its class."""
    return cast(Program, app)


class ProgramScreen(Screen[Result]):
    """A screen that is dismissed only once, even if Enter arrives twice. If the terminal delivers two Enters
    in one read, both arrive here, the second after the first has dismissed the screen: Textual would then
    dismiss the screen below. `CitadelsApp.on_event` drops keys that the app has not delivered yet."""

    STAGE: ClassVar[Literal["", "lobby", "table", "end"]] = ""
    """The stage of a game that the screen shows."""
    closing: Sequence[str] = ()
    """More keys that close the screen."""

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
        """Called after an update of the table; shows the changes. Most screens do not depend on the table and
        do nothing."""

    def say(self, word: str) -> None:
        """Show a notification, or remove those that are shown. A screen that the player has left shows none."""
        self.app.clear_notifications()
        if word and self in self.app.screen_stack:
            self.notify(word, severity="warning", timeout=SECONDS, markup=False)

    def on_key(self, event: events.Key) -> None:
        if event.key in self.closing:
            event.stop()
            self.dismiss()

    def retell(self) -> None:
        """Show everything in the new language. A page keeps the language in which it was opened."""

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Leave the screen with a result, unless it was already left or another screen is over it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class ProgramModal(ModalScreen[Result], ProgramScreen[Result]):
    """A modal screen. ModalScreen comes first because Textual takes styles from the first base."""


# The list

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
    class Chosen(message.Message):
        """Enter or a click on a row."""

        key: str

    @dataclass
    class Changed(message.Message):
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


# Pages and prompts

LONGEST: Final = 1000
"""The most characters of a typed line."""


class PageScreen(ProgramModal[None]):
    """Shows a text. Arrows scroll. Escape, Enter, a key of `closing` or a click outside closes it."""

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
    """A line of text. Pasted lines are joined; Textual would keep only the first."""

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
    """A question with a line for the answer. Returns None if the player cancels."""

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
        """Return the typed text."""
        self.value = text
        self.dismiss(text or None)
