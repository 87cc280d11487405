"""The lobby: players, invitation, chat, and the settings of the game."""

from collections.abc import Awaitable, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import SEATS, Unplayable
from citadels_lan.net.client.updates import Alarm, Disconnected, Update
from citadels_lan.net.wire.messages import Seat
from citadels_lan.people import Acquaintance, OtherKey
from citadels_lan.presenter import plan as plans
from citadels_lan.presenter.error_messages import REFUSED, because
from citadels_lan.presenter.game import Game, called_off
from citadels_lan.presenter.known_players import badge, in_lobby, key_lines
from citadels_lan.presenter.plan import Plan, options_line, scenario_name
from citadels_lan.presenter.status import fill_and_start, fill_question, free_seats, is_ready, missing_for_start
from citadels_lan.presenter.symbols import ASCII, GUEST
from citadels_lan.presenter.text_width import pad
from citadels_lan.texts import msg, terms
from citadels_lan.ui.table.bars import HEADS, BottomLine, LogView
from citadels_lan.ui.table.commands import GUESSED, HOSTING
from citadels_lan.ui.widgets.program import ChoiceList, PageScreen, Row, bindings_of

from .invite import QR, InviteScreen, draw_words, ways
from .list_screen import HELP, LANGUAGE, Hint, ListScreen
from .sure import SureScreen
from .table_setup import DETAILED, CastScreen, EditionScreen, InPlayScreen, about_plan, edition_page

ASKING = frozenset({"ready", "start", "chat", "send_away"})
"""The actions that send a request to the host."""
LIST = 66
"""Columns of the list to the left of the plan and the QR code."""
CHAT = 7
"""Most lines of the chat."""
CODE = 17
"""Lines of the screen that the QR code cannot use, at most."""
NAME = 24
"""Most columns of a name."""
ROOMY = 30
"""From this height of the screen on, empty lines separate the groups of the list."""
TALL = 40
"""From this height of the screen on, an empty line is above the invitation."""
TONIGHT = 52
"""Fewest columns of the frame with the plan of the game."""
WIDEST = 100
"""Most columns of the frame with the plan of the game."""
WIDE = 100
"""From this width of the screen on, the other addresses of this computer are listed."""


class LobbyScreen(ListScreen):
    """The table before the game: players, invitation, chat and settings."""

    STAGE = "lobby"
    BINDINGS: ClassVar[list[BindingType]] = bindings_of("lobby")

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self._told = 0

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with Horizontal(id="middle"):
            yield ChoiceList("list")
            with VerticalScroll(id="aside", can_focus=False):
                yield Static(id="about")
            yield Static(id="qr")
        yield LogView(silent_key="C")
        yield BottomLine()
        yield self.key_bar()

    def on_mount(self) -> None:
        self.updated(())

    def retell(self) -> None:
        """Show everything again. If there is not enough room, the QR code is missing rather than the plan,
        because the code can be opened on its own page."""
        super().retell()
        width, height = self.app.size
        for qr in self.query("#qr").results(Static):
            # A chat without messages needs no more than the line that says so.
            most = min(max(height // 6, 3), CHAT)
            self.query_one("#log").styles.height = min(len(self.game.story.entries) + 1, most)
            code = self._qr()
            cells = len(code[0]) + 1 if code and len(code) <= height - CODE else 0
            room = width - LIST - self.beside_width()
            qr.display = 0 < cells <= room
            qr.styles.width = cells
            qr.update(Text("\n").join(Text(line, QR) for line in code))

    def beside_width(self) -> int:
        width = self.app.size.width
        if width - LIST < TONIGHT:
            return 0
        return min(max(width - LIST - (len((self._qr() or ("",))[0]) + 1), TONIGHT), WIDEST)

    # Contents

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Disable the actions that need the host while it cannot be reached."""
        return action not in ASKING or not self.game.offline

    def title_text(self) -> str:
        if self.game.offline:
            return self.texts.say(HEADS[self.game.mood()])
        owner = next((name for seat, name in zip(self.game.table.lobby, self.game.names, strict=True)
                      if seat.owner), "?")  # fmt: skip
        return self.texts.say("{name}'s game", name=owner)

    def missing(self) -> str:
        if self.game.offline:
            return self.game.parted({"leave": "Q"})[0]
        said = missing_for_start(self.texts, self.game.table)
        if self.game.table.seat is None:
            watching = self.texts.say("You are watching: the game begins when the players are ready.")
            return f"{watching} {said}"
        return said

    def purpose(self) -> list[str]:
        return [self.missing(), *super().purpose()]

    def heading(self) -> Text:
        """Return the name of the host and what is missing for the start; for the host also the code and the
        links."""
        look, game = self.look, self.game
        text = Text.assemble((f"{look.glyphs.crown} ", look.gold), (self.title_text(), look.title))
        if not self.has_beside:
            plan = self.plan()
            parts = (plans.heading(self.texts, plan), *terms.chosen(self.texts, plan.config.options))
            text.append(f"   {'; '.join(parts)}", look.dim)
        text.append(f"\n{self.missing()}", look.strong)
        tall = self.size.height >= TALL
        if not tall and self.plan().config.draft == "sealed":  # the whole sentence is out of sight there
            text.append(f"\n{self.texts.say(plans.SEALED_SHORT)}")
        if game.invitation is not None:
            width = self.app.size.width
            lines = ways(self.texts, game.invitation, others=width >= WIDE)
            text.append("\n\n" if tall else "\n")
            text.append_text(draw_words(self.texts, look, game.invitation.join_code, width - 4))
            text.append("\n" + "\n".join(lines), "not bold default")
        return text

    def beside(self) -> tuple[str, RenderableType]:
        return about_plan(self.texts, self.look, self.plan(), detailed=self.size.height >= DETAILED + 15)

    def _qr(self) -> Sequence[str]:
        """Return the lines of the QR code. It has the link for a browser if browsers can join, otherwise the
        link for the program."""
        invitation = self.game.invitation
        if invitation is None:
            return ()
        return invitation.qr(ascii_only=self.look.glyphs is ASCII, web=invitation.web is not None)

    def hints(self) -> Sequence[Hint]:
        invitation, leave = self.game.invitation, ("Q", msg("leave"))
        guessed = invitation is not None and invitation.join_code.guessed
        if self.game.offline:
            return (leave, HELP, LANGUAGE)
        code = [] if invitation is None else [("N", GUESSED if guessed else HOSTING)]
        hints: list[Hint] = [] if self._seat() is None else [("X", msg("remove"))]
        hints += code if guessed else []
        hints += [("R", msg("cancel ready") if self.ready else msg("ready"))] if self.asks_ready else []
        hints += [("S", msg("start"))] if self.game.table.owner else []
        hints += [] if guessed else code
        hints += [("C", msg("chat")), ("P", msg("cards")), HELP, LANGUAGE, leave, ("O", msg("options"))]
        hints += [("D", msg("draft"))] if self.plan().drafts else []
        return [*hints, *([("W", msg("keys"))] if any(self.known()) else [])]

    def _seat(self) -> int | None:
        """Return the seat under the cursor; None if there is none. Only the host can move the cursor to other
        players."""
        row = self.pointed
        return int(row.key.removeprefix("seat ")) if row is not None and row.key.startswith("seat ") else None

    @property
    def roomy(self) -> bool:
        """Whether the list has empty lines between its groups, and a row for each free seat."""
        return self.size.height >= ROOMY

    def rows(self) -> list[Row]:
        """Return the rows of the seats, the commands, and the settings."""
        lobby, known = self.game.table.lobby, self.known()
        room = min(max(map(cell_len, self.game.names), default=0), NAME)
        rows = [self._seat_row(number, seat, known[number], room) for number, seat in enumerate(lobby)]
        rows += self._free_seats(len(rows), apart=self.roomy)
        gap = [Row("", "")] if self.roomy else []
        if self.game.offline:
            return [*rows, *gap, self._leave()]
        return [*rows, *gap, *self._buttons(), *gap, *self._settings(), *self._cards()]

    def _free_seats(self, taken: int, *, apart: bool) -> list[Row]:
        """Return the rows of the free seats: a row for each, or with little room one row for all."""
        say, table, dot = self.texts.say, self.game.table, self.look.glyphs.dot
        kept = table.settings.bots > sum(seat.bot for seat in table.lobby)
        free = say("free seat or bot") if kept else say("free seat")
        letters = [SEATS[number] for number in range(taken, table.settings.players)]
        if apart or len(letters) < 2:
            return [Row("", f"{letter} {dot} {free}") for letter in letters]
        count = self.texts.plural("{count} free seat", "{count} free seats", len(letters))
        bots = say("for bots or friends") if kept else say("for friends")
        return [Row("", f"{letters[0]}-{letters[-1]} {dot} {count}, {bots}")]

    def _seat_row(self, number: int, seat: Seat, known: Acquaintance | None, room: int) -> Row:
        """Return the row of a player: name, what this player knows about the person, and whether the person
        is ready."""
        say, look = self.texts.say, self.look
        sign = look.glyphs.tick if is_ready(seat) else look.glyphs.dot
        kinds = {SeatKind.HOST: msg("host"), SeatKind.BOT: msg("bot")}
        state = kinds.get(seat.kind) or (msg("ready") if seat.ready else msg("not ready"))
        words = [say(state)]
        # At a table without a host's player, the first guest configures and starts the game.
        words += [say("starts the game")] if seat.owner and seat.kind != SeatKind.HOST else []
        words += [say(GUEST)] if seat.guest else []
        words += [say("you")] if number == self.game.table.seat else []
        words += [say("offline")] if seat.away else []
        said = " · ".join(filter(None, (badge(self.texts, known), ", ".join(words))))
        name = pad(self.game.names[number], room, look.glyphs.cut)
        key = f"seat {number}" if self.game.table.owner and number != self.game.table.seat else ""
        return Row(key, f"{SEATS[number]} {sign} {name} {said}", warns=isinstance(known, OtherKey), aside=True)

    def _settings(self) -> list[Row]:
        """Return the rows with the settings of the game. The host can change them."""
        say, plan, settings = self.texts.say, self.plan(), self.game.table.settings
        shown = [("players", say("Players"), str(settings.players)), ("bots", say("Bots"), str(settings.bots))]
        if plan.chooses:
            shown.append(("scenario", say("Characters"), scenario_name(self.texts, plan.scenario)))
        edition = terms.name(self.texts, plan.config.edition)
        options = Row("options", say("Edition and options…"), f"{edition}: {options_line(self.texts, plan)}",
                      letter="o")  # fmt: skip
        draft, agreed = plans.draft_kind(self.texts, settings.config.draft), self._agreed()
        if self.game.table.owner:
            rows = [Row(key, label, value=value) for key, label, value in shown]
            sealed = [Row("draft", say("The draft"), value=draft, letter="d")] if plan.drafts else []
            cast = [Row("cast", say("Characters and districts…"), letter="p")] if plan.chooses else []
            return [*rows, *cast, options, *sealed, *agreed]
        rows = [options, Row("cast", say("Cards in play…"), letter="p")]
        rows += [Row("draft", say("The draft: {draft}", draft=draft), letter="d")] if plan.drafts else []
        return [*rows, *(Row("", f"{label}: {value}") for _, label, value in shown), *agreed]

    def _agreed(self) -> list[Row]:
        """Return rows about special conditions of this table: a sealed draft, no hints, called-off starts."""
        settings = self.game.table.settings
        conditions = [*plans.conditions(self.texts, settings), called_off(self.game)]
        return [row for text in conditions if text for row in self.about(text, margin=0)]

    def _cards(self) -> list[Row]:
        """Return rows with the characters and districts, if there is no frame to the right of the list that
        shows them."""
        if not self.plan().chooses or self.has_beside:
            return []
        width = max(self.app.size.width - 3, 20)
        return [Row("", line) for line in plans.plan_lines(self.texts, self.plan(), width)]

    def _buttons(self) -> list[Row]:
        say = self.texts.say
        ready = say(msg("Cancel ready")) if self.ready else say(msg("Ready"))
        start = [Row("start", say(msg("Start")), letter="s")] if self.game.table.owner else []
        rows = [Row("ready", ready, letter="r")] if self.asks_ready else []
        keys = [Row("keys", say("Compare keys"), letter="w")] if any(self.known()) else []
        invites = self.game.invitation is not None and self.roomy
        code = [Row("invite", say("Invite"), letter="n")] if invites else []
        return [*start, *rows, *code, Row("chat", say("Chat"), letter="c"), *keys, self._leave()]

    def _leave(self) -> Row:
        return Row("app.leave_table", self.texts.say("Leave"), letter="q")

    @property
    def asks_ready(self) -> bool:
        """Whether this player can tell the host that they are ready. The host's own player is always
        ready."""
        seats, mine = self.game.table.lobby, self.game.table.seat
        return mine is not None and mine < len(seats) and seats[mine].kind != SeatKind.HOST

    @property
    def ready(self) -> bool:
        """Whether this player is ready."""
        seats, mine = self.game.table.lobby, self.game.table.seat
        return mine is not None and mine < len(seats) and seats[mine].ready

    def known(self) -> list[Acquaintance | None]:
        """Return what this player knows about the person in each seat; None as in `known_players.who`."""
        return in_lobby(self.game.known, self.game.table.lobby, self.game.table.seat)

    def plan(self) -> Plan:
        return Plan.of(self.game.table.settings.config)

    # Updates

    def updated(self, updates: Sequence[Update]) -> None:
        """Show what the updates of the table have changed."""
        if not self.query(LogView):  # not composed yet
            return
        for update in updates:
            match update:
                case Disconnected() if self.game.closed:
                    self.action_back()
                case Alarm(code, details):
                    self.say(self.texts.say("ALARM: {why}", why=because(self.texts, code, details)))
        lines = list(self.game.story.lines(self.texts, self._told))
        self._told = len(self.game.story.entries)
        if lines:
            self.query_one(LogView).add(lines)
        self.retell()

    @on(ChoiceList.Chosen)
    async def _chosen(self, message: ChoiceList.Chosen) -> None:
        await self.run_action("send_away" if message.key.startswith("seat ") else message.key)

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        settings, step = self.game.table.settings, message.step
        if message.key == "bots":
            self._play(self.plan(), bots=(settings.bots + step) % settings.players)
        elif message.key == "draft":
            self.action_draft()
        else:
            self._play(self.plan().stepped(message.key, step))

    def action_cast(self) -> None:
        """Open the characters and districts of the game. The host can change them; other players can only
        read."""
        if self.game.table.owner and self.plan().chooses:
            self.app.push_screen(CastScreen(self.plan()), self._play)
        else:
            self.app.push_screen(InPlayScreen(self.plan))

    def action_options(self) -> None:
        """Open the edition and its options. The host can change them; other players can only read."""
        if self.game.table.owner:
            self.app.push_screen(EditionScreen(self.plan()), self._play)
        else:
            self.app.push_screen(PageScreen(edition_page(self.texts, self.look, self.plan()), ("o", "O")))

    def action_draft(self) -> None:
        """For the host, switch between an open and a sealed draft; for other players, explain both."""
        if not self.game.table.owner:
            lines = plans.about_draft(self.texts, self.game.table.settings)
            self.read(self.texts.say("The draft"), lines, ("d", "D"))
            return
        try:
            self._play(self.plan().stepped("draft", 1))
        except Unplayable as why_not:
            self.say(plans.reason(self.texts, why_not))

    def _play(self, plan: Plan | None, bots: int | None = None) -> None:
        """Ask the host program to use this plan; do nothing if it is None. Explain what changes with another
        number of players."""
        if plan is None:
            return
        before, now = self.plan(), self.game.table.settings
        seats = min(now.bots if bots is None else bots, plan.config.players - 1)
        settings = replace(now, config=plan.config, bots=seats)
        self._ask(self.game.session.configure(settings), " ".join(plans.changes(self.texts, before, plan)))

    def action_invite(self) -> None:
        """Show how friends join. If a guest is guessing the code, make a new code first."""
        if (invitation := self.game.invitation) is not None:
            self.app.push_screen(InviteScreen(invitation))

    @work
    async def action_send_away(self) -> None:
        """Remove the player under the cursor from the table, after a question. Only the host can do that."""
        seat, say = self._seat(), self.texts.say
        if not self.game.table.owner:
            return
        if seat is None:
            self.say(say("Select a player with the arrow keys, and press X again."))
            return
        name, key = self.game.names[seat], self.game.table.lobby[seat].key
        asked = say("Remove {name}? They can return only with a new code.", name=name)
        answers = (Row("no", say("No")), Row("yes", say("Remove"), "x"))
        question = SureScreen(asked, answers)
        if await self.app.push_screen_wait(question) != "yes":
            return
        # The player may have changed seats.
        for number, (other, named) in enumerate(zip(self.game.table.lobby, self.game.names, strict=True)):
            if (other.key, named) == (key, name):
                self._ask(self.game.session.remove(number))

    def action_keys(self) -> None:
        """Show the words of all players' keys, so that players can compare them."""
        lines = key_lines(self.texts, self.game.known, self.game.table.lobby, self.game.table.seat)
        if lines:
            title = self.texts.say("Keys: compare the six words with those on your friend's screen")
            self.read(title, lines, ("w", "W"))

    def action_ready(self) -> None:
        if self.asks_ready:
            self._ask(self.game.session.ready(not self.ready))

    @work
    async def action_start(self) -> None:
        """Start the game. If seats are free, first ask whether bots should take them."""
        table, say = self.game.table, self.texts.say
        if not table.owner:
            return
        slow = any(not is_ready(seat) for number, seat in enumerate(table.lobby) if number != table.seat)
        if (free := free_seats(table)) <= 0 or slow:
            self._ask(self.game.session.start())
            return
        answers = (Row("no", say("Wait")), Row("yes", say("Start with bots"), "s"))
        question = SureScreen(fill_question(self.texts, free), answers)
        if await self.app.push_screen_wait(question) == "yes":
            self._ask(fill_and_start(self.game.session))

    @work
    async def _ask(self, asked: Awaitable[None], done: str = "") -> None:
        """Await `asked`, a request to the host. Show `done` if the host accepts it, otherwise the reason."""
        try:
            await asked
        except REFUSED as reason:
            self.say(self.game.why(reason))
        else:
            self.say(done)

    def action_chat(self) -> None:
        self.query_one(BottomLine).open(self.texts, chat=True)

    @on(BottomLine.Sent)
    def _said(self, message: BottomLine.Sent) -> None:
        self._ask(self.game.session.chat(message.text))

    @on(BottomLine.Closed)
    def action_back(self) -> None:
        self.say("")
        self.query_one(BottomLine).display = False
        self.query_one("#list").focus()
