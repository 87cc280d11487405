"""The app as its screens use it, and the base classes of all screens. No screen imports the app."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, Protocol, TypeVar, cast

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen

from citadels_lan.texts import Message, Texts

from .look import Look

if TYPE_CHECKING:  # the first frame waits for none of these
    from citadels_lan.bots.thinking import ThinkingPool
    from citadels_lan.net.client.updates import Update
    from citadels_lan.presenter.error_messages import Violation
    from citadels_lan.presenter.known_players import Evening
    from citadels_lan.presenter.launcher import Launcher, Place, Preferences

Result = TypeVar("Result")
SECONDS: Final = 4
"""Seconds for which a notification is shown."""


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

    launcher: "Launcher | None"
    """Opens and joins tables; None without a home screen."""
    evening: "Evening | None"
    """The games since the program started."""

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

    def attention(self, mine: bool) -> None:
        """Call the player to the table, or stop calling."""

    def nudge(self) -> None:
        """Call the player again, because the time for the decision is over."""

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

    def retell(self) -> None:
        """Show everything in the new language. A page keeps the language in which it was opened."""

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Leave the screen with a result, unless it was already left or another screen is over it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class ProgramModal(ModalScreen[Result], ProgramScreen[Result]):
    """A modal screen. ModalScreen comes first because Textual takes styles from the first base."""
