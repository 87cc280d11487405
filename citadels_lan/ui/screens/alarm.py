"""The alarm: a page over the whole screen that stays until the player closes it."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from citadels_lan.presenter.error_messages import Violation, alarm_parts
from citadels_lan.presenter.text_width import cut, wrap
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.canvas import Drawing, DrawnBy, Pen
from citadels_lan.ui.widgets.program import letters

from .list_screen import BACK, Hint, ListScreen


class AlarmScreen(ListScreen):
    """A page with the alarm, which covers the whole screen. It does not scroll; if there is not enough room,
    the less important lines are missing. `seated`: the player is at a table."""

    AUTO_FOCUS = ""
    HEADLINE = msg("ALARM")
    BINDINGS: ClassVar[list[BindingType]] = letters(q="leave")

    def __init__(self, found: Violation, *, seated: bool) -> None:
        super().__init__()
        self.found = found
        self.seated = seated

    def hints(self) -> Sequence[Hint]:
        return (("Esc", msg("look at the table")), ("Q", msg("leave the game"))) if self.seated else (BACK,)

    def compose(self) -> ComposeResult:
        yield DrawnBy("whole", self._draw)
        yield self.key_bar()

    def _draw(self, width: int, height: int) -> Drawing:
        drawing, look = Drawing(), self.look
        head = Pen(drawing).write(f" {look.glyphs.threat} {self.title_text()}", look.danger + look.reverse)
        head.to(width).line.stylize(look.danger + look.reverse)
        narrow = max(min(width, 100) - 6, 8)
        parts = [(kind, wrap(text, narrow)) for kind, text in alarm_parts(self.texts, self.found)]
        heads = ("sentence", "heading")
        apart = sum(len(lines) + (kind in heads) for kind, lines in parts) < height
        styles = {"sentence": look.strong, "heading": look.title, "copy": look.accent}
        for kind, lines in parts:
            if apart and kind in heads:
                Pen(drawing)
            indent = 2 if kind in heads else 4
            for line in lines:
                Pen(drawing).to(indent).write(cut(line, width - indent), styles.get(kind))
        return drawing

    def action_leave(self) -> None:
        if self.seated:
            self.app.call_later(self.app.run_action, "app.leave_table")
        else:
            self.dismiss()
