"""The Textual app: themes, keys, faults, the table of the player, language."""

import asyncio
import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.console import RenderableType
from textual import events, work
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.driver import Driver
from textual.filter import LineFilter, Monochrome
from textual.message import Message
from textual.screen import Screen
from textual.theme import Theme
from textual.worker import WorkerFailed

from citadels_lan.presenter.launcher import Colours, Launcher, Place, Preferences, remember_language
from citadels_lan.presenter.symbols import ASCII, Glyphs, suitable
from citadels_lan.texts import LANGUAGES, Texts, default_language, load, msg
from citadels_lan.ui.table.commands import PREFIX, key_names, usable
from citadels_lan.ui.widgets.look import COLOURS, CONTRAST, DARK, LIGHT, AsciiFilter, Look, Palette, PlainFilter
from citadels_lan.ui.widgets.program import ProgramScreen, ScreenCommand, bindings_of

if TYPE_CHECKING:  # the first frame of the home screen imports no module of a table
    from citadels_lan.bots.thinking import ThinkingPool
    from citadels_lan.presenter.error_messages import Violation
    from citadels_lan.presenter.game import Game
    from citadels_lan.presenter.known_players import Evening

    from .at_table import AtTable


PALETTES: Final[dict[Colours, Palette]] = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST}


def _theme(name: Colours, palette: Palette) -> Theme:
    """Return the theme of a palette."""
    own = COLOURS[name]
    return Theme(
        name=f"citadels-{name}", dark=palette is not LIGHT, primary=palette.accent, secondary=palette.gold,
        accent=palette.accent, error=palette.danger, **own["theme"],
        variables={**own["variables"], "list-cursor": palette.cursor, "faint": palette.faint},
    )  # fmt: skip


THEMES: Final = {name: _theme(name, palette) for name, palette in PALETTES.items()}


class CitadelsApp(App[None]):
    """Citadels in a terminal. It begins at home if it has a launcher, or at a table."""

    TITLE = "Citadels"
    # Textual parses every style sheet again if a screen brings one that is not loaded yet.
    CSS_PATH: ClassVar[list[str | PurePath]] = [
        "screens/list_screen.tcss", "screens/table.tcss", "screens/sure.tcss", "widgets/page.tcss",
    ]  # fmt: skip
    ENABLE_COMMAND_PALETTE = False  # Textual's own commands are not used
    BINDINGS: ClassVar[list[BindingType]] = bindings_of("app")

    def __init__(
        self,
        place: Place | None = None,
        launcher: Launcher | None = None,
        *,
        language: str | None = None,
        glyphs: Glyphs | None = None,
        clock: Callable[[], float] = time.monotonic,
        first: Screen[Any] | None = None,
        spoken: Callable[[str], None] = lambda _: None,
        guest: bool = False,
        driver: type[Driver] | None = None,
        joining: str = "",
    ) -> None:
        """`spoken` is called with a changed language if there is no launcher. `joining` is the address of a table
        that the home screen joins. `guest`: the app runs on the
        host's computer for a guest, without a home screen. `driver` replaces the driver of the terminal."""
        super().__init__(driver_class=driver)
        self.fault: BaseException | None = None
        """The exception that ended the app."""
        self._spoken = spoken
        self.launcher = launcher
        self.texts: Texts = load(language or default_language())
        self.glyphs = glyphs or suitable()
        self.clock = clock
        self._thinking: ThinkingPool | None = None
        self.at_table: AtTable | None = None
        """The table of the player; None at home."""
        self.evening: Evening | None = None
        """The games since the program started; None before the first table."""
        self.moving = asyncio.Lock()
        self._first = place
        self._at_home = launcher is not None and not guest
        self._replay = first
        self._joining = joining
        self._left_at = 0.0
        """When the last screen was left, in seconds of Textual's clock."""
        for theme in THEMES.values():
            self.register_theme(theme)
        preferences = launcher.preferences if launcher else Preferences()
        self.dress(preferences)

    def on_ready(self) -> None:
        self.call_after_refresh(gc.enable)  # `cli.start` disabled it
        if self._first is not None:
            self.sit_down(self._first)
        else:
            self._go_home()
        if self._replay is not None:
            self.push_screen(self._replay, lambda _: self.exit())

    def _go_home(self) -> None:
        """Show the home screen, unless this app is for a guest."""
        if self.launcher is not None and self._at_home:
            from .screens.home import HomeScreen

            self.push_screen(HomeScreen(self.launcher, self._joining))
            self._joining = ""

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Drop keys that were typed before a screen was left: they were meant for that screen."""
        # Only typed input is dropped; a resize or a timer is always current.
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
        # Textual's WorkerFailed has no traceback. The error of the worker has one.
        self.fault = self.fault or (error.error if isinstance(error, WorkerFailed) else error)
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End without Textual's traceback: its local variables may hold secrets. `raise_fault` reports instead."""
        self._close_messages_no_wait()

    def panic(self, *renderables: RenderableType) -> None:
        """End without printing: an exception may hold secrets."""
        self._close_messages_no_wait()

    def raise_fault(self) -> None:
        """Raise the exception that ended the app, if there was one. Call this after the app has ended."""
        if self.fault is not None:
            raise self.fault

    @property
    def thinking(self) -> "ThinkingPool":
        """The processes in which bots think. They start at the first use."""
        if self._thinking is None:
            from citadels_lan.bots.thinking import ThinkingPool

            self._thinking = ThinkingPool()
        return self._thinking

    def on_unmount(self) -> None:
        if self._thinking is not None:
            self._thinking.close()

    def get_line_filters(self) -> Sequence[LineFilter]:
        # Textual's filter for NO_COLOR keeps grey tones; ours uses no colours at all.
        filters = [each for each in super().get_line_filters() if not isinstance(each, Monochrome)]
        filters += [PlainFilter()] if self.no_color else []
        return [*filters, *([AsciiFilter()] if self.look.glyphs is ASCII else [])]

    def dress(self, preferences: Preferences) -> None:
        """Apply the preferred colours, symbols and keys."""
        self._preferences = preferences
        self.look = Look(PALETTES[preferences.colours], ASCII if preferences.ascii else self.glyphs)
        self.keymap = usable(preferences.keymap)
        self.keys = key_names(self.keymap)
        self.set_keymap({f"{PREFIX}{name}": key for name, key in self.keymap.items()})
        self.theme = THEMES[preferences.colours].name
        # Before the first frame there is no screen to draw again.
        if self.is_running:
            self._retell()

    def _retell(self) -> None:
        """Draw every screen again, in another language or other colours."""
        for screen in self.screen_stack:
            if isinstance(screen, ProgramScreen):
                screen.retell()

    # At a table

    @property
    def game(self) -> "Game | None":
        """The game at the table of the player."""
        return self.at_table.game if self.at_table is not None else None

    @property
    def may_rematch(self) -> bool:
        """Whether the same players can play again."""
        return self.launcher is not None and self.launcher.may_again

    def sit_down(self, place: Place) -> None:
        """Play at a table until the player leaves it."""
        from citadels_lan.platform.system import keep_loaded

        from .at_table import AtTable

        self.at_table = AtTable(self, place)
        self.evening = self.at_table.game.evening
        if place.notice:
            self.notify(place.notice, timeout=10, markup=False)
        self.call_after_refresh(keep_loaded)  # what is looked through for nothing would delay a paint now and then

    def raise_alarm(self, found: "Violation") -> None:
        """Show a violation over everything else, once."""
        from citadels_lan.ui.screens.alarm import AlarmScreen

        # A lie can be reported by the session and by an update; one alarm is enough.
        if not any(isinstance(screen, AlarmScreen) for screen in self.screen_stack):
            self.push_screen(AlarmScreen(found, seated=self.at_table is not None))

    def attention(self, mine: bool, *, again: bool = False) -> None:
        """Alert the player to a move (bell, title, notification), or end the alert. `again`: alert once more,
        because the time is over."""
        if self.at_table is not None:
            self.at_table.attention(mine, again=again)

    def action_leave_table(self) -> None:
        """Leave the table, after a question if the game is not over."""
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
        async with self.moving:
            if self.at_table is not None:
                self.at_table.stop()
            if self.launcher is not None:  # the table closes first, so that players learn who closed it
                await self.launcher.close()
            if (left := self.at_table) is not None:
                await left.game.session.leave()
                self.at_table = None
                await left.leave_screens()
            if not self._at_home:
                self.exit()
            # A program that began at a table has no home screen yet.
            elif len(self.screen_stack) == 1:
                self._go_home()

    def action_interrupt(self) -> None:
        """Leave the table after a question; at home, end the program."""
        if self.at_table is None:
            self.exit()
        else:
            self.at_table.interrupt()

    @work
    async def action_rematch(self, drawn: bool = False) -> None:
        """Begin a rematch with the same seats, or with drawn seats."""
        if self.at_table is not None and self.may_rematch:
            await self.at_table.rematch(drawn=drawn)

    # Commands of every screen

    def commands(self) -> Iterator[ScreenCommand]:
        """Yield the commands that are possible on every screen now."""
        yield ScreenCommand("", msg("Rules and cards"), "app.rules")
        if self.launcher is not None:
            yield ScreenCommand("", msg("Settings"), "app.settings")
        yield ScreenCommand("", msg("Theme"), "app.theme", msg("dark, light, high contrast"))
        yield ScreenCommand("L", msg("Language"), "app.switch_language")
        yield ScreenCommand(
            "Ctrl-Q", msg("Quit") if self.at_table is None else msg("Leave the game"), "app.interrupt"
        )

    def action_palette(self) -> None:
        """Open the list of all commands, with a search."""
        from .screens.palette import NamedCommands, ScreenCommands

        asked = self.texts.say("Search for a command…")
        self.push_screen(NamedCommands([ScreenCommands], placeholder=asked))

    def action_rules(self) -> None:
        """Show the rules of the game at the table, or else of the edition last played."""
        from .screens.rules import RulesScreen

        edition = self.launcher.preferences.edition if self.launcher is not None else ""
        self.push_screen(RulesScreen(self.game.edition.key if self.game is not None else edition))

    def action_settings(self) -> None:
        """Show the settings."""
        from .screens.settings import SettingsScreen

        if self.launcher is not None:
            self.push_screen(SettingsScreen(self.launcher))

    def action_theme(self) -> None:
        """Switch to the next colours and remember them."""
        kept = (self.launcher.preferences if self.launcher is not None else self._preferences).in_colours(1)
        if self.launcher is not None:
            self.launcher.remember(kept)
        self.dress(kept)

    # Language

    def action_switch_language(self) -> None:
        """Switch to the next language and remember it."""
        codes = list(LANGUAGES)
        self.texts = load(codes[(codes.index(self.texts.language) + 1) % len(codes)])
        if self.launcher is not None:
            remember_language(self.launcher, self.texts.language)
        else:
            self._spoken(self.texts.language)
        if self.game is not None:
            self.game.texts = self.texts
        self._retell()
