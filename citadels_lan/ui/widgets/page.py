"""A page to read, over whatever was there; any key of the usual ones closes it."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from .look import Look
from .screens import ProgramModal


class PageScreen(ProgramModal[None]):
    """Shows a text; arrows scroll, Escape, Enter or a click beside it closes, as does each key of `closing`."""

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
