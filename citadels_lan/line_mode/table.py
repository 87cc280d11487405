"""A game in line mode, on standard input and output: for screen readers, simple terminals, pipes and
tests."""

import asyncio
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TextIO

from citadels_lan.engine.events import CastDrawn
from citadels_lan.net.client import updates
from citadels_lan.presenter.bot_hint import THINKING, NoHint, advise
from citadels_lan.presenter.error_messages import GRAVE, REFUSED, Violation, alarm_lines, because
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.invitation import UNANNOUNCED, Invitation, watch_table
from citadels_lan.presenter.known_players import ASIDE, Evening, remember
from citadels_lan.presenter.launcher import Launcher, Place, first_full_game, remember_language
from citadels_lan.presenter.proof import check
from citadels_lan.presenter.status import HANDING, TO_WHOM, TYPED, fill_and_start, fill_question, free_seats
from citadels_lan.presenter.tutorial import finish, tutorial
from citadels_lan.texts import LANGUAGES, Message, Texts, load, msg
from citadels_lan.texts.commands import in_english
from citadels_lan.texts.commands import word as command_word
from citadels_lan.texts.topics import UnknownTopic, find_topic, page, title, unknown

from . import lines as plain_lines
from .lobby import PlainLobby
from .question import PlainQuestion
from .streams import InputLines, Output

if TYPE_CHECKING:  # Most players never ask for a hint, so the bots are loaded late.
    from citadels_lan.bots.thinking import ThinkingPool

LEAVING: Final = ("quit", "exit")
SECOND: Final = 1.0
"""Seconds between two checks of the decision timer."""
HAND_TO: Final = msg("Type “handover NAME”: {names}.")
HAND_OVER: Final = msg("To let another player host the game, type “handover NAME”. To save and close it, quit.")


def asked(game: Game, *, started: bool) -> bool:
    """Return whether the next line of a pipe may be read. It may if this player must decide, may replace an
    absent player, is a spectator, or the game has ended; in the lobby until the player is ready, and for the
    host until the game was `started`."""
    table = game.table
    if game.offline and table.reason is None:
        return False
    if table.seat is None or game.finished or game.mine or game.may_replace:
        return True
    if table.state is not None:
        return False
    return not started if table.owner else not table.lobby[table.seat].ready


class PlainTable:
    """One player's game in line mode. `run` returns when the game is over, the player leaves, or the input
    ends."""

    OUTPUT: ClassVar[type[Output]] = Output
    OFFERED: ClassVar[Sequence[Message]] = (
        msg("A line that begins with ? is a question to you. Type help for all commands."),
    )
    """The lines that are printed first, about help."""

    def __init__(
        self,
        place: Place,
        texts: Texts,
        lines: InputLines,
        out: TextIO,
        launcher: Launcher | None = None,
        evening: Evening | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`launcher` saves a changed language. `evening` counts the results of the games since the program
        started."""
        self.game = Game(
            place.session, texts, place.invitation, place.known, evening, clock, in_lines=True, pauses=place.pauses
        )
        self.plays_on = False
        """Whether the player wants a full game after the tutorial."""
        if place.hosting is not None:
            place.hosting.changed = self._host
        self.lines = lines
        self.output = self.OUTPUT(out)
        self.say = self.output.say
        self.thinking: ThinkingPool | None = None
        self._launcher = launcher
        self._notice = place.notice
        self._done = self._leaving = self._started = self._fills = False
        self._paused = place.session.table.paused
        self._arrived: list[updates.Update] = []
        self._changed = asyncio.Event()
        lines.heard = self._changed.set
        self._kept: deque[str | None] = deque()
        self._told_entries = 0
        self._told_cast = self._lost = self._alarmed = self._counting = False
        self._failed: asyncio.Future[Exception]
        self._tasks: asyncio.TaskGroup
        self._later: set[asyncio.Task[None]] = set()
        self._lobby = PlainLobby(self.game, self.output)
        self._question = PlainQuestion(self.game, self.output, self._do_later)

    @property
    def texts(self) -> Texts:
        return self.game.texts

    async def run(self) -> int:
        """Play until the end, and return 0. If this program hosts the game, its session is not left here, so
        that the caller can first close the table for all players. Raises OSError if the reader of the output
        is gone."""
        self._failed = asyncio.get_running_loop().create_future()
        self.say(map(self.texts.say, self.OFFERED))
        self.say(self._notice or ())
        self._lobby.tell()
        self._tell_log()
        try:
            await self._play()
        finally:
            if self.thinking is not None:
                self.thinking.close()
        if self._failed.done():
            raise self._failed.result()
        if self.game.tutorial is not None and self.game.tutorial.finished:
            await self._end_lessons()
        if self.game.invitation is None:
            await self.game.session.leave()
        return 0

    async def _end_lessons(self) -> None:
        """Print the text that follows the tutorial, and read whether the player wants a full game."""
        end, again = finish(self.texts, plain_lines.commands(self.game)), tutorial().finish["again"]
        self.say((*end, self.texts.say(again)))
        line = await self.lines.next()
        self.plays_on = line is not None and in_english(self.texts, line.strip()).lower() not in LEAVING

    async def _play(self) -> None:
        """Handle updates of the table and lines of the player until the game or the input ends."""
        async with asyncio.TaskGroup() as self._tasks:
            works = (self._listen(self.game.session.updates()), self._talk(), asyncio.wait([self._failed]))
            tasks: list[asyncio.Task[Any]] = [self._tasks.create_task(work) for work in works]
            asyncio.get_running_loop().call_soon(self._flush_or_fail)
            self._watch_table()
            for task in tasks:
                task.add_done_callback(lambda _: [other.cancel() for other in (*tasks, *self._later)])

    def _do_later(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background; it is cancelled when the game ends."""
        task = self._tasks.create_task(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    # The table of a host

    def _host(self, invitation: Invitation) -> None:
        """Store the invitation: this program hosts the game from now on."""
        self.game.host(invitation)
        self._watch_table()

    def _watch_table(self) -> None:
        if self.game.invitation is not None and (table := self.game.invitation.table) is not None:
            self._do_later(watch_table(table, self._tell_host))

    def _tell_host(self, text: Message, **values: str) -> None:
        """Print a message about the hosted table, and how friends join if that has changed."""
        if values or text == UNANNOUNCED:
            self.say(self.texts.say(text, **values))
        self._lobby.invite()

    # Updates

    async def _listen(self, arriving: AsyncIterator[updates.Update]) -> None:
        """Collect the updates that arrive at the same time, print them all, and only then ask the player."""
        loop = asyncio.get_running_loop()
        async for update in arriving:
            self._arrived.append(update)
            if len(self._arrived) == 1:
                loop.call_soon(self._flush_or_fail)
            if isinstance(update, updates.Ended):
                await self._finish(update.transcript)
                return
        await asyncio.sleep(0)  # The tutorial ends without a transcript.

    async def _finish(self, transcript: Path) -> None:
        """Verify the transcript, then print the result, and store the other players as known players."""
        await asyncio.sleep(0)  # Everything that has arrived is printed first.
        game = self.game
        game.proof = await asyncio.to_thread(check, transcript)
        self.say(plain_lines.ending(game))
        aside = await asyncio.to_thread(remember, game.known, game.proof, game.table.seat, date.today())
        if aside is not None:
            self.say(self.texts.say(ASIDE, path=aside))

    def _flush_or_fail(self) -> None:
        """Print the updates that have arrived. An exception is not raised here: `run` raises it later."""
        try:
            self._flush()
        except Exception as failure:
            if not self._failed.done():
                self._failed.set_result(failure)

    def _flush(self) -> None:
        """Print the updates that have arrived, and ask the player. The state of the table already contains
        all of these updates when the first one is printed."""
        arrived, self._arrived = self._arrived, []
        if sent := self._question.sent(arrived):
            self.say(sent)
        self.output.stage("over" if self.game.finished else "lobby" if self.game.table.state is None else "game")
        self.tell_cast(arrived)
        for update in arrived:
            self.game.take(update)
            if isinstance(update, updates.LobbyChanged):
                self._lobby.tell()
            elif isinstance(update, updates.ClockSet) and not self._counting:
                self._counting = True
                self._do_later(self._count())
            self.tell(update)
        if self.game.over and any(map(updates.ends, arrived)) and not self.game.table.record_closed:
            self.say((*plain_lines.scores(self.game), self.game.status()))
        self._question.ask()
        self._paused = self.game.table.paused
        self._changed.set()
        mine = self.game.table.seat
        # A line that waits is read only after its predecessor has had an effect.
        if any(not isinstance(update, updates.Happened) or update.seat == mine for update in arrived):
            self._question.answered.set()

    def tell_cast(self, arrived: Sequence[updates.Update]) -> None:
        """Print the cards of the game once, when the game begins, unless an event in the log lists them."""
        if self.game.table.state is None or self._told_cast:
            return
        self._told_cast = True
        events = [event for update in arrived if isinstance(update, updates.Happened) for event in update.events]
        if not any(isinstance(event, CastDrawn) for event in (*self.game.story.entries, *events)):
            self.say(plain_lines.in_this_game(self.game))

    def tell(self, update: updates.Update) -> None:
        """Print an update that the `Game` has already processed, and the log lines that it added."""
        game, say = self.game, self.texts.say
        match update:
            case updates.Alarm(code, details) | updates.Disconnected(code, details) if (
                isinstance(update, updates.Alarm) or code in GRAVE
            ):
                if not self._alarmed:
                    self._alarmed = True
                    self.say(alarm_lines(self.texts, Violation(code, details, game.table.transcript)))
            case updates.Disconnected():
                self._lost = True
                leave = self.output.leave
                keys = {"leave": say(TYPED, word=say(leave))} if leave else {}
                self.say(f"!! {game.parted(keys)[0]}")
            case updates.Connected() if self._lost:
                self._lost = False
                self.say(say(msg("Connected again.")))
            case updates.Away(seat, away) if seat != game.table.seat:
                gone = msg("{name} is offline, according to the host.")
                self.say(say(gone if away else msg("{name} is back."), name=game.names[seat]))
            case updates.Halted(code):
                self.say(because(self.texts, code, {}) if code else say(msg("The game continues.")))
            case updates.Cosigned() if game.table.state is not None:
                self.say(plain_lines.round_words(game, update))
        self._tell_log()

    def _tell_log(self) -> None:
        """Print the new lines of the log."""
        story, since = self.game.story, self.game.story.since or 0
        if self._told_entries < since:
            self._tell_entries(since)
            self.output.since()
        self._tell_entries(len(story.entries))

    def _tell_entries(self, end: int) -> None:
        for line in self.game.story.lines(self.texts, self._told_entries, end):
            self.say(f"{line.text} {self.output.glyphs.matched}" if line.matched else line.text, line.kind)
        self._told_entries = end

    async def _count(self) -> None:
        """Check the decision timer each second."""
        while True:
            await asyncio.sleep(SECOND)
            self.time_passes()

    def time_passes(self) -> None:
        """Check the decision timer, and print a notice if half of the time, or all of it, is over."""
        if self.game.time_passes(halves=True):
            self.output.ring()
        self._tell_log()

    # Answering

    async def _talk(self) -> None:
        """Handle typed lines until the player leaves or the input ends."""
        await asyncio.sleep(0)
        while not self._done and (line := await self._next_line()) is not None:
            try:
                await self._answer(line.strip())
            except REFUSED as reason:
                self.say(self.game.why(reason))

    async def _next_line(self) -> str | None:
        """Return the next line to handle; None at the end of the input. From a terminal, each line is handled
        at once. A script may write all its lines into a pipe at once, so each of these waits until the player
        may decide or give commands. During a pause, commands about the pause are handled at once, and so is
        leaving if the host has gone."""
        lines, kept, game = self.lines, self._kept, self.game
        while lines.piped and not self._done:
            gone = game.closed or (game.over and game.offline)
            if gone or (self._paused and not game.finished):
                if lines.ready and None not in kept:
                    line = await lines.next()
                    leaves = line is not None and in_english(self.texts, line.strip()).lower() in LEAVING
                    if line is not None and (game.of_pause(line) or (gone and leaves)):
                        return line
                    kept.append(line)
                    continue
            elif asked(game, started=self._started) and (kept or lines.ready):
                return kept.popleft() if kept else await lines.next()
            self._changed.clear()
            await self._changed.wait()
        return await lines.next()

    async def _answer(self, line: str) -> None:
        leaving, self._leaving = self._leaving, False
        line = in_english(self.texts, line)
        word, _, rest = line.partition(" ")
        word, rest = "help" if word == "?" else word.lower(), rest.strip()
        if not word:
            self._question.again()
        elif word in LEAVING:
            await self._quit(to_bot=rest.lower() == "bot", sure=leaving or self.game.finished)
        elif word == "handover" or (word == "hand" and rest and self.game.may_hand_to):
            await self._hand_to(rest)
        elif word == "help" and rest:
            self._rules(rest)
        elif word == "skip" and not rest and self.game.may_skip:
            self.game.skip()
        elif word in VIEWS:
            self.say(VIEWS[word](self.game))
        elif word in COMMANDS and (word not in ("start", "remove") or self.game.table.state is None):
            work = COMMANDS[word](self, word, rest)
            if work is not None:
                await work
        elif not await self.game.heed(line):
            await self._question.move(line)

    async def _start(self) -> None:
        """Start the game. If seats are free, the first call asks for a confirmation, and the second one fills
        the seats with bots."""
        table, texts = self.game.table, self.game.texts
        free = free_seats(table) if table.owner else 0
        if free > 0 and not self._fills:
            self._fills = True
            again = texts.say(msg("Type {word} again."), word=texts.say(TYPED, word=command_word(texts, "start")))
            self.say(f"{fill_question(texts, free)} {again}")
            return
        await (fill_and_start(self.game.session) if free > 0 else self.game.session.start())
        self._started = True

    def _city(self, name: str) -> None:
        self.say(plain_lines.one_city(self.game, name) if name else plain_lines.city(self.game))

    def _rules(self, name: str) -> None:
        try:
            topic = find_topic(name, self.game.edition)
        except UnknownTopic as error:
            self.say(unknown(self.texts, error))
            return
        self.say((title(self.texts, topic), *page(self.texts, topic, self.game.edition)))

    def _language(self) -> None:
        codes = list(LANGUAGES)
        self.game.texts = load(codes[(codes.index(self.texts.language) + 1) % len(codes)])
        if self._launcher is not None:
            remember_language(self._launcher, self.texts.language)
        self._question.retell()

    async def _hint(self) -> None:
        """Print the move that a bot would make. The computation takes at most a second."""
        from citadels_lan.bots.thinking import ThinkingPool
        from citadels_lan.presenter.review import hint_lines

        game, say = self.game, self.texts.say
        self.thinking = self.thinking or ThinkingPool()
        self.say(say(THINKING))
        try:
            self.say(hint_lines(self.texts, await advise(game.session, game.adviser, self.thinking), game.names))
        except NoHint as none:
            self.say(say(none.why))

    async def _quit(self, *, to_bot: bool, sure: bool) -> None:
        """Leave the table if `sure`, or if `to_bot` and a substitute bot may take the seat. Otherwise ask the
        player to type the command again."""
        if to_bot and self.game.may_hand_over:
            await self.game.session.hand_over()
            sure = True
        self._done, self._leaving = sure, not sure
        if not sure:
            self.say([self.texts.say(HAND_OVER)] if self.game.may_hand_to else ())
            self.say(f"{self.game.leaving()} {self.texts.say(msg('Type quit again to leave.'))}")

    async def _hand_to(self, name: str) -> None:
        """Hand over the hosting of the game to the player with this name. If there is no such player, list
        the possible ones. Raises Refusal."""
        game, say = self.game, self.texts.say
        seats = {game.names[seat].casefold(): seat for seat in game.may_hand_to}
        seat = seats.get(name.casefold())
        if seat is not None:
            self.say(say(HANDING, name=game.names[seat]))
            await game.hand_to(seat)
        elif not seats:
            self.say(game.say_no_successor())
        else:
            names = self.texts.listing([game.names[seat] for seat in seats.values()])
            self.say(filter(None, (say(TO_WHOM), say(HAND_TO, names=names), game.warn_of_handing())))


VIEWS: Final[Mapping[str, Callable[[Game], Iterable[str]]]] = {
    "help": plain_lines.help_lines,
    **{view.__name__: view for view in (plain_lines.table, plain_lines.hand, plain_lines.who, plain_lines.pile)},
    **{view.__name__: view for view in (plain_lines.words, plain_lines.keys, plain_lines.since, plain_lines.log)},
}
"""The function that yields the lines of each view, by the command word that requests it."""
COMMANDS: Final[Mapping[str, Callable[[PlainTable, str, str], Coroutine[Any, Any, None] | None]]] = {
    "rules": lambda table, _, name: table._rules(name),
    "city": lambda table, _, name: table._city(name),
    "lang": lambda table, _, __: table._language(),
    "brief": lambda table, _, __: table._question.shorter(),
    "choices": lambda table, _, __: table._question.list_choices(),
    "end": lambda table, _, __: table._question.end(),
    "hint": lambda table, _, __: table._hint(),
    "say": lambda table, _, text: table.game.session.chat(text),
    "ready": lambda table, _, __: table.game.session.ready(True),
    "start": lambda table, _, __: table._start(),
    "remove": lambda table, _, name: table._lobby.remove(name),
    **dict.fromkeys(("code", "qr", "newcode"), lambda table, word, _: table._lobby.door(word)),
    **dict.fromkeys(
        ("edition", "option", "draft", "scenario", "seats", "cast", "uniques"),
        lambda table, word, rest: table._lobby.cards(word, rest),
    ),
}
"""The function for each command word. It gets the table, the word, and the text after the word. If it returns
an awaitable, that is awaited."""


async def play_plain(
    place: Place,
    texts: Texts,
    launcher: Launcher | None = None,
    *,
    lines: InputLines | None = None,
    out: TextIO | None = None,
    evening: Evening | None = None,
    table: type[PlainTable] = PlainTable,
) -> int:
    """Play a game in line mode, by default on standard input and output, and return the exit code. `table` is
    the class of the table: PageTable for a web page. After the tutorial, `launcher` opens the full game."""
    lines, out = lines or InputLines(sys.stdin), out or sys.stdout
    played = table(place, texts, lines, out, launcher, evening)
    code = await played.run()
    if not played.plays_on or launcher is None:
        return code
    return await table(await launcher.alone(first_full_game()), played.texts, lines, out, launcher, evening).run()
