"""The base class of screens with a list: a title, the list, a frame with text to the right of the list, and
the keys in the last line."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any, ClassVar, Final

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Static
from textual.widgets._footer import FooterKey

from citadels_lan.presenter.text_width import wrap
from citadels_lan.texts import Message, msg
from citadels_lan.texts.tables import sentences
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.look import paragraphs, printed
from citadels_lan.ui.widgets.program import ChoiceList, PageScreen, ProgramScreen, Row, ScreenCommand, bindings_of

CssPath = str | PurePath | list[str | PurePath] | None
"""The type of a screen's style sheets in Textual."""
KEYS: Final = {
    "Esc": "escape", "PgUp PgDn": "pagedown", "←→": "right", "↑↓": "down", "?": "question_mark", "/": "slash",
    "Ctrl-P": "ctrl+p",
}  # fmt: skip
"""Textual's name of a key, for key names in hints that Textual does not know."""
Hint = tuple[str, Message]
"""A key, and what it does, for the last line of a screen."""
COMMANDS: Final = ("Ctrl-P", msg("all commands"))
CHANGE: Final = ("←→", msg("change"))
CHOOSE: Final = ("Enter", msg("choose"))
HELP: Final = ("?", msg("help"))
LANGUAGE: Final = ("L", msg("language"))
BACK: Final = ("Esc", msg("back"))
FROM: Final = 110
"""From this width on, the screen has a frame to the right of the list."""
WIDEST: Final = 106
"""Most columns of a line that explains a row."""


class KeyBar(Footer):
    """The last line of a `ListScreen` with its keys, the most useful first. A click on a key does the same as
    pressing it."""

    def __init__(self, hints: Sequence[tuple[str, str, str]]) -> None:
        """`hints` has, for each key: the key, its displayed name, and what it does."""
        super().__init__()
        self._hints = hints
        self._keys: Sequence[tuple[str, str, str]] = ()

    def compose(self) -> ComposeResult:
        self._keys = self._fitting()
        for key, label, does in self._keys:
            name = KEYS.get(key, key.lower() if len(key) > 1 else key)
            yield FooterKey(name, label, does, "", classes="-compact")

    def _fitting(self) -> Sequence[tuple[str, str, str]]:
        """Return as many keys from the beginning of the list as the line has room for."""
        room, fitting = self.app.size.width + 1, []  # no gap follows the last key
        for hint in self._hints:
            room -= cell_len(hint[1]) + cell_len(hint[2]) + 3
            if room < 0:
                break
            fitting.append(hint)
        return fitting

    def show(self, hints: Sequence[tuple[str, str, str]]) -> None:
        """Show these keys, as many as the line has room for."""
        self._hints = hints
        self.on_resize()

    def on_resize(self) -> None:
        # Textual draws nothing while a widget is composed again, so this happens only for other keys.
        if self._fitting() != self._keys:
            self.refresh(recompose=True)


class ListScreen(ProgramScreen[Any]):
    """The base class of screens with a title, a list in the middle, and their keys in the last line."""

    CSS_PATH: ClassVar[CssPath] = "list_screen.tcss"
    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = bindings_of("list")
    HEADLINE: ClassVar[Message] = ""
    HINTS: ClassVar[Sequence[Hint]] = ()
    NUMBERS: ClassVar[bool] = True
    """Whether the rows are numbered and can be chosen with digits."""
    FIRST: ClassVar[str] = ""
    """The key of the row on which the cursor starts; the first row if it is ""."""
    POINTS: ClassVar[bool] = False
    """Whether the first click on a row only moves the cursor to it, and a second one chooses it."""

    def title_text(self) -> str:
        return self.texts.say(self.HEADLINE)

    def below_title(self) -> list[str]:
        return []

    def purpose(self) -> list[str]:
        """Return sentences about the purpose of the screen, for its help page."""
        return [*self.below_title(), *self.help_sentences()]

    def help_sentences(self) -> list[str]:
        """Return the sentences about this screen from `screens.toml`."""
        own = sentences("citadels_lan.ui", "screens.toml").get(type(self).__name__, {})
        return [*map(self.texts.say, own.values())]

    def hints(self) -> Sequence[Hint]:
        return self.HINTS

    def commands(self) -> Iterator[ScreenCommand]:
        """Yield the commands of the keys in the last line, help first, without those that the app has on
        every screen (leaving and the language)."""
        yield ScreenCommand("?", msg("Help"), "help")
        for key, title in self.hints():
            bound = self._bindings.key_to_bindings.get(KEYS.get(key, key), [])
            if bound and key not in ("?", "F1", "L", "Q"):
                yield ScreenCommand(key, title, bound[0].action)

    def rows(self) -> list[Row]:
        return []

    def beside(self) -> tuple[str, RenderableType] | None:
        """Return the title and the content of the frame to the right of the list; None if there is nothing to
        show."""
        return None

    def beside_width(self) -> int:
        """Return the width of the frame to the right of the list; 0 if the screen is too narrow for it."""
        width = self.app.size.width
        return width // 2 if width >= FROM else 0

    @property
    def has_beside(self) -> bool:
        """Whether the frame to the right of the list is visible."""
        return self.beside_width() > 0

    def about(self, sentence: str, margin: int = 4) -> list[Row]:
        """Return rows with a sentence that explains the row above them."""
        room = self.app.size.width - self.beside_width() - margin - 3
        lines = wrap(sentence, max(min(room, WIDEST), 20))
        return [Row("", f"{' ' * margin}{line}") for line in lines]

    def heading(self) -> Text:
        """Return the title and the lines below it."""
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
        yield self.key_bar()

    def on_mount(self) -> None:
        self.retell()
        if self.FIRST:
            self.query_one(ChoiceList).point(self.FIRST)

    def on_resize(self) -> None:
        self.retell()

    def on_screen_resume(self) -> None:
        self.retell()

    def retell(self) -> None:
        """Show all contents again, for example in another language, or because they have changed."""
        for choices in self.query("#list").results(ChoiceList):
            choices.put(self.rows())
        for heading in self.query("#heading").results(Static):
            heading.update(self.heading())
        for canvas in self.query(Canvas):
            canvas.redraw()
        self.point_out()

    @property
    def pointed(self) -> Row | None:
        """The row under the cursor; None if there is none."""
        return next((choices.current for choices in self.query("#list").results(ChoiceList)), None)

    @on(ChoiceList.OptionHighlighted)
    def point_out(self) -> None:
        """After the cursor has moved, update the frame to the right of the list, and the keys in the last
        line."""
        for aside in self.query("#aside").results(VerticalScroll):
            beside = self.beside() if self.has_beside else None
            aside.display = beside is not None
            if beside is not None:
                aside.styles.width = self.beside_width()
                aside.border_title, text = beside
                self.query_one("#about", Static).update(text)
                aside.scroll_home(animate=False)
        for bar in self.query(KeyBar):
            bar.show(self._named_hints())

    def _named_hints(self) -> Sequence[tuple[str, str, str]]:
        return [(key, printed(self.texts, key), self.texts.say(does)) for key, does in self.hints()]

    def key_bar(self) -> KeyBar:
        """Return the widget of the last line."""
        return KeyBar(self._named_hints())

    def read(self, title: str, lines: Sequence[str], closing: Sequence[str] = ()) -> None:
        """Show a page of text above this screen. The keys in `closing` close it, besides Escape and Enter."""
        self.app.push_screen(PageScreen(paragraphs(self.look, title, lines), closing))

    def action_help(self) -> None:
        """Explain the screen and its keys."""
        keys = [f"{label}: {does}" for _, label, does in self._named_hints()]
        self.read(self.title_text(), [*self.purpose(), "\n".join(keys)])

    def action_back(self) -> None:
        self.dismiss()
