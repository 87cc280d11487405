"""A short question before something that cannot be undone: asked each time, and nothing of the answer is kept."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.screens import ProgramModal


class SureScreen(ProgramModal[str]):
    """A question over whatever was there, and its answers; the key of the row that was chosen. What a row says
    beside its label is the key to press for it; the cursor begins on the first row, which is what Escape means."""

    CSS_PATH = "sure.tcss"

    def __init__(self, look: Callable[[], Look], question: str, answers: Sequence[Row]) -> None:
        super().__init__()
        self._look = look
        self._question = question
        self._rows = [Row(answers[0].key, answers[0].label, "Esc")]
        self._rows += [replace(row, detail=row.detail.upper()) for row in answers[1:]]
        self._keys = {"escape": answers[0].key, **{row.detail: row.key for row in answers[1:]}}

    def compose(self) -> ComposeResult:
        with Vertical(id="sure"):
            yield Static(self._question, markup=False)
            yield ChoiceList(self._look, id="answers", numbers=False)

    def on_mount(self) -> None:
        answers = self.query_one(ChoiceList)
        answers.put(self._rows)
        answers.styles.height = len(self._rows)
        answers.focus()

    def on_key(self, event: events.Key) -> None:
        key = event.key.lower()  # whoever came here by a capital may press it again
        if key in self._keys:
            event.stop()
            self.dismiss(self._keys[key])

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        self.dismiss(message.key)
