"""The lines of the table screen: what has befallen the player, the hints, what the player types."""

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from textual import events, message, on
from textual.widgets import Input

from citadels_lan.front.cells import cut
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.key_names import printed

from .scene import Scene, SceneView

KEYS = 16
"""Cells that the check words leave to the keys at least: Enter, and what comes next."""
COVERED = "..."
"""In place of what is covered."""


def befallen(scene: Scene, blows: Sequence[str], width: int, height: int) -> Drawing:
    """Draw the attacks on this player, the newest first, as many as have room, and the number of the others."""
    drawing, glyphs = Drawing(), scene.look.glyphs
    blows = [COVERED] if scene.hidden else list(blows) or [""]
    key = scene.texts.say(msg("Esc: understood"))
    room = width - cell_len(key) - 5
    for count in range(len(blows), 0, -1):
        text, more = "  ".join(blows[:count]), f" (+{len(blows) - count})" if count < len(blows) else ""
        if cell_len(text + more) <= room:
            break
    pen = Pen(drawing).write(f" {glyphs.gone} ").write(cut(text, room - cell_len(more), glyphs.cut)).write(more)
    pen.to(width - cell_len(key) - 1).thing("key", "Esc", key)
    return drawing


def befallen_inputs(scene: Scene) -> tuple[object, ...]:
    """Return what the line of attacks takes from the scene."""
    return scene.hidden, scene.texts, scene.look


def hint_line(
    scene: Scene,
    keys: Sequence[tuple[str, Message]],
    words: Sequence[str],
    urgent: str,
    word: str,
    width: int,
    height: int,
) -> Drawing:
    """The `keys` and what they do, or the `word` that the program has to say; at the right end the check words, in
    the longest of their forms that has room. `urgent` comes before all keys: why the host is called."""
    drawing, look = Drawing(), scene.look
    pen = Pen(drawing).write(" ")
    needs = cell_len(word) if word else KEYS
    right = next((form for form in words if cell_len(form) + needs + 4 <= width), "")
    room = width - cell_len(right) - 1 if right else width
    if word:
        pen.write(cut(word, room - 2), look.danger)
    else:
        _keys(scene, pen, keys, urgent, room)
    if right:
        pen.to(room).thing("page", "words", right, look.accent)
    return drawing


def _keys(scene: Scene, pen: Pen, keys: Sequence[tuple[str, Message]], urgent: str, room: int) -> None:
    """As many of the keys as have room."""
    look = scene.look
    if urgent and pen.x + cell_len(urgent) + 2 < room:
        key = scene.keys["invite"]
        pen.thing("key", key, f"{key} {urgent}", look.danger).write("  ")
    for key, does in keys:
        name, meaning = printed(scene.texts, key), scene.texts.say(does)
        if pen.x + cell_len(name) + cell_len(meaning) + 1 > room - 1:
            break
        pen.thing("key", key, name, look.title).thing("key", key, f" {meaning}", look.dim).write("  ")


class HintLine(SceneView):
    """The line at the bottom: the keys, or for a moment what the program has to say."""

    def __init__(self) -> None:
        super().__init__(hint_line, lambda scene: (scene.texts, scene.look, scene.keys), id="hints")
        self.word = ""

    def show(self, scene: Scene, *inputs: Any) -> None:
        super().show(scene, *inputs[:3], self.word)

    def say(self, word: str) -> None:
        """Say something in place of the keys; nothing brings them back."""
        self.word = word
        if self._shown:
            self.show(*self._shown)


class BottomLine(Input):
    """The line in which a player types a chat message or a move; Escape closes it without sending."""

    class Sent(message.Message):
        """A line was typed: a chat message if `said`, else a move."""

        def __init__(self, text: str, *, said: bool) -> None:
            super().__init__()
            self.text = text
            self.said = said

    class Closed(message.Message):
        """The line is no longer shown."""

    def __init__(self) -> None:
        super().__init__(id="command", compact=True)

    def open(self, texts: Texts, *, chat: bool) -> None:
        """Show the line for a chat message with `chat`, or else for a move."""
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
    def _submitted(self, submitted: Input.Submitted) -> None:
        submitted.stop()
        self.close()
        if submitted.value.strip():
            self.post_message(self.Sent(submitted.value, said=self.has_class("-chat")))

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.close()
