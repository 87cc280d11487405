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
from citadels_lan.front.failures import REFUSED, because
from citadels_lan.front.game import Game
from citadels_lan.front.prompt.keys import LETTERS
from citadels_lan.front.sealed import check
from citadels_lan.net.client.updates import Alarm, Connected, Disconnected, Happened, Update
from citadels_lan.texts import msg
from citadels_lan.ui.table import commands
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.views import BottomLine
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.page import PageScreen

from .parts import TableParts

TICK = 0.25
"""Seconds between two looks at the clock while an answer waits for its time."""
SMALL: Final = frozenset(ascii_lowercase + digits + LETTERS)
"""The keys of cards, choices and players."""
ASKING: Final = frozenset({"hint", "chat", "command", "pause", "absence"})
"""The actions that ask something of the host."""
OPENING: Final = ("explain", "help", "who", "cast", "pile", "words")
"""The commands that open a page; each of them closes it again."""
SECOND: Final = 1.0
"""Between two looks at the time for a decision."""


class TableScreen(TableParts):
    """One game, as one player plays it."""

    STAGE = "table"
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
        self._was_mine = False
        self._ticks: Timer | None = None
        self._counting: Timer | None = None

    def on_mount(self) -> None:
        self.shown = True
        self.updated(())

    # Updates

    def updated(self, updates: Sequence[Update]) -> None:
        """Show what has happened."""
        if not self.shown:  # it will show everything when it is mounted
            return
        for update in updates:
            self._say_of(update)
        self._fill_log()
        if self.game.table.state is not None:
            self.place()
            self._ask()
            self.show_scene()
        self._count()

    def _say_of(self, update: Update) -> None:
        """Report an update in the last line."""
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
        lines = list(self.game.story.lines(self.game.texts, self._line_count))
        self._line_count = len(self.game.story.entries)
        if lines:
            self.tell(lines)

    def _ask(self) -> None:
        """Put the question if it is a new one."""
        moment = self.game.moment()
        if moment == self._moment:
            return
        self._moment = moment
        menu = self.game.menu()
        fresh = self.game.mine and not self._was_mine and not self.guided_above()
        news = self.game.recap() if fresh else []
        self._was_mine = self.game.mine
        if (glance := self.game.glance()) is not None:
            self.game.guide.ask(glance)
        self.panel.ask(menu, self.game.choices(), news, self.idle())
        self._count_down()
        self.program.attention(self.game.mine)

    def _count_down(self) -> None:
        """While an answer waits for its time the panel counts down."""
        counts = self.game.table.answer is not None
        if counts and self._ticks is None:
            self._ticks = self.set_interval(TICK, self._tick)
        elif not counts and self._ticks is not None:
            self._ticks.stop()
            self._ticks = None
            self._ask_again()

    def _tick(self) -> None:
        self._count_down()
        self.show_answer()

    def _ask_again(self) -> None:
        """Put the question again if its choices changed. If the state has moved on, `updated` asks the next
        question once the log has the events of the move: the news are read from the log."""
        view = self.game.table.state
        if view is not None and view.tick == self._moment[0]:
            self._ask()
            self.show_answer()

    def _count(self) -> None:
        """Start showing the time if the table limits decisions."""
        if self.game.time is not None and self._counting is None:
            self._counting = self.set_interval(SECOND, self.time_passes)

    def time_passes(self) -> None:
        """Show the time that is left, and say it when it is up."""
        if self.game.time_passes():
            self.program.nudge()
        self._fill_log()
        self.show_time()

    def retell(self) -> None:
        """Show everything again, in another language or another look."""
        self.tell(list(self.game.story.lines(self.game.texts)), again=True)
        self.panel.show_again(self.game.menu(), self.idle())
        self.show()

    # Moves

    @on(QuestionPanel.Chosen)
    def _chosen(self, message: QuestionPanel.Chosen) -> None:
        self._send(message.action)

    @work
    async def _send(self, action: Action) -> None:
        if self._sending and self.game.session.table.answer is None:
            return
        self._sending = True
        try:
            if self.game.session.table.answer is not None:
                check(self.game, action)
            await self.game.session.act(action)
        except REFUSED as reason:
            self.say(self.game.why(reason))
        finally:
            self._sending = False
            self._ask_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Disable the actions that need the host while it cannot be reached."""
        return action not in ASKING or not self.game.offline

    def action_press(self, key: str) -> None:
        """Answer the question with a key. The letter of another card or the digit of another player explains that
        card or player. In a question about characters a digit is a rank; the last line explains a rank that is
        not offered."""
        panel, game = self.panel, self.game
        if panel.press(key) or panel.early():
            return
        view, letters = game.table.state, game.card_letters
        if view is not None and game.table.seat is not None:
            from citadels_lan.front.prompt.typed import not_offered

            why_not = not_offered(game.texts, view, game.table.seat, panel.asking, key)
            if why_not:
                self.say("" if game.hidden else why_not)
                return
        if key == "q" and key not in letters.letters:
            self.say(game.texts.say(msg("{key}: leave the table."), key=self.keys["leave"]))
            return
        if key.isdecimal() and view is not None and 1 <= int(key) <= len(view.players):
            self.action_page(str(int(key) - 1))
        elif key in letters.letters and not game.hidden:
            panel.look_at(letters.cards[letters.letters.index(key)])

    def action_again(self) -> None:
        """Say once more what has happened last."""
        told = list(self.game.story.lines(self.game.texts))
        if told:
            self.say(told[-1].text)

    def action_palette(self) -> None:
        """All commands, to be searched by their names."""
        from citadels_lan.ui.screens.palette import NamedCommands

        said = self.game.texts.say(msg("Search for a command…"))
        self.app.push_screen(NamedCommands(placeholder=said))

    def action_calm(self) -> None:
        """Escape: what has befallen one is understood; else back to the question, and one step back in it."""
        self.say("")
        panel = self.panel
        if self.befallen.display and self.game.befallen.understood():
            self.place_and_show()
            return
        if not panel.asking.begun and self.game.guide.understood():
            self.show()
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
        self.place_and_show()

    def action_hide_hand(self) -> None:
        """Cover the player's private cards, or show them again."""
        self.game.hidden = not self.game.hidden
        self.show()

    def action_scroll_log(self, rows: int) -> None:
        self.told.scroll(rows)

    def action_hint(self) -> None:
        """Ask a bot for a hint; all players learn that this player asked."""
        if not self.game.hidden:
            from citadels_lan.ui.screens.thought import ThoughtScreen, hint_of

            self.app.push_screen(ThoughtScreen(hint_of(self.game)))

    # Explanations

    def action_explain(self) -> None:
        self.action_page(self.to_explain())

    def action_page(self, key: str) -> None:
        """Open the page about a card, a player, a rule, the characters, the pile, the words, or the keys."""
        from citadels_lan.ui.screens.explain import page

        text = page(self.game, self.look, "" if key == "help" else key, self.program.keymap)
        self.app.push_screen(PageScreen(text, self._closers(OPENING)))

    def _closers(self, names: Sequence[str]) -> Sequence[str]:
        """The keys of commands, which close what they have opened."""
        return [commands.key_of(name, self.program.keymap) for name in names]

    def action_map(self) -> None:
        """The common city in place of the players, or they again, where there is no room for both."""
        self.mapped = not self.mapped
        self.place_and_show()

    def action_result(self) -> None:
        """After the game: back to who has won."""
        if self.game.over:
            from citadels_lan.ui.screens.end import EndScreen

            self.app.push_screen(EndScreen(self.game, self.keys["result"]))

    def action_cards(self) -> None:
        """The characters and unique districts of this game."""
        from citadels_lan.front.plan import Plan
        from citadels_lan.ui.screens.table_setup import InPlayScreen

        view, plan = self.scene.view, Plan.of(self.game.table.settings.config)
        config = changed(plan.config, cast=tuple(view.cast), districts=tuple(view.districts))
        plan = replace(plan, config=config)
        self.app.push_screen(InPlayScreen(lambda: plan, self._closers(("cards",))))

    def action_invite(self) -> None:
        """Show the host how friends join. If a stranger guesses the code, make a new one at once."""
        from citadels_lan.ui.screens.invite import InviteScreen

        invitation = self.game.invitation
        if invitation is None:
            return
        if invitation.door.guessed:
            invitation.door.renew()
        self.app.push_screen(InviteScreen(invitation))

    @on(Canvas.Pointed, "#table,#city,#hand,#draft,#suspects")
    def _pointed(self, message: Canvas.Pointed) -> None:
        """A card, a player or a character was clicked: what its key does in the question, and Enter on what is
        pointed at already; where the question is not about it, what it is."""
        if not self.panel.point_at(message.control.id or "", message.hit):
            self.action_page(message.hit.key)

    @on(Canvas.Pointed, "#guide")
    async def _guide_clicked(self, message: Canvas.Pointed) -> None:
        if message.hit.key:
            await self.run_action("calm")
        else:
            self.action_page("guide")

    @on(Canvas.Pointed, "#hints,#befallen")
    async def _hint_clicked(self, message: Canvas.Pointed) -> None:
        if message.hit.kind == "page":
            self.action_page(message.hit.key)
            return
        await self.run_action(commands.action_of(message.hit.key, self.keys))

    async def action_pause(self) -> None:
        """Pause the game, or continue it."""
        await self._absence("go on" if self.game.session.table.paused else "pause")

    async def action_absence(self, word: str) -> None:
        """Act on an absent player, or on an end without a result."""
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
            from citadels_lan.front.prompt.typed import read_move

            game, items = self.game, self.panel.asking.items
            try:
                self._send(read_move(game.texts, game.edition, game.table.seat, game.names, items, message.text))
            except BadNotation as reason:
                self.say(self.game.why(reason))

    def on_key(self, event: events.Key) -> None:
        """Take a key that no widget and no command has handled as a key of the question."""
        if event.is_printable and event.character is not None and event.character in SMALL:
            event.stop()
            self.action_press(event.character)
