"""Asking for the code of a table, and saying at each key which of its words there are."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from citadels_lan.front.door.typed_code import AGAIN, ASKED, said, wrong
from citadels_lan.front.glyphs import Glyphs
from citadels_lan.texts import Texts, msg

from .line_prompt import LinePrompt


class CodePrompt(LinePrompt):
    """The words, a token or a link; None where it was closed. `reason` is why it is asked (again)."""

    def __init__(self, texts: Texts, glyphs: Glyphs, reason: str = "", value: str = "") -> None:
        super().__init__(texts.say(ASKED), value, hint=texts.say(msg("three words, or the link")))
        self._texts = texts
        self._glyphs = glyphs
        self._reason = reason
        self._warned = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="prompt"):
            if self._reason:
                yield Static(self._reason, markup=False, id="reason")
            yield Static(self.question, markup=False)
            yield Input(self.value, placeholder=self.hint, compact=True, max_length=200)
            yield Static("\n\n\n", markup=False, id="words")

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        lines = said(self._texts, self._glyphs, message.value)
        self.query_one("#words", Static).update("\n".join([*lines, "", "", ""][: max(len(lines), 3)]))

    def answer(self, text: str) -> None:
        """Take what was typed; where a word is nearly one of the list only when it is said once more."""
        if text and wrong(text) and text != self._warned:
            self._warned = text
            lines = [*said(self._texts, self._glyphs, f"{text} "), self._texts.say(AGAIN)]
            self.query_one("#words", Static).update("\n".join(lines))
            return
        super().answer(text)
