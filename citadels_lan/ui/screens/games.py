"""One's own games: go on with one, replay one, check its proofs."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.crypto.report.model import sentence
from citadels_lan.front.archive import PastGame, tallies
from citadels_lan.front.recording import NotReplayable, Recording, load_recording
from citadels_lan.texts import msg
from citadels_lan.ui.drawings.games import Shelf, draw_games
from citadels_lan.ui.drawings.proof_page import proof_page
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.choice_list import Row
from citadels_lan.ui.widgets.drawing import Drawing
from citadels_lan.ui.widgets.page import PageScreen

from .list_screen import CssPath, Foot, ListScreen
from .replay import ReplayScreen


class GamesView(Canvas, can_focus=True):
    """The list, and what is known of the game under the cursor."""

    def __init__(self, screen: "GamesScreen") -> None:
        super().__init__(id="games")
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        return draw_games(self._screen.shelf(), width, height)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._screen.action_move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._screen.action_move(-1)


class GamesScreen(ListScreen):
    """Returns the game to go on with; None where it was left."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "games.tcss"]
    AUTO_FOCUS = "#games"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-10)", show=False),
        Binding("pagedown", "move(10)", show=False),
        Binding("home", "move(-10000)", show=False),
        Binding("end", "move(10000)", show=False),
        Binding("enter", "replay", show=False),
        Binding("c,C", "go_on", show=False),
        Binding("v,V", "verify", show=False),
    ]

    def __init__(self, unfinished: Sequence[PastGame], games: Sequence[PastGame]) -> None:
        super().__init__()
        self.unfinished, self.games = unfinished, games
        self.cursor = 0

    def compose(self) -> ComposeResult:
        yield GamesView(self)
        yield Foot(self)

    def title_text(self) -> str:
        return self.texts.say(msg("Your games"))

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            say(msg("The games of this machine, with a crown where you have won.")),
            say(msg("Those above were open here when the program stopped: the same people come back to them.")),
        ]

    def hints(self) -> list[tuple[str, str]]:
        say, game = self.texts.say, self.pointed
        on = [("Enter", say(msg("go on")))] if game in self.unfinished else []
        past = [("Enter", say(msg("replay"))), ("V", say(msg("check the proofs")))] if game in self.games else []
        first = [("C", say(msg("go on")))] if self.unfinished and not on else []
        return [
            *on,
            *past,
            *first,
            ("?", say(msg("help"))),
            ("L", say(msg("language"))),
            ("Esc", say(msg("back"))),
        ]

    def rows(self) -> list[Row]:
        return []

    def shelf(self) -> Shelf:
        """All that is shown."""
        counted = tallies(self.games)
        return Shelf(self.texts, self.look, self.unfinished, self.games, counted, self.cursor)

    @property
    def pointed(self) -> PastGame | None:
        """The game under the cursor."""
        every = [*self.unfinished, *self.games]
        return every[self.cursor] if every else None

    def action_move(self, step: int) -> None:
        last = len(self.unfinished) + len(self.games) - 1
        self._point(max(0, min(self.cursor + step, last)))

    def _point(self, number: int) -> None:
        self.cursor = number
        self.say("")
        self.retell()

    @on(Canvas.Pointed, "#games")
    def _clicked(self, message: Canvas.Pointed) -> None:
        """A click points, a second one does what Enter does."""
        number = int(message.hit.key)
        if number == self.cursor:
            self.action_replay()
        else:
            self._point(number)

    # What can be done

    def action_go_on(self) -> None:
        """With the game under the cursor, or the newest that can."""
        if self.unfinished:
            self.dismiss(self.pointed if self.pointed in self.unfinished else self.unfinished[0])

    def action_replay(self) -> None:
        """See the game again; one that can go on goes on."""
        if self.pointed in self.unfinished:
            self.action_go_on()
        elif self.pointed is not None:
            self._load(self.pointed.path)

    @work(thread=True)
    def _load(self, path: Path) -> None:
        """Play the game again beside the screen, then show it."""
        try:
            recording = load_recording(path)
        except NotReplayable as reason:
            said = self.texts.say(
                msg("This game cannot be replayed: it is not finished, or damaged. v says more.")
            )
            if reason.other_rules is not None:
                said = sentence(reason.other_rules, None, self.texts.say)
            self.app.call_from_thread(self.say, said)
        else:
            self.app.call_from_thread(self._show, recording)

    def _show(self, recording: Recording) -> None:
        self.app.push_screen(ReplayScreen(recording))

    def action_verify(self) -> None:
        """The report of verification, of a transcript."""
        if self.pointed is not None and self.pointed not in self.unfinished:
            self._verify(self.pointed.path)

    @work(thread=True)
    def _verify(self, path: Path) -> None:
        page = proof_page(self.texts, self.look, path)
        self.app.call_from_thread(self.app.push_screen, PageScreen(page))
