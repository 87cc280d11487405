"""The game: the table, the own hand, the question, the log. From the first draft to the last turn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase, digits
from typing import Any, ClassVar, Final

from msgspec.structs import replace as changed
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.geometry import Region
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input

from citadels_lan.engine import Action, BadNotation, parse
from citadels_lan.front.advice.hint import THINKING, NoHint, advise
from citadels_lan.front.advice.hint import lines as advice_lines
from citadels_lan.front.game import Game
from citadels_lan.front.guide.guide import Hint
from citadels_lan.front.log import Line
from citadels_lan.front.plan import Plan
from citadels_lan.front.refused import REFUSED, because, parted, why
from citadels_lan.front.sealed import Waits, check, waits
from citadels_lan.front.table_session import Alarm, Connected, Disconnected, Happened, Update
from citadels_lan.front.waiting import absence
from citadels_lan.texts import msg
from citadels_lan.ui.table import commands
from citadels_lan.ui.table.arrangement import PARTS, Arrangement, Contents, arrange
from citadels_lan.ui.table.draft import LOW, DraftView, dealt
from citadels_lan.ui.table.guide_view import PANEL, GuideView, ideas
from citadels_lan.ui.table.hints import GUESSED, Now, action_of, hints
from citadels_lan.ui.table.log_view import ChatView, LogView
from citadels_lan.ui.table.panels import DetailView, SuspectsView
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.scene import Scene, scene_of
from citadels_lan.ui.table.turn_bar import TurnBar
from citadels_lan.ui.table.views import BefallenLine, CityView, HandView, HintLine, TableView
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.page import PageScreen, paragraphs
from citadels_lan.ui.widgets.program import program

from .cards_in_play import InPlayScreen
from .end import EndScreen
from .explain import page
from .invite import InviteScreen
from .palette import NamedCommands, TableCommands

TICK = 0.25
"""Seconds between two looks at the clock while an answer waits for its time."""
SMALL: Final = frozenset(ascii_lowercase + digits)
"""The keys of cards, choices and players."""
SECOND: Final = 1.0
"""Between two looks at the time for a decision."""

RULES: Final = {"gather": "gathering", "keep": "gathering", "build": "building", "income": "income", "end": "turn"}
"""The rule that explains what is about no card, by the verb."""


class TableScreen(Screen[None]):
    """One game, as one player sees it."""

    CSS_PATH = "table.tcss"
    AUTO_FOCUS = "#question"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {TableCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(one.key, one.action, show=False, id=f"{commands.PREFIX}{one.name}")
            for one in commands.COMMANDS
        ),
        Binding("escape", "calm", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self._moment = (-1, 0)
        self._line_count = 0
        self._sending = False
        self._shown = False
        self._was_mine = False
        self._arrangement = Arrangement({})
        self._mapped = False
        self._places: Mapping[tuple[int, int], str] = {}
        self._ticks: Timer | None = None
        self._counting: Timer | None = None

    # Parts

    @property
    def look(self) -> Look:
        return program(self.app).look

    def scene(self) -> Scene:
        return scene_of(self.game, self.look, self._places)

    def compose(self) -> ComposeResult:
        yield TurnBar(self.scene, self._status, self.game.mood, lambda: self._key_of("end"))
        yield BefallenLine(self.scene, self.game.blows)
        yield TableView(self.scene)
        yield CityView(self.scene)
        yield DraftView(self.scene, self._about)
        yield HandView(self.scene)
        yield GuideView(self.scene, self.game.guide, self._hints)
        yield QuestionPanel(self.scene, program(self.app).clock, self._held, self._key_of)
        yield DetailView(self.scene, self._detailed)
        yield LogView(lambda: self.look)
        yield SuspectsView(self.scene)
        yield ChatView(self.scene)
        yield HintLine(self._keys, self.scene, self.game.words, self._urgent)
        yield Input(id="command", compact=True)

    def on_mount(self) -> None:
        self._shown = True
        self._place()
        self._fill_log()
        self._ask()
        self._count()

    def on_resize(self) -> None:
        self._place()

    def _place(self) -> None:
        """Put every part where it belongs at this size."""
        width, height = self.app.size
        scene = self.scene()
        names = len(scene.edition.districts) if scene.shared else 0
        drafting = scene.view.phase == "draft" and scene.seat is not None
        wanted = Contents(
            len(scene.view.players),
            names,
            self._mapped,
            bool(self.game.befallen.open),
            drafting,
            len(dealt(scene)) if drafting else 0,
            self.game.guide.on,
        )
        arrangement = arrange(width, height, wanted)
        if arrangement == self._arrangement:
            return
        self._arrangement = arrangement
        summaries = "draft" in arrangement.parts and arrangement.parts["draft"].height >= LOW
        self._panel().apart = "detail" in arrangement.parts or summaries
        guide = arrangement.parts.get("guide")
        self.game.guide.room = ideas(guide.height if guide is not None else 0)
        self._log().leaves_out = ("chat",) if "chat" in arrangement.parts else ()
        for part in PARTS:
            widget = self.query_one(f"#{part}")
            region = arrangement.parts.get(part)
            widget.display = region is not None
            if region is not None:
                _put(widget, region)

    def _canvases(self) -> list[Canvas]:
        return list(self.query(Canvas))

    def _panel(self) -> QuestionPanel:
        return self.query_one(QuestionPanel)

    def _log(self) -> LogView:
        return self.query_one("#log", LogView)

    # What they say

    def _about(self) -> str:
        """The card under the cursor of the question."""
        return "" if self.game.hidden else self._panel().pointed_card

    def _detailed(self) -> str:
        """The card pointed at on the table, or else in the question."""
        focused = self.focused
        if isinstance(focused, TableView | CityView | HandView | DraftView) and focused.pointed is not None:
            return focused.pointed.key
        return self._about()

    def _status(self) -> str:
        if self._arrangement.tiny:
            return self.game.texts.say(msg("More room, please: 80 columns and 20 lines show the table."))
        return self.game.status()

    def _keys(self) -> list[tuple[str, str]]:
        say = self.game.texts.say
        return [(key, say(does)) for key, does in hints(self._now(), program(self.app).keymap)]

    def _now(self) -> Now:
        """What can be done now."""
        game, panel = self.game, self._panel()
        asking, bidding, covered = panel.asking, panel.bidding, game.hidden
        selection, current, end = asking.selection, asking.current, asking.menu.end
        ready = selection.ready or selection.sizes == (1, 1) if selection is not None else False
        points = current is not None and (current.open or bool(current.items)) and not asking.ending
        return Now(
            asked=game.mine,
            confirms=not covered and bidding is None and (ready if selection is not None else points),
            begun=not covered and asking.begun,
            ends=not covered and selection is None and end is not None and end.choice is not None,
            ticking=not covered and selection is not None,
            bidding=bidding is not None,
            bids=bidding is not None and bidding.possible,
            over=self._over(),
            shared=self.scene().shared,
            hosting=game.door is not None,
            replacing=game.door is not None and bool(absence.replaceable(game.session)),
            playing=game.seat is not None and not self._over(),
            told=bool(game.story.entries),
            advised=game.mine and not covered and game.session.settings.hints,
            guided=game.guide.on,
            explaining=game.guide.waiting > 0 and not (covered or asking.begun or game.befallen.open),
        )

    def _key_of(self, name: str) -> str:
        return shown(commands.key_of(name, program(self.app).keymap))

    def _urgent(self) -> str:
        door = self.game.door
        return self.game.texts.say(GUESSED) if door is not None and door.guessed else ""

    # Updates

    def updated(self, updates: Sequence[Update]) -> None:
        """Show what has happened."""
        if not self._shown:  # it will show everything when it is mounted
            return
        for update in updates:
            self._say_of(update)
        self._place()
        self._fill_log()
        self._ask()
        self._count()
        for canvas in self._canvases():
            if not isinstance(canvas, LogView | QuestionPanel) or self._auction_goes_on(canvas):
                canvas.redraw()

    def _auction_goes_on(self, canvas: Canvas) -> bool:
        """Whether this is the panel in which everybody follows an auction."""
        return isinstance(canvas, QuestionPanel) and self.scene().view.auction is not None

    def _say_of(self, update: Update) -> None:
        """What the last line says of an update."""
        say = self.game.texts.say
        match update:
            case Disconnected(code, details):
                self.say(parted(self.game.texts, code, details))
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
            self._log().add(lines)
            self.query_one(ChatView).add([line for line in lines if line.kind == "chat"])

    def _ask(self) -> None:
        """Put the question if it is a new one."""
        moment = self.game.moment()
        if moment == self._moment or self.game.view is None:
            return
        self._moment = moment
        menu = self.game.menu()
        fresh = self.game.mine and not self._was_mine and not self._hints_above()
        news = self.game.story.recap(self.game.texts) if fresh else []
        self._was_mine = self.game.mine
        choices = self.game.session.choices() if self.game.mine else ()
        if (glance := self.game.glance()) is not None:
            self.game.guide.ask(glance)
        self._panel().ask(menu, choices, news, self._idle())
        self._mark_places()
        self._tick()
        program(self.app).attention(self.game.mine)

    def _held(self) -> Waits | None:
        return waits(self.game)

    def _tick(self) -> None:
        """While an answer waits for its time the panel counts down."""
        counts = self.game.session.answer is not None
        self._panel().redraw()
        if counts and self._ticks is None:
            self._ticks = self.set_interval(TICK, self._tick)
        elif not counts and self._ticks is not None:
            self._ticks.stop()
            self._ticks = None
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
        lines = list(self.game.story.lines(self.game.texts))
        self._log().put(lines)
        self.query_one(ChatView).put([line for line in lines if line.kind == "chat"])
        self._panel().show_again(self.game.menu(), self._idle())
        self._mark_places()
        for canvas in self._canvases():
            canvas.redraw()

    def say(self, word: str) -> None:
        """Say something in the last line; nothing brings the keys back."""
        if self._shown:
            self.query_one(HintLine).say(word)

    # Moves

    @on(QuestionPanel.Moved)
    def _moved(self) -> None:
        for part in (HintLine, DetailView, DraftView):
            self.query_one(part).redraw()
        self._mark_places()

    def _mark_places(self) -> None:
        """The keys of districts stand on their houses while the question is about them."""
        places = self._panel().places
        if places != self._places:
            self._places = places
            self.query_one(TableView).redraw()

    @on(Canvas.Stepped)
    def _stepped(self) -> None:
        self.query_one(DetailView).redraw()

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
            self.say(why(self.game.texts, reason))
        finally:
            self._sending = False
            self._ask()

    def action_press(self, key: str) -> None:
        """A key of the question; a card's letter or a player's digit that the question is not about shows them."""
        panel = self._panel()
        if panel.press(key) or panel.early():
            return
        view, letters = self.game.view, self.game.card_letters
        if key == "q" and key not in letters.letters:
            self.say(self.game.texts.say(msg("{key}: leave the table."), key=self._key_of("leave")))
            return
        if key.isdigit() and view is not None and 1 <= int(key) <= len(view.players):
            self._explain(str(int(key) - 1))
        elif key in letters.letters and not self.game.hidden:
            panel.look_at(letters.cards[letters.letters.index(key)])

    def action_end_turn(self) -> None:
        self._panel().press("end_turn")

    def action_undo(self) -> None:
        """Back to the question as it was put."""
        self._panel().press("undo")

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
        line, panel = self.query_one(BefallenLine), self._panel()
        if line.display and self.game.befallen.understood():
            line.redraw()
            self._place()
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
        self._place()
        for canvas in self._canvases():
            canvas.redraw()

    def _idle(self) -> Sequence[Line]:
        """What stands in place of a question; there is room for more of the guide then."""
        more = self._hints() if self._hints_above() and not self.game.mine else ()
        said = [Line("event", hint.text) for hint in more if hint.kind in ("happened", "far")]
        return [*self.game.outlook(), *said]

    def _hints_above(self) -> bool:
        """Whether the guide takes the lines above the question, in which it says what has happened as well."""
        guide = self._arrangement.parts.get("guide")
        return guide is not None and guide.height < PANEL

    def _hints(self) -> Sequence[Hint]:
        """What the guide says, with the keys as they are called here."""
        return self.game.hints({name: self._key_of(name) for name in commands.NAMED})

    def action_hide_hand(self) -> None:
        """Cover everything that only this player may see, or show it again."""
        self.game.hidden = not self.game.hidden
        self._panel().covered = self._log().covered = self.game.hidden
        self._mark_places()
        for canvas in self._canvases():
            canvas.redraw()

    def action_scroll_log(self, rows: int) -> None:
        self._log().scroll(rows)

    # Explanations

    def action_explain(self) -> None:
        focused = self.focused
        key = ""
        if isinstance(focused, TableView | CityView | HandView | DraftView) and focused.pointed is not None:
            key = focused.pointed.key
        elif self._panel().asking.current is not None and not self.game.hidden:
            item = self._panel().asking.current
            key = (item.about or RULES.get(item.verb, "")) if item else ""
        self._explain(key)

    def _explain(self, key: str) -> None:
        self.app.push_screen(PageScreen(page(self.game, self.look, key, program(self.app).keymap)))

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """What a bot would do, thought out elsewhere; everybody is told that it was asked for."""
        game, texts = self.game, self.game.texts
        if game.hidden:
            return
        self.say(texts.say(THINKING))
        try:
            advice = await advise(game.session, game.adviser, program(self.app).thinking)
        except NoHint as none:
            self.say(texts.say(none.why))
        except REFUSED as reason:
            self.say(why(texts, reason))
        else:
            self.say("")
            title, *told = advice_lines(texts, advice, game.names)
            self.app.push_screen(PageScreen(paragraphs(self.look, title, ["\n".join(told)])))

    def action_map(self) -> None:
        """The common city in place of the players, or they again, where there is no room for both."""
        self._mapped = not self._mapped
        self._place()

    def action_pile(self) -> None:
        """What lies on the face-up pile."""
        self._explain("pile")

    def _over(self) -> bool:
        return self.game.view is not None and self.game.view.phase == "over"

    def action_result(self) -> None:
        """After the game: back to who has won."""
        if self._over():
            self.app.push_screen(EndScreen(self.game))

    def action_help(self) -> None:
        self._explain("")

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
        self.app.push_screen(InPlayScreen(lambda: plan))

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
        if not self._panel().point_at(message.control.id or "", message.hit):
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

    # The line at the bottom

    def action_chat(self) -> None:
        self._open_line(chat=True)

    def action_command(self) -> None:
        self._open_line(chat=False)

    def _open_line(self, *, chat: bool) -> None:
        line = self.query_one("#command", Input)
        say = self.game.texts.say
        line.placeholder = (
            say(msg("Say something to everybody (Enter sends, Esc closes)"))
            if chat
            else say(msg("A move, for example: build market (Enter sends, Esc closes)"))
        )
        line.set_class(chat, "-chat")
        line.value = ""
        line.display = True
        line.focus()

    def _close_line(self) -> None:
        self.query_one("#command").display = False
        self._panel().focus()

    @on(Input.Submitted, "#command")
    async def _line_sent(self, message: Input.Submitted) -> None:
        chat = message.input.has_class("-chat")
        self._close_line()
        if not message.value.strip():
            return
        if chat:
            await self._chat(message.value)
            return
        if await self._absence(message.value):
            return
        try:
            self._send(parse(message.value, self.game.seat))
        except BadNotation as reason:
            self.say(why(self.game.texts, reason))

    async def action_pause(self) -> None:
        """Pause the game, or go on."""
        await self._absence("go on" if self.game.session.paused else "pause")

    async def action_absence(self, word: str) -> None:
        """At the host's own place: a bot for somebody who is gone, or a pause of all."""
        await self._absence(word)

    async def _absence(self, line: str) -> bool:
        """Do what a line says about those who are gone; whether it says that."""
        try:
            return await self.game.heed(line)
        except REFUSED as reason:
            self.say(why(self.game.texts, reason))
            return True

    async def _chat(self, text: str) -> None:
        try:
            await self.game.session.chat(text)
        except REFUSED as reason:
            self.say(why(self.game.texts, reason))

    def on_key(self, event: events.Key) -> None:
        """What neither a widget nor a command has taken: the line at the bottom is left, or it is a key of the
        question."""
        if event.key == "escape" and self.query_one("#command").display:
            event.stop()
            self._close_line()
        elif event.is_printable and event.key in SMALL:
            event.stop()
            self.action_press(event.key)


def _put(widget: Any, region: Region) -> None:
    styles = widget.styles
    styles.offset = (region.x, region.y)
    styles.width, styles.height = region.width, region.height
