"""Whether to leave the table: asked each time, and nothing of the answer is remembered."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from citadels_lan.texts import Texts, msg

from .choice_list import ChoiceList, Row
from .look import Look


class LeaveScreen(ModalScreen[bool]):
    """A question over whatever was there; True where the table is to be left. The cursor begins on staying."""

    CSS_PATH = "leave_screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(False)", show=False),
        Binding("q", "dismiss(True)", show=False),
    ]

    def __init__(self, texts: Texts, look: Callable[[], Look], question: str) -> None:
        super().__init__()
        self._texts = texts
        self._look = look
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(id="leave"):
            yield Static(self._question, markup=False)
            yield ChoiceList(self._look, id="answers", numbers=False)

    def on_mount(self) -> None:
        say, answers = self._texts.say, self.query_one(ChoiceList)
        answers.put([Row("stay", say(msg("Stay")), "Esc"), Row("leave", say(msg("Leave the table")), "q")])
        answers.focus()

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        self.dismiss(message.key == "leave")
