"""The Textual app: themes, keys, internal errors, the player's table, the language."""

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
    """The app with all screens. If it has a launcher, it starts with the home screen; otherwise at a
    table."""

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
        """`spoken` is called with a new language if there is no launcher to save it. `joining` is the address
        of a table that the home screen joins. `guest`: the app runs on the host's computer for a guest in a
        browser, and has no home screen. `driver` replaces Textual's driver of the terminal."""
        super().__init__(driver_class=driver)
        self.fault: BaseException | None = None
        """The exception that ended the app; None if there was none."""
        self._spoken = spoken
        self.launcher = launcher
        self.texts: Texts = load(language or default_language())
        self.glyphs = glyphs or suitable()
        self.clock = clock
        self._thinking: ThinkingPool | None = None
        self.at_table: AtTable | None = None
        """The player's place at a table; None while the player is at no table."""
        self.evening: Evening | None = None
        """The finished games since the program started; None before the first table."""
        self.moving = asyncio.Lock()
        self._first = place
        self._at_home = launcher is not None and not guest
        self._replay = first
        self._joining = joining
        self._left_at = 0.0
        """The time when the last screen was left, by Textual's clock, in seconds."""
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
        """Show the home screen; an app for a guest has none."""
        if self.launcher is not None and self._at_home:
            from .screens.home import HomeScreen

            self.push_screen(HomeScreen(self.launcher, self._joining))
            self._joining = ""

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """Ignore keys that were pressed before the last screen was left, because they were meant for that
        screen."""
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
        """End the app without Textual's traceback, because it shows local variables, which may contain
        secrets. The caller of the app gets the exception from `raise_fault`."""
        self._close_messages_no_wait()

    def panic(self, *renderables: RenderableType) -> None:
        """End the app without printing the exception, because it may contain secrets."""
        self._close_messages_no_wait()

    def raise_fault(self) -> None:
        """Raise the exception that ended the app, if there was one. Call it after the app has ended."""
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
        """Show the contents of every screen again, after a change of the language or the colours."""
        for screen in self.screen_stack:
            if isinstance(screen, ProgramScreen):
                screen.retell()

    # At a table

    @property
    def game(self) -> "Game | None":
        """The game at the player's table; None while the player is at no table."""
        return self.at_table.game if self.at_table is not None else None

    @property
    def may_rematch(self) -> bool:
        """Whether a rematch with the same players is possible."""
        return self.launcher is not None and self.launcher.may_again

    def sit_down(self, place: Place) -> None:
        """Play at the table of `place` until the player leaves it."""
        from citadels_lan.platform.system import keep_loaded

        from .at_table import AtTable

        self.at_table = AtTable(self, place)
        self.evening = self.at_table.game.evening
        if place.notice:
            self.notify(place.notice, timeout=10, markup=False)
        self.call_after_refresh(keep_loaded)  # what is looked through for nothing would delay a paint now and then

    def raise_alarm(self, found: "Violation") -> None:
        """Show the alarm about a violation by the host above all screens, unless an alarm is already open."""
        from citadels_lan.ui.screens.alarm import AlarmScreen

        # A lie can be reported by the session and by an update; one alarm is enough.
        if not any(isinstance(screen, AlarmScreen) for screen in self.screen_stack):
            self.push_screen(AlarmScreen(found, seated=self.at_table is not None))

    def attention(self, mine: bool, *, again: bool = False) -> None:
        """If `mine`, alert the player that they must decide (bell, window title, notification); otherwise end
        the alert. With `again`, alert the player once more because the decision time is over."""
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
        """Hand over the hosting of the game to another player."""
        if self.at_table is not None:
            await self.at_table.hand_over_table()

    @work
    async def leave_table(self) -> None:
        """Leave the table and go to the home screen; if there is none, end the program."""
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
        """Handle Ctrl+C: at a table, ask whether to leave it; at home, end the program."""
        if self.at_table is None:
            self.exit()
        else:
            self.at_table.interrupt()

    @work
    async def action_rematch(self, drawn: bool = False) -> None:
        """Start a rematch with the same seats, or with `drawn` ones."""
        if self.at_table is not None and self.may_rematch:
            await self.at_table.rematch(drawn=drawn)

    # Commands of every screen

    def commands(self) -> Iterator[ScreenCommand]:
        """Yield the commands that are available on every screen at the moment."""
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
        """Show the rules of the present game's edition, or if there is no game, of the edition last
        played."""
        from .screens.rules import RulesScreen

        edition = self.launcher.preferences.edition if self.launcher is not None else ""
        self.push_screen(RulesScreen(self.game.edition.key if self.game is not None else edition))

    def action_settings(self) -> None:
        """Show the settings."""
        from .screens.settings import SettingsScreen

        if self.launcher is not None:
            self.push_screen(SettingsScreen(self.launcher))

    def action_theme(self) -> None:
        """Switch to the next palette and save it."""
        kept = (self.launcher.preferences if self.launcher is not None else self._preferences).in_colours(1)
        if self.launcher is not None:
            self.launcher.remember(kept)
        self.dress(kept)

    # Language

    def action_switch_language(self) -> None:
        """Switch to the next language and save it."""
        codes = list(LANGUAGES)
        self.texts = load(codes[(codes.index(self.texts.language) + 1) % len(codes)])
        if self.launcher is not None:
            remember_language(self.launcher, self.texts.language)
        else:
            self._spoken(self.texts.language)
        if self.game is not None:
            self.game.texts = self.texts
        self._retell()
