"""The base classes of all screens. They know the program, and are dismissed only once."""

from typing import Any, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen

from .program import Program, program

Result = TypeVar("Result")


class ProgramScreen(Screen[Result]):
    """A screen that is dismissed once. If the terminal delivers two Enters in one read, both arrive here, the
    second after the first has dismissed the screen: Textual would then dismiss the screen below.
    `CitadelsApp.on_event` drops keys that the app has not delivered yet."""

    @property
    def program(self) -> Program:
        return program(self.app)

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Leave the screen with a result, unless it was left already or another one lies over it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class ProgramModal(ModalScreen[Result], ProgramScreen[Result]):
    """The same over the screen below, which stays visible. Textual takes styles from the first base alone."""
