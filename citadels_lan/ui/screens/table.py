"""The screen of a running game: the table, the player's hand, the question, the log."""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase, digits
from typing import ClassVar, Final

from msgspec.structs import replace
from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer

from citadels_lan.engine import Action, BadNotation
from citadels_lan.net.client.updates import Alarm, Connected, Disconnected, Update
from citadels_lan.presenter.error_messages import REFUSED, because
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.prompt.keys import LETTERS
from citadels_lan.presenter.prompt.menu import capital
from citadels_lan.presenter.status import replaceable
from citadels_lan.texts import Message, msg
from citadels_lan.ui.table import bars, commands
from citadels_lan.ui.table.arrangement import Contents, Parts, arrange, left_of, put
from citadels_lan.ui.table.board import board, lines_wanted, numbers_of
from citadels_lan.ui.table.city import common_city
from citadels_lan.ui.table.panels import draft, hand, hand_inputs, hand_lines, lesson, lesson_lines
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.scene import Scene, SceneView, scene_of
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.program import PageScreen, ProgramScreen, Row, ScreenCommand

from .sure import SureScreen

LOG_PAGE: Final = 100
"""Most cells of a line on the page with the log."""
TICK = 0.25
"""Seconds between two updates of the countdown of a delayed answer."""
SMALL: Final = frozenset(ascii_lowercase + digits + LETTERS)
"""The keys of cards, choices and players."""
ASKING: Final = frozenset({"hint", "type", "pause", "absence"})
"""The actions that send a request to the host."""
EVERYWHERE: Final = frozenset({"palette", "language", "leave"})
"""The commands that the app has on every screen."""
OPENING: Final = ("explain", "help", "who", "cast", "pile", "words")
"""The commands that open a page. The key of each of them also closes the page."""
MARKED: Final = 1.0
"""How many seconds a number that has changed is marked."""
SECOND: Final = 1.0
"""Seconds between two checks of the decision timer."""
RULES: Final = {"gather": "gathering", "keep": "gathering", "build": "building", "income": "income", "end": "turn"}
"""For choices that are not about a card: the topic of the rules that explains the choice, by its verb."""


class TableScreen(ProgramScreen[None]):
    """A running game, as one player plays it. From the time at which the screen is `shown`, its parts draw
    `scene`. `mapped`: the common city is drawn in place of the players if there is no room for both."""

    CSS_PATH = "table.tcss"
    STAGE = "table"
    AUTO_FOCUS = "#question"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(command.key, command.action, show=False, id=f"{commands.PREFIX}{command.name}")
            for command in commands.COMMANDS
        ),
        Binding("escape", "calm", show=False),
    ]
    scene: Scene

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.mapped = self.shown = False
        self._parts: Parts = {}
        self._arranged_for: tuple[int, int, Contents] | None = None
        self._moment = (-1, 0)
        self._line_count = 0
        self._sending = False
        self._ticks: Timer | None = None
        self._counting: Timer | None = None
        self._marks: Timer | None = None
        self._changed: frozenset[tuple[int, str]] = frozenset()
        self._numbers: Mapping[tuple[int, str], int] = {}
        self.bar, self.hinted = bars.TurnBar(), bars.HintLine()
        self.attack_bar = SceneView(
            bars.attack_bar, lambda scene: (scene.hidden, scene.texts, scene.look), id="attacks"
        )
        self.board = SceneView(board, id="table", points=True)
        self.city = SceneView(common_city, id="city", points=True)
        self.draft = SceneView(draft, id="draft", points=True)
        self.hand = SceneView(hand, hand_inputs, id="hand", points=True)
        self.lesson = SceneView(lesson, id="lesson")
        self.panel = QuestionPanel(lambda: self.program.clock())  # noqa: PLW0108 - the app is not known yet
        self.told, self.chat = bars.LogView(), bars.LogView(id="chat", title=msg("Chat"), silent_key="chat")

    def compose(self) -> ComposeResult:
        yield from (
            self.bar, self.attack_bar, self.board, self.city, self.draft, self.hand, self.lesson, self.panel,
            self.told, self.chat, self.hinted, bars.BottomLine(),
        )  # fmt: skip

    def on_mount(self) -> None:
        self.shown = True
        self.updated(())

    # Updates

    def updated(self, updates: Sequence[Update]) -> None:
        """Show what the updates have changed."""
        if not self.shown:  # it shows everything when it is mounted
            return
        for update in updates:
            match update:
                case Disconnected():
                    self.say("")
                    if self.game.closed and (line := self.query_one(bars.BottomLine)).display:
                        line.close()
                case Alarm(code, details):
                    why = because(self.game.texts, code, details)
                    self.say(self.game.texts.say("ALARM: {why}", why=why))
                case Connected():
                    self.say("")
        self._fill_log()
        if self.game.table.state is not None:
            self._place()
            self._ask()
            self._show_scene()
        if self.game.time is not None and self._counting is None:
            self._counting = self.set_interval(SECOND, self.time_passes)

    def _fill_log(self) -> None:
        """Show new entries in the log."""
        story, texts = self.game.story, self.game.texts
        if len(story.entries) != self._line_count:
            chat = [line for line in story.lines(texts, self._line_count) if line.kind == "chat"]
            self._line_count = len(story.entries)
            self.told.add(story.by_turn(texts, mine=self.game.mine), again=True)
            self.chat.add(chat)

    def _ask(self) -> None:
        """Show the present question, unless it is already shown."""
        moment = self.game.moment()
        # The same question keeps its cursor and its ticks.
        if moment == self._moment:
            return
        self._moment = moment
        menu = self.game.menu()
        self.panel.ask(menu, self.game.choices(), self.game.outlook())
        self._count_down()
        self.program.attention(self.game.mine)

    def _count_down(self) -> None:
        """Update the countdown of a delayed answer until it is sent."""
        counts = self.game.table.answer is not None
        # Without an answer that waits, no timer wakes the program.
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
        """Show the question again if its choices have changed. Do nothing if the game has already moved on,
        because `updated` will show the next question."""
        view = self.game.table.state
        if view is not None and view.tick == self._moment[0]:
            self._ask()
            self.show_answer()

    def time_passes(self) -> None:
        """Show the remaining decision time, and alert the player when the time is up."""
        if self.game.time_passes():
            self.program.attention(True, again=True)
        self._fill_log()
        self._show_time()

    def retell(self) -> None:
        """Show everything again after a change of the language or the colours."""
        self._line_count = 0
        self.chat.add((), again=True)
        self._fill_log()
        self.panel.show_again(self.game.menu(), self.game.outlook())
        self.show_game()

    # Where the parts stand

    def on_resize(self) -> None:
        self._place_and_show()

    def _place_and_show(self) -> None:
        if self.shown and self.game.table.state is not None:
            self._place()
            self._show_scene()

    def _place(self) -> None:
        """Place every part of the screen for the present size and content."""
        self._set_scene()
        scene, (width, height) = self.scene, self.app.size
        drafting = scene.view.phase == "draft" and scene.seat is not None
        contents = Contents(
            len(scene.view.players),
            len(scene.edition.districts) if scene.shared else 0,
            self.mapped,
            len(bars.attack_lines(scene, self.game.open_attacks(), width)) if self.game.attacks_on_me.open else 0,
            drafting,
            len(self.game.menu().items) + 2 if drafting and self.game.mine else 0,
            lesson_lines(scene, left_of(width, height)),
            lines_wanted(scene, left_of(width, height)) if scene.calling else 0,
            hand_lines(scene, width),
        )
        # Textual lays out the whole screen again, so this happens only after a change.
        if (width, height, contents) != self._arranged_for:
            self._arranged_for = (width, height, contents)
            self._parts = arrange(width, height, contents)
            put(self.query(Canvas), self._parts)

    # Contents of the parts

    def _set_scene(self) -> None:
        """Make a new scene from the present state of the game."""
        self.panel.covered = self.game.hidden
        self._mark_changes()
        scene = scene_of(self.game, self.look, self.program.keys)
        self.scene = replace(scene, places=self.panel.places, changed=self._changed)

    def _mark_changes(self) -> None:
        """Mark the numbers of players that have changed since the last update; after MARKED seconds they are
        unmarked."""
        assert self.game.table.state is not None
        numbers = numbers_of(self.game.table.state)
        if self._numbers == numbers:
            return
        # At the beginning nothing has changed yet.
        if self._numbers:
            self._changed = frozenset(key for key, value in numbers.items() if self._numbers.get(key) != value)
            # The time starts again with each change.
            if self._marks is not None:
                self._marks.stop()
            self._marks = self.set_timer(MARKED, self._unmark)
        self._numbers = numbers

    def _unmark(self) -> None:
        """Stop marking the numbers that changed."""
        self._changed, self._marks = frozenset(), None
        self.show_game()

    def show_game(self) -> None:
        """Show the present state of the game without moving the parts of the screen."""
        self._set_scene()
        self._show_scene()

    def _show_scene(self) -> None:
        """Pass the scene to every part. A part is drawn again only if something that it shows has changed."""
        game, scene = self.game, self.scene
        self._show_time()
        self.attack_bar.show(scene, tuple(game.open_attacks()))
        for part in (self.city, self.hand, self.lesson):
            part.show(scene)
        self.told.limit(("chat",) if "chat" in self._parts else (), covered=scene.hidden)
        self.show_answer()

    def _show_time(self) -> None:
        """Show which player must decide, and the remaining decision time."""
        small = msg("Too small: needs 80×20")
        note = self.game.texts.say(small) if "table" not in self._parts and "city" not in self._parts else ""
        self.bar.show(self.scene, self._status(), self.game.mood(), self.game.words(), note)

    def _status(self) -> Sequence[str]:
        """Return the sentence of the turn bar in several lengths. In another player's turn, it says what that
        player has done, unless something more important must be said."""
        game, view = self.game, self.scene.view
        said = tuple(game.statuses(self.program.keys))
        plain = len(said) == 1 and view.turn is not None and not view.steps and game.time is None
        if plain and game.mood() == "other" and (doing := game.story.doing(game.texts)):
            return (capital(doing),)
        return said

    @on(QuestionPanel.Moved)
    @on(Canvas.Stepped)
    def show_answer(self) -> None:
        """Show the progress of the player's answer: the lines of the question, the card under the cursor, the
        keys."""
        game = self.game
        if self.panel.places != self.scene.places:
            self.scene = replace(self.scene, places=self.panel.places)
        scene = self.scene
        self.panel.show(scene, game.waits())
        self.board.show(scene)
        self.draft.show(scene)
        guessed = game.invitation is not None and game.invitation.join_code.guessed
        urgent = game.texts.say(commands.GUESSED) if guessed else ""
        self.hinted.show(scene, commands.hints(self._now(), self.program.keys), urgent)

    def _pointed(self) -> str:
        """Return the key of the card, player or district under the cursor in the table or the hand; "" if
        there is none."""
        focused = self.focused
        shown = isinstance(focused, SceneView) and focused.POINTS and focused.pointed
        return shown.key if shown else ""

    def _now(self) -> set[str]:
        """Return the conditions of hints (see `keys.toml`) that are true now."""
        game, asking, bidding = self.game, self.panel.asking, self.panel.bidding
        table, selection, current, end = game.table, asking.at.selection, asking.current, asking.menu.end
        ready = selection.ready or selection.sizes == (1, 1) if selection is not None else False
        points = current is not None and (current.open or bool(current.items))
        covered, over, amount = game.hidden, game.over, bidding.amount if bidding is not None else 0
        conditions = {
            "always": True,
            "skips": game.may_skip,
            "asked": game.mine,
            "confirms": not covered and bidding is None and (ready if selection is not None else points),
            "begun": not covered and asking.begun,
            "ends": not covered and selection is None and end is not None and end.choice is not None,
            "ticking": not covered and selection is not None,
            "passes": bidding is not None and not amount,
            "typed": amount > 0,
            "bids": bidding is not None and amount > 0 and bidding.possible,
            "over": over,
            "shared": self.scene.shared,
            "hosting": game.invitation is not None,
            "replacing": game.invitation is not None and bool(replaceable(table)),
            "stuck": game.may_end,
            "told": bool(game.story.entries),
            "advised": game.mine and not covered and table.settings.hints,
            "taken_over": table.taken_over,
            "pausing": table.seat is not None and not over and not game.offline and game.tutorial is None,
            "handing": bool(game.may_hand_to),
            "paused": table.paused and table.seat is not None and not game.offline,
            "offline": game.offline,
            "online": not game.offline,
            "talking": not game.offline and game.tutorial is None,
            "friends": not game.offline and game.with_people,
        }
        return {name for name, holds in conditions.items() if holds}

    def commands(self) -> Iterator[ScreenCommand]:
        """Yield the commands that are available now, help first."""
        now = self._now()
        for command in sorted(commands.COMMANDS, key=lambda command: command.name != "help"):
            if command.when in now and command.name not in EVERYWHERE:
                yield ScreenCommand(self.program.keys[command.name], command.title, command.action, command.does)

    # Moves

    @on(QuestionPanel.Chosen)
    def _chosen(self, message: QuestionPanel.Chosen) -> None:
        self._send(message.action)

    @work
    async def _send(self, action: Action) -> None:
        # A second key before the answer of the host would send the move twice.
        if self._sending and self.game.session.table.answer is None:
            return
        self._sending = True
        try:
            # A sealed answer waits for its time, so the rules check it now and not when it is sent.
            if self.game.session.table.answer is not None:
                self.game.check(action)
            await self.game.session.act(action)
        except REFUSED as reason:
            self.say(self.game.why(reason))
        finally:
            self._sending = False
            self._ask_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Disable the actions that need the host while it cannot be reached."""
        return action not in ASKING or not self.game.offline

    def on_key(self, event: events.Key) -> None:
        """Handle a key that no widget has handled: it may be a key of the question."""
        if event.is_printable and event.character is not None and event.character in SMALL:
            event.stop()
            self.action_press(event.character)

    def action_press(self, key: str) -> None:
        """Handle a key as an answer to the question. If no choice has the key, it explains something: a digit
        in a question about characters is a rank, and a notification says why it cannot be chosen; any other
        digit opens the page about a player; the letter of a card explains the card below the question."""
        panel, game = self.panel, self.game
        # The question comes first: elsewhere the same key only explains.
        if panel.press(key) or panel.early():
            return
        view, letters = game.table.state, game.card_letters
        if view is not None and game.table.seat is not None:
            from citadels_lan.presenter.prompt.typed import not_offered

            why_not = not_offered(game.texts, view, game.table.seat, panel.asking, key)
            if why_not:
                self.say("" if game.hidden else why_not)
                return
        if key == "q" and key not in letters.letters:
            self.say(game.texts.say("{key}: leave the game.", key=self.program.keys["leave"]))
        elif key.isdecimal() and view is not None and 1 <= int(key) <= len(view.players):
            self.action_page(str(int(key) - 1))
        elif key == "v" and key not in letters.letters:
            self.action_log()
        elif key in letters.letters and not game.hidden:
            panel.look_at(letters.cards[letters.letters.index(key)])

    def action_again(self) -> None:
        """Show the newest line of the log as a notification."""
        lines = list(self.game.story.lines(self.game.texts))
        if lines:
            self.say(lines[-1].text)

    def action_forward(self) -> None:
        """Skip the pauses of the bots until this player must decide."""
        self.game.skip()

    def action_calm(self) -> None:
        """Handle Escape: acknowledge an attack; if there is none, go to the question and one step back in
        it."""
        self.say("")
        panel = self.panel
        if self.attack_bar.display and self.game.attacks_on_me.understood():
            self._place_and_show()
        else:
            if panel.has_focus:
                panel.press("escape")
            panel.focus()

    def action_hide_hand(self) -> None:
        """Cover the player's hand and characters, or show them again."""
        self.game.hidden = not self.game.hidden
        self.show_game()

    def action_log(self) -> None:
        """Open the page with the whole log in sentences, scrolled to its end."""
        story, width = self.game.story, min(self.app.size.width - 8, LOG_PAGE)
        lines = list(story.lines(self.game.texts))
        # Other people may look at the screen, so lines about the hand are left out.
        if self.game.hidden:
            lines = [line for line in lines if line.kind not in bars.SECRET]
        text = Text("\n").join(row for line in lines for _, row in bars.rows(self.look, line, width))
        self.app.push_screen(PageScreen(text, (*self._closers(("log",)), "v"), at_end=True))

    def action_hint(self) -> None:
        """Ask a bot for a hint. All players are informed that this player asks."""
        if not self.game.hidden:
            from .analysis import ThoughtScreen, hint_of

            self.app.push_screen(ThoughtScreen(hint_of(self.game)))

    # Explanations

    def action_explain(self) -> None:
        """Open the page about the card under the cursor; if the choice is not about a card, the page about
        its rule."""
        item = self.panel.asking.current
        about = "" if item is None or self.game.hidden else item.about or RULES.get(item.verb, "")
        self.action_page(self._pointed() or about)

    def action_page(self, key: str) -> None:
        """Open the page that `key` selects, as in `rules.help_page`."""
        from .rules import help_page

        text = help_page(self.game, self.look, "" if key == "help" else key, self.program.keymap)
        self.app.push_screen(PageScreen(text, self._closers(OPENING)))

    def _closers(self, names: Sequence[str]) -> Sequence[str]:
        """Return the keys of these commands; a page that one of them has opened is also closed by them."""
        return [commands.key_of(name, self.program.keymap) for name in names]

    def action_map(self) -> None:
        """If there is no room for both, switch between the players and the common city."""
        self.mapped = not self.mapped
        self._place_and_show()

    def action_result(self) -> None:
        """Open the screen with the result again, after the game."""
        if self.game.over:
            from .end import EndScreen

            self.app.push_screen(EndScreen(self.game))

    def action_cards(self) -> None:
        """Open the list of the characters and unique districts of this game."""
        from citadels_lan.presenter.plan import Plan
        from citadels_lan.ui.screens.table_setup import InPlayScreen

        view, plan = self.scene.view, Plan.of(self.game.table.settings.config)
        config = replace(plan.config, cast=tuple(view.cast), districts=tuple(view.districts))
        in_play = Plan(config, plan.scenario, plan.base, plan.nine)
        self.app.push_screen(InPlayScreen(lambda: in_play, self._closers(("cards",))))

    def action_invite(self) -> None:
        """Show the host how friends join. If someone is guessing the code, make a new code first."""
        from .invite import InviteScreen

        if (invitation := self.game.invitation) is not None:
            self.app.push_screen(InviteScreen(invitation))

    @on(Canvas.Pointed, "#table,#city,#hand,#draft")
    def _clicked(self, message: Canvas.Pointed) -> None:
        """Handle a click on a card, player or character: like the key of the choice about it; if there is no
        such choice, open the page about it."""
        if not self.panel.point_at(message.control.id or "", message.hit):
            self.action_page(message.hit.key)

    @on(Canvas.Pointed, "#hints,#attacks")
    async def _hint_clicked(self, message: Canvas.Pointed) -> None:
        if message.hit.kind == "page":
            self.action_page(message.hit.key)
        else:
            await self.run_action(commands.action_of(message.hit.key, self.program.keys))

    @work
    async def action_pause(self) -> None:
        """Pause the game, or continue it. For the host this happens at once, for other players after a
        question."""
        if self.game.session.table.paused:
            await self.action_absence("continue")
        elif self.game.invitation is not None or await self._is_sure(
            msg("Pause the game for all players?"), msg("Pause"), "z"
        ):
            await self.action_absence("pause")

    @work
    async def action_conclude(self) -> None:
        """After a question, agree to end the game without a result, or withdraw this agreement."""
        table = self.game.session.table
        if table.seat in table.ending or await self._is_sure(
            msg("End the game without a result?"), msg("End without result"), "y"
        ):
            await self.action_absence("conclude")

    async def _is_sure(self, question: Message, label: Message, key: str) -> bool:
        """Ask `question`; return whether the player chooses the answer `label`, whose key is `key`."""
        say = self.game.texts.say
        answers = (Row("no", say(msg("Cancel"))), Row("yes", say(label), key))
        return bool(await self.app.push_screen_wait(SureScreen(say(question), answers)) == "yes")

    async def action_absence(self, line: str) -> bool:
        """Run a typed command about an absent player, a pause, or an end without a result. Return False if
        the line is no such command."""
        try:
            return await self.game.heed(line)
        except REFUSED as reason:
            self.say(self.game.why(reason))
            return True

    # Typed input

    def action_type(self, chat: bool) -> None:
        self.query_one(bars.BottomLine).open(self.game.texts, chat=chat)

    @on(bars.BottomLine.Closed)
    def _line_closed(self) -> None:
        self.panel.focus()

    @on(bars.BottomLine.Sent)
    async def _line_sent(self, message: bars.BottomLine.Sent) -> None:
        game, items = self.game, self.panel.asking.items
        try:
            if message.said:
                await game.session.chat(message.text)
            elif not await self.action_absence(message.text):
                from citadels_lan.presenter.prompt.typed import read_move

                self._send(read_move(game.texts, game.edition, game.table.seat, game.names, items, message.text))
        except (BadNotation, *REFUSED) as reason:
            self.say(game.why(reason))
