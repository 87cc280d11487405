"""Modal screens: a page to read, a prompt for a line."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Static

from citadels_lan.texts.pages import gap
from citadels_lan.ui.widgets.look import Look

from .program import ProgramModal

LONGEST: Final = 1000
"""The most characters of a typed line."""


class PageScreen(ProgramModal[None]):
    """Shows a text. Arrows scroll. Escape, Enter, a key of `closing` or a click outside closes it."""

    CSS_PATH = "page.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q,Q,question_mark,i,f1", "dismiss", show=False)]

    def __init__(
        self, text: Text, closing: Sequence[str] = (), *, at_end: bool = False, wide: bool = False
    ) -> None:
        """`at_end`: the end of the text is shown first. `wide`: the page has the width of the screen."""
        super().__init__()
        self.text = text
        self._at_end = at_end
        self.set_class(wide, "-wide")
        self.closing = closing

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(self.text, markup=False)

    def on_mount(self) -> None:
        page = self.query_one("#page")
        page.focus()
        if self._at_end:
            page.scroll_end(animate=False)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss()


def paragraphs(look: Look, title: str, texts: Sequence[str]) -> Text:
    """Return a title and paragraphs as one text."""
    page = Text(title, look.title)
    for text in texts:
        page.append(f"{gap(text)}{text}", "not bold default")
    return page


class LineInput(Input):
    """A line of text. Pasted lines are joined; Textual would keep only the first."""

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
    """A question with a line for the answer. Returns None if the player cancels."""

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
        """Return the typed text."""
        self.dismiss(text or None)
