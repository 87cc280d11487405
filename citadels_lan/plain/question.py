"""The question in lines, and what answers it: a number, a line of notation, the end of the turn."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from msgspec.structs import replace

from citadels_lan.engine import Action, BadNotation
from citadels_lan.engine.edition_actions import Bid
from citadels_lan.front.failures import REFUSED, why
from citadels_lan.front.game import Game
from citadels_lan.front.prompt.menu import Item
from citadels_lan.front.prompt.prompt import Bidding, Prompt
from citadels_lan.front.prompt.typed import called, read_move
from citadels_lan.front.sealed import check as check_sealed
from citadels_lan.front.sealed import free, label, waits
from citadels_lan.net.client.updates import Happened, Update
from citadels_lan.texts import msg
from citadels_lan.texts.choices import verb
from citadels_lan.texts.commands import whole_numbers

from . import lines as plain_lines
from .messages import OVER, PageAnswer
from .streams import Asking, Output


class PlainSealed:
    """Follows the answer that waits, without looking at any clock."""

    def __init__(self) -> None:
        self._said = ""

    def asked(self, game: Game) -> str:
        """What will be sent and when; empty where nothing waits."""
        held, answer = waits(game), game.table.answer
        if held is None or answer is None:
            return ""
        self._said = label(game, answer.action)
        return held.told

    def sent(self, game: Game, arrived: Sequence[Update]) -> str:
        """A sentence that the answer was sent, once its entry has arrived."""
        own = any(isinstance(update, Happened) and update.seat == game.table.seat for update in arrived)
        if not (self._said and own):
            return ""
        said, self._said = self._said, ""
        return game.texts.say(msg("Sent: {answer}"), answer=said)


BRIEF: Final = msg(
    "From now on a question is one line: choices lists them, an empty line asks again; brief: as before."
)
GUIDED: Final = msg("From now on the game is explained as it is played; guide: no more.")
UNGUIDED: Final = msg("No more hints; guide: hints again.")
LISTED: Final = msg("help lists what may be typed.")
NONE: Final = msg("There is no such choice.")
SEVERAL: Final = msg("Which one: {choices}?")
WHOLE: Final = msg("From now on a question comes with your cards and all choices.")


class PlainQuestion:
    """Asks each question once, and sends its answer. `answered` is set once a move has had an effect."""

    def __init__(self, game: Game, output: Output, later: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self.say = output.say
        self._output = output
        self.prompt = Prompt()
        self.answered = asyncio.Event()
        self.sealed = PlainSealed()
        self._game = game
        self._later = later
        self._moment = (-1, 0)
        self._asked = 0
        self._open = 0
        self._brief = False
        self._hinted: list[str] = []

    def ask(self) -> None:
        """Put the question if it is a new one."""
        moment = self._game.moment()
        if self._game.table.state is None or moment == self._moment:
            return
        self._moment = moment
        self._close()
        self.prompt = Prompt(self._game.menu())
        if (glance := self._game.glance(plain_lines.commands(self._game))) is not None:
            self._game.guide.ask(glance)
        if moment[1] and not self._brief:
            self.say(plain_lines.hand(self._game))
        self._hint()
        if moment[1] and self._brief:
            self._put("brief")
        elif moment[1]:
            self.again()

    def _hint(self) -> None:
        """Print the tutorial's hints, without those of the last time."""
        said = list(plain_lines.hints(self._game))
        self.say([line for line in said if line not in self._hinted])
        self._hinted = said

    def switch_guide(self) -> None:
        """The guide, or the game without it."""
        guide, glance = self._game.guide, self._game.glance(plain_lines.commands(self._game))
        guide.switch()
        if glance is not None:
            guide.ask(glance)
        self.say(self._game.texts.say(GUIDED if guide.on else UNGUIDED))
        self._hint()

    def shorter(self) -> None:
        """Ask in one line, or with the hand and all choices."""
        self._brief = not self._brief
        self.say(self._game.texts.say(BRIEF if self._brief else WHOLE))

    def again(self) -> None:
        """The question once more, or why there is none."""
        if self._game.offline:
            self.say(self._game.stalled())
            return
        self._put("whole")

    def list_choices(self) -> None:
        """The choices."""
        self._put("choices")

    def _put(self, how: Asking) -> None:
        """Put the question under a new number."""
        game, waiting = self._game, self.sealed.asked(self._game) if how == "whole" else ""
        if waiting and not free(game.choices()):
            self.say((f"? {game.status()}", waiting))
            return  # nothing to choose, so nothing is asked
        asked = plain_lines.question(game, self.prompt)
        self._asked += 1
        self._open = self._asked
        before = (waiting, *asked.before) if waiting else asked.before
        self._output.ask(game.texts, replace(asked, id=self._asked, before=before), how)

    def _close(self) -> None:
        """The question can no longer be answered."""
        if self._open:
            self._output.close(self._open)
        self._open = 0

    async def answer(self, question: int, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do `work` as the answer to a question, which is answered once. An answer that comes too late is dropped,
        with a sentence."""
        say = self._game.texts.say
        if not question or question != self._open:
            self._output.notice(say(OVER))
            return
        if stalled := self._game.stalled():
            self._output.notice(stalled)
            return
        self._close()
        try:
            await work()
        finally:
            if not self._open and self._moment == self._game.moment() and self._moment[1]:
                self.again()  # the work has not moved the game

    async def choose(self, given: PageAnswer) -> None:
        """Take what was chosen by its numbers, or end the turn."""
        if given.back:
            self.prompt.back()
        elif not given.choices:
            await self.end()
        elif self._game.table.state is not None and self._game.table.state.auction is not None:
            await self._bid(given.choices)
        else:
            await self._choose(list(given.choices))

    async def _bid(self, numbers: Sequence[int]) -> None:
        """One of the bids that are listed."""
        listed = dict(enumerate(self._game.choices(), 1))
        bid = listed.get(numbers[0]) if len(numbers) == 1 else None
        if isinstance(bid, Action):
            await self._act(bid)
        else:
            self._output.notice(self._game.texts.say(NONE))

    def retell(self) -> None:
        """The question in another language."""
        self.prompt = Prompt(self._game.menu())
        self.again()

    async def end(self) -> None:
        """End the turn, asked twice where something is left."""
        action = self.prompt.end()
        if action is not None:
            await self._act(action)
        elif self.prompt.at.ending:
            left = self._game.texts.alternatives([verb(self._game.texts, word) for word in self.prompt.menu.left])
            said = msg("You may still {what}. To end the turn anyway, choose it again.")
            self._output.notice(self._game.texts.say(said, what=left))
        else:
            end = self.prompt.menu.end
            self.say(end.why if end else self._game.status())

    async def move(self, line: str) -> None:
        """Numbers answer the question; anything else is read as notation, with the names and verbs that are shown,
        or as a choice is listed."""
        if stalled := self._game.stalled():
            self.say(stalled)
            return
        if (numbers := whole_numbers(line.split())) is not None:
            await self._choose(numbers)
            return
        try:
            game = self._game
            await self._act(read_move(game.texts, game.edition, game.table.seat, game.names, self._items, line))
        except BadNotation as reason:
            if not await self._named(line):
                self.say(f"{why(self._game.texts, reason)} {self._game.texts.say(LISTED)}")

    @property
    def _items(self) -> Sequence[Item]:
        """What is listed, what was listed before, and the end of the turn."""
        menu = self.prompt.menu
        return tuple(dict.fromkeys((*self.prompt.items, *menu.items, *((menu.end,) if menu.end else ()))))

    async def _named(self, line: str) -> bool:
        """Take what is listed by these words; whether anything is."""
        found = called(self._items, line) if self.prompt.at.selection is None else []
        if len(found) > 1:
            labels = self._game.texts.alternatives([item.label.rstrip("…") for item in found])
            self.say(self._game.texts.say(SEVERAL, choices=labels))
        elif found == [self.prompt.menu.end]:
            await self.end()
        elif found and found[0] in self._items:
            if found[0] not in self.prompt.items:
                self.prompt.undo()
            self.prompt.point(self.prompt.items.index(found[0]))
            await self._take()
        elif found and isinstance(found[0].choice, Action):
            await self._act(found[0].choice)
        return bool(found)

    async def _choose(self, numbers: list[int]) -> None:
        bidding = Bidding.of(self._game.choices())
        if bidding is not None and len(numbers) == 1:
            await self._act(Bid(numbers[0]))
            return
        if numbers == [0]:
            self.prompt.back()
            self.again()
            return
        selection = self.prompt.at.selection
        if selection is not None and all(0 < number <= len(selection.free()) for number in numbers):
            self.prompt.tick_only([number - 1 for number in dict.fromkeys(numbers)])
        elif selection is not None or len(numbers) != 1 or not self._point(numbers[0]):
            missing = self._game.texts.say(NONE) if self._game.mine else self._game.status()
            self._output.notice(missing)
            return
        await self._take()

    def _point(self, number: int) -> bool:
        """Point at the choice that is listed with a number; whether there is one."""
        end = self.prompt.menu.end
        open_ = [place for place, item in enumerate(self.prompt.items) if item.open and item is not end]
        return 0 < number <= len(open_) and self.prompt.point(open_[number - 1])

    async def _take(self) -> None:
        """Do or open the item under the cursor, or print why that is not possible."""
        item = self.prompt.current
        action = self.prompt.confirm()
        if action is not None:
            await self._act(action)
        elif item is not None and not item.open and not item.items:
            self.say(item.why)
        else:
            self.list_choices()

    async def _act(self, action: Action) -> None:
        if self._game.table.answer is not None:
            await self._choose_sealed(action)
            return
        self.answered.clear()
        try:
            await self._game.session.act(action)
        except REFUSED as reason:
            self.say(self._game.why(reason))
            self.ask()
        else:
            await self.answered.wait()  # a line that is there already answers what comes next

    async def _choose_sealed(self, action: Action) -> None:
        """An answer that is sent when its time has come, and can be another one until then: nothing waits here."""
        check_sealed(self._game, action)
        self._later(self._send_later(action))
        await asyncio.sleep(0)
        self.say(self.sealed.asked(self._game))

    async def _send_later(self, action: Action) -> None:
        try:
            await self._game.session.act(action)
        except REFUSED as reason:
            self.say(self._game.why(reason))
