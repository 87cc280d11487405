"""The line at the bottom of the table, in which one types: what is said to everybody, or a move."""

from textual import events, on
from textual.message import Message
from textual.widgets import Input

from citadels_lan.texts import Texts, msg


class BottomLine(Input):
    """Shown while something is typed in it; Escape closes it, and nothing is sent then."""

    class Sent(Message):
        """Something was typed: `said` to everybody, or else a move."""

        def __init__(self, text: str, *, said: bool) -> None:
            super().__init__()
            self.text = text
            self.said = said

    class Closed(Message):
        """It is shown no more."""

    def __init__(self) -> None:
        super().__init__(id="command", compact=True)

    def open(self, texts: Texts, *, chat: bool) -> None:
        """Take what is typed from now on: to be said to everybody with `chat`, or a move."""
        self.placeholder = texts.say(
            msg("Say something to everybody (Enter sends, Esc closes)")
            if chat
            else msg("A move, for example: build market (Enter sends, Esc closes)")
        )
        self.set_class(chat, "-chat")
        self.value = ""
        self.display = True
        self.focus()

    def close(self) -> None:
        """Hide the line, and drop what was typed."""
        self.display = False
        self.post_message(self.Closed())

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.close()
        if message.value.strip():
            self.post_message(self.Sent(message.value, said=self.has_class("-chat")))

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.close()
