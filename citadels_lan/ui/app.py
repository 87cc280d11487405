"""The program on a screen: one app, a screen per mode, and the listener that feeds them."""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from rich.console import RenderableType
from textual import events, work
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.driver import Driver
from textual.message import Message
from textual.theme import Theme

from citadels_lan.front.glyphs import ASCII, Glyphs, suitable
from citadels_lan.front.launcher import Colours, Launcher, Place, Preferences, as_preferred, remember_language
from citadels_lan.texts import LANGUAGES, Texts, default_language, load
from citadels_lan.ui.table.commands import bindings, usable
from citadels_lan.ui.widgets.look import CONTRAST, DARK, LIGHT, Look, Palette
from citadels_lan.ui.widgets.program import ProgramScreen

if TYPE_CHECKING:  # the first frame of home waits for nothing of a table
    from citadels_lan.bots.thinking import ThinkingPool
    from citadels_lan.front.acquaintances import Evening
    from citadels_lan.front.failures import Violation
    from citadels_lan.front.game import Game
    from citadels_lan.ui.screens.replay import ReplayScreen

    from .at_table import AtTable


def _theme(name: str, palette: Palette, grounds: tuple[str, str, str], text: str, turn: tuple[str, str]) -> Theme:
    """A palette with the three backgrounds, the text, and the bar in which another player's turn is announced."""
    return Theme(
        name=f"citadels-{name}", dark=palette is not LIGHT, primary=palette.accent, secondary=palette.gold,
        accent=palette.accent, background=grounds[0], surface=grounds[1], panel=grounds[2], foreground=text,
        error=palette.danger, variables={
            "turn-of-another": turn[0], "turn-of-another-text": turn[1], "list-cursor": palette.cursor,
        },
    )  # fmt: skip


THEMES: Final[dict[Colours, Theme]] = {
    "dark": _theme("dark", DARK, ("#11151b", "#181e26", "#212933"), "#d9dee6", ("#2f5c94", "#ffffff")),
    "light": _theme("light", LIGHT, ("#eceae4", "#f7f5f0", "#dedbd2"), "#22262c", ("#b9cfee", "#10233c")),
    "contrast": _theme("contrast", CONTRAST, ("#000000", "#000000", "#101010"), "#ffffff", ("#0050a0", "#ffffff")),
}
PALETTES: Final[dict[Colours, Palette]] = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST}


class CitadelsApp(App[None]):
    """Citadels in a terminal: home where there is a launcher, or at once a table where there is a session."""

    TITLE = "Citadels"
    ENABLE_COMMAND_PALETTE = False  # Textual's own commands are none of ours; the table has a palette of its own
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = set()
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "interrupt", show=False, priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    def __init__(
        self,
        place: Place | None = None,
        launcher: Launcher | None = None,
        *,
        language: str | None = None,
        dark: bool = True,
        glyphs: Glyphs | None = None,
        clock: Callable[[], float] = time.monotonic,
        first: "ReplayScreen | None" = None,
        spoken: Callable[[str], None] = lambda _: None,
        guest: bool = False,
        driver: type[Driver] | None = None,
    ) -> None:
        """`spoken` hears of another language where no launcher remembers it. `guest`: a player on the
        computer of another person, who sees no home screen. `driver` draws where it is no terminal."""
        super().__init__(driver_class=driver)
        self.fault: Exception | None = None
        """The exception that ended the app."""
        self._spoken = spoken
        self.launcher = launcher
        self.texts: Texts = load(language or default_language())
        self.glyphs = glyphs or suitable()
        self.clock = clock
        self._thinking: ThinkingPool | None = None
        self.at_table: AtTable | None = None
        """Where the player sits."""
        self.evening: Evening | None = None
        """The games that were played since the program started; None before the first table."""
        self._first = place
        self._at_home = launcher is not None and not guest
        self._replay = first
        self._left_at = 0.0
        """When a screen was left last, by Textual's clock."""
        for theme in THEMES.values():
            self.register_theme(theme)
        preferences = launcher.preferences if launcher else Preferences(dark=dark)
        self.keymap: dict[str, str] = {}
        self.look = self._look(preferences)
        self.dress(preferences)

    def on_ready(self) -> None:
        if self._first is not None:
            self.sit_down(self._first)
        else:
            self._go_home()
        if self._replay is not None:
            self.push_screen(self._replay, lambda _: self.exit())

    def _go_home(self) -> None:
        """Show the home screen, if there is one. A game that begins at once is shown before it."""
        if self.launcher is not None and self._at_home:
            from .screens.home import HomeScreen

            self.push_screen(HomeScreen(self.launcher))

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Drop keys that were typed before a screen was left: they were meant for that screen."""
        if not isinstance(event, events.Key | events.Paste) or event.time >= self._left_at:
            await super().on_event(event)

    def pop_screen(self) -> AwaitComplete:
        self._left_at = Message().time
        return super().pop_screen()

    def get_driver_class(self) -> type[Driver]:
        if sys.platform == "win32":  # it reads characters, not bytes
            return super().get_driver_class()
        from .terminal_driver import TerminalDriver

        return TerminalDriver

    # Faults

    def _handle_exception(self, error: Exception) -> None:
        self.fault = self.fault or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without Textual's traceback: its local variables may hold secrets. `raise_fault` reports instead."""
        self._close_messages_no_wait()

    def panic(self, *renderables: RenderableType) -> None:
        """As above: nothing of an exception goes to the terminal."""
        self._close_messages_no_wait()

    def raise_fault(self) -> None:
        """Raise the exception that ended the app, if there was one; for those who run the app, after its end."""
        if self.fault is not None:
            raise self.fault

    @property
    def thinking(self) -> "ThinkingPool":
        """The processes in which bots think. They start when a screen first asks a bot."""
        if self._thinking is None:
            from citadels_lan.bots.thinking import ThinkingPool

            self._thinking = ThinkingPool()
        return self._thinking

    def on_unmount(self) -> None:
        if self._thinking is not None:
            self._thinking.close()

    def _look(self, preferences: Preferences) -> Look:
        return Look(PALETTES[preferences.colours], ASCII if preferences.ascii else self.glyphs)

    def dress(self, preferences: Preferences) -> None:
        """Take on the colours, signs and keys that are preferred."""
        self.look = self._look(preferences)
        self.keymap = usable(preferences.keymap)
        self.set_keymap(dict(bindings(self.keymap)))
        self.theme = THEMES[preferences.colours].name

    # At a table

    @property
    def game(self) -> "Game | None":
        """The game at the table where the player sits."""
        return self.at_table.game if self.at_table is not None else None

    @property
    def may_rematch(self) -> bool:
        """Whether the same people can play again."""
        return self.launcher is not None and self.launcher.may_again

    def sit_down(self, place: Place) -> None:
        """Play at a table until the player leaves it."""
        from citadels_lan.systems.system import keep_loaded

        from .at_table import AtTable

        self.at_table = AtTable(self, as_preferred(self.launcher, place) if self.launcher is not None else place)
        self.evening = self.at_table.game.evening
        self.call_after_refresh(keep_loaded)  # what is looked through for nothing would delay a paint now and then

    def raise_alarm(self, found: "Violation") -> None:
        """Show a violation over everything else, once."""
        from citadels_lan.ui.screens.alarm import AlarmScreen

        if not any(isinstance(screen, AlarmScreen) for screen in self.screen_stack):
            self.push_screen(AlarmScreen(found, seated=self.at_table is not None))

    def attention(self, mine: bool) -> None:
        """Call the player to the table, or stop calling."""
        if self.at_table is not None:
            self.at_table.attention(mine)

    def nudge(self) -> None:
        """Call the player once more, who takes longer than the clock allows."""
        if self.at_table is not None:
            self.at_table.nudge()

    def action_leave_table(self) -> None:
        """Ask whether to leave the table, and do it at once if nothing is lost by it."""
        if self.at_table is not None:
            self.at_table.ask_to_leave()
        else:
            self.leave_table()

    @work
    async def action_hand_to(self) -> None:
        """Hand the game over to another player."""
        if self.at_table is not None:
            await self.at_table.hand_over_table()

    @work
    async def leave_table(self) -> None:
        """Leave the table: back to home, or end the program if there is no home."""
        if self.at_table is not None:
            self.at_table.stop()
        if self.launcher is not None:  # first, so that players learn who closed the table
            await self.launcher.close()
        if (left := self.at_table) is not None:
            await left.game.session.leave()
            self.at_table = None
            await left.leave_screens()
        if not self._at_home:
            self.exit()
        elif len(self.screen_stack) == 1:
            self._go_home()

    def action_interrupt(self) -> None:
        """Ctrl-C and Ctrl-Q: what q does at the table; anywhere else, end the program."""
        if self.at_table is None:
            self.exit()
        else:
            self.at_table.interrupt()

    @work
    async def action_rematch(self, drawn: bool = False) -> None:
        """The next table for the same people; the seats as they were, or drawn by lot."""
        if self.at_table is not None and self.may_rematch:
            await self.at_table.rematch(drawn=drawn)

    # Language

    def action_switch_language(self) -> None:
        """The next language, everywhere at once, and at the next start."""
        codes = list(LANGUAGES)
        self.texts = load(codes[(codes.index(self.texts.language) + 1) % len(codes)])
        if self.launcher is not None:
            remember_language(self.launcher, self.texts.language)
        else:
            self._spoken(self.texts.language)
        if self.game is not None:
            self.game.texts = self.texts
        for screen in self.screen_stack:
            if isinstance(screen, ProgramScreen):
                screen.retell()
