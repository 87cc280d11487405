"""What the quieter screens have in common: a title, a list, a line of hints."""

from pathlib import PurePath
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.front.cells import cut, wrap
from citadels_lan.texts import Texts
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.key_names import printed
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.page import PageScreen, paragraphs
from citadels_lan.ui.widgets.screens import ProgramScreen

CssPath = str | PurePath | list[str | PurePath] | None
"""What Textual allows as a screen's style sheets."""
KEYS: Final = {
    "Esc": "escape", "PgUp PgDn": "pagedown", "←→": "right", "↑↓": "down", "?": "question_mark", "/": "slash",
    "Del": "delete",
}  # fmt: skip
"""Textual's name of what a hint calls otherwise."""


class Heading(Canvas):
    """A title and a line or two below it."""

    def __init__(self, frame: "ListScreen") -> None:
        super().__init__(id="heading")
        self._frame = frame

    def draw(self, width: int, height: int) -> Drawing:
        drawing, look = Drawing(), self._frame.look
        crown = look.glyphs.crown
        Pen(drawing).write(f" {crown} ", look.gold).write(cut(self._frame.title_text(), width - 5), look.title)
        room, whole = max(width - 4, 1), max(height - 2, 0)
        parts = [part for line in self._frame.below_title() for part in wrap(line, room)]
        shown, rest = parts[:whole], parts[whole:]
        for part in (*shown, cut(" ".join(rest), room)):
            Pen(drawing).write(f"   {part}", look.dim)
        return drawing


class Foot(Canvas):
    """The keys, or what went wrong."""

    def __init__(self, frame: "ListScreen") -> None:
        super().__init__(id="foot")
        self._frame = frame
        self.word = ""

    def draw(self, width: int, height: int) -> Drawing:
        drawing, look = Drawing(), self._frame.look
        pen = Pen(drawing).write(" ")
        if self.word:
            pen.write(cut(self.word, width - 2), look.danger)
            return drawing
        for key, meaning in self._frame.hints():
            name = printed(self._frame.texts, key)
            if pen.x + len(name) + len(meaning) + 3 > width:
                break
            pen.thing("key", key, name, look.title).thing("key", key, f" {meaning}", look.dim).write("  ")
        return drawing


class ListScreen(ProgramScreen[Any]):
    """A screen with a title, a list in the middle and a line of hints."""

    CSS_PATH: ClassVar[CssPath] = "list_screen.tcss"
    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("l,L", "app.switch_language", show=False),
        Binding("question_mark,f1", "help", show=False),
    ]

    @property
    def look(self) -> Look:
        return self.program.look

    @property
    def texts(self) -> Texts:
        return self.program.texts

    def title_text(self) -> str:
        raise NotImplementedError

    def below_title(self) -> list[str]:
        return []

    def purpose(self) -> list[str]:
        """What the screen is for, on its page of help."""
        return self.below_title()

    def hints(self) -> list[tuple[str, str]]:
        return []

    def rows(self) -> list[Row]:
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield Heading(self)
        yield ChoiceList(lambda: self.look, id="list")
        yield Foot(self)

    def on_mount(self) -> None:
        self.retell()

    def on_screen_resume(self) -> None:
        self.retell()

    def retell(self) -> None:
        """Everything again: another language, or something has changed."""
        for shown in self.query("#list").results(ChoiceList):  # none yet before it is composed
            shown.put(self.rows())
        for canvas in self.query(Canvas):
            canvas.redraw()

    def say(self, word: str) -> None:
        """Say something in the last line; nothing brings the keys back.

        An answer that comes after the screen was left has no line any more, and is said to nobody.
        """
        for foot in self.query(Foot):
            foot.word = word
            foot.redraw()

    @on(Canvas.Pointed, "#foot")
    def _foot_clicked(self, message: Canvas.Pointed) -> None:
        name = message.hit.key
        key = KEYS.get(name, name.lower() if len(name) > 1 else name)
        self.app.call_later(self.app.simulate_key, key)  # sent by this screen it would not reach the app

    def action_help(self) -> None:
        """What the screen is for, and its keys."""
        keys = [f"{printed(self.texts, key)}: {meaning}" for key, meaning in self.hints()]
        text = paragraphs(self.look, self.title_text(), [*self.purpose(), "\n".join(keys)])
        self.app.push_screen(PageScreen(text))

    def action_back(self) -> None:
        self.dismiss()
