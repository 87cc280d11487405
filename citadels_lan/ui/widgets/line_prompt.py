"""Asking for a line of text."""

from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from .screens import ProgramModal

LONGEST: Final = 1000
"""Characters that can be typed."""


class LineInput(Input):
    """A line of text. The lines of a pasted text become one; Textual keeps only the first."""

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
    """A question and a line to answer it; None where it was closed."""

    CSS_PATH = "line_prompt.tcss"
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
        """Take what was typed."""
        self.dismiss(text or None)
