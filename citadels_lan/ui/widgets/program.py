"""The running program, as its screens know it: no screen imports the app that shows it."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, cast

from textual.app import App

from citadels_lan.front.alarm import Violation
from citadels_lan.front.launcher import Place, Preferences
from citadels_lan.texts import Texts

from .look import Look

if TYPE_CHECKING:  # most people never ask a bot
    from citadels_lan.bots.thinking.pool import ThinkingPool


class Program(Protocol):
    """What screens ask of the app."""

    texts: Texts
    look: Look
    clock: Callable[[], float]
    keymap: Mapping[str, str]
    """The keys that the person has given to commands of the table, by the names of the commands."""

    @property
    def thinking(self) -> "ThinkingPool":
        """Where bots think that are asked from a screen."""
        ...

    @property
    def may_rematch(self) -> bool:
        """Whether the table was opened here, so that another like it can be."""
        ...

    def dress(self, preferences: Preferences) -> None:
        """Take on the colours and signs that are preferred."""
        ...

    def sit_down(self, place: Place) -> None:
        """Play at a table until it is left."""
        ...

    def raise_alarm(self, found: Violation) -> None:
        """Show what must not be, over everything else, once."""
        ...

    def attention(self, mine: bool) -> None:
        """Call the player to the table, or let it be."""
        ...

    def nudge(self) -> None:
        """Call the player once more, who takes longer than is wished for."""
        ...

    def action_switch_language(self) -> None:
        """The next language, everywhere at once."""
        ...


def program(app: App[object]) -> Program:
    """The app that shows a screen. Textual gives it without saying which class it has."""
    return cast(Program, app)
