"""The game: the table, the own hand, the question, the log. From the first draft to the last turn."""

from collections.abc import Sequence
from dataclasses import replace
from string import ascii_lowercase, digits
from typing import ClassVar, Final

from msgspec.structs import replace as changed
from textual import events, on, work
from textual.binding import Binding, BindingType
from textual.timer import Timer

from citadels_lan.engine import Action, BadNotation
from citadels_lan.front.asking.card_letters import LETTERS
from citadels_lan.front.asking.not_offered import not_offered
from citadels_lan.front.asking.typed import read_move
from citadels_lan.front.game import Game
from citadels_lan.front.plan import Plan
from citadels_lan.front.refused import REFUSED, because
from citadels_lan.front.sealed import check
from citadels_lan.front.table_session import Alarm, Connected, Disconnected, Happened, Update
from citadels_lan.texts import msg
from citadels_lan.ui.screens.cards_in_play import InPlayScreen
from citadels_lan.ui.screens.end import EndScreen
from citadels_lan.ui.screens.explain import page
from citadels_lan.ui.screens.invite import InviteScreen
from citadels_lan.ui.screens.palette import NamedCommands
from citadels_lan.ui.screens.thought import ThoughtScreen, hint_of
from citadels_lan.ui.table import commands
from citadels_lan.ui.table.guide_view import GuideView
from citadels_lan.ui.table.hints import action_of
from citadels_lan.ui.table.log_view import LogView
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.turn_bar import TurnBar
from citadels_lan.ui.table.views import BefallenLine
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.page import PageScreen
from citadels_lan.ui.widgets.program import program

from .bottom_line import BottomLine
from .parts import TableParts

TICK = 0.25
"""Seconds between two looks at the clock while an answer waits for its time."""
SMALL: Final = frozenset(ascii_lowercase + digits + LETTERS)
"""The keys of cards, choices and players."""
ASKING: Final = frozenset({"end_turn", "undo", "hint", "chat", "command", "pause", "absence"})
"""The actions that ask something of the host."""
OPENING: Final = ("explain", "help", "who", "cast", "pile", "words")
"""The commands that open a page; each of them closes it again."""
SECOND: Final = 1.0
"""Between two looks at the time for a decision."""


class TableScreen(TableParts):
    """One game, as one player plays it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(one.key, one.action, show=False, id=f"{commands.PREFIX}{one.name}")
            for one in commands.COMMANDS
        ),
        Binding("escape", "calm", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._moment = (-1, 0)
        self._line_count = 0
        self._sending = False
        self._shown = False
        self._was_mine = False
        self._ticks: Timer | None = None
        self._counting: Timer | None = None

    def on_mount(self) -> None:
        self._shown = True
        self.place()
        self._fill_log()
        self._ask()
        self._count()

    # Updates

    def updated(self, updates: Sequence[Update]) -> None:
        """Show what has happened."""
        if not self._shown:  # it will show everything when it is mounted
            return
        for update in updates:
            self._say_of(update)
        self.place()
        self._fill_log()
        self._ask()
        self._count()
        for canvas in self.query(Canvas):
            if not isinstance(canvas, LogView | QuestionPanel) or self._auction_goes_on(canvas):
                canvas.redraw()

    def _auction_goes_on(self, canvas: Canvas) -> bool:
        """Whether this is the panel in which everybody follows an auction."""
        return isinstance(canvas, QuestionPanel) and self.scene().view.auction is not None

    def _say_of(self, update: Update) -> None:
        """What the last line says of an update."""
        say = self.game.texts.say
        match update:
            case Disconnected():
                self.say("")
                if self.game.closed and (line := self.query_one(BottomLine)).display:
                    line.close()
            case Alarm(code, details):
                self.say(say(msg("ALARM: {why}"), why=because(self.game.texts, code, details)))
            case Connected() | Happened():
                self.say("")

    def _fill_log(self) -> None:
        """Add the lines that are new."""
        entries = self.game.story.entries
        lines = list(self.game.story.lines(self.game.texts, self._line_count))
        self._line_count = len(entries)
        if lines:
            self.tell(lines)

    def _ask(self) -> None:
        """Put the question if it is a new one."""
        moment = self.game.moment()
        if moment == self._moment or self.game.view is None:
            return
        self._moment = moment
        menu = self.game.menu()
        fresh = self.game.mine and not self._was_mine and not self.guided_above()
        news = self.game.recap() if fresh else []
        self._was_mine = self.game.mine
        if (glance := self.game.glance()) is not None:
            self.game.guide.ask(glance)
        self.panel.ask(menu, self.game.choices(), news, self.idle())
        self.mark_places()
        self._tick()
        program(self.app).attention(self.game.mine)

    def _tick(self) -> None:
        """While an answer waits for its time the panel counts down."""
        counts = self.game.session.answer is not None
        self.panel.redraw()
        if counts and self._ticks is None:
            self._ticks = self.set_interval(TICK, self._tick)
        elif not counts and self._ticks is not None:
            self._ticks.stop()
            self._ticks = None
            self._ask_again()

    def _ask_again(self) -> None:
        """Put the question again if its choices changed. If the state has moved on, `updated` asks the next
        question once the log has the events of the move: the news are read from the log."""
        view = self.game.view
        if view is not None and view.tick == self._moment[0]:
            self._ask()

    def _count(self) -> None:
        """Where there is a time for each decision it is seen to pass."""
        if self.game.time is not None and self._counting is None:
            self._counting = self.set_interval(SECOND, self.time_passes)

    def time_passes(self) -> None:
        """Show the time that is left, and say it when it is up."""
        if self.game.time_passes():
            program(self.app).nudge()
        self._fill_log()
        self.query_one(TurnBar).redraw()

    def retell(self) -> None:
        """Everything again, in another language or another look."""
        self.tell_all()
        self.panel.show_again(self.game.menu(), self.idle())
        self.mark_places()
        self.redraw()

    # Moves

    @on(QuestionPanel.Chosen)
    def _chosen(self, message: QuestionPanel.Chosen) -> None:
        self._send(message.action)

    @work
    async def _send(self, action: Action) -> None:
        if self._sending and self.game.session.answer is None:
            return
        self._sending = True
        try:
            if self.game.session.answer is not None:
                check(self.game, action)
            await self.game.session.act(action)
        except REFUSED as reason:
            self.say(self.game.why(reason))
        finally:
            self._sending = False
            self._ask_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Without a connection to the host a key does nothing that asks something of it."""
        return action not in ASKING or not self.game.offline

    def action_press(self, key: str) -> None:
        """A key of the question; a card's letter or a player's digit that the question is not about shows them.
        Where it is about characters a digit is a rank, and one that is not offered says why."""
        panel, game = self.panel, self.game
        if panel.press(key) or panel.early():
            return
        view, letters = game.view, game.card_letters
        if view is not None and game.seat is not None:
            why_not = not_offered(game.texts, view, game.seat, panel.asking, key)
            if why_not:
                self.say("" if game.hidden else why_not)
                return
        if key == "q" and key not in letters.letters:
            self.say(game.texts.say(msg("{key}: leave the table."), key=self.key_of("leave")))
            return
        if key.isdecimal() and view is not None and 1 <= int(key) <= len(view.players):
            self._explain(str(int(key) - 1))
        elif key in letters.letters and not game.hidden:
            panel.look_at(letters.cards[letters.letters.index(key)])

    def action_end_turn(self) -> None:
        self.panel.press("end_turn")

    def action_undo(self) -> None:
        """Back to the question as it was put."""
        self.panel.press("undo")

    def action_again(self) -> None:
        """Say once more what has happened last."""
        told = list(self.game.story.lines(self.game.texts))
        if told:
            self.say(told[-1].text)

    def action_palette(self) -> None:
        """All commands, to be searched by their names."""
        said = self.game.texts.say(msg("Search for a command…"))
        self.app.push_screen(NamedCommands(placeholder=said))

    def action_calm(self) -> None:
        """Escape: what has befallen one is understood; else back to the question, and one step back in it."""
        self.say("")
        line, panel = self.query_one(BefallenLine), self.panel
        if line.display and self.game.befallen.understood():
            line.redraw()
            self.place()
            return
        if not panel.asking.begun and self.game.guide.understood():
            self.query_one(GuideView).redraw()
            return
        if panel.has_focus:
            panel.press("escape")
        panel.focus()

    def action_guide(self) -> None:
        """The guide, or the table without it."""
        guide, glance = self.game.guide, self.game.glance()
        guide.switch()
        if glance is not None:
            guide.ask(glance)
        self.place()
        self.redraw()

    def action_hide_hand(self) -> None:
        """Cover everything that only this player may see, or show it again."""
        self.game.hidden = not self.game.hidden
        self.panel.covered = self.told.covered = self.game.hidden
        self.mark_places()
        self.redraw()

    def action_scroll_log(self, rows: int) -> None:
        self.told.scroll(rows)

    def action_hint(self) -> None:
        """What a bot would do, thought out elsewhere; everybody is told that it was asked for."""
        if not self.game.hidden:
            self.app.push_screen(ThoughtScreen(hint_of(self.game)))

    # Explanations

    def action_explain(self) -> None:
        self._explain(self.to_explain())

    def _explain(self, key: str) -> None:
        said = page(self.game, self.look, key, program(self.app).keymap)
        self.app.push_screen(PageScreen(said, self._closers(OPENING)))

    def _closers(self, names: Sequence[str]) -> Sequence[str]:
        """The keys of commands, which close what they have opened."""
        return [commands.key_of(name, program(self.app).keymap) for name in names]

    def action_map(self) -> None:
        """The common city in place of the players, or they again, where there is no room for both."""
        self.mapped = not self.mapped
        self.place()

    def action_pile(self) -> None:
        """What lies on the face-up pile."""
        self._explain("pile")

    def action_result(self) -> None:
        """After the game: back to who has won."""
        if self.over:
            self.app.push_screen(EndScreen(self.game, self.key_of("result")))

    def action_help(self) -> None:
        self._explain("")

    def action_words(self) -> None:
        """The four words, and what they are for."""
        self._explain("words")

    def action_who(self) -> None:
        self._explain("who")

    def action_cast(self) -> None:
        """What each character of this game does."""
        self._explain("cast")

    def action_cards(self) -> None:
        """The characters and unique districts of this game."""
        view, plan = self.scene().view, Plan.of(self.game.session.settings.config)
        config = changed(plan.config, cast=tuple(view.cast), districts=tuple(view.districts))
        plan = replace(plan, config=config)
        self.app.push_screen(InPlayScreen(lambda: plan, self._closers(("cards",))))

    def action_invite(self) -> None:
        """At the host's own place: how friends come in. Where somebody guesses there is a new code at
        once."""
        door = self.game.door
        if door is None:
            return
        if door.guessed:
            door.renew()
        self.app.push_screen(InviteScreen(door))

    @on(Canvas.Pointed, "#table,#city,#hand,#draft,#suspects")
    def _pointed(self, message: Canvas.Pointed) -> None:
        """A card, a player or a character was clicked: what its key does in the question, and Enter on what is
        pointed at already; where the question is not about it, what it is."""
        if not self.panel.point_at(message.control.id or "", message.hit):
            self._explain(message.hit.key)

    @on(Canvas.Pointed, "#guide")
    async def _guide_clicked(self, message: Canvas.Pointed) -> None:
        if message.hit.key:
            await self.run_action("calm")
        else:
            self._explain("guide")

    @on(Canvas.Pointed, "#hints,#befallen")
    async def _hint_clicked(self, message: Canvas.Pointed) -> None:
        if message.hit.kind == "page":
            self._explain(message.hit.key)
            return
        await self.run_action(action_of(message.hit.key, program(self.app).keymap))

    async def action_pause(self) -> None:
        """Pause the game, or go on."""
        await self._absence("go on" if self.game.session.paused else "pause")

    async def action_absence(self, word: str) -> None:
        """Do something about somebody who is gone, or about an end without a result."""
        await self._absence(word)

    async def _absence(self, line: str) -> bool:
        """Do what a line says about those who are gone; whether it says that."""
        try:
            return await self.game.heed(line)
        except REFUSED as reason:
            self.say(self.game.why(reason))
            return True

    async def _chat(self, text: str) -> None:
        try:
            await self.game.session.chat(text)
        except REFUSED as reason:
            self.say(self.game.why(reason))

    # What is typed

    def action_chat(self) -> None:
        self.query_one(BottomLine).open(self.game.texts, chat=True)

    def action_command(self) -> None:
        self.query_one(BottomLine).open(self.game.texts, chat=False)

    @on(BottomLine.Closed)
    def _line_closed(self) -> None:
        self.panel.focus()

    @on(BottomLine.Sent)
    async def _line_sent(self, message: BottomLine.Sent) -> None:
        if message.said:
            await self._chat(message.text)
        elif not await self._absence(message.text):
            game, items = self.game, self.panel.asking.items
            try:
                self._send(read_move(game.texts, game.edition, game.seat, game.names, items, message.text))
            except BadNotation as reason:
                self.say(self.game.why(reason))

    def on_key(self, event: events.Key) -> None:
        """What neither a widget nor a command has taken is a key of the question."""
        if event.is_printable and event.character is not None and event.character in SMALL:
            event.stop()
            self.action_press(event.character)
