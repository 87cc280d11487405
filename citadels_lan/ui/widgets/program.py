"""The app as its screens use it, and the base classes of all screens. No screen imports the app."""

from asyncio import Lock
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, Protocol, TypeVar, cast

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import ModalScreen, Screen

from citadels_lan.texts import Message, Texts
from citadels_lan.texts.tables import data_file
from citadels_lan.ui.widgets.look import Look

if TYPE_CHECKING:  # the first frame waits for none of these
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
    """A command of a screen, for the palette: its key, title and Textual action; `does` explains it."""

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
        """Call the player to the table, or stop calling. `again`: call again, because the time is over."""

    def action_switch_language(self) -> None:
        """Switch to the next language."""

    def commands(self) -> Iterable[ScreenCommand]:
        """Return the commands that are possible on every screen now."""


def program(app: App[Any]) -> Program:
    """Return the app that shows a screen. Textual does not know its class."""
    return cast(Program, app)


class ProgramScreen(Screen[Result]):
    """A screen that is dismissed once. If the terminal delivers two Enters in one read, both arrive here, the
    second after the first has dismissed the screen: Textual would then dismiss the screen below.
    `CitadelsApp.on_event` drops keys that the app has not delivered yet."""

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
        """Show changes at the table. Most screens show none."""

    def say(self, word: str) -> None:
        """Show a notification, or remove those that are shown. A screen that the player has left shows none."""
        self.app.clear_notifications()
        if word and self in self.app.screen_stack:
            self.notify(word, severity="warning", timeout=SECONDS, markup=False)

    def on_key(self, event: Key) -> None:
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
