"""The running program, as its screens know it, and the base classes of all screens. No screen imports the app."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar, cast

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen

from citadels_lan.texts import Texts

from .look import Look

if TYPE_CHECKING:  # the first frame waits for none of these
    from citadels_lan.bots.thinking import ThinkingPool
    from citadels_lan.front.acquaintances import Evening
    from citadels_lan.front.failures import Violation
    from citadels_lan.front.launcher import Launcher, Place, Preferences
    from citadels_lan.net.client.updates import Update

Result = TypeVar("Result")


class Program(Protocol):
    """The app, as its screens use it."""

    texts: Texts
    look: Look
    clock: Callable[[], float]
    keymap: Mapping[str, str]
    """The keys that the person has given to commands of the table, by the names of the commands."""

    launcher: "Launcher | None"
    """Opens and joins tables; None at a table that another program opened."""
    evening: "Evening | None"
    """The games of this evening."""

    @property
    def thinking(self) -> "ThinkingPool":
        """The processes in which bots think."""

    @property
    def may_rematch(self) -> bool:
        """Whether the table was opened here, so that another like it can be."""

    def dress(self, preferences: "Preferences") -> None:
        """Take on the colours and signs that are preferred."""

    def sit_down(self, place: "Place") -> None:
        """Play at a table until it is left."""

    def leave_table(self) -> object:
        """Leave the table: back to home, or end the program."""

    def action_hand_to(self) -> object:
        """Hand the game over to another player."""

    def raise_alarm(self, found: "Violation") -> None:
        """Show what must not be, over everything else, once."""

    def attention(self, mine: bool) -> None:
        """Call the player to the table, or let it be."""

    def nudge(self) -> None:
        """Call the player once more, who takes longer than is wished for."""

    def action_switch_language(self) -> None:
        """The next language, everywhere at once."""


def program(app: App[Any]) -> Program:
    """The app that shows a screen. Textual gives it without saying which class it has."""
    return cast(Program, app)


class ProgramScreen(Screen[Result]):
    """A screen that is dismissed once. If the terminal delivers two Enters in one read, both arrive here, the
    second after the first has dismissed the screen: Textual would then dismiss the screen below.
    `CitadelsApp.on_event` drops keys that the app has not delivered yet."""

    STAGE: ClassVar[Literal["", "lobby", "table", "end"]] = ""
    """The part of a game that the screen shows."""

    @property
    def program(self) -> Program:
        return program(self.app)

    @property
    def look(self) -> Look:
        return self.program.look

    @property
    def texts(self) -> Texts:
        return self.program.texts

    def updated(self, updates: "Sequence[Update]") -> None:
        """Show what has changed at the table. Most screens do not show the table."""

    def say(self, word: str) -> None:
        """Say something in the last line of a screen that has one."""

    def retell(self) -> None:
        """Show everything in the language that was switched to. A page keeps the one that it was opened in."""

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Leave the screen with a result, unless it was left already or another one lies over it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class ProgramModal(ModalScreen[Result], ProgramScreen[Result]):
    """The same over the screen below, which stays visible. Textual takes styles from the first base alone."""
