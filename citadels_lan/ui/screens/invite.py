"""How friends join, on one page: the words, the link, the QR code of the link, the addresses."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.glyphs import ASCII
from citadels_lan.front.invitation import BROWSER, GUESSED, MORE, NOWHERE, OPEN, Invitation
from citadels_lan.net.client.updates import Update
from citadels_lan.net.join.door import Door
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.drawings.frame import beside, put, said
from citadels_lan.ui.widgets.canvas import DrawnBy
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.letters import large
from citadels_lan.ui.widgets.look import Look

from .list_screen import BACK, HELP, LANGUAGE, Hint, ListScreen

PURPOSE: Final = (
    msg("Friends on this network find the table by themselves and type the words of the code."),
    msg("Whoever does not find it types the command, or opens the link; the QR code is the link, for a camera."),
    msg("A new code keeps out whoever has only the old one; nobody who is here has to go."),
)
BESIDE: Final = 40
"""Cells that the words want beside the QR code."""
QR: Final = Style(color="#ffffff", bgcolor="#000000")
"""Cameras want dark on light, whatever the colours around."""


def draw_words(
    drawing: Drawing, texts: Texts, look: Look, door: Door, width: int, *, stacked: bool = False
) -> None:
    """The words as large as there is room, or the reason why there are none, or a warning that a guest guesses
    them. `stacked`: one below the other."""
    if door.guessed or not door.code:
        style = look.danger if door.guessed else look.gold
        said(drawing, texts.say(GUESSED if door.guessed else OPEN), width - 3, style, indent=3)
    for part in door.code.split() if stacked else [door.code]:
        rows = large(part, width - 4) if look.glyphs is not ASCII else []
        for row in rows or ["   ".join(" ".join(word.upper()) for word in part.split())]:
            Pen(drawing).to(3).write(cut(row, width - 4), look.strong)
        if stacked:
            Pen(drawing)


class InviteScreen(ListScreen):
    """Only ever shown at the host's own place."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,q,Q", "back", show=False),
        Binding("n,N", "renew", show=False),
        Binding("w,W", "web", show=False),
    ]

    def __init__(self, invitation: Invitation) -> None:
        super().__init__()
        self.invitation = invitation
        self.web = invitation.web is not None
        """Whether the QR code is the one for a browser."""

    def compose(self) -> ComposeResult:
        yield DrawnBy("whole", self._draw)
        yield DrawnBy("foot", self.draw_foot)

    def title_text(self) -> str:
        return self.texts.say(msg("How friends come in"))

    def purpose(self) -> list[str]:
        return [*map(self.texts.say, PURPOSE)]

    def hints(self) -> Sequence[Hint]:
        renew = [("N", msg("make a new code"))] if self.invitation.door.code else []
        other = msg("QR code for the program") if self.web else msg("QR code for a browser")
        web = [("W", other)] if self.invitation.web is not None else []
        return (*renew, *web, HELP, LANGUAGE, BACK)

    def _draw(self, width: int, height: int) -> Drawing:
        drawing, invitation, texts, look = Drawing(), self.invitation, self.texts, self.look
        Pen(drawing).write(f" {look.glyphs.crown} ", look.gold).write(self.title_text(), look.title)
        below = invitation.ways() or [texts.say(NOWHERE)]
        if invitation.web is not None:
            below.append(texts.say(BROWSER, link=invitation.web()))
        if len(invitation.addresses) > 1:
            below.append(texts.say(MORE, addresses=", ".join(invitation.addresses[1:])))
        told = [row for line in below for row in wrap(line, max(width - 4, 8))]
        code = invitation.qr(ascii_only=look.glyphs is ASCII, web=self.web)
        wide = cell_len(code[0]) if code else 0
        room = max(height - 1 - len(told), 0)
        fits = bool(code) and room >= len(code) and width >= wide + BESIDE + 1
        left, right = Drawing(), Drawing()
        draw_words(left, texts, look, invitation.door, width - wide - 1 if fits else width, stacked=room >= 12)
        for line in code if fits else ():
            Pen(right).write(line, QR)
        parts = beside([(left, width - wide - 1), (right, wide)], gap=0)
        put(drawing, Drawing(parts.lines[:room]))
        for _ in range(height - len(drawing.lines) - len(told)):
            Pen(drawing)
        for row in told:
            Pen(drawing).write(f"  {cut(row, width - 3)}")
        return drawing

    def updated(self, updates: Sequence[Update]) -> None:
        self.retell()

    def action_renew(self) -> None:
        self.invitation.door.renew()
        self.retell()

    def action_web(self) -> None:
        self.web = self.invitation.web is not None and not self.web
        self.retell()
