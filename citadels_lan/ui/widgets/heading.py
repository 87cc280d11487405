"""The heading of a part of a screen: what it is, in a line that sets it off from the part above."""

from citadels_lan.front.cells import cut

from .drawing import Pen
from .look import Look


def heading(look: Look, pen: Pen, title: str, end: int) -> Pen:
    """A title with a rule behind it up to a column."""
    pen.write(f" {cut(title, end - 2, look.glyphs.cut)} ", look.title)
    return pen.write(look.glyphs.rule * (end - pen.x), look.faint)
