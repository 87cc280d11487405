"""The base of the list screens: a title, a list, a text to the right of it, and the keys."""

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
"""The names for hints of keys that Textual calls otherwise."""
Hint = tuple[str, Message]
"""A key, and what it does."""
COMMANDS: Final = ("Ctrl-P", msg("all commands"))
CHANGE: Final = ("←→", msg("change"))
CHOOSE: Final = ("Enter", msg("choose"))
HELP: Final = ("?", msg("help"))
LANGUAGE: Final = ("L", msg("language"))
BACK: Final = ("Esc", msg("back"))
FROM: Final = 110
"""Fewest columns of a screen whose right half shows a text beside the list."""
WIDEST: Final = 106
"""Columns of the longest line that explains a row."""


class KeyBar(Footer):
    """The last line: the keys of a `ListScreen`, the most useful first. A click presses the key."""

    def __init__(self, hints: Sequence[tuple[str, str, str]]) -> None:
        """`hints`: each key, its name for the player, and what it does."""
        super().__init__()
        self._hints = hints
        self._keys: Sequence[tuple[str, str, str]] = ()

    def compose(self) -> ComposeResult:
        self._keys = self._fitting()
        for key, label, does in self._keys:
            name = KEYS.get(key, key.lower() if len(key) > 1 else key)
            yield FooterKey(name, label, does, "", classes="-compact")

    def _fitting(self) -> Sequence[tuple[str, str, str]]:
        """Return the keys with labels and descriptions for which the line has room."""
        room, fitting = self.app.size.width + 1, []  # no gap follows the last key
        for hint in self._hints:
            room -= cell_len(hint[1]) + cell_len(hint[2]) + 3
            if room < 0:
                break
            fitting.append(hint)
        return fitting

    def show(self, hints: Sequence[tuple[str, str, str]]) -> None:
        """Show these keys with their descriptions, as many as the line has room for."""
        self._hints = hints
        self.on_resize()

    def on_resize(self) -> None:
        # Textual draws nothing while a widget is composed again, so this happens only for other keys.
        if self._fitting() != self._keys:
            self.refresh(recompose=True)


class ListScreen(ProgramScreen[Any]):
    """A screen with a title, a list in the middle and the keys in the last line."""

    CSS_PATH: ClassVar[CssPath] = "list_screen.tcss"
    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = bindings_of("list")
    HEADLINE: ClassVar[Message] = ""
    HINTS: ClassVar[Sequence[Hint]] = ()
    NUMBERS: ClassVar[bool] = True
    """Whether the rows have numbers."""
    FIRST: ClassVar[str] = ""
    """The row on which the cursor begins; the first one if empty."""
    POINTS: ClassVar[bool] = False
    """Whether a first click only points at a row."""

    def title_text(self) -> str:
        return self.texts.say(self.HEADLINE)

    def below_title(self) -> list[str]:
        return []

    def purpose(self) -> list[str]:
        """The purpose of the screen, for its help page."""
        return [*self.below_title(), *self.help_sentences()]

    def help_sentences(self) -> list[str]:
        """Return the sentences about this screen in `screens.toml`."""
        own = sentences("citadels_lan.ui", "screens.toml").get(type(self).__name__, {})
        return [*map(self.texts.say, own.values())]

    def hints(self) -> Sequence[Hint]:
        return self.HINTS

    def commands(self) -> Iterator[ScreenCommand]:
        """Yield the commands of the hints, help first. Leaving and changing the language are commands of the
        app."""
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
        """How many columns the frame beside the list has; 0 if the screen is too narrow for it."""
        width = self.app.size.width
        return width // 2 if width >= FROM else 0

    @property
    def has_beside(self) -> bool:
        """Whether the frame beside the list is shown."""
        return self.beside_width() > 0

    def about(self, sentence: str, margin: int = 4) -> list[Row]:
        """Return rows that explain the row above them."""
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
        """Draw everything again: in another language or size, or because the contents have changed."""
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
        """Update what depends on the row under the cursor: the text beside the list, and the keys."""
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
        """Return the last line with the keys of the screen."""
        return KeyBar(self._named_hints())

    def read(self, title: str, lines: Sequence[str], closing: Sequence[str] = ()) -> None:
        """Show a page over the screen. The keys of `closing` also close that page."""
        self.app.push_screen(PageScreen(paragraphs(self.look, title, lines), closing))

    def action_help(self) -> None:
        """Explain the screen and its keys."""
        keys = [f"{label}: {does}" for _, label, does in self._named_hints()]
        self.read(self.title_text(), [*self.purpose(), "\n".join(keys)])

    def action_back(self) -> None:
        self.dismiss()
