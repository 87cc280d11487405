"""The prompt for a join code: three boxes that check and complete each word while the player types."""

import math
import time
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.strip import Strip
from textual.widgets import Input, Static

from citadels_lan.net.join.join_code import BETWEEN, LEAST
from citadels_lan.presenter import join_form
from citadels_lan.presenter.launcher import LATER, NOW
from citadels_lan.presenter.symbols import ASCII, Glyphs
from citadels_lan.presenter.text_width import pad
from citadels_lan.texts import Texts

from .program import LineInput, LinePrompt, program

BOX: Final = 19
"""Cells of a box for a word, its frame included."""


class CodeInput(LineInput):
    """An input that draws each word of a code as a box, or a link or command as a single box. Space, Enter
    and Tab begin the next word, so a pasted code may have line breaks; Tab also completes the word. Enter and
    Tab are handled in `on_key`, not as bindings: Textual would run bindings only after all letters that the
    terminal delivers at the same time."""

    def on_key(self, event: events.Key) -> None:
        if event.key == "tab" or (event.key in ("enter", "ctrl+j") and join_form.missing(self.value)):
            event.prevent_default()
            event.stop()
            if event.key == "tab" and len(choices := join_form.completions(self.value)) == 1:
                self.value = self.value[: self.value.rfind(" ") + 1] + choices[0]
                self.cursor_position = len(self.value)
            if self.value:
                self.insert_text_at_cursor(" ")
            if event.key != "tab":
                self.post_message(self.Submitted(self, self.value))

    async def _on_mouse_down(self, event: events.MouseDown) -> None:
        """Put the cursor behind the word of the box that was clicked."""
        event.prevent_default()
        spans = self._spans()
        self.cursor_position = spans[min(event.x // BOX, len(spans) - 1)][1]

    def _spans(self) -> list[tuple[int, int]]:
        """Return the begin and the end of each word in the text; a link or a command counts as one word."""
        gaps = [gap.span() for gap in BETWEEN.finditer(self.value)] if join_form.is_words(self.value) else []
        starts, ends = [0, *(end for _, end in gaps)], [*(start for start, _ in gaps), len(self.value)]
        return list(zip(starts, ends, strict=True))

    def render_line(self, y: int) -> Strip:
        """Draw a line of the boxes."""
        spans = self._spans()
        words = [self.value[start:end] for start, end in spans]
        here = max((number for number, (start, _) in enumerate(spans) if start <= self.cursor_position), default=0)
        if join_form.is_words(self.value):
            words += [""] * (LEAST - len(words))
            boxes = [self._box(word, BOX - 1, y, here=number == here) for number, word in enumerate(words)]
        else:
            boxes = [self._box(self.value, self.size.width, y, here=True)]
        segments = [segment for box in boxes for segment in (*box, Segment(" "))]
        return Strip(segments).adjust_cell_length(self.size.width)

    def _box(self, word: str, width: int, y: int, *, here: bool) -> list[Segment]:
        """Draw a line of one box: its frame, or its word with the cursor and the completion."""
        look = program(self.app).look
        typed = join_form.typed_words(f"{word} ")[0].word if word and join_form.is_words(word) else word
        frame = look.accent if typed else look.dim if here or not word else look.danger
        corners = ("+-+", "| |", "+-+")[y] if look.glyphs is ASCII else ("╭─╮", "│ │", "╰─╯")[y]
        if y != 1:
            return [Segment(corners[0] + corners[1] * (width - 2) + corners[2], frame)]
        room = width - 4
        text = word[-room + 1 :]
        choices = join_form.completions(word) if here else [typed]
        rest = choices[0][len(word) :] if word and len(choices) == 1 else ""
        after = pad(rest[: room - cell_len(text)], room - cell_len(text))
        cursor = Style(reverse=True) if here and self.has_focus else look.dim
        return [
            Segment(f"{corners[0]} ", frame), Segment(text, look.danger if frame is look.danger else look.strong),
            Segment(after[:1], cursor), Segment(after[1:], look.dim), Segment(f" {corners[0]}", frame),
        ]  # fmt: skip


class CodePrompt(LinePrompt):
    """Asks for a join code. Returns the typed words, token, link or join command; None if the player cancels.
    `reason` says why the question appears again. During the first `seconds`, which are counted down, no code
    is accepted."""

    def __init__(self, texts: Texts, glyphs: Glyphs, reason: str = "", value: str = "", seconds: int = 0) -> None:
        super().__init__(texts.say(join_form.ASKED), value)
        self._texts = texts
        self._glyphs = glyphs
        self._reason = reason
        self._code = join_form.TypedCode(texts)
        self._until = time.monotonic() + seconds

    def on_mount(self) -> None:
        if self._until > time.monotonic():
            self._counting = self.set_interval(0.25, self._count_down)

    def _count_down(self) -> None:
        left = math.ceil(self._until - time.monotonic())
        wait = self._texts.say(LATER, seconds=left) if left > 0 else self._texts.say(NOW)
        self.query_one("#reason", Static).update("\n".join(filter(None, (self._reason, wait))))
        if left <= 0:
            self._counting.stop()

    def compose(self) -> ComposeResult:
        with Vertical(id="prompt"):
            if self._reason or self._until > time.monotonic():
                yield Static(self._reason, markup=False, id="reason")
            yield Static(self.question, markup=False)
            yield CodeInput(self.value, "")
            yield Static("\n\n\n", markup=False, id="words")
            yield Static(self._texts.say("Four letters are enough. You can also paste the link."), id="how")

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        self._show(join_form.word_lines(self._texts, self._glyphs, message.value))

    def _show(self, lines: Sequence[str]) -> None:
        self.query_one("#words", Static).update("\n".join([*lines, "", "", ""][: max(len(lines), 3)]))

    def answer(self, text: str) -> None:
        """Return the typed text as the result; if it cannot be a code, show why."""
        if time.monotonic() < self._until:
            return
        if ready := self._code.enter(text):
            super().answer(ready)
            return
        words = join_form.word_lines(self._texts, self._glyphs, f"{text} ") if text else []
        self._show([*words, self._code.sentences[-1]])
