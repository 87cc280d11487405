"""What every screen of the program has: the program itself, and an end that comes once."""

from typing import Any, TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen, Screen

from .program import Program, program

Result = TypeVar("Result")


class ProgramScreen(Screen[Result]):
    """A screen that is dismissed once. Two Enters in one read arrive here both, the second when the first has
    dismissed the screen already: Textual would then dismiss the screen below it. Keys that the app still holds are
    dropped there (`CitadelsApp.on_event`)."""

    @property
    def program(self) -> Program:
        return program(self.app)

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Leave the screen with a result, unless it was left already or another one lies over it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class ProgramModal(ModalScreen[Result], ProgramScreen[Result]):
    """The same over the screen below, which stays visible. Textual takes styles from the first base alone."""
