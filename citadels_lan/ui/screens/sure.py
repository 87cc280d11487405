"""A short question before something that cannot be undone: asked each time, and nothing of the answer is kept."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.look import Look


class SureScreen(ModalScreen[bool]):
    """A question over whatever was there, and what `no` and `yes` are called; True for yes, which `key` is, too.
    The cursor begins on no."""

    CSS_PATH = "sure.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(False)", show=False)]

    def __init__(self, look: Callable[[], Look], question: str, *, no: str, yes: str, key: str) -> None:
        super().__init__()
        self._look = look
        self._question = question
        self._rows = [Row("no", no, "Esc"), Row("yes", yes, key)]
        self._bindings.bind(key, "dismiss(True)", show=False)

    def compose(self) -> ComposeResult:
        with Vertical(id="sure"):
            yield Static(self._question, markup=False)
            yield ChoiceList(self._look, id="answers", numbers=False)

    def on_mount(self) -> None:
        answers = self.query_one(ChoiceList)
        answers.put(self._rows)
        answers.focus()

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        self.dismiss(message.key == "yes")
