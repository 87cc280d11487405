"""A player's place at a table: passes updates to the screens, and handles alarms, leaving, the handover and
the rematch."""

import sys
from collections.abc import Awaitable, Sequence
from typing import Final, TextIO

from textual.app import App
from textual.worker import Worker

from citadels_lan.net.client.updates import Alarm, Cosigned, Disconnected, Update, ends
from citadels_lan.presenter.error_messages import GRAVE, REFUSED, Violation, because, why
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.invitation import Invitation, watch_table
from citadels_lan.presenter.launcher import CannotOpen, Place, first_full_game
from citadels_lan.presenter.log import Notice, notice_text
from citadels_lan.presenter.status import HANDING
from citadels_lan.presenter.text_width import clean
from citadels_lan.texts import Message
from citadels_lan.ui.screens.sure import HandScreen, LeaveScreen, LessonsEndScreen
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.widgets.program import ProgramScreen, program


def title_sequence(title: str) -> str:
    """Return the escape sequence that sets the terminal's title (OSC 0)."""
    # Control characters in a name would end the sequence early, and `clean` removes them.
    return f"\x1b]0;{clean(title, 80)}\x07"


def notice_sequence(text: str) -> str:
    """Return the escape sequences that show a desktop notification (OSC 9, and OSC 777 for other
    terminals)."""
    # OSC 777 separates its fields with semicolons.
    plain = clean(text, 120).replace(";", ",")
    return f"\x1b]9;{plain}\x1b\\\x1b]777;notify;Citadels;{plain}\x1b\\"


def send(sequence: str, stream: TextIO | None = sys.__stderr__) -> None:
    """Write an escape sequence to the stream, if it is a terminal."""
    if stream is not None and stream.isatty():
        stream.write(sequence)
        stream.flush()


STAGES: Final = ("lobby", "table", "end")


class AtTable:
    """A player's place at a table, from joining to leaving. The app's actions about the table call its
    methods."""

    def __init__(self, app: App[None], place: Place) -> None:
        self.app, self.program = app, program(app)
        self._stopped = False
        texts, evening, clock = self.program.texts, self.program.evening, self.program.clock
        self.game = Game(place.session, texts, place.invitation, place.known, evening, clock, pauses=place.pauses)
        self._arrived: list[Update] = []
        self._called = False
        self._workers: list[Worker[None]] = [app.run_worker(self._listen())]
        self._watch_table()
        if place.hosting is not None:
            place.hosting.changed = self._host
        if place.session.table.state is None:
            # The lobby is loaded only when it is needed, so that joining a running game is quicker.
            from citadels_lan.ui.screens.lobby import LobbyScreen

            app.push_screen(LobbyScreen(self.game))
        else:
            app.push_screen(TableScreen(self.game))

    def _shown(self, *stages: str) -> list[ProgramScreen[None]]:
        """Return the open screens that show these stages of the game, the lowest screen first."""
        stack = self.app.screen_stack
        return [screen for screen in stack if isinstance(screen, ProgramScreen) and screen.STAGE in stages]

    def _host(self, invitation: Invitation) -> None:
        """Store that this program hosts the game now, and show messages about the hosted table from now
        on."""
        self.game.host(invitation)
        self._watch_table()

    def _watch_table(self) -> None:
        if self.game.invitation is not None and (table := self.game.invitation.table) is not None:
            self._workers.append(self.app.run_worker(watch_table(table, self._note)))

    def _note(self, text: Message, **values: str) -> None:
        """Add a notice to the log and show it on all screens."""
        self.game.story.add(Notice(text, tuple(values.items())))
        self._update_screens(())

    def _update_screens(self, arrived: Sequence[Update]) -> None:
        for screen in self.app.screen_stack:
            if isinstance(screen, ProgramScreen):
                screen.updated(arrived)

    # Updates of the session

    async def _listen(self) -> None:
        """Collect the updates of the session. Updates that arrive at the same time are shown at once."""
        async for update in self.game.session.updates():
            self._arrived.append(update)
            if len(self._arrived) == 1:  # those that follow in this turn of the event loop are shown with it
                self.app.call_later(self._show_arrived)
        self.app.call_later(self._over)

    def _over(self) -> None:
        """Show why the session has ended."""
        reason = self.game.session.table.reason
        # The player has left, so the end of the session is no news.
        if self._stopped:
            return
        if self.game.tutorial is not None:
            self.app.push_screen(LessonsEndScreen(self.game), self._after_lessons)
        if reason is None:
            return
        if reason.code in GRAVE:
            self.program.raise_alarm(Violation(reason.code, reason.details, self.game.session.table.transcript))
        for screen in self._shown("lobby", "table"):
            screen.say(because(self.program.texts, reason.code, reason.details))

    def _show_arrived(self) -> None:
        """Show the collected updates. The state of the table already contains all of them when the first one
        is shown."""
        arrived, self._arrived = self._arrived, []
        game = self.game
        if self._stopped:
            return
        # The game learns everything first, because screens show its newest state.
        for update in arrived:
            game.take(update)
        self._begin_or_end(arrived)
        for update in arrived:
            if isinstance(update, Disconnected) and game.closed and self.app.screen not in self._shown(*STAGES):
                self.app.notify(game.parted(self.program.keys)[0], severity="warning", timeout=20, markup=False)
            elif isinstance(update, Alarm):
                self.program.raise_alarm(Violation(update.code, update.details, game.session.table.transcript))
            elif isinstance(update, Cosigned) and update.own:
                self._complain(self.program.texts.say(notice_text("signing", "left_out"), round=update.round))
        self._update_screens(arrived)

    def _begin_or_end(self, arrived: list[Update]) -> None:
        """Switch to the screen of the game when the game begins, and to the end screen after the last move
        and when the record is closed."""
        app, game = self.app, self.game
        if game.table.state is not None and (lobby := self._shown("lobby")):
            while app.screen is not lobby[0]:  # cards that were being read
                app.pop_screen()
            app.switch_screen(TableScreen(game))
            return
        # After a lost connection the end arrives again, and the end screen is open already.
        over = game.over and any(map(ends, arrived)) and not self._shown("end")
        if isinstance(app.screen, LeaveScreen) and (over or game.closed):  # there is nothing left to ask about
            app.pop_screen()
        if over:
            from citadels_lan.ui.screens.end import EndScreen

            app.push_screen(EndScreen(game))

    def attention(self, mine: bool, *, again: bool) -> None:
        """If `mine`, alert the player that they must decide (bell, window title, notification); otherwise end
        the alert. With `again`, also alert a player who was already alerted."""
        app = self.app
        if mine == self._called and not again:
            return
        self._called = mine
        if mine:
            app.bell()
        if app.is_headless:  # there is no terminal for sequences
            return
        call = self.program.texts.say("Your move") if mine else ""
        send(title_sequence(f"{call} - Citadels" if call else "Citadels"))
        launcher = self.program.launcher
        # A player who looks at this window needs no notification of the desktop.
        if mine and not app.app_focus and launcher is not None and launcher.preferences.alerts:
            send(notice_sequence(call))

    # Leaving

    def ask_to_leave(self) -> None:
        """Ask whether to leave the table. If the player would lose nothing, leave without asking."""
        app, game = self.app, self.game
        if game.finished or game.tutorial is not None:
            self.program.leave_table()
        elif not isinstance(app.screen, LeaveScreen):
            app.push_screen(LeaveScreen(game), self._leave_if)

    def _leave_if(self, answer: str | None) -> None:
        app = self.app
        if answer == "yes":
            self.program.leave_table()
        elif answer == "bot":
            app.run_worker(self._hand_over())
        elif answer == "hand":
            self.program.action_hand_to()
        elif answer == "end" and isinstance(app.screen, TableScreen):
            app.call_later(app.screen.action_absence, "conclude")

    async def hand_over_table(self) -> None:
        """Let the host choose the player to whom the hosting is handed over, or explain why that is
        impossible."""
        app, game = self.app, self.game
        if game.table.state is None or game.finished:
            return
        if not game.may_hand_to:
            app.notify(game.say_no_successor(), severity="warning", markup=False)
            return
        answer = await app.push_screen_wait(HandScreen(game))
        if answer is None or not answer.isdecimal():
            return
        app.notify(self.program.texts.say(HANDING, name=game.names[int(answer)]), markup=False)
        try:
            await game.hand_to(int(answer))
        except REFUSED as reason:
            self._complain(why(self.program.texts, reason))

    async def _hand_over(self) -> None:
        """Leave, and let a substitute bot play this seat. If the host rejects that, stay."""
        try:
            await self.game.session.hand_over()
        except REFUSED as reason:
            self._complain(why(self.program.texts, reason))
        else:
            self.program.leave_table()

    def _complain(self, text: str) -> None:
        self.app.notify(text, severity="error", timeout=20, markup=False)

    def interrupt(self) -> None:
        """Ask whether to leave the table. If that question is already open, leave."""
        if isinstance(self.app.screen, LeaveScreen):
            self.app.screen.dismiss("yes")
        else:
            self.ask_to_leave()

    def stop(self) -> None:
        """Stop listening to the updates of the table."""
        self._stopped = True
        for worker in self._workers:
            worker.cancel()

    async def leave_screens(self) -> None:
        """Close the screens of the table and all screens above them."""
        while self._shown(*STAGES):
            await self.app.pop_screen()

    async def rematch(self, *, drawn: bool) -> None:
        """Join the rematch with the same players, or do nothing if the player is already leaving the
        table."""
        assert self.program.launcher is not None
        if self._stopped:
            return
        await self._move_on(self.program.launcher.again(drawn=drawn))

    def _after_lessons(self, answer: str | None) -> None:
        """Depending on `answer`, start a full game after the tutorial, or go home."""
        launcher = self.program.launcher
        if answer == "play" and launcher is not None:
            self.app.run_worker(self._move_on(launcher.alone(first_full_game())))
        else:
            self.program.leave_table()

    async def _move_on(self, opening: Awaitable[Place]) -> None:
        """Leave this table, and play at the one that `opening` returns."""
        self.stop()
        async with self.program.moving:
            try:
                place = await opening
            except CannotOpen as reason:
                self.program.leave_table()
                self._complain(reason.text)
                return
            # The old screens stay until the new table is open, so that the terminal is never empty.
            await self.leave_screens()
            self.program.sit_down(place)
