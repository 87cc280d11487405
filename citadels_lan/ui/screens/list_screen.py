"""The base of the quiet screens: a title, a list, a text to the right of it, the keys."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any, ClassVar, Final

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Static
from textual.widgets._footer import FooterKey

from citadels_lan.presenter.text_width import wrap
from citadels_lan.texts import Message, msg
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.key_names import printed
from citadels_lan.ui.widgets.page import PageScreen, paragraphs
from citadels_lan.ui.widgets.program import ProgramScreen, ScreenCommand, program

CssPath = str | PurePath | list[str | PurePath] | None
"""The type of a screen's style sheets in Textual."""
KEYS: Final = {
    "Esc": "escape", "PgUp PgDn": "pagedown", "←→": "right", "↑↓": "down", "?": "question_mark", "/": "slash",
    "Ctrl-P": "ctrl+p",
}  # fmt: skip
"""Textual's names of keys that have other names in hints."""
Hint = tuple[str, Message]
"""A key, and what it does."""
COMMANDS: Final = ("Ctrl-P", msg("all commands"))
CHANGE: Final = ("←→", msg("change"))
CHOOSE: Final = ("Enter", msg("choose"))
HELP: Final = ("?", msg("help"))
LANGUAGE: Final = ("L", msg("language"))
BACK: Final = ("Esc", msg("back"))
FROM: Final = 110
"""Columns of a screen from which its right half shows a text beside the list."""
WIDEST: Final = 106
"""Columns of the longest line that explains a row."""


class KeyBar(Footer):
    """The last line: the keys of a `ListScreen`, the most useful first. A click presses the key."""

    shown: Sequence[tuple[str, str]] = ()

    def compose(self) -> ComposeResult:
        room = self.app.size.width + 1  # no gap follows the last key
        for key, does in self.shown:
            name = KEYS.get(key, key.lower() if len(key) > 1 else key)
            label = printed(program(self.app).texts, key)
            room -= cell_len(label) + cell_len(does) + 3
            if room < 0:
                return
            yield FooterKey(name, label, does, "", classes="-compact")

    def show(self, hints: Sequence[tuple[str, str]]) -> None:
        """Show these keys and what they do, as many as there is room for."""
        if hints != self.shown:
            self.shown = hints
            self.refresh(recompose=True)

    def on_resize(self) -> None:
        self.refresh(recompose=True)


class ListScreen(ProgramScreen[Any]):
    """A screen with a title, a list in the middle and the keys in the last line."""

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

    def title_text(self) -> str:
        raise NotImplementedError

    def below_title(self) -> list[str]:
        return []

    def purpose(self) -> list[str]:
        """The purpose of the screen, for its help page."""
        return self.below_title()

    def hints(self) -> Sequence[Hint]:
        return self.HINTS

    def commands(self) -> Iterator[ScreenCommand]:
        """The commands of the hints, help first. The app has commands for leaving and for the language."""
        yield ScreenCommand("?", msg("Help"), "help")
        for key, title in self.hints():
            bound = self._bindings.key_to_bindings.get(KEYS.get(key, key), [])
            if bound and key not in ("?", "F1", "L", "Q"):
                yield ScreenCommand(key, title, bound[0].action)

    def rows(self) -> list[Row]:
        return []

    def beside(self) -> tuple[str, RenderableType] | None:
        """The title and the text of the frame to the right of the list; None if there is none."""
        return None

    def beside_width(self) -> int:
        """The columns of that frame; 0 where the screen is too narrow for it."""
        width = self.app.size.width
        return width // 2 if width >= FROM else 0

    @property
    def has_beside(self) -> bool:
        """Whether the frame is shown."""
        return self.beside_width() > 0

    def about(self, sentence: str, margin: int = 4) -> list[Row]:
        """Rows that explain the one above them."""
        room = self.app.size.width - self.beside_width() - margin - 3
        lines = wrap(sentence, max(min(room, WIDEST), 20))
        return [Row("", f"{' ' * margin}{line}") for line in lines]

    def heading(self) -> Text:
        """The title and the lines below it."""
        look = self.look
        text = Text.assemble((f"{look.glyphs.crown} ", look.gold), (self.title_text(), look.title))
        for line in self.below_title():
            text.append(f"\n{line}", look.dim)
        return text

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Horizontal(id="middle"):
            yield ChoiceList("list", numbers=self.NUMBERS, points=self.POINTS)
            with VerticalScroll(id="aside", can_focus=False):
                yield Static(id="about")
        yield KeyBar()

    def on_mount(self) -> None:
        self.retell()

    def on_resize(self) -> None:
        self.retell()

    def on_screen_resume(self) -> None:
        self.retell()

    def retell(self) -> None:
        """Show everything again: in another language or size, or because something has changed."""
        for choices in self.query("#list").results(ChoiceList):
            choices.put(self.rows())
        for heading in self.query("#heading").results(Static):
            heading.update(self.heading())
        for canvas in self.query(Canvas):
            canvas.redraw()
        self.point_out()

    @property
    def pointed(self) -> Row | None:
        """The row under the cursor."""
        return next((choices.current for choices in self.query("#list").results(ChoiceList)), None)

    @on(ChoiceList.OptionHighlighted)
    def point_out(self) -> None:
        """Show what depends on the row under the cursor: the text beside the list and the keys."""
        for aside in self.query("#aside").results(VerticalScroll):
            beside = self.beside() if self.has_beside else None
            aside.display = beside is not None
            if beside is not None:
                aside.styles.width = self.beside_width()
                aside.border_title, text = beside
                self.query_one("#about", Static).update(text)
                aside.scroll_home(animate=False)
        for bar in self.query(KeyBar):
            bar.show([(key, self.texts.say(does)) for key, does in self.hints()])

    def read(self, title: str, lines: Sequence[str], closing: Sequence[str] = ()) -> None:
        """Show a page over the screen. The keys of `closing` close it, too."""
        self.app.push_screen(PageScreen(paragraphs(self.look, title, lines), closing))

    def action_help(self) -> None:
        """Explain the screen and its keys."""
        keys = [f"{printed(self.texts, key)}: {self.texts.say(does)}" for key, does in self.hints()]
        self.read(self.title_text(), [*self.purpose(), "\n".join(keys)])

    def action_back(self) -> None:
        self.dismiss()
