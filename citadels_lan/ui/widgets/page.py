"""Screens over another screen: a page to read, a question with a line for the answer."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Static

from .look import Look
from .program import ProgramModal

LONGEST: Final = 1000
"""Characters that can be typed."""


class PageScreen(ProgramModal[None]):
    """Shows a text; arrows scroll, Escape, Enter or a click outside closes, as does each key of `closing`."""

    CSS_PATH = "page.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,Q,question_mark,i,f1", "dismiss", show=False),
    ]

    def __init__(self, text: Text, closing: Sequence[str] = ()) -> None:
        super().__init__()
        self.text = text
        self._closers = closing

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(self.text, markup=False)

    def on_mount(self) -> None:
        self.query_one("#page").focus()

    def on_key(self, event: events.Key) -> None:
        if event.key in self._closers:
            event.stop()
            self.dismiss()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss()


def paragraphs(look: Look, title: str, texts: Sequence[str]) -> Text:
    """A title and paragraphs."""
    page = Text(title, look.title)
    for text in texts:
        page.append(f"\n\n{text}", "not bold default")
    return page


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

    CSS_PATH = "page.tcss"
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
