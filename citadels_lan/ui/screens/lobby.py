"""Before the game: who is here, who is ready, what to tell friends, what will be played, a chat."""

from collections.abc import Awaitable, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input

from citadels_lan.engine import SEATS, Unplayable
from citadels_lan.front.acquaintances import badge, in_lobby, key_lines
from citadels_lan.front.bot_hint import FORBIDDEN
from citadels_lan.front.cells import cut, pad
from citadels_lan.front.failures import REFUSED, because
from citadels_lan.front.game import Game, called_off
from citadels_lan.front.glyphs import ASCII, GUEST
from citadels_lan.front.invitation import MORE, NOWHERE, Invitation
from citadels_lan.front.pending import missing_for_start
from citadels_lan.front.plan import (
    SEALED_SHORT,
    Plan,
    about_draft,
    changes,
    draft_kind,
    heading,
    options_line,
    plan_lines,
    reason,
    scenario_name,
    sealed_draft,
)
from citadels_lan.net.client.updates import Alarm, Disconnected, LobbyChanged, Update
from citadels_lan.net.wire.messages import Seat
from citadels_lan.people import Acquaintance, OtherKey
from citadels_lan.texts import msg, terms
from citadels_lan.ui.drawings.frame import said
from citadels_lan.ui.drawings.tonight import draw_tonight
from citadels_lan.ui.table.commands import GUESSED, HOSTING
from citadels_lan.ui.table.log_view import SILENT, LogView
from citadels_lan.ui.table.turn_bar import HEADS
from citadels_lan.ui.widgets.canvas import DrawnBy
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.page import PageScreen

from .cast import CastScreen
from .invite import QR, InviteScreen, draw_words
from .list_screen import HELP, LANGUAGE, Hint, ListScreen
from .sure import SureScreen
from .table_setup import EditionScreen, InPlayScreen, edition_page

ASKING = frozenset({"ready", "start", "chat", "send_away"})
"""The actions that ask something of the host."""
LIST = 66
"""Cells that the list wants beside what is played and the QR code."""
CHAT = 7
"""Lines of the chat at most."""
NAME = 24
"""Cells that a name may take."""
ROOMY = 30
"""Lines from which groups of the list stand apart."""
TALL = 40
"""Lines of a screen from which free ones stand around how friends come in."""
TONIGHT = 52
"""Cells that what is played wants at least."""
WIDEST = 100
"""And at most."""
WIDE = 100
"""Cells from which there is room for what is of use to few."""


def found(game: Game) -> list[Acquaintance | None]:
    """What is known of the player in each seat."""
    return in_lobby(game.known, game.table.lobby, game.table.seat)


def me_ready(game: Game) -> bool:
    """Whether this person has said that they are ready."""
    seats, mine = game.table.lobby, game.table.seat
    return mine is not None and mine < len(seats) and seats[mine].ready


class LobbyChat(LogView):
    """Chat and events, or a hint how to chat while there are none."""

    def __init__(self, screen: ListScreen) -> None:
        super().__init__()
        self._screen = screen

    def draw(self, width: int, height: int) -> Drawing:
        drawing = super().draw(width, height)
        if not drawing.lines:
            hint = self._screen.texts.say(SILENT, key="C")
            Pen(drawing).write(cut(f" {hint}", width), self._screen.look.dim)
        return drawing


class LobbyScreen(ListScreen):
    """The table while it fills."""

    STAGE = "lobby"
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
        yield DrawnBy("heading", self.draw_heading)
        with Horizontal(id="middle"):
            yield ChoiceList("list")
            yield DrawnBy("tonight", self._draw_tonight)
            yield DrawnBy("qr", self._draw_qr)
        yield LobbyChat(self)
        yield Input(id="line", compact=True, max_length=300)
        yield DrawnBy("foot", self.draw_foot)

    def on_mount(self) -> None:
        super().on_mount()
        self.updated(())

    def retell(self) -> None:
        """Everything again; what friends need and what is played take the room that there is now."""
        if self.query(LogView):
            self._arrange()
        super().retell()

    def _arrange(self) -> None:
        """Give each part its room. The plan comes before the QR code, which also has a page."""
        width, height = self.app.size
        chat = min(max(height // 6, 3), CHAT)
        self.query_one("#log").styles.height = chat
        heading_lines = len(self.draw_heading(width, 0).lines)
        self.query_one("#heading").styles.height = heading_lines
        code = self._qr()
        cells = len(code[0]) + 1 if code and len(code) <= height - heading_lines - chat - 1 else 0
        spare = width - LIST
        if spare - cells < TONIGHT <= spare:
            cells = 0
        played = min(spare - cells, WIDEST) if spare - cells >= TONIGHT else 0
        for name, room in (("#tonight", played), ("#qr", cells if cells <= spare - played else 0)):
            view = self.query_one(name)
            view.display = room > 0
            view.styles.width = room

    # What it shows

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Without a connection to the host, keys that need the host do nothing."""
        return action not in ASKING or not self.game.offline

    def title_text(self) -> str:
        if self.game.offline:
            return self.texts.say(HEADS[self.game.mood()])
        owner = next((name for seat, name in zip(self.game.table.lobby, self.game.names, strict=True)
                      if seat.owner), "?")  # fmt: skip
        return self.texts.say(msg("{name}'s table"), name=owner)

    def missing(self) -> str:
        if self.game.offline:
            return self.game.parted({"leave": "Q"})[0]
        said = missing_for_start(self.texts, self.game.table)
        if self.game.table.seat is None:
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
        return "; ".join((heading(self.texts, plan), *terms.chosen(self.texts, plan.config.options)))

    @property
    def has_tonight(self) -> bool:
        """Whether the plan is shown to the right of the list."""
        return any(view.display for view in self.query("#tonight"))

    def draw_heading(self, width: int, height: int) -> Drawing:
        """The host, what is missing, and for the host also the words in large letters and the link."""
        drawing, look = Drawing(), self.look
        pen = Pen(drawing).write(f" {look.glyphs.crown} ", look.gold)
        pen.write(cut(self.title_text(), width - 4), look.title)
        if not self.has_tonight:
            pen.write(cut(f"   {self.plan_text()}", width - pen.x - 1), look.dim)
        said(drawing, self.missing(), width - 1, look.strong, indent=3)
        tall = self.size.height >= TALL
        if not tall and self.plan().config.draft == "sealed":  # the whole sentence is below the fold there
            said(drawing, self.texts.say(SEALED_SHORT), width - 1, indent=3)
        if self.game.invitation is not None:
            self._ways_in(self.game.invitation, drawing, width, tall)
        return drawing

    def _ways_in(self, invitation: Invitation, drawing: Drawing, width: int, tall: bool) -> None:
        """How friends come in."""
        look, say = self.look, self.texts.say
        if tall:
            Pen(drawing)
        draw_words(drawing, self.texts, look, invitation.door, width)
        if not invitation.addresses:
            Pen(drawing).to(3).write(cut(say(NOWHERE), width - 4), look.dim)
            return
        for line in invitation.ways():
            Pen(drawing).to(3).write(cut(line, width - 4))
        if len(invitation.addresses) > 1 and width >= WIDE:
            more = say(MORE, addresses=", ".join(invitation.addresses[1:]))
            Pen(drawing).to(3).write(cut(more, width - 4), look.dim)
        if tall:
            Pen(drawing)

    def _draw_tonight(self, width: int, height: int) -> Drawing:
        """What will be played."""
        return draw_tonight(self.texts, self.look, self.plan(), width, height)

    def _qr(self) -> Sequence[str]:
        """The link as a QR code; the one for a browser where friends can come with one."""
        invitation = self.game.invitation
        if invitation is None:
            return ()
        return invitation.qr(ascii_only=self.look.glyphs is ASCII, web=invitation.web is not None)

    def _draw_qr(self, width: int, height: int) -> Drawing:
        drawing = Drawing()
        for line in self._qr():
            Pen(drawing).write(line, QR)
        return drawing

    def hints(self) -> Sequence[Hint]:
        invitation, leave = self.game.invitation, ("Q", msg("leave"))
        guessed = invitation is not None and invitation.door.guessed
        if self.game.offline:
            return (leave, HELP, LANGUAGE)
        code = [] if invitation is None else [("N", GUESSED if guessed else HOSTING)]
        hints: list[Hint] = [] if self._seat() is None else [("X", msg("send away"))]
        hints += code if guessed else []
        hints += [] if self.game.table.seat is None else [("R", msg("ready"))]
        hints += [("S", msg("start"))] if self.game.table.owner else []
        hints += [] if guessed else code
        hints += [("C", msg("chat")), ("P", msg("cards")), HELP, LANGUAGE, leave, ("O", msg("options"))]
        hints += [("D", msg("draft"))] if self.plan().drafts else []
        return [*hints, *([("W", msg("keys"))] if any(found(self.game)) else [])]

    def _seat(self) -> int | None:
        """The seat under the cursor, which only its owner can put on the seats of others."""
        row = self.pointed
        return int(row.key.removeprefix("seat ")) if row is not None and row.key.startswith("seat ") else None

    @property
    def list_width(self) -> int:
        beside = any(view.display for view in self.query("#tonight, #qr"))
        return LIST if beside else self.app.size.width

    @property
    def roomy(self) -> bool:
        """Whether groups of the list stand apart, and every seat has its row."""
        return self.size.height >= ROOMY

    def rows(self) -> list[Row]:
        """The seats, what can be done, what will be played."""
        lobby, known = self.game.table.lobby, found(self.game)
        room = min(max(map(cell_len, self.game.names), default=0), NAME)
        rows = [self._seat_row(number, seat, known[number], room) for number, seat in enumerate(lobby)]
        rows += self._free_seats(len(rows), apart=self.roomy)
        gap = [Row("", "")] if self.roomy else []
        if self.game.offline:
            return [*rows, *gap, self._leave()]
        return [*rows, *gap, *self._buttons(), *gap, *self._settings(), *self._cards()]

    def _free_seats(self, taken: int, *, apart: bool) -> list[Row]:
        """The free seats: a row for each, or one for all."""
        say, table, dot = self.texts.say, self.game.table, self.look.glyphs.dot
        kept = table.settings.bots > sum(seat.bot for seat in table.lobby)
        free = say(msg("free seat, or a bot's")) if kept else say(msg("free seat"))
        letters = [SEATS[number] for number in range(taken, table.settings.players)]
        if apart or len(letters) < 2:
            return [Row("", f"{letter} {dot} {free}") for letter in letters]
        count = self.texts.plural("{count} free seat", "{count} free seats", len(letters))
        bots = say(msg("kept for bots, or for friends")) if kept else say(msg("for friends"))
        return [Row("", f"{letters[0]}-{letters[-1]} {dot} {count}, {bots}")]

    def _seat_row(self, number: int, seat: Seat, known: Acquaintance | None, room: int) -> Row:
        """A seat that is taken. What is known of the person stands first: the sign says already who is ready."""
        say, look = self.texts.say, self.look
        sign = look.glyphs.tick if seat.ready or seat.bot else look.glyphs.dot
        words = [say(msg("bot")) if seat.bot else say(msg("ready")) if seat.ready else say(msg("not ready yet"))]
        words += [say(msg("opened the table"))] if seat.owner else []
        words += [say(GUEST)] if seat.guest else []
        words += [say(msg("that is you"))] if number == self.game.table.seat else []
        words += [say(msg("away, says the host"))] if seat.away else []
        said = " · ".join(filter(None, (badge(self.texts, known), ", ".join(words))))
        name = pad(self.game.names[number], room, look.glyphs.cut)
        key = f"seat {number}" if self.game.table.owner and number != self.game.table.seat else ""
        return Row(key, f"{SEATS[number]} {sign} {name} {said}", warns=isinstance(known, OtherKey), aside=True)

    def _settings(self) -> list[Row]:
        """What will be played; the owner may change it."""
        say, plan, settings = self.texts.say, self.plan(), self.game.table.settings
        shown = [
            ("players", say(msg("Players")), str(settings.players)),
            ("bots", say(msg("of them bots")), str(settings.bots)),
        ]
        if plan.chooses:
            shown.append(("scenario", say(msg("Characters")), scenario_name(self.texts, plan.scenario)))
        edition = terms.name(self.texts, plan.config.edition)
        options = Row("options", say(msg("Edition and options…")), f"{edition}: {options_line(self.texts, plan)}",
                      letter="o")  # fmt: skip
        draft, agreed = draft_kind(self.texts, settings.config.draft), self._agreed()
        if self.game.table.owner:
            rows = [Row(key, label, value=value) for key, label, value in shown]
            sealed = [Row("draft", say(msg("The draft")), value=draft, letter="d")] if plan.drafts else []
            cast = [Row("cast", say(msg("Characters and districts…")), letter="p")] if plan.chooses else []
            return [*rows, *cast, options, *sealed, *agreed]
        rows = [options, Row("cast", say(msg("Cards in play…")), letter="p")]
        rows += [Row("draft", say(msg("The draft: {draft}"), draft=draft), letter="d")] if plan.drafts else []
        return [*rows, *(Row("", f"{label}: {value}") for _, label, value in shown), *agreed]

    def _agreed(self) -> list[Row]:
        """Special conditions of this table: a sealed draft, no hints; and starts that were called off."""
        settings = self.game.table.settings
        hints = "" if settings.hints else self.texts.say(FORBIDDEN)
        conditions = [sealed_draft(self.texts, settings), hints, called_off(self.game)]
        return [row for text in conditions if text for row in self.about(text, margin=0)]

    def _cards(self) -> list[Row]:
        """The characters and districts, unless they are shown to the right."""
        if not self.plan().chooses or self.has_tonight:
            return []
        return [Row("", line) for line in plan_lines(self.texts, self.plan(), max(self.list_width - 3, 20))]

    def _buttons(self) -> list[Row]:
        say = self.texts.say
        ready = say(msg("I am not ready after all")) if me_ready(self.game) else say(msg("I am ready"))
        rows = [] if self.game.table.seat is None else [Row("ready", ready, letter="r")]
        if self.game.table.owner:
            rows.insert(0, Row("start", say(msg("Start the game")), letter="s"))
        keys = [Row("keys", say(msg("Compare keys…")), letter="w")] if any(found(self.game)) else []
        invites = self.game.invitation is not None and self.roomy
        code = [Row("invite", say(msg("How friends come in…")), letter="n")] if invites else []
        chat = Row("chat", say(msg("Say something…")), letter="c")
        return [*rows, chat, *keys, *code, self._leave()]

    def _leave(self) -> Row:
        return Row("app.leave_table", self.texts.say(msg("Leave the table")), letter="q")

    def plan(self) -> Plan:
        return Plan.of(self.game.table.settings.config)

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
        self.retell()

    @on(ChoiceList.Chosen)
    async def _chosen(self, message: ChoiceList.Chosen) -> None:
        await self.run_action("send_away" if message.key.startswith("seat ") else message.key)

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        settings, step = self.game.table.settings, message.step
        if message.key == "players":
            plan = self.plan().more(step)
            self._play(plan, bots=min(settings.bots, plan.config.players - 1))
        elif message.key == "bots":
            self._play(self.plan(), bots=(settings.bots + step) % settings.players)
        elif message.key == "draft":
            self.action_draft()
        else:
            self._play(self.plan().next_way(step))

    def action_cast(self) -> None:
        """What will be played: to choose for the owner, to read for the others."""
        if self.game.table.owner and self.plan().chooses:
            self.app.push_screen(CastScreen(self.plan()), self._play)
        else:
            self.app.push_screen(InPlayScreen(self.plan))

    def action_options(self) -> None:
        """Edition and options: to choose for the owner, to read for the others."""
        if self.game.table.owner:
            self.app.push_screen(EditionScreen(self.plan()), self._play)
        else:
            self.app.push_screen(PageScreen(edition_page(self.texts, self.look, self.plan()), ("o", "O")))

    def action_draft(self) -> None:
        """Seal the draft or open it again, for the owner; what both are, for the others."""
        if not self.game.table.owner:
            lines = about_draft(self.texts, self.game.table.settings)
            self.read(self.texts.say(msg("The draft")), lines, ("d", "D"))
            return
        try:
            self._play(self.plan().other_draft())
        except Unplayable as why_not:
            self.say(reason(self.texts, why_not))

    def _play(self, plan: Plan | None, bots: int | None = None) -> None:
        """Ask the host for this plan, unless it is None, and explain what another number of players changes."""
        if plan is None:
            return
        before, now = self.plan(), self.game.table.settings
        seats = min(now.bots if bots is None else bots, plan.config.players - 1)
        settings = replace(now, config=plan.config, bots=seats)
        self._ask(self.game.session.configure(settings), " ".join(changes(self.texts, before, plan)))

    def action_invite(self) -> None:
        """Show how friends join. If a guest is guessing the code, make a new one first."""
        invitation = self.game.invitation
        if invitation is not None:
            if invitation.door.guessed:
                invitation.door.renew()
            self.app.push_screen(InviteScreen(invitation))

    def action_send_away(self) -> None:
        """Let the host send a player away, after a question."""
        seat, say = self._seat(), self.texts.say
        if not self.game.table.owner:
            return
        if seat is None:
            self.say(say(msg("Point at a player with the arrows, and press X again.")))
            return
        name, key = self.game.names[seat], self.game.table.lobby[seat].key
        asked = say(msg("Send {name} away? They can come back only with a new code."), name=name)
        answers = (Row("no", say(msg("No"))), Row("yes", say(msg("Send away")), "x"))
        question = SureScreen(asked, answers)
        self.app.push_screen(question, lambda said: self._send_away(key, name) if said == "yes" else None)

    def _send_away(self, key: bytes, name: str) -> None:
        """Send away the player with this key and name, who may have changed seats."""
        seats = zip(self.game.table.lobby, self.game.names, strict=True)
        for number, (seat, known) in enumerate(seats):
            if (seat.key, known) == (key, name):
                self._ask(self.game.session.remove(number))

    def action_keys(self) -> None:
        """The words of the keys of all players, to be compared."""
        lines = key_lines(self.texts, self.game.known, self.game.table.lobby, self.game.table.seat)
        if lines:
            title = self.texts.say(msg("Keys: whoever has the same six words on their own screen is who they say"))
            self.read(title, lines, ("w", "W"))

    def action_ready(self) -> None:
        if self.game.table.seat is not None:
            self._ask(self.game.session.ready(not me_ready(self.game)))

    def action_start(self) -> None:
        if self.game.table.owner:
            self._ask(self.game.session.start())

    @work
    async def _ask(self, asked: Awaitable[None], done: str = "") -> None:
        """Send a request to the host, and show the result or the reason of a refusal."""
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
