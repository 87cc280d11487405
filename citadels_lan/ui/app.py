"""The program on a screen: one app, a screen per mode, and the listener that feeds them."""

import sys
import time
from collections.abc import Callable
from functools import partial
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
from textual.worker import Worker

from citadels_lan.front.alarm import GRAVE, Violation
from citadels_lan.front.door.doorway import GUESSED, RENEWED, UNANNOUNCED
from citadels_lan.front.evening import Evening
from citadels_lan.front.game import Game
from citadels_lan.front.glyphs import ASCII, Glyphs, suitable
from citadels_lan.front.launcher import (
    CannotOpen,
    Colours,
    Launcher,
    Place,
    Preferences,
    as_preferred,
    remember_language,
)
from citadels_lan.front.refused import REFUSED, because, why
from citadels_lan.front.table_session import Alarm, Cosigned, Disconnected, Invitation, Update, ends
from citadels_lan.front.told.entries import Notice
from citadels_lan.front.told.log_words import LEFT_OUT
from citadels_lan.front.waiting import handing
from citadels_lan.systems.memory import keep_loaded
from citadels_lan.texts import LANGUAGES, Texts, default_language, load, msg
from citadels_lan.ui.screens.alarm import AlarmScreen
from citadels_lan.ui.screens.end import EndScreen
from citadels_lan.ui.screens.home import HomeScreen
from citadels_lan.ui.screens.invite import InviteScreen
from citadels_lan.ui.screens.leave import HandScreen, LeaveScreen
from citadels_lan.ui.screens.list_screen import ListScreen
from citadels_lan.ui.screens.lobby import LobbyScreen
from citadels_lan.ui.screens.replay import ReplayScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.commands import bindings, key_of, usable
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.look import CONTRAST, DARK, LIGHT, Look, Palette

from . import alerts

if TYPE_CHECKING:
    from citadels_lan.bots.thinking.pool import ThinkingPool
    from citadels_lan.net.host.opening import OpenTable

THEMES: Final[dict[Colours, Theme]] = {
    "dark": Theme(
        name="citadels-dark", dark=True, primary="#6fd0c5", secondary="#e6c65c", accent="#6fd0c5",
        background="#11151b", surface="#181e26", panel="#212933", foreground="#d9dee6", error="#ff8f80",
        variables={"turn-of-another": "#2f5c94", "turn-of-another-text": "#ffffff"},
    ),
    "light": Theme(
        name="citadels-light", dark=False, primary="#006a63", secondary="#7d5a00", accent="#006a63",
        background="#eceae4", surface="#f7f5f0", panel="#dedbd2", foreground="#22262c", error="#a8231b",
        variables={"turn-of-another": "#b9cfee", "turn-of-another-text": "#10233c"},
    ),
    "contrast": Theme(
        name="citadels-contrast", dark=True, primary="#00ffff", secondary="#ffff00", accent="#00ffff",
        background="#000000", surface="#000000", panel="#101010", foreground="#ffffff", error="#ff6666",
        variables={"turn-of-another": "#0050a0", "turn-of-another-text": "#ffffff"},
    ),
}  # fmt: skip
PALETTES: Final[dict[Colours, Palette]] = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST}
GameScreen = TableScreen | LobbyScreen | EndScreen


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
        first: ReplayScreen | None = None,
        spoken: Callable[[str], None] = lambda _: None,
        guest: bool = False,
        driver: type[Driver] | None = None,
    ) -> None:
        """`spoken` hears of another language where no launcher remembers it. `guest`: somebody who plays on the
        machine of another, and finds no home here, only the table. `driver` draws where it is no terminal."""
        super().__init__(driver_class=driver)
        self.fault: Exception | None = None
        """The exception that ended the app."""
        self._spoken = spoken
        self.launcher = launcher
        self.texts: Texts = load(language or default_language())
        self.glyphs = glyphs or suitable()
        self.clock = clock
        self._thinking: ThinkingPool | None = None
        self.game: Game | None = None
        self.evening = Evening()
        self._first = place
        self._at_home = launcher is not None and not guest
        self._replay = first
        self._listener: Worker[None] | None = None
        self._doorkeepers: list[Worker[None]] = []
        self._arrived: list[Update] = []
        self._called = False
        self._left_at = 0.0
        """When a screen was left last, by Textual's clock."""
        for theme in THEMES.values():
            self.register_theme(theme)
        preferences = launcher.preferences if launcher else Preferences(dark=dark)
        self.keymap: dict[str, str] = {}
        self.look = self._look(preferences)
        self.dress(preferences)

    def on_mount(self) -> None:
        if self.launcher is not None and self._at_home:
            self.push_screen(HomeScreen(self.launcher))
        if self._first is not None:
            self.sit_down(self._first)
        if self._replay is not None:
            self.push_screen(self._replay, lambda _: self.exit())

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
        """Where bots think that are asked from a screen; it begins when one is."""
        if self._thinking is None:
            from citadels_lan.bots.thinking.pool import ThinkingPool

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
    def may_rematch(self) -> bool:
        """Whether the same people can play again."""
        return self.launcher is not None and self.launcher.may_again

    def sit_down(self, place: Place) -> None:
        """Play at a table until it is left."""
        place = as_preferred(self.launcher, place) if self.launcher is not None else place
        session, invitation = place.session, place.invitation
        self.game = Game(
            session, self.texts, invitation, place.known, self.evening, self.clock, guided=place.guided
        )
        self._listener = self._listen(self.game)
        self._watch_table(self.game)
        if place.hosting is not None:
            place.hosting.changed = partial(self._host, self.game)
        self.push_screen(LobbyScreen(self.game) if session.state is None else TableScreen(self.game))
        self.call_after_refresh(keep_loaded)  # what is looked through for nothing would delay a paint now and then

    def _host(self, game: Game, invitation: Invitation) -> None:
        """This program hosts the game from now on."""
        game.host(invitation)
        self._watch_table(game)

    def _watch_table(self, game: Game) -> None:
        if game.invitation is not None and (table := game.invitation.table) is not None:
            self._doorkeepers = [self._watch_door(game, table), self._watch_announcement(game, table)]

    @work
    async def _listen(self, game: Game) -> None:
        """Collect what the session tells; what arrives together is shown together."""
        async for update in game.session.updates():
            self._arrived.append(update)
            if len(self._arrived) == 1:
                self.call_later(self._show_arrived, game)
        self.call_later(self._over, game)

    @work
    async def _watch_door(self, game: Game, table: "OpenTable") -> None:
        """Show when somebody guesses the code and when there is a new one."""
        while True:
            await table.door_changed.wait()
            table.door_changed.clear()
            self._note(game, GUESSED if table.door.guessed else RENEWED)

    @work
    async def _watch_announcement(self, game: Game, table: "OpenTable") -> None:
        """Say once that friends do not find the table by themselves."""
        await table.unannounced.wait()
        self._note(game, UNANNOUNCED)

    def _note(self, game: Game, text: str) -> None:
        """Say something of the table on all screens that show it."""
        game.story.add(Notice(text, aside=True))
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen):
                screen.updated(())
            elif isinstance(screen, InviteScreen):
                screen.updated()

    def raise_alarm(self, found: Violation) -> None:
        """Show what must not be, over everything else, once."""
        if not any(isinstance(screen, AlarmScreen) for screen in self.screen_stack):
            self.push_screen(AlarmScreen(found, seated=self.game is not None))

    def _over(self, game: Game) -> None:
        """The session has ended by itself; say why, where that is news."""
        reason = game.session.reason
        if game is self.game and reason is not None and reason.code in GRAVE:
            self.raise_alarm(Violation(reason.code, reason.details, game.session.transcript))
        if game is self.game and reason is not None:
            for screen in self.screen_stack:
                if isinstance(screen, TableScreen | LobbyScreen):
                    screen.say(because(self.texts, reason.code, reason.details))

    def _show_arrived(self, game: Game) -> None:
        """Show what has arrived. The state may be ahead of single updates, never of all that have arrived."""
        arrived, self._arrived = self._arrived, []
        if game is not self.game:
            return
        for update in arrived:
            game.take(update)
        self._begin_or_end(game, arrived)
        if game.closed and Disconnected in map(type, arrived) and not isinstance(self.screen, GameScreen):
            keys = {"leave": shown(key_of("leave", self.keymap))}
            self.notify(game.parted(keys)[0], severity="warning", timeout=20, markup=False)
        for update in arrived:
            if isinstance(update, Alarm):
                self.raise_alarm(Violation(update.code, update.details, game.session.transcript))
            elif isinstance(update, Cosigned) and update.own:
                said = self.texts.say(LEFT_OUT, round=update.round)
                self.notify(said, severity="error", timeout=20, markup=False)
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen):
                screen.updated(arrived)

    @property
    def _ending(self) -> bool:
        """Whether the end of the game is shown."""
        return any(isinstance(screen, EndScreen) for screen in self.screen_stack)

    def _begin_or_end(self, game: Game, arrived: list[Update]) -> None:
        """Change the screen when the game begins, after its last move, and when its record is closed."""
        if game.view is not None and any(isinstance(screen, LobbyScreen) for screen in self.screen_stack):
            while not isinstance(self.screen, LobbyScreen):  # cards that were being read
                self.pop_screen()
            self.switch_screen(TableScreen(game))
            return
        over = game.over and any(map(ends, arrived)) and not self._ending
        if isinstance(self.screen, LeaveScreen) and (over or game.closed):  # there is nothing left to ask about
            self.pop_screen()
        if over:
            self.push_screen(EndScreen(game, shown(key_of("result", self.keymap))))

    def attention(self, mine: bool) -> None:
        """Call the player to the table, or let it be."""
        if mine == self._called:
            return
        self._called = mine
        if mine:
            self.bell()
        if self.is_headless:
            return
        call = self.texts.say(msg("Your move")) if mine else ""
        alerts.send(alerts.title_sequence(f"{call} - Citadels" if call else "Citadels"))
        if mine and not self.app_focus and self.launcher is not None and self.launcher.preferences.alerts:
            alerts.send(alerts.notice_sequence(call))

    def nudge(self) -> None:
        """Call the player once more, who takes longer than is wished for."""
        self._called = False
        self.attention(True)

    def action_leave_table(self) -> None:
        """Ask whether to get up from the table, and do it at once where nothing is lost by it."""
        if self.game is None or self.game.finished:
            self.leave_table()
        elif not isinstance(self.screen, LeaveScreen):
            game = self.game
            question = LeaveScreen(
                self.texts, lambda: self.look, game.leaving(),
                handing_over=game.may_hand_over, hosting=bool(game.may_hand_to), stuck=game.may_end,
            )  # fmt: skip
            self.push_screen(question, self._leave_if)

    def _leave_if(self, answer: str | None) -> None:
        if answer == "yes":
            self.leave_table()
        elif answer == "bot":
            self._hand_over()
        elif answer == "hand":
            self.action_hand_to()
        elif answer == "end" and isinstance(self.screen, TableScreen):
            self.call_later(self.screen.action_absence, "conclude")

    def action_hand_to(self) -> None:
        """Ask to whom the host hands the game over."""
        game = self.game
        if game is None or game.view is None or game.finished:
            return
        if players := [(seat, game.names[seat]) for seat in game.may_hand_to]:
            question = HandScreen(self.texts, lambda: self.look, game.warn_of_handing(), players)
            self.push_screen(question, self._hand_to_if)
        else:
            refused = because(self.texts, "owner_only", {})
            text = refused if game.invitation is None else self.texts.say(handing.NO_ONE)
            self.notify(text, severity="warning", markup=False)

    def _hand_to_if(self, answer: str | None) -> None:
        if self.game is not None and answer is not None and answer.isdecimal():
            self._hand_to(self.game, int(answer))

    @work
    async def _hand_to(self, game: Game, seat: int) -> None:
        """Hand the game over, or say why that was not possible."""
        self.notify(self.texts.say(handing.HANDING, name=game.names[seat]), markup=False)
        try:
            await game.hand_to(seat)
        except REFUSED as reason:
            self.notify(why(self.texts, reason), severity="error", timeout=20, markup=False)

    @work
    async def _hand_over(self) -> None:
        """Leave, and let a bot move for the own seat; where that cannot be, stay."""
        assert self.game is not None
        try:
            await self.game.session.hand_over()
        except REFUSED as reason:
            self.notify(why(self.texts, reason), severity="error", timeout=20, markup=False)
        else:
            self.leave_table()

    @work
    async def leave_table(self) -> None:
        """Get up from the table: home, or out where there is no home."""
        self._stop_listening()
        if self.launcher is not None:  # first, so that players learn who closed the table
            await self.launcher.close()
        if self.game is not None:
            await self.game.session.leave()
            self.game = None
        await self._leave_screens()
        if not self._at_home:
            self.exit()

    def _stop_listening(self) -> None:
        for worker in (self._listener, *self._doorkeepers):
            if worker is not None:
                worker.cancel()

    async def _leave_screens(self) -> None:
        while any(isinstance(screen, GameScreen) for screen in self.screen_stack):
            await self.pop_screen()

    def action_interrupt(self) -> None:
        """Ctrl-C and Ctrl-Q: what q does at the table, and out where there is none."""
        if isinstance(self.screen, LeaveScreen):
            self.screen.dismiss("yes")
        elif any(isinstance(screen, GameScreen) for screen in self.screen_stack):
            self.action_leave_table()
        else:
            self.exit()

    @work
    async def action_rematch(self, drawn: bool = False) -> None:
        """The next table for the same people; the seats as they were, or drawn anew."""
        if self.launcher is None or not self.may_rematch:
            return
        self._stop_listening()
        try:
            place = await self.launcher.again(drawn=drawn)
        except CannotOpen as reason:
            self.leave_table()
            self.notify(reason.text, severity="error", timeout=20, markup=False)
            return
        self.game = None
        await self._leave_screens()
        self.sit_down(place)

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
            if isinstance(screen, TableScreen | ListScreen | ReplayScreen):
                screen.retell()
