"""The alarm: a page that nobody overlooks and that stays until it is closed."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.front.alarm import Violation, parts
from citadels_lan.front.cells import cut, wrap
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.screens import ProgramModal


class AlarmView(Canvas):
    """The page, as large as the terminal. Without scrolling: it is made to fit, the important first."""

    def __init__(self, screen: "AlarmScreen") -> None:
        super().__init__(id="alarm")
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        drawing, app = Drawing(), self._screen.program
        texts, look = app.texts, app.look
        head = f" {look.glyphs.threat} {texts.say(msg('ALARM'))}"
        Pen(drawing).write(head, look.danger + look.reverse).to(width)
        drawing.lines[0].stylize(look.danger + look.reverse)
        narrow = min(width, 100) - 6
        shown = list(parts(texts, self._screen.found))
        length = sum(len(wrap(part.text, narrow)) for part in shown)
        gaps = length + 2 + sum(part.kind in ("sentence", "heading") for part in shown) <= height
        styles = {"sentence": look.strong, "heading": look.title, "copy": look.accent}
        for part in shown:
            if gaps and part.kind in ("sentence", "heading"):
                Pen(drawing)
            indent = 2 if part.kind in ("sentence", "heading") else 4
            for line in wrap(part.text, max(narrow, 8)):
                Pen(drawing).to(indent).write(cut(line, width - indent), styles.get(part.kind))
        while len(drawing.lines) < height - 1:
            Pen(drawing)
        del drawing.lines[max(height - 1, 1) :]
        keys = Pen(drawing).write(" ")
        for key, meaning in self._screen.known_keys():
            keys.write(key, look.title).write(f" {texts.say(meaning)}  ", look.dim)
        return drawing


class AlarmScreen(ProgramModal[None]):
    """Over everything. `seated`: there is a table below it to look at."""

    CSS_PATH = "alarm.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", show=False),
        Binding("l,L", "language", show=False),
        Binding("q,Q", "leave", show=False),
    ]

    def __init__(self, found: Violation, *, seated: bool) -> None:
        super().__init__()
        self.found = found
        self.seated = seated

    def known_keys(self) -> list[tuple[str, str]]:
        """The keys and what they do."""
        if not self.seated:
            return [("Esc", msg("back"))]
        return [("Esc", msg("look at the table")), ("Q", msg("leave the table"))]

    def compose(self) -> ComposeResult:
        yield AlarmView(self)

    async def action_language(self) -> None:
        self.program.action_switch_language()
        self.query_one(AlarmView).redraw()

    def action_leave(self) -> None:
        if self.seated:
            self.app.call_later(self.app.run_action, "app.leave_table")
        else:
            self.dismiss()
