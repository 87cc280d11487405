"""A page about how friends join: the words of the code, the link, the QR code of the link, the addresses."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from citadels_lan.net.client.updates import Update
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.presenter.invitation import BROWSER, GUESSED, MORE, NOWHERE, OPEN, Invitation
from citadels_lan.presenter.symbols import ASCII
from citadels_lan.presenter.text_width import wrap
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.letters import large
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.program import bindings_of

from .list_screen import BACK, HELP, LANGUAGE, Hint, ListScreen

BESIDE: Final = 40
"""Columns for the words of the code, to the left of the QR code."""
QR: Final = Style(color="#ffffff", bgcolor="#000000")
"""The colours of the QR code. They do not depend on the theme, because cameras need dark modules on a light
ground."""


def draw_words(texts: Texts, look: Look, join_code: JoinCode, width: int) -> Text:
    """Return the words of the code in letters as large as possible, or the reason why there is no code. If a
    guest is guessing the code, add a warning."""
    text = Text()
    if join_code.guessed or not join_code.code:
        said = texts.say(GUESSED if join_code.guessed else OPEN)
        text.append(said, look.danger if join_code.guessed else look.gold).append("\n" if join_code.code else "")
    rows = large(join_code.code, width) if look.glyphs is not ASCII else []
    spaced = "   ".join(" ".join(word.upper()) for word in join_code.code.split())
    return text.append("\n".join(rows or [spaced]), look.strong)


def ways(texts: Texts, invitation: Invitation, *, others: bool = True) -> list[str]:
    """Return lines with the command, the links, and with `others` also the other addresses of this
    computer."""
    lines = invitation.ways() or [texts.say(NOWHERE)]
    if invitation.web is not None:
        lines.append(texts.say(BROWSER, link=invitation.web()))
    if others and len(invitation.addresses) > 1:
        lines.append(texts.say(MORE, addresses=", ".join(invitation.addresses[1:])))
    return lines


class InviteScreen(ListScreen):
    """The page about the invitation, which only the host can open. If someone is guessing the code, it shows
    a new code."""

    AUTO_FOCUS = ""
    HEADLINE = msg("Invite friends")
    BINDINGS: ClassVar[list[BindingType]] = bindings_of("invite")

    def __init__(self, invitation: Invitation) -> None:
        super().__init__()
        self.invitation = invitation
        if invitation.join_code.guessed:
            invitation.join_code.renew()
        self.web = invitation.web is not None
        """Whether the QR code contains the link for a browser; otherwise it has the link for the program."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            with Vertical():
                yield Static(id="heading")
                yield Static(id="words")
            yield Static(id="qr")
        yield Static(id="ways")
        yield self.key_bar()

    def hints(self) -> Sequence[Hint]:
        renew = [("N", msg("make a new code"))] if self.invitation.join_code.code else []
        other = msg("program QR code") if self.web else msg("browser QR code")
        web = [("W", other)] if self.invitation.web is not None else []
        return (*renew, *web, HELP, LANGUAGE, BACK)

    def retell(self) -> None:
        super().retell()
        invitation, look, (width, height) = self.invitation, self.look, self.app.size
        lines = ways(self.texts, invitation)
        for qr in self.query("#qr").results(Static):
            code = invitation.qr(ascii_only=look.glyphs is ASCII, web=self.web)
            cells = cell_len(code[0]) if code else 0
            below = sum(len(wrap(line, width - 2)) for line in lines)
            qr.display = bool(code) and len(code) + below < height and width - cells >= BESIDE
            qr.update(Text("\n").join(Text(line, QR) for line in code))
            room = width - 4 - (cells if qr.display else 0)
            self.query_one("#words", Static).update(draw_words(self.texts, look, invitation.join_code, room))
            self.query_one("#ways", Static).update(Text("\n".join(lines)))

    def updated(self, updates: Sequence[Update]) -> None:
        self.retell()

    def action_renew(self) -> None:
        self.invitation.join_code.renew()
        self.retell()

    def action_web(self) -> None:
        self.web = self.invitation.web is not None and not self.web
        self.retell()
