"""Drawing what friends need to come to a table: the words in large letters, the link as a QR code."""

from rich.style import Style

from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.door.doorway import GUESSED, OPEN, Doorway
from citadels_lan.front.glyphs import ASCII
from citadels_lan.texts import Texts

from .drawing import Drawing, Pen
from .letters import large
from .look import Look

QR = Style(color="#ffffff", bgcolor="#000000")
"""Cameras want dark on light, whatever the colours around."""


def draw_words(
    drawing: Drawing, texts: Texts, look: Look, door: Doorway, width: int, *, stacked: bool = False
) -> None:
    """The words as large as there is room, or why there are none; and that somebody is guessing them. `stacked`:
    one below the other."""
    if door.guessed or not door.code:
        for line in wrap(texts.say(GUESSED if door.guessed else OPEN), max(width - 6, 8)):
            Pen(drawing).to(3).write(line, look.danger if door.guessed else look.gold)
    for part in door.code.split() if stacked else [door.code]:
        rows = large(part, width - 4) if look.glyphs is not ASCII else []
        for row in rows or ["   ".join(" ".join(word.upper()) for word in part.split())]:
            Pen(drawing).to(3).write(cut(row, width - 4), look.strong)
        if stacked:
            Pen(drawing)


def draw_qr(drawing: Drawing, lines: list[str]) -> None:
    """A QR code, line by line."""
    for line in lines:
        Pen(drawing).write(line, QR)
