"""Before the game: who is here, who is ready, what to tell friends, what will be played, a chat."""

from collections.abc import Awaitable, Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input

from citadels_lan.engine import Unplayable
from citadels_lan.front.acquaintances import key_lines
from citadels_lan.front.game import Game
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import changes, heading, reason
from citadels_lan.front.refused import REFUSED, because
from citadels_lan.front.sealed_draft import about_draft
from citadels_lan.front.table_session import Alarm, Disconnected, LobbyChanged, Update
from citadels_lan.front.waiting.beginning import missing
from citadels_lan.texts import editions, msg
from citadels_lan.ui.drawings.lobby_rows import LobbyRows, found, me_ready
from citadels_lan.ui.table.hints import GUESSED, HOSTING
from citadels_lan.ui.table.log_view import LogView
from citadels_lan.ui.table.turn_bar import HEADS
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.page import PageScreen, paragraphs

from .cards_in_play import InPlayScreen
from .cast import CastScreen
from .edition import EditionScreen, edition_page
from .invite import InviteScreen
from .list_screen import CssPath, Foot
from .lobby_views import TONIGHT, LobbyChat, LobbyFrame, LobbyHeading, QrView, TonightView
from .sure import SureScreen

ASKING = frozenset({"ready", "start", "chat", "send_away"})
"""The actions that ask something of the host."""
LIST = 66
"""Cells that the list wants beside what is played and the QR code."""
CHAT = 7
"""Lines of the chat at most."""
ROOMY = 30
"""Lines from which groups of the list stand apart."""


class LobbyScreen(LobbyFrame):
    """The table while it fills."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "lobby.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r,R", "ready", show=False),
        Binding("s,S", "start", show=False),
        Binding("c,C,slash", "chat", show=False),
        Binding("p,P", "cast", show=False),
        Binding("o,O", "options", show=False),
        Binding("d,D", "draft", show=False),
        Binding("n,N", "invite", show=False),
        Binding("w,W", "keys", show=False),
        Binding("x,X", "send_away", show=False),
        Binding("q,Q", "app.leave_table", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self._told = 0
        self._refused = False

    def compose(self) -> ComposeResult:
        door = self.game.door
        yield LobbyHeading(self, door)
        with Horizontal(id="middle"):
            yield ChoiceList(lambda: self.look, id="list")
            yield TonightView(self)
            if door is not None:
                yield QrView(self, door)
        yield LobbyChat(self)
        yield Input(id="line", compact=True, max_length=300)
        yield Foot(self)

    def on_mount(self) -> None:
        super().on_mount()
        self.updated(())

    def on_resize(self) -> None:
        self.retell()

    def retell(self) -> None:
        """Everything again; what friends need and what is played take the room that there is now."""
        width, height = self.app.size
        chat = min(max(height // 6, 3), CHAT)
        for log in self.query(LogView):
            log.styles.height = chat
        for heading_view in self.query(LobbyHeading):
            high = height - heading_view.fit(width) - chat - 1
            spare = width - LIST - sum(view.fit(width - LIST - TONIGHT, high) for view in self.query(QrView))
            if spare < TONIGHT:  # what is played comes before the code, which has a page of its own
                spare = width - LIST
            shown = sum(view.fit(spare) for view in self.query(TonightView))
            for view in self.query(QrView):
                view.fit(width - LIST - shown, high)
        super().retell()

    # What it shows

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Without a connection to the host a key does nothing that asks something of it."""
        return action not in ASKING or not self.game.offline

    def title_text(self) -> str:
        if self.game.offline:
            return self.texts.say(HEADS[self.game.mood()])
        owner = next((name for seat, name in zip(self.game.session.lobby, self.game.names, strict=True)
                      if seat.owner), "?")  # fmt: skip
        return self.texts.say(msg("{name}'s table"), name=owner)

    def missing(self) -> str:
        if self.game.offline:
            return self.game.parted({"leave": "Q"})[0]
        said = missing(self.texts, self.game.session)
        if self.game.seat is None:
            watching = self.texts.say(msg("You are watching: the game begins when the players are ready."))
            return f"{watching} {said}"
        return said

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            self.missing(),
            say(msg("The game begins when all seats are taken and everybody is ready.")),
            say(msg("A letter does what stands beside it; arrows to the sides change what is played.")),
        ]

    def plan_text(self) -> str:
        plan = self.plan()
        return "; ".join((heading(self.texts, plan), *editions.chosen(self.texts, plan.config.options)))

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        door = self.game.door
        guessed = door is not None and door.guessed
        if self.game.offline:
            return [("Q", say(msg("leave"))), ("?", say(msg("help"))), ("L", say(msg("language")))]
        code = [] if door is None else [("N", say(GUESSED if guessed else HOSTING))]
        start = [("S", say(msg("start")))] if self.game.session.owner else []
        ready = [] if self.game.seat is None else [("R", say(msg("ready")))]
        return [
            *([] if self._pointed() is None else [("X", say(msg("send away")))]),
            *(code if guessed else []),
            *ready,
            *start,
            *([] if guessed else code),
            ("C", say(msg("chat"))),
            ("P", say(msg("cards"))),
            ("?", say(msg("help"))),
            ("L", say(msg("language"))),
            ("Q", say(msg("leave"))),
            ("O", say(msg("options"))),
            *([("D", say(msg("draft")))] if self.plan().drafts else []),
            *([("W", say(msg("keys")))] if any(found(self.game)) else []),
        ]

    def _pointed(self) -> int | None:
        """The seat under the cursor, which only its owner can put on the seats of others."""
        row = next((shown.current for shown in self.query("#list").results(ChoiceList)), None)
        return int(row.key.removeprefix("seat ")) if row is not None and row.key.startswith("seat ") else None

    def rows(self) -> list[Row]:
        """Of the list: as wide as what stands beside it leaves."""
        beside = any(view.display for view in self.query("#middle > *") if view.id != "list")
        width = LIST if beside else self.size.width
        return LobbyRows(self.game, self.look, width, self.size.height >= ROOMY, self.has_tonight).rows()

    def plan(self) -> Plan:
        return Plan.of(self.game.session.settings.config)

    # What happens

    def updated(self, updates: Sequence[Update]) -> None:
        """Show what has changed."""
        if not self.query(LogView):  # not composed yet
            return
        for update in updates:
            match update:
                case LobbyChanged() if self._refused:  # it may not hold any more
                    self._refused = False
                    self.say("")
                case Disconnected() if self.game.closed:
                    self.action_back()
                case Disconnected():
                    self.say("")
                case Alarm(code, details):
                    self.say(self.texts.say(msg("ALARM: {why}"), why=because(self.texts, code, details)))
        lines = list(self.game.story.lines(self.texts, self._told))
        self._told = len(self.game.story.entries)
        if lines:
            self.query_one(LogView).add(lines)
        for screen in self.app.screen_stack:
            if isinstance(screen, InPlayScreen):
                screen.retell()
        self.retell()

    @on(ChoiceList.Chosen)
    async def _chosen(self, message: ChoiceList.Chosen) -> None:
        actions = {"ready": "ready", "start": "start", "chat": "chat", "leave": "app.leave_table", "cast": "cast",
                   "options": "options", "draft": "draft", "keys": "keys", "invite": "invite"}  # fmt: skip
        await self.run_action(actions.get(message.key, "send_away"))

    @on(ChoiceList.Moved)
    def _moved(self) -> None:
        self.query_one(Foot).redraw()

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        settings, step = self.game.session.settings, message.step
        if message.key == "players":
            plan = self.plan().more(step)
            self._play(plan, bots=min(settings.bots, plan.players - 1))
        elif message.key == "bots":
            self._play(self.plan(), bots=(settings.bots + step) % settings.players)
        elif message.key == "draft":
            self.action_draft()
        else:
            self._play(self.plan().next_way(step))

    def action_cast(self) -> None:
        """What will be played: to choose for the owner, to read for the others."""
        if self.game.session.owner and self.plan().chooses:
            self.app.push_screen(CastScreen(self.plan()), self._play)
        else:
            self.app.push_screen(InPlayScreen(self.plan))

    def action_options(self) -> None:
        """Edition and options: to choose for the owner, to read for the others."""
        if self.game.session.owner:
            self.app.push_screen(EditionScreen(self.plan()), self._play)
        else:
            self.app.push_screen(PageScreen(edition_page(self.texts, self.look, self.plan()), ("o", "O")))

    def action_draft(self) -> None:
        """Seal the draft or open it again, for the owner; what both are, for the others."""
        if not self.game.session.owner:
            lines = about_draft(self.texts, self.game.session.settings)
            page = paragraphs(self.look, self.texts.say(msg("The draft")), lines)
            self.app.push_screen(PageScreen(page, ("d", "D")))
            return
        try:
            self._play(self.plan().other_draft())
        except Unplayable as why_not:
            self.say(reason(self.texts, why_not))

    def _play(self, plan: Plan | None, bots: int | None = None) -> None:
        """Ask for this, unless it is None, and say what another number of players changes."""
        if plan is None:
            return
        before, now = self.plan(), self.game.session.settings
        same = plan.config.edition == before.config.edition
        said = changes(self.texts, before, plan) if same and plan.players != before.players else []
        seats = min(now.bots if bots is None else bots, plan.players - 1)
        settings = replace(now, config=plan.config, bots=seats)
        self._ask(self.game.session.configure(settings), " ".join(said))

    def action_invite(self) -> None:
        """How friends come in, on a page of its own. Where somebody guesses there is a new code at once."""
        door = self.game.door
        if door is not None:
            if door.guessed:
                door.renew()
            self.app.push_screen(InviteScreen(door))

    def action_send_away(self) -> None:
        """At the owner's place: ask whether somebody is to go, and send them away."""
        seat, say = self._pointed(), self.texts.say
        if not self.game.session.owner:
            return
        if seat is None:
            self.say(say(msg("Point at a player with the arrows, and press X again.")))
            return
        name, key = self.game.names[seat], self.game.session.lobby[seat].key
        asked = say(msg("Send {name} away? They can come back only with a new code."), name=name)
        answers = (Row("no", say(msg("No"))), Row("yes", say(msg("Send away")), "x"))
        question = SureScreen(lambda: self.look, asked, answers)
        self.app.push_screen(question, lambda said: self._send_away(key, name) if said == "yes" else None)

    def _send_away(self, key: bytes, name: str) -> None:
        """Whoever has this key and this name, wherever they sit by now."""
        seats = zip(self.game.session.lobby, self.game.names, strict=True)
        for number, (seat, known) in enumerate(seats):
            if (seat.key, known) == (key, name):
                self._ask(self.game.session.remove(number))

    def action_keys(self) -> None:
        """The words of everybody's key, to be compared."""
        lines = key_lines(self.texts, self.game.known, self.game.session.lobby, self.game.seat)
        if lines:
            title = self.texts.say(msg("Keys: whoever has the same six words on their own screen is who they say"))
            self.app.push_screen(PageScreen(paragraphs(self.look, title, lines), ("w", "W")))

    def action_ready(self) -> None:
        if self.game.seat is not None:
            self._ask(self.game.session.ready(not me_ready(self.game)))

    def action_start(self) -> None:
        if self.game.session.owner:
            self._ask(self.game.session.start())

    @work
    async def _ask(self, asked: Awaitable[None], done: str = "") -> None:
        """Ask the host for something, and say why it was refused, or what comes of it."""
        try:
            await asked
        except REFUSED as reason:
            self._refused = True
            self.say(self.game.why(reason))
        else:
            self._refused = False
            self.say(done)

    def action_chat(self) -> None:
        line = self.query_one("#line", Input)
        line.placeholder = self.texts.say(msg("Say something to everybody (Enter sends, Esc closes)"))
        line.value = ""
        line.display = True
        line.focus()

    @on(Input.Submitted, "#line")
    def _said(self, message: Input.Submitted) -> None:
        self.action_back()
        if message.value.strip():
            self._ask(self.game.session.chat(message.value))

    def action_back(self) -> None:
        self.say("")
        self.query_one("#line").display = False
        self.query_one("#list").focus()
