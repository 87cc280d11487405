"""The game as lines on standard input and output: for screen readers, dumb terminals, pipes and tests."""

import asyncio
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TextIO, TypeAlias

from citadels_lan.front.acquaintances import ASIDE, Evening, remember
from citadels_lan.front.bot_hint import THINKING, NoHint, advise
from citadels_lan.front.failures import REFUSED
from citadels_lan.front.game import Game
from citadels_lan.front.glyphs import UNICODE, suitable
from citadels_lan.front.invitation import UNANNOUNCED, Invitation
from citadels_lan.front.launcher import Place
from citadels_lan.front.pending import HANDING, TO_WHOM
from citadels_lan.front.proof import check
from citadels_lan.net.client.updates import ClockSet, Ended, Happened, LobbyChanged, Update, ends
from citadels_lan.texts import LANGUAGES, Texts, load, msg
from citadels_lan.texts.commands import in_english
from citadels_lan.texts.topics import UnknownTopic, find_topic, page, title, unknown

from . import lines as plain_lines
from .lobby import PlainLobby
from .news import PlainNews
from .question import PlainQuestion
from .streams import InputLines, Output, columns

if TYPE_CHECKING:  # most people never ask a bot
    from citadels_lan.bots.thinking import ThinkingPool

Spoken: TypeAlias = Callable[[Texts], None]
"""Hears of another language, to remember it."""


LEAVING: Final = ("quit", "exit")
SECOND: Final = 1.0
"""Between two looks at the time for a decision."""

HAND_TO: Final = msg("Type “handover NAME”: {names}.")
HAND_OVER: Final = msg("To let another player host the game, type “handover NAME”. To save and close it, quit.")
OFFERED: Final = msg("A line that begins with ? asks you something. help lists what may be typed.")


def asked(game: Game, *, started: bool) -> bool:
    """Whether the next line of a pipe may be read: this player has a decision, also about absent players, or may
    speak freely: as a spectator, in the lobby before the player is ready or has `started` the game, and after the
    end."""
    if game.offline and game.table.reason is None:
        return False
    if game.table.seat is None or game.finished or game.mine or game.may_replace:
        return True
    if game.table.state is not None:
        return False
    me = game.table.lobby[game.table.seat]
    return not started if game.table.owner else not me.ready


def _leaves(texts: Texts, line: str) -> bool:
    """Whether a line leaves the table."""
    return in_english(texts, line.strip()).lower() in LEAVING


def silent(_: Texts) -> None: ...


class PlainTable:
    """One person's game in lines. `run` returns when the game is over, the table is left or the input ends."""

    OUTPUT: ClassVar[type[Output]] = Output

    def __init__(
        self,
        place: Place,
        texts: Texts,
        lines: InputLines,
        out: TextIO,
        spoken: Spoken = silent,
        evening: Evening | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.game = Game(
            place.session, texts, place.invitation, place.known, evening, clock, guided=place.guided, in_lines=True
        )
        self.game.guide.room = 3
        if place.hosting is not None:
            place.hosting.changed = self._host
        self.lines = lines
        self.out = out
        self.output = self.OUTPUT(out)
        self.say = self.output.say
        self._spoken = spoken
        self._done = False
        self._leaving = False
        self._arrived: list[Update] = []
        self._changed = asyncio.Event()
        lines.heard = self._changed.set
        self._kept: deque[str | None] = deque()
        self._paused = place.session.table.paused
        self._started = False
        self._counting = False
        self._failed: asyncio.Future[Exception]
        self._tasks: asyncio.TaskGroup
        self._later: set[asyncio.Task[None]] = set()
        matched = suitable(encoding=getattr(out, "encoding", None)).matched
        self.thinking: ThinkingPool | None = None
        ascii_only = matched != UNICODE.matched
        self._lobby = PlainLobby(self.game, self.say, ascii_only=ascii_only, width=lambda: columns(out))
        self._news = PlainNews(self.game, self.output, matched)
        self._question = PlainQuestion(self.game, self.output, self._do_later)

    @property
    def texts(self) -> Texts:
        return self.game.texts

    def _host(self, invitation: Invitation) -> None:
        """This program hosts the game from now on."""
        self.game.host(invitation)
        for watching in (self._watch_door(), self._watch_announcement()):
            self._do_later(watching)

    async def run(self) -> int:
        """Play; 0. A host's session is left later, once all players have been sent that the table closes. Raises
        OSError if the reader of the output has gone."""
        self._failed = asyncio.get_running_loop().create_future()
        self._begin()
        self._lobby.tell()
        self._news.tell_story()
        try:
            await self._play()
        finally:
            if self.thinking is not None:
                self.thinking.close()
        if self._failed.done():
            raise self._failed.result()
        if self.game.invitation is None:
            await self.game.session.leave()
        return 0

    def _begin(self) -> None:
        """The first line."""
        self.say(self.texts.say(OFFERED))

    async def _play(self) -> None:
        """Listen and answer, until one of both ends."""
        async with asyncio.TaskGroup() as self._tasks:
            listening = self._tasks.create_task(self._listen(self.game.session.updates()))
            talking = self._tasks.create_task(self._talk())
            asyncio.get_running_loop().call_soon(self._flush_or_fail)
            failing = self._tasks.create_task(asyncio.wait([self._failed]))
            watched = (self._watch_door, self._watch_announcement)
            watching = [self._tasks.create_task(work()) for work in watched]
            for task in (listening, talking, failing):
                task.add_done_callback(
                    lambda _: [one.cancel() for one in (listening, talking, failing, *watching, *self._later)]
                )

    async def _hint(self, _: str) -> None:
        """Print what a bot would do; it takes at most a second."""
        from citadels_lan.bots.thinking import ThinkingPool
        from citadels_lan.front.review import hint_lines

        game, say = self.game, self.game.texts.say
        self.thinking = self.thinking or ThinkingPool()
        self.say(say(THINKING))
        try:
            self.say(hint_lines(game.texts, await advise(game.session, game.adviser, self.thinking), game.names))
        except NoHint as none:
            self.say(say(none.why))

    async def _talk(self) -> None:
        """Answer lines until the table is left or the input ends."""
        await asyncio.sleep(0)
        while not self._done:
            line = await self._next_line()
            if line is None:
                return
            try:
                await self._answer(line.strip())
            except REFUSED as reason:
                self.say(self.game.why(reason))

    async def _next_line(self) -> str | None:
        """A program at the other end of a pipe may write all its lines at once: each is answered when something is
        asked, but commands about a pause, and leaving a game without a host, at once. A person may type at any
        moment."""
        lines, kept, game = self.lines, self._kept, self.game
        while lines.piped and not self._done:
            gone = game.closed or (game.over and game.offline)
            if gone or (self._paused and not game.finished):
                if lines.ready and None not in kept:
                    line = await lines.next()
                    if line is not None and (game.of_pause(line) or (gone and _leaves(game.texts, line))):
                        return line
                    kept.append(line)
                    continue
            elif asked(game, started=self._started) and (kept or lines.ready):
                return kept.popleft() if kept else await lines.next()
            self._changed.clear()
            await self._changed.wait()
        return await lines.next()

    async def _watch_door(self) -> None:
        """Print how friends join when another computer guesses the code, and when the code changes."""
        table = self.game.invitation.table if self.game.invitation is not None else None
        while table is not None:
            await table.door_changed.wait()
            table.door_changed.clear()
            self._lobby.invite()

    async def _count(self) -> None:
        """Look at the time for a decision each second."""
        while True:
            await asyncio.sleep(SECOND)
            self.time_passes()

    def time_passes(self) -> None:
        """Look at the time for a decision once."""
        if self.game.time_passes(halves=True) and self.out.isatty():
            print("\a", end="", file=self.out, flush=True)
        self._news.tell_story()

    async def _watch_announcement(self) -> None:
        """Tell once that friends do not find the table by themselves."""
        table = self.game.invitation.table if self.game.invitation is not None else None
        if table is not None:
            await table.unannounced.wait()
            self.say(self.texts.say(UNANNOUNCED))

    async def _listen(self, updates: AsyncIterator[Update]) -> None:
        """Collect what arrives together, tell it, and only then ask."""
        loop = asyncio.get_running_loop()
        async for update in updates:
            self._arrived.append(update)
            if len(self._arrived) == 1:
                loop.call_soon(self._flush_or_fail)
            if isinstance(update, Ended):
                await self._finish(update.transcript)
                return

    async def _finish(self, transcript: Path) -> None:
        """After the last line: the proof and the result; and who has played is remembered."""
        await asyncio.sleep(0)  # what arrived is told first
        game = self.game
        game.proof = await asyncio.to_thread(check, transcript)
        self.say(plain_lines.ending(game))
        aside = await asyncio.to_thread(remember, game.known, game.proof, game.table.seat, date.today())
        if aside is not None:
            self.say(self.texts.say(ASIDE, path=aside))

    def _flush_or_fail(self) -> None:
        """Print what has arrived; pass a failure on to `run`."""
        try:
            self._flush()
        except Exception as failure:
            if not self._failed.done():
                self._failed.set_result(failure)

    def _flush(self) -> None:
        """Print what has arrived. The state may be ahead of single updates, never of all that have arrived."""
        arrived, self._arrived = self._arrived, []
        if sent := self._question.sealed.sent(self.game, arrived):
            self.say(sent)
        self.output.stage("over" if self.game.finished else "lobby" if self.game.table.state is None else "game")
        self._news.tell_cast(arrived)
        for update in arrived:
            self.game.take(update)
            if isinstance(update, LobbyChanged):
                self._lobby.tell()
            elif isinstance(update, ClockSet) and not self._counting:
                self._counting = True
                self._do_later(self._count())
            self._news.tell(update)
        if self.game.over and any(map(ends, arrived)) and not self.game.table.record_closed:
            self.say((*plain_lines.scores(self.game), self.game.status()))
        self._question.ask()
        self._paused = self.game.table.paused
        self._changed.set()
        if any(not isinstance(update, Happened) or update.seat == self.game.table.seat for update in arrived):
            self._question.answered.set()

    def _do_later(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work in parallel with the table, until the table ends."""
        task = self._tasks.create_task(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    # Answering

    async def _answer(self, line: str) -> None:
        leaving, self._leaving = self._leaving, False
        line = in_english(self.texts, line)
        word, _, rest = line.partition(" ")
        word, rest = word.lower(), rest.strip()
        if not word:
            self._question.again()
        elif word in ("?", "help") and not rest:
            self.say(plain_lines.help_lines(self.game))
        elif word in LEAVING:
            await self._quit(to_bot=rest.lower() == "bot", sure=leaving or self.game.finished)
        elif word == "handover" or (word == "hand" and rest and self.game.may_hand_to):
            await self._hand_to(rest)
        elif word in VIEWS:
            self.say(VIEWS[word](self.game))
        elif word in ABOUT:
            await self._lobby.cards(word, rest)
        elif word in SPOKEN:
            SPOKEN[word](self, rest)
        elif word in DONE and (word != "start" or self.game.table.state is None):
            await DONE[word](self, rest)
        else:
            await self._other(line)

    async def _chat(self, rest: str) -> None:
        await self.game.session.chat(rest)

    async def _ready(self, _: str) -> None:
        await self.game.session.ready(True)

    async def _start(self, _: str) -> None:
        await self.game.session.start()
        self._started = True

    def _city(self, name: str) -> None:
        self.say(plain_lines.one_city(self.game, name) if name else plain_lines.city(self.game))

    async def _other(self, line: str) -> None:
        """Remove a player, act on absent players, or make a move."""
        word, _, rest = line.partition(" ")
        if word == "remove" and self.game.table.state is None:
            await self._lobby.remove(rest)
        elif not await self.game.heed(line):
            await self._question.move(line)

    async def _quit(self, *, to_bot: bool, sure: bool) -> None:
        """Leave when asked for twice in a row, or at once where nothing is given up, or to a bot."""
        if to_bot and self.game.may_hand_over:
            await self.game.session.hand_over()
            sure = True
        self._done, self._leaving = sure, not sure
        if not sure and self.game.may_hand_to:
            self.say(self.texts.say(HAND_OVER))
        if not sure:
            self.say(f"{self.game.leaving()} {self.texts.say(msg('Say quit once more to leave.'))}")

    async def _hand_to(self, name: str) -> None:
        """Hand the game over to the player with this name, or list the possible players. Raises Refusal."""
        game, say = self.game, self.texts.say
        named = {game.names[seat].casefold(): seat for seat in game.may_hand_to}
        if name.casefold() in named:
            self.say(say(HANDING, name=game.names[named[name.casefold()]]))
            await game.hand_to(named[name.casefold()])
        elif not named:
            self.say(game.say_no_successor())
        else:
            names = self.texts.listing([game.names[seat] for seat in game.may_hand_to])
            lines = (say(TO_WHOM), say(HAND_TO, names=names), game.warn_of_handing())
            self.say([line for line in lines if line])

    def _rules(self, name: str) -> None:
        try:
            topic = find_topic(name, self.game.edition)
        except UnknownTopic as error:
            self.say(unknown(self.texts, error))
            return
        self.say((title(self.texts, topic), *page(self.texts, topic, self.game.edition)))

    def _language(self, _: str) -> None:
        codes = list(LANGUAGES)
        self.game.texts = load(codes[(codes.index(self.texts.language) + 1) % len(codes)])
        self._spoken(self.texts)
        self._question.retell()


VIEWS: Final[Mapping[str, Callable[[Game], Iterable[str]]]] = {
    "table": plain_lines.table,
    "hand": plain_lines.hand,
    "who": plain_lines.who,
    "pile": plain_lines.pile,
    "words": plain_lines.words,
    "keys": plain_lines.keys,
    "since": plain_lines.since,
    "hints": plain_lines.told_so_far,
    "log": plain_lines.log,
}
"""What a word alone shows."""
ABOUT: Final = ("edition", "option", "draft", "scenario", "seats", "cast", "uniques")
"""What is played, or before the game will be."""
SPOKEN: Final[Mapping[str, Callable[[PlainTable, str], None]]] = {
    "?": PlainTable._rules,
    "help": PlainTable._rules,
    "rules": PlainTable._rules,
    "lang": PlainTable._language,
    "brief": lambda table, _: table._question.shorter(),
    "guide": lambda table, _: table._question.switch_guide(),
    "choices": lambda table, _: table._question.list_choices(),
    "city": PlainTable._city,
    **{
        word: partial(lambda table, _, word: table._lobby.door(word), word=word)
        for word in ("code", "qr", "newcode")
    },
}
"""What a word does at once, with the words after it."""
DONE: Final[Mapping[str, Callable[[PlainTable, str], Coroutine[Any, Any, None]]]] = {
    "say": PlainTable._chat,
    "ready": PlainTable._ready,
    "start": PlainTable._start,
    "end": lambda table, _: table._question.end(),
    "hint": PlainTable._hint,
}
"""What a word asks of the host."""


async def play_plain(
    place: Place,
    texts: Texts,
    *,
    lines: InputLines | None = None,
    out: TextIO | None = None,
    spoken: Spoken = silent,
    evening: Evening | None = None,
    table: type[PlainTable] = PlainTable,
) -> int:
    """Play a game in lines, by default those of standard input; the exit code. The game counts for `evening`.
    `table`: PageTable, for a page."""
    return await table(place, texts, lines or InputLines(sys.stdin), out or sys.stdout, spoken, evening).run()
