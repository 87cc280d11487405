"""Asking for the code of a table, and saying at each key which of its words there are."""

from collections.abc import Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from citadels_lan.front.glyphs import Glyphs
from citadels_lan.front.join_form import ASKED, TypedCode, missing, word_lines
from citadels_lan.texts import Texts, msg

from .page import LineInput, LinePrompt


class CodeInput(LineInput):
    """Enter and Tab begin the next word while words are missing, so that a pasted code may have several lines.
    They are handled here: as bindings they would come after the letters that were read with them."""

    def on_key(self, event: events.Key) -> None:
        if event.key == "tab" or (event.key in ("enter", "ctrl+j") and missing(self.value)):
            event.prevent_default()
            event.stop()
            if self.value:
                self.insert_text_at_cursor(" ")
            if event.key != "tab":
                self.post_message(self.Submitted(self, self.value))


class CodePrompt(LinePrompt):
    """The words, a token, a link or a join command; None where it was closed. `reason`: why it is asked
    again."""

    def __init__(self, texts: Texts, glyphs: Glyphs, reason: str = "", value: str = "") -> None:
        super().__init__(texts.say(ASKED), value, hint=texts.say(msg("three words, or the link")))
        self._texts = texts
        self._glyphs = glyphs
        self._reason = reason
        self._code = TypedCode(texts)

    def compose(self) -> ComposeResult:
        with Vertical(id="prompt"):
            if self._reason:
                yield Static(self._reason, markup=False, id="reason")
            yield Static(self.question, markup=False)
            yield CodeInput(self.value, self.hint)
            yield Static("\n\n\n", markup=False, id="words")

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        self._show(word_lines(self._texts, self._glyphs, message.value))

    def _show(self, lines: Sequence[str]) -> None:
        self.query_one("#words", Static).update("\n".join([*lines, "", "", ""][: max(len(lines), 3)]))

    def answer(self, text: str) -> None:
        """Take what was typed; where it cannot be sent yet, say why."""
        if ready := self._code.enter(text):
            super().answer(ready)
            return
        words = word_lines(self._texts, self._glyphs, f"{text} ") if text else []
        self._show([*words, self._code.sentences[-1]])
