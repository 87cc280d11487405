"""All that friends need to come, on one page: the words, the link, the QR code of the link, the addresses."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.door.doorway import BROWSER, MORE, NOWHERE, Doorway
from citadels_lan.front.glyphs import ASCII
from citadels_lan.texts import Message, msg
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.code_drawing import QR, draw_words
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.page import PageScreen, paragraphs
from citadels_lan.ui.widgets.screens import ProgramModal

TITLE: Final = msg("How friends come in")
PURPOSE: Final = (
    msg("Friends on this network find the table by themselves and type the words of the code."),
    msg("Whoever does not find it types the command, or opens the link; the QR code is the link, for a camera."),
    msg("A new code keeps out whoever has only the old one; nobody who is here has to go."),
)
BESIDE = 40
"""Cells that the words want beside the QR code."""


class InviteView(Canvas):
    """The page, as large as the terminal."""

    def __init__(self, screen: "InviteScreen") -> None:
        super().__init__(id="invite")
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        drawing, door = Drawing(), self._screen.door
        app = self._screen.program
        texts, look = app.texts, app.look
        Pen(drawing).write(f" {look.glyphs.crown} ", look.gold).write(texts.say(TITLE), look.title)
        below = [door.command(), door.link] if door.addresses else [texts.say(NOWHERE)]
        if door.web:
            below.append(texts.say(BROWSER, link=door.web))
        if len(door.addresses) > 1:
            below.append(texts.say(MORE, addresses=", ".join(door.addresses[1:])))
        told = [row for line in below if line for row in wrap(line, max(width - 4, 8))]
        code = door.qr(ascii_only=look.glyphs is ASCII, web=self._screen.web)
        wide = cell_len(code[0]) if code else 0
        room = height - 2 - len(told)
        fits = bool(code) and room >= len(code) and width >= wide + BESIDE + 1
        left = Drawing()
        draw_words(left, texts, look, door, width - wide - 1 if fits else width, stacked=room >= 12)
        for number in range(max(room, 0)):
            pen = Pen(drawing)
            if number < len(left.lines):
                pen.line.append_text(left.lines[number])
                pen.x = cell_len(left.lines[number].plain)
            if fits and number < len(code):
                pen.to(width - wide - 1).write(code[number], QR)
        for row in told:
            Pen(drawing).write(f"  {cut(row, width - 3)}")
        pen = Pen(drawing).write(" ")
        for key, meaning in self._screen.doings():
            pen.write(key, look.title).write(f" {texts.say(meaning)}  ", look.dim)
        return drawing


class InviteScreen(ProgramModal[None]):
    """Only ever shown at the host's own place."""

    CSS_PATH = "invite.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,Q", "dismiss", show=False),
        Binding("l,L", "language", show=False),
        Binding("n,N", "renew", show=False),
        Binding("w,W", "web", show=False),
        Binding("question_mark,f1", "help", show=False),
    ]

    def __init__(self, door: Doorway) -> None:
        super().__init__()
        self.door = door
        self.web = bool(door.web)
        """Whether the QR code is the one for a browser."""

    @property
    def other(self) -> str:
        """What the other QR code is for."""
        return msg("QR code for the program") if self.web else msg("QR code for a browser")

    def doings(self) -> Sequence[tuple[str, Message]]:
        """What can be done here."""
        renew = [("N", msg("make a new code"))] if self.door.code else []
        web = [("W", self.other)] if self.door.web else []
        return [*renew, *web, ("?", msg("help")), ("L", msg("language")), ("Esc", msg("back"))]

    def compose(self) -> ComposeResult:
        yield InviteView(self)

    def updated(self) -> None:
        """The door is another one now."""
        for view in self.query(InviteView):
            view.redraw()

    def action_help(self) -> None:
        """What the page is for, and its keys."""
        texts = self.program.texts
        said = [*map(texts.say, PURPOSE), "\n".join(f"{key}: {texts.say(does)}" for key, does in self.doings())]
        self.app.push_screen(PageScreen(paragraphs(self.program.look, texts.say(TITLE), said)))

    def action_renew(self) -> None:
        self.door.renew()
        self.updated()

    def action_web(self) -> None:
        self.web = bool(self.door.web) and not self.web
        self.updated()

    async def action_language(self) -> None:
        self.program.action_switch_language()
        self.updated()
