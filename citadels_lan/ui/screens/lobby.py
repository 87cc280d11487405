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

from citadels_lan.engine import SEATS
from citadels_lan.front.acquaintances import badge, in_lobby, key_lines
from citadels_lan.front.cells import cut, pad, wrap
from citadels_lan.front.door.doorway import MORE, NOWHERE, Doorway
from citadels_lan.front.game import Game
from citadels_lan.front.glyphs import ASCII
from citadels_lan.front.going_on import going_on
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import changes, heading, in_lines, options_line, scenario_name
from citadels_lan.front.refused import REFUSED, because, parted, why
from citadels_lan.front.signs import GUEST
from citadels_lan.front.table_session import Alarm, Disconnected, Seat, Settings, Update
from citadels_lan.people.people import Acquaintance, OtherKey
from citadels_lan.texts import editions, msg
from citadels_lan.ui.table.hints import GUESSED, HOSTING
from citadels_lan.ui.table.log_view import LogView
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.code_drawing import draw_qr, draw_words
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.page import PageScreen, paragraphs

from .cards_in_play import InPlayScreen
from .cast import CastScreen
from .edition import EditionScreen, edition_page
from .invite import InviteScreen
from .list_screen import CssPath, Foot, Heading, ListScreen
from .sure import SureScreen

LIST = 56
"""Cells that the list wants beside the QR code."""
NAME = 24
"""Cells that a name may take, and does where nothing is known of anybody."""
WIDE = 100
"""Cells from which there is room for what is of use to few."""


class HostHeading(Heading):
    """At the host's own place: whose table it is, the words in large letters, the link."""

    def __init__(self, screen: "LobbyScreen", door: Doorway) -> None:
        super().__init__(screen)
        self._screen = screen
        self._door = door

    def fit(self, width: int) -> None:
        """As high as what is to be said."""
        self.styles.height = len(self.draw(width, 0).lines)

    def draw(self, width: int, height: int) -> Drawing:
        drawing, screen, door = Drawing(), self._screen, self._door
        look, say = screen.look, screen.texts.say
        title = Pen(drawing).write(f" {look.glyphs.crown} ", look.gold).write(screen.title_text(), look.title)
        title.write(cut(f"   {screen.plan_text()}", width - title.x - 1), look.dim)
        draw_words(drawing, screen.texts, look, door, width)
        if not door.addresses:
            Pen(drawing).to(3).write(cut(say(NOWHERE), width - 4), look.dim)
        else:
            for line in filter(None, (door.command(), door.link, door.web)):
                Pen(drawing).to(3).write(cut(line, width - 4))
            if len(door.addresses) > 1 and width >= WIDE:
                more = say(MORE, addresses=", ".join(door.addresses[1:]))
                Pen(drawing).to(3).write(cut(more, width - 4), look.dim)
        return drawing


class QrView(Canvas):
    """The link as a QR code beside the list, where there is room for it; the one for a browser where friends can
    come with one."""

    def __init__(self, screen: "LobbyScreen", door: Doorway) -> None:
        super().__init__(id="qr")
        self._screen = screen
        self._door = door
        self.width = 0

    def _lines(self) -> list[str]:
        return self._door.qr(ascii_only=self._screen.look.glyphs is ASCII, web=bool(self._door.web))

    def fit(self, width: int, height: int) -> None:
        """Shown in so many cells and lines, or not at all."""
        lines = self._lines()
        self.width = len(lines[0]) + 1 if lines else 0
        self.styles.width = self.width
        self.display = len(lines) > 0 and len(lines) <= height and self.width + LIST <= width

    def draw(self, width: int, height: int) -> Drawing:
        drawing = Drawing()
        draw_qr(drawing, self._lines())
        return drawing


class LobbyScreen(ListScreen):
    """The table while it fills."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "lobby.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "ready", show=False),
        Binding("s", "start", show=False),
        Binding("c,slash", "chat", show=False),
        Binding("p", "cast", show=False),
        Binding("o", "options", show=False),
        Binding("n", "invite", show=False),
        Binding("w", "keys", show=False),
        Binding("x", "send_away", show=False),
        Binding("q", "app.leave_table", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self._told = 0

    def compose(self) -> ComposeResult:
        door = self.game.door
        if door is None:
            yield Heading(self)
            yield ChoiceList(lambda: self.look, id="list")
        else:
            yield HostHeading(self, door)
            with Horizontal(id="middle"):
                yield ChoiceList(lambda: self.look, id="list")
                yield QrView(self, door)
        yield LogView(lambda: self.look)
        yield Input(id="line", compact=True, max_length=300)
        yield Foot(self)

    def on_mount(self) -> None:
        super().on_mount()
        self.updated(())

    def on_resize(self) -> None:
        self.retell()

    def retell(self) -> None:
        """Everything again; the invitation takes the room that it needs now."""
        width, height = self.app.size
        for heading_view in self.query(HostHeading):
            heading_view.fit(width)
            used = len(heading_view.draw(width, 0).lines) + max(height // 5, 3) + 1
            self.query_one(QrView).fit(width, height - used)
        super().retell()

    # What it shows

    def title_text(self) -> str:
        owner = next((name for seat, name in zip(self.game.session.lobby, self.game.names, strict=True)
                      if seat.owner), "?")  # fmt: skip
        return self.texts.say(msg("{name}'s table"), name=owner)

    def below_title(self) -> list[str]:
        begins = self.texts.say(msg("The game begins when all seats are taken and everybody is ready."))
        if self.game.seat is None:
            begins = self.texts.say(msg("You are watching: the game begins when the players are ready."))
        return [begins, self.plan_text()]

    def plan_text(self) -> str:
        """What will be played, in a line."""
        plan = self._plan()
        return "; ".join((heading(self.texts, plan), *editions.chosen(self.texts, plan.config.options)))

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        door = self.game.door
        guessed = door is not None and door.guessed
        code = [] if door is None else [("n", say(GUESSED if guessed else HOSTING))]
        start = [("s", say(msg("start")))] if self.game.session.owner else []
        ready = [] if self.game.seat is None else [("r", say(msg("ready")))]
        return [
            *([] if self._pointed() is None else [("x", say(msg("send away")))]),
            *(code if guessed else []),
            *ready,
            *start,
            *([] if guessed else code),
            ("c", say(msg("chat"))),
            ("p", say(msg("cards"))),
            ("o", say(msg("options"))),
            ("l", say(msg("language"))),
            ("q", say(msg("leave"))),
            *([("w", say(msg("keys")))] if any(self._found()) else []),
        ]

    def rows(self) -> list[Row]:
        session, say = self.game.session, self.texts.say
        found = self._found()
        room = NAME if not any(found) else max(map(cell_len, self.game.names))
        rows = [
            self._seat(number, seat, found[number], min(room, NAME)) for number, seat in enumerate(session.lobby)
        ]
        for number in range(len(rows), session.settings.players):
            kept = session.settings.bots > sum(seat.bot for seat in session.lobby)
            free = say(msg("free seat, or a bot's")) if kept else say(msg("free seat"))
            rows.append(Row("", f"{SEATS[number]} {self.look.glyphs.dot} {free}"))
        return [*rows, Row("", ""), *self._buttons(), *self._settings(session.settings), *self._cards()]

    def _found(self) -> list[Acquaintance | None]:
        """By seat, what is known of whoever sits there."""
        return in_lobby(self.game.known, self.game.session.lobby, self.game.seat)

    def _seat(self, number: int, seat: Seat, found: Acquaintance | None, room: int) -> Row:
        """A seat that is taken. What is known of the person stands first: the sign says already who is ready."""
        say, look = self.texts.say, self.look
        sign = look.glyphs.tick if seat.ready or seat.bot else look.glyphs.dot
        words = [say(msg("bot")) if seat.bot else say(msg("ready")) if seat.ready else say(msg("not ready yet"))]
        words += [say(msg("opened the table"))] if seat.owner else []
        words += [say(GUEST)] if seat.guest else []
        words += [say(msg("that is you"))] if number == self.game.seat else []
        words += [say(msg("away, says the host"))] if seat.away else []
        said = " · ".join(filter(None, (badge(self.texts, found), ", ".join(words))))
        name = pad(self.game.names[number], room, look.glyphs.cut)
        key = f"seat {number}" if self.game.session.owner and number != self.game.seat else ""
        return Row(key, f"{SEATS[number]} {sign} {name} {said}", warns=isinstance(found, OtherKey), aside=True)

    def _pointed(self) -> int | None:
        """The seat under the cursor, which only its owner can put on the seats of others."""
        row = next((shown.current for shown in self.query("#list").results(ChoiceList)), None)
        return int(row.key.removeprefix("seat ")) if row is not None and row.key.startswith("seat ") else None

    def _settings(self, settings: Settings) -> list[Row]:
        """What will be played; the owner may change it."""
        say, plan = self.texts.say, self._plan()
        shown = [
            ("players", say(msg("Players")), str(settings.players)),
            ("bots", say(msg("of them bots")), str(settings.bots)),
        ]
        if plan.chooses:
            shown.append(("scenario", say(msg("Characters")), scenario_name(self.texts, plan.scenario)))
        edition = editions.name(self.texts, plan.config.edition)
        options = Row("options", say(msg("Edition and options…")), f"{edition}: {options_line(self.texts, plan)}")
        if self.game.session.owner:
            rows = [Row(key, label, value=value) for key, label, value in shown]
            cast = [Row("cast", say(msg("Characters and districts…")))] if plan.chooses else []
            return [*rows, *cast, options, *(Row("", line) for line in self._going_on(settings))]
        rows = [Row("", f"{label}: {value}") for _, label, value in shown]
        rows += [Row("", line) for line in self._going_on(settings)]
        return [options, Row("cast", say(msg("Cards in play…"))), *rows]

    def _going_on(self, settings: Settings) -> list[str]:
        """What everybody should know of a table that may go on without its host."""
        told = going_on(self.texts, settings)
        return wrap(told, max(self._list_width() - 3, 20)) if told else []

    def _cards(self) -> list[Row]:
        """The characters and districts, as far as there is room for them."""
        if not self._plan().chooses:
            return []
        return [Row("", line) for line in in_lines(self.texts, self._plan(), max(self._list_width() - 3, 20))]

    def _list_width(self) -> int:
        """Cells of the list: what the QR code leaves."""
        beside = (view.width for view in self.query(QrView) if view.display)
        return self.size.width - next(beside, 0)

    def _plan(self) -> Plan:
        return Plan.of(self.game.session.settings.config)

    def _buttons(self) -> list[Row]:
        say = self.texts.say
        ready = say(msg("I am not ready after all")) if self._me_ready() else say(msg("I am ready"))
        rows = [] if self.game.seat is None else [Row("ready", ready)]
        if self.game.session.owner:
            rows.insert(0, Row("start", say(msg("Start the game"))))
        keys = [Row("keys", say(msg("Compare keys…")))] if any(self._found()) else []
        return [*rows, Row("chat", say(msg("Say something…"))), *keys, Row("leave", say(msg("Leave the table")))]

    def _me_ready(self) -> bool:
        seats, mine = self.game.session.lobby, self.game.seat
        return mine is not None and mine < len(seats) and seats[mine].ready

    # What happens

    def updated(self, updates: Sequence[Update]) -> None:
        """Show what has changed."""
        if not self.query(LogView):  # not composed yet
            return
        for update in updates:
            match update:
                case Disconnected(code, details):
                    self.say(parted(self.texts, code, details))
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
                   "options": "options", "keys": "keys"}  # fmt: skip
        await self.run_action(actions.get(message.key, "send_away"))

    @on(ChoiceList.Moved)
    def _moved(self) -> None:
        self.query_one(Foot).redraw()

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        settings, step = self.game.session.settings, message.step
        if message.key == "players":
            plan = self._plan().more(step)
            self._play(plan, bots=min(settings.bots, plan.players - 1))
        elif message.key == "bots":
            self._play(self._plan(), bots=(settings.bots + step) % settings.players)
        else:
            self._play(self._plan().next_way(step))

    def action_cast(self) -> None:
        """What will be played: to choose for the owner, to read for the others."""
        if self.game.session.owner and self._plan().chooses:
            self.app.push_screen(CastScreen(self._plan()), self._play)
        else:
            self.app.push_screen(InPlayScreen(self._plan))

    def action_options(self) -> None:
        """Edition and options: to choose for the owner, to read for the others."""
        if self.game.session.owner:
            self.app.push_screen(EditionScreen(self._plan()), self._play)
        else:
            self.app.push_screen(PageScreen(edition_page(self.texts, self.look, self._plan())))

    def _play(self, plan: Plan | None, bots: int | None = None) -> None:
        """Ask for this, unless it is None, and say what another number of players changes."""
        if plan is None:
            return
        before, now = self._plan(), self.game.session.settings
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
            self.say(say(msg("Point at a player with the arrows, and press x again.")))
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
            self.app.push_screen(PageScreen(paragraphs(self.look, title, lines)))

    def action_ready(self) -> None:
        if self.game.seat is not None:
            self._ask(self.game.session.ready(not self._me_ready()))

    def action_start(self) -> None:
        if self.game.session.owner:
            self._ask(self.game.session.start())

    @work
    async def _ask(self, asked: Awaitable[None], done: str = "") -> None:
        """Ask the host for something, and say why it was refused, or what comes of it."""
        try:
            await asked
        except REFUSED as reason:
            self.say(why(self.texts, reason))
        else:
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
