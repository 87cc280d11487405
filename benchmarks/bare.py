"""`python -m benchmarks.bare`: a Textual app that shows one line and does nothing. Other measurements are
compared with it."""

from typing import Final

from textual.app import App, ComposeResult
from textual.widgets import Static

SHOWN: Final = "Nothing to do."


class Bare(App[None]):
    """An app that shows one line."""

    def compose(self) -> ComposeResult:
        yield Static(SHOWN)


if __name__ == "__main__":
    Bare().run()
