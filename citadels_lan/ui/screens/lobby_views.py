"""What stands in the lobby above and beside the list: the heading with the code, what is played, the QR code."""

from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.door.doorway import MORE, NOWHERE, Doorway
from citadels_lan.front.glyphs import ASCII
from citadels_lan.front.plan import Plan
from citadels_lan.front.sealed_draft import in_short
from citadels_lan.ui.drawings.tonight import draw_tonight
from citadels_lan.ui.table.log_view import SILENT, LogView
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.code_drawing import draw_qr, draw_words
from citadels_lan.ui.widgets.drawing import Drawing, Pen

from .list_screen import Heading, ListScreen

TALL = 40
"""Lines of a screen from which free ones stand around how friends come in."""
TONIGHT = 52
"""Cells that what is played wants at least."""
WIDEST = 100
"""And at most."""
WIDE = 100
"""Cells from which there is room for what is of use to few."""


class LobbyFrame(ListScreen):
    """What these parts ask of the lobby."""

    def missing(self) -> str:
        """What is missing before the game can begin."""
        raise NotImplementedError

    def plan(self) -> Plan:
        """What will be played."""
        raise NotImplementedError

    def plan_text(self) -> str:
        """The same in a line."""
        raise NotImplementedError

    @property
    def has_tonight(self) -> bool:
        """Whether what is played stands beside the list."""
        return any(view.display for view in self.query(TonightView))


class LobbyHeading(Heading):
    """Whose table it is and what is missing; at the host's own place also the words in large letters, the link."""

    def __init__(self, screen: LobbyFrame, door: Doorway | None) -> None:
        super().__init__(screen)
        self._screen = screen
        self._door = door

    def fit(self, width: int) -> int:
        """As high as what is to be said; how high that is."""
        height = len(self.draw(width, 0).lines)
        self.styles.height = height
        return height

    def draw(self, width: int, height: int) -> Drawing:
        drawing, screen, look = Drawing(), self._screen, self._screen.look
        title = Pen(drawing).write(f" {look.glyphs.crown} ", look.gold)
        title.write(cut(screen.title_text(), width - 4), look.title)
        if not screen.has_tonight:
            title.write(cut(f"   {screen.plan_text()}", width - title.x - 1), look.dim)
        for line in wrap(screen.missing(), max(width - 4, 1)):
            Pen(drawing).to(3).write(line, look.strong)
        short = "" if screen.size.height >= TALL else in_short(screen.texts, screen.plan().config.draft)
        for line in wrap(short, max(width - 4, 1)) if short else ():  # the whole sentence is below the fold there
            Pen(drawing).to(3).write(line)
        if self._door is not None:
            self._ways_in(self._door, drawing, width)
        return drawing

    def _ways_in(self, door: Doorway, drawing: Drawing, width: int) -> None:
        """How friends come in."""
        look, say = self._screen.look, self._screen.texts.say
        airy = self._screen.size.height >= TALL
        if airy:
            Pen(drawing)
        draw_words(drawing, self._screen.texts, look, door, width)
        if not door.addresses:
            Pen(drawing).to(3).write(cut(say(NOWHERE), width - 4), look.dim)
            return
        for line in filter(None, (door.command(), door.link)):
            Pen(drawing).to(3).write(cut(line, width - 4))
        if len(door.addresses) > 1 and width >= WIDE:
            more = say(MORE, addresses=", ".join(door.addresses[1:]))
            Pen(drawing).to(3).write(cut(more, width - 4), look.dim)
        if airy:
            Pen(drawing)


class TonightView(Canvas):
    """What will be played, beside the list, where there is room for it."""

    def __init__(self, screen: LobbyFrame) -> None:
        super().__init__(id="tonight")
        self._screen = screen

    def fit(self, room: int) -> int:
        """Shown in so many cells, or not at all; how many it takes."""
        room = min(room, WIDEST)
        self.display = room >= TONIGHT
        self.styles.width = room if self.display else 0
        return room if self.display else 0

    def draw(self, width: int, height: int) -> Drawing:
        return draw_tonight(self._screen.texts, self._screen.look, self._screen.plan(), width, height)


class QrView(Canvas):
    """The link as a QR code beside the list, where there is room for it; the one for a browser where friends can
    come with one."""

    def __init__(self, screen: LobbyFrame, door: Doorway) -> None:
        super().__init__(id="qr")
        self._screen = screen
        self._door = door

    def _lines(self) -> list[str]:
        return self._door.qr(ascii_only=self._screen.look.glyphs is ASCII, web=bool(self._door.web))

    def fit(self, room: int, height: int) -> int:
        """Shown in so many cells and lines, or not at all; how many cells it takes."""
        lines = self._lines()
        width = len(lines[0]) + 1 if lines else 0
        self.styles.width = width
        self.display = len(lines) > 0 and len(lines) <= height and width <= room
        return width if self.display else 0

    def draw(self, width: int, height: int) -> Drawing:
        drawing = Drawing()
        draw_qr(drawing, self._lines())
        return drawing


class LobbyChat(LogView):
    """What is said and what happens, or how to say something while nobody has."""

    def __init__(self, screen: LobbyFrame) -> None:
        super().__init__(lambda: screen.look)
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        drawing = super().draw(width, height)
        if not drawing.lines:
            hint = self._screen.texts.say(SILENT, key="C")
            Pen(drawing).write(cut(f" {hint}", width), self._screen.look.dim)
        return drawing
