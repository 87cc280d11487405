"""The base of the quiet screens: a title, a list, a text to the right of it, a line of hints."""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from citadels_lan.front.cells import cut, wrap
from citadels_lan.texts import Message, msg
from citadels_lan.ui.widgets.canvas import Canvas, DrawnBy
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.key_names import printed
from citadels_lan.ui.widgets.page import PageScreen, paragraphs
from citadels_lan.ui.widgets.program import ProgramScreen

CssPath = str | PurePath | list[str | PurePath] | None
"""What Textual allows as a screen's style sheets."""
KEYS: Final = {
    "Esc": "escape", "PgUp PgDn": "pagedown", "←→": "right", "↑↓": "down", "?": "question_mark", "/": "slash",
    "Del": "delete",
}  # fmt: skip
"""Textual's name of what a hint calls otherwise."""
Hint = tuple[str, Message]
"""A key, and what it does."""
CHANGE: Final = ("←→", msg("change"))
CHOOSE: Final = ("Enter", msg("choose"))
HELP: Final = ("?", msg("help"))
LANGUAGE: Final = ("L", msg("language"))
BACK: Final = ("Esc", msg("back"))
FROM: Final = 110
"""Cells from which something stands beside the list, on half of the screen."""
MARGIN: Final = 4
"""Cells before a sentence about a row."""
WIDEST: Final = 110
"""Cells of such a sentence with its margin."""


class ListScreen(ProgramScreen[Any]):
    """A screen with a title, a list in the middle and a line of hints."""

    CSS_PATH: ClassVar[CssPath] = "list_screen.tcss"
    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", show=False),
        Binding("l,L", "app.switch_language", show=False),
        Binding("question_mark,f1", "help", show=False),
    ]
    HINTS: ClassVar[Sequence[Hint]] = ()
    NUMBERS: ClassVar[bool] = True
    """Whether the rows have numbers."""
    POINTS: ClassVar[bool] = False
    """Whether a first click only points at a row."""
    BESIDE: ClassVar[bool] = False
    """Whether there is something to read beside the list."""

    def __init__(self) -> None:
        super().__init__()
        self._word = ""

    def title_text(self) -> str:
        raise NotImplementedError

    def below_title(self) -> list[str]:
        return []

    def purpose(self) -> list[str]:
        """The purpose of the screen, for its help page."""
        return self.below_title()

    def hints(self) -> Sequence[Hint]:
        return self.HINTS

    def rows(self) -> list[Row]:
        return []

    def beside(self, width: int, height: int) -> Drawing:
        """The text to the right of the list."""
        return Drawing()

    @property
    def has_beside(self) -> bool:
        """Whether there is room to the right of the list."""
        return self.BESIDE and self.app.size.width >= FROM

    @property
    def list_width(self) -> int:
        """Cells of the list."""
        width = self.app.size.width
        return width - width // 2 if self.has_beside else width

    def about(self, sentence: str, margin: int = MARGIN) -> list[Row]:
        """Rows that explain the one above them."""
        lines = wrap(sentence, max(min(self.list_width, WIDEST) - margin - 3, 20))
        return [Row("", f"{' ' * margin}{line}") for line in lines]

    def draw_heading(self, width: int, height: int) -> Drawing:
        """The title, and lines below it as far as there is room."""
        drawing, look = Drawing(), self.look
        pen = Pen(drawing).write(f" {look.glyphs.crown} ", look.gold)
        pen.write(cut(self.title_text(), width - 5), look.title)
        room, whole = max(width - 4, 1), max(height - 2, 0)
        parts = [part for line in self.below_title() for part in wrap(line, room)]
        shown, rest = parts[:whole], parts[whole:]
        for part in (*shown, cut(" ".join(rest), room)):
            Pen(drawing).write(f"   {part}", look.dim)
        return drawing

    def draw_foot(self, width: int, height: int) -> Drawing:
        """The keys, or what went wrong."""
        drawing, look = Drawing(), self.look
        pen = Pen(drawing).write(" ")
        if self._word:
            pen.write(cut(self._word, width - 2), look.danger)
            return drawing
        for key, does in self.hints():
            name, meaning = printed(self.texts, key), self.texts.say(does)
            if pen.x + len(name) + len(meaning) + 3 > width:
                break
            pen.thing("key", key, name, look.title).thing("key", key, f" {meaning}", look.dim).write("  ")
        return drawing

    def compose(self) -> ComposeResult:
        yield DrawnBy("heading", self.draw_heading)
        with Horizontal(id="middle"):
            yield ChoiceList("list", numbers=self.NUMBERS, points=self.POINTS)
            yield DrawnBy("aside", self.beside)
        yield DrawnBy("foot", self.draw_foot)

    def on_mount(self) -> None:
        self.retell()

    def on_resize(self) -> None:
        self.retell()

    def on_screen_resume(self) -> None:
        self.retell()

    def retell(self) -> None:
        """Everything again: another language or size, or something has changed."""
        for aside in self.query("#aside"):  # none yet before it is composed
            aside.display = self.has_beside
            aside.styles.width = self.app.size.width - self.list_width
        for choices in self.query("#list").results(ChoiceList):
            choices.put(self.rows())
        for canvas in self.query(Canvas):
            canvas.redraw()

    @property
    def pointed(self) -> Row | None:
        """The row under the cursor."""
        return next((choices.current for choices in self.query("#list").results(ChoiceList)), None)

    @on(ChoiceList.OptionHighlighted)
    def _moved(self) -> None:
        """The cursor is on another row."""
        for canvas in self.query(Canvas):
            canvas.redraw()

    def say(self, word: str) -> None:
        """Say something in the last line; nothing brings the keys back.

        An answer that arrives after the player left the screen is dropped.
        """
        self._word = word
        for foot in self.query("#foot").results(Canvas):
            foot.redraw()

    @on(Canvas.Pointed, "#foot")
    def _foot_clicked(self, message: Canvas.Pointed) -> None:
        name = message.hit.key
        key = KEYS.get(name, name.lower() if len(name) > 1 else name)
        self.app.call_later(self.app.simulate_key, key)  # sent by this screen it would not reach the app

    def read(self, title: str, lines: Sequence[str], closing: Sequence[str] = ()) -> None:
        """Show a page over the screen. The keys of `closing` close it, too."""
        self.app.push_screen(PageScreen(paragraphs(self.look, title, lines), closing))

    def action_help(self) -> None:
        """Explain the screen and its keys."""
        keys = [f"{printed(self.texts, key)}: {self.texts.say(does)}" for key, does in self.hints()]
        self.read(self.title_text(), [*self.purpose(), "\n".join(keys)])

    def action_back(self) -> None:
        self.dismiss()
