"""The program on a screen: one app, a screen per mode, and the listener that feeds them."""

import time
from collections.abc import Callable
from typing import ClassVar

from citadels_lan.texts import LANGUAGES, Texts, default_language, load
from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

from .game import Game
from .glyphs import Glyphs, suitable
from .look import DARK, LIGHT, Look
from .table_screen import TableScreen
from .table_session import TableSession

THEMES = (
    Theme(
        name="citadels-dark", dark=True, primary="#6fd0c5", secondary="#e6c65c", accent="#6fd0c5",
        background="#11151b", surface="#181e26", panel="#212933", foreground="#d9dee6",
    ),
    Theme(
        name="citadels-light", dark=False, primary="#006a63", secondary="#7d5a00", accent="#006a63",
        background="#eceae4", surface="#f7f5f0", panel="#dedbd2", foreground="#22262c",
    ),
)  # fmt: skip


class CitadelsApp(App[None]):
    """Citadels in a terminal."""

    TITLE = "Citadels"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", show=False, priority=True)]

    def __init__(
        self,
        session: TableSession | None = None,
        language: str | None = None,
        *,
        dark: bool = True,
        glyphs: Glyphs | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.texts: Texts = load(language or default_language())
        self.glyphs = glyphs or suitable()
        self.look = Look(DARK if dark else LIGHT, self.glyphs)
        self.clock = clock
        self.game = Game(session, self.texts) if session else None
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0 if dark else 1].name

    def on_mount(self) -> None:
        if self.game is not None:
            self.listen(self.game)
            self.push_screen(TableScreen(self.game))

    @work
    async def listen(self, game: Game) -> None:
        """Pass what the session tells on to the screens."""
        async for update in game.session.updates():
            game.take(update)
            for screen in self.screen_stack:
                if isinstance(screen, TableScreen):
                    screen.updated(update)

    def attention(self, mine: bool) -> None:
        """Call the player to the table, or let it be."""
        if mine:
            self.bell()

    def action_switch_language(self) -> None:
        """The next language, everywhere at once."""
        codes = list(LANGUAGES)
        self.texts = load(codes[(codes.index(self.texts.language) + 1) % len(codes)])
        if self.game is not None:
            self.game.texts = self.texts
        for screen in self.screen_stack:
            if isinstance(screen, TableScreen):
                screen.retell()

    def action_leave_table(self) -> None:
        self.exit()
