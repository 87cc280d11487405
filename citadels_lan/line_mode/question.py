"""Asks the player the question in lines, and handles the answer: numbers, notation, words, or the end of the
turn."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from msgspec.structs import replace

from citadels_lan.engine import Action, BadNotation
from citadels_lan.engine.actions import Bid
from citadels_lan.net.client.updates import Happened, Update
from citadels_lan.presenter.error_messages import REFUSED, why
from citadels_lan.presenter.game import Game, free
from citadels_lan.presenter.prompt.menu import Item
from citadels_lan.presenter.prompt.prompt import Bidding, Prompt
from citadels_lan.presenter.prompt.typed import called, read_move
from citadels_lan.texts import msg
from citadels_lan.texts.commands import whole_numbers
from citadels_lan.texts.moves import verb

from . import lines as plain_lines
from .page_messages import OVER, PageAnswer
from .streams import Output, QuestionParts

BRIEF: Final = msg(
    "Questions now take one line. choices lists the choices, an empty line asks again, brief changes back."
)
LISTED: Final = msg("Type help for all commands.")
NONE: Final = msg("There is no such choice.")
SEVERAL: Final = msg("Which one: {choices}?")
WHOLE: Final = msg("Questions now show your cards and all choices.")


class PlainQuestion:
    """Prints each question once, and sends the player's answer. The event `answered` is set when a move of
    the player has had an effect."""

    def __init__(self, game: Game, output: Output, later: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        """`later` runs a coroutine in the background while the table continues."""
        self.prompt = Prompt()
        self.answered = asyncio.Event()
        self._output = output
        self._say = output.say
        self._game = game
        self._later = later
        self._moment = (-1, 0)
        self._asked = self._open = 0
        self._brief = False
        self._lesson = ""
        self._held = ""

    # Asking

    def ask(self) -> None:
        """Print the present question unless it has already been printed."""
        moment = self._game.moment()
        if self._game.table.state is None or moment == self._moment:
            return
        self._moment = moment
        self._close()
        self.prompt = Prompt(self._game.menu())
        if moment[1] and not self._brief and self._output.typed:
            self._say(plain_lines.hand(self._game))
        lesson = self._game.lesson(plain_lines.commands(self._game))
        self._say([lesson] if lesson and lesson != self._lesson else ())
        self._lesson = lesson
        if moment[1] and self._brief:
            self._put("brief")
        elif moment[1]:
            self.again()

    def shorter(self) -> None:
        """Switch between two forms of questions: the status line alone, or the hand, the status line and all
        choices."""
        self._brief = not self._brief
        self._say(self._game.texts.say(BRIEF if self._brief else WHOLE))

    def again(self) -> None:
        """Print the question with all choices again. If the host cannot be reached, print that instead."""
        if self._game.offline:
            self._say(self._game.stalled())
        else:
            self._put("whole")

    def list_choices(self) -> None:
        """Print the choices of the present question again."""
        self._put("choices")

    def retell(self) -> None:
        """Print the question again after a change of the language."""
        self.prompt = Prompt(self._game.menu())
        self.again()

    def _put(self, parts: QuestionParts) -> None:
        """Print the given `parts` of the question, and give the question a new number, so that answers to the
        earlier number are rejected."""
        game, held = self._game, self._held_answer() if parts == "whole" else ""
        if held and not free(game.choices()):
            self._say((f"? {game.status()}", held))
            return  # There is nothing to choose, so nothing is asked.
        question = plain_lines.question(game, self.prompt)
        self._asked += 1
        self._open = self._asked
        # The remaining time is shown above the choices.
        before = (held, *question.before) if held else question.before
        self._output.ask(game.texts, replace(question, id=self._asked, before=before), parts)

    def _held_answer(self) -> str:
        """Return a sentence about the delayed answer: what will be sent, and when. Return "" if no answer is
        delayed."""
        waiting, answer = self._game.waits(), self._game.table.answer
        if waiting is None or answer is None:
            return ""
        self._held = self._game.label(answer.action)
        return waiting.told

    def sent(self, arrived: Sequence[Update]) -> str:
        """Return the sentence "Sent: …" about the player's delayed answer if `arrived` contains an entry of
        the player's seat. Return "" if no answer was delayed, or no such entry has arrived."""
        seat = self._game.table.seat
        if not (self._held and any(isinstance(one, Happened) and one.seat == seat for one in arrived)):
            return ""
        answer, self._held = self._held, ""
        return self._game.texts.say(msg("Sent: {answer}"), answer=answer)

    def _close(self) -> None:
        """Close the open question, if there is one, so that no answer to it is accepted."""
        if self._open:
            self._output.close(self._open)
        self._open = 0

    # Answers of a page

    async def answer(self, question: int, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run `work`, which answers the question with the number `question`, and close that question. If the
        number is not that of the open question, or the game is stalled, print the reason instead."""
        if not question or question != self._open:
            self._output.notice(self._game.texts.say(OVER))
            return
        if stalled := self._game.stalled():
            self._output.notice(stalled)
            return
        self._close()
        try:
            await work()
        finally:
            if not self._open and self._moment == self._game.moment() and self._moment[1]:
                self.again()  # The answer has not changed the game.

    async def choose(self, given: PageAnswer) -> None:
        """Handle an answer with numbers: take the choices with these numbers; without numbers end the turn,
        or with `back` go back one step."""
        if given.back:
            self.prompt.back()
        elif not given.choices:
            await self.end()
        elif self._game.table.state is not None and self._game.table.state.auction is not None:
            bid = dict(enumerate(self._game.choices(), 1)).get(given.choices[0])
            if len(given.choices) == 1 and isinstance(bid, Action):
                await self._act(bid)
            else:
                self._output.notice(self._game.texts.say(NONE))
        else:
            await self._choose(given.choices)

    # Typed answers

    async def end(self) -> None:
        """End the turn. If useful moves are still possible, name them instead; the second call in a row ends
        the turn."""
        texts, end = self._game.texts, self.prompt.menu.end
        action = self.prompt.end()
        if action is not None:
            await self._act(action)
        elif self.prompt.at.ending:
            left = texts.alternatives([verb(texts, word) for word in self.prompt.menu.left])
            may = msg("You may still {what}. To end the turn anyway, choose it again.")
            self._output.notice(texts.say(may, what=left))
        else:
            self._say(end.why if end else self._game.status())

    async def move(self, line: str) -> None:
        """Answer the question with a typed line: numbers select choices. Any other line is read as a move in
        notation or in the displayed names and verbs, and if it is neither, as the words of a choice."""
        game, menu = self._game, self.prompt.menu
        if stalled := game.stalled():
            self._say(stalled)
            return
        if (numbers := whole_numbers(line.split())) is not None:
            await self._choose(numbers)
            return
        items = tuple(dict.fromkeys((*self.prompt.items, *menu.items, *((menu.end,) if menu.end else ()))))
        try:
            action = read_move(game.texts, game.edition, game.table.seat, game.names, items, line)
        except BadNotation as reason:
            await self._named(items, line, f"{why(game.texts, reason)} {game.texts.say(LISTED)}")
        else:
            await self._act(action)

    async def _named(self, items: Sequence[Item], line: str, mistake: str) -> None:
        """Take the choice among `items` with the words of `line`. If none has these words, print `mistake`;
        if several have them, list them."""
        game, end = self._game, self.prompt.menu.end
        found = called(items, line) if self.prompt.at.selection is None else []
        if not found:
            self._say(mistake)
        elif len(found) > 1:
            labels = game.texts.alternatives([item.label.rstrip("…") for item in found])
            self._say(game.texts.say(SEVERAL, choices=labels))
        elif found == [end]:
            await self.end()
        elif found[0] in items:
            if found[0] not in self.prompt.items:
                self.prompt.undo()
            self.prompt.point(self.prompt.items.index(found[0]))
            await self._take()
        elif isinstance(found[0].choice, Action):
            await self._act(found[0].choice)

    async def _choose(self, numbers: Sequence[int]) -> None:
        bidding, selection, end = Bidding.of(self._game.choices()), self.prompt.at.selection, self.prompt.menu.end
        if bidding is not None and len(numbers) == 1:
            await self._act(Bid(numbers[0]))
            return
        if list(numbers) == [0]:
            self.prompt.back()
            self.again()
            return
        open_ = [place for place, item in enumerate(self.prompt.items) if item.open and item is not end]
        listed = len(open_) if selection is None else len(selection.free())
        if not all(0 < number <= listed for number in numbers) or (selection is None and len(numbers) != 1):
            self._output.notice(self._game.texts.say(NONE) if self._game.mine else self._game.status())
            return
        if selection is None:
            self.prompt.point(open_[numbers[0] - 1])
        else:
            self.prompt.tick_only([number - 1 for number in dict.fromkeys(numbers)])
        await self._take()

    async def _take(self) -> None:
        """Take the item under the cursor: send its action, or open its group and print the choices in it. If
        the item is not possible, print the reason."""
        item = self.prompt.current
        action = self.prompt.confirm()
        if action is not None:
            await self._act(action)
        elif item is not None and not item.open and not item.items:
            self._say(item.why)
        else:
            self.list_choices()

    async def _act(self, action: Action) -> None:
        if self._game.table.answer is not None:
            # This answer is sent when its time has come, and can be changed until then: nothing waits here.
            self._game.check(action)
            self._later(self._send_later(action))
            await asyncio.sleep(0)
            self._say(self._held_answer())
            return
        self.answered.clear()
        try:
            await self._game.session.act(action)
        except REFUSED as reason:
            self._say(self._game.why(reason))
            self.ask()
        else:
            await self.answered.wait()  # A line that is there already answers the next question.

    async def _send_later(self, action: Action) -> None:
        try:
            await self._game.session.act(action)
        except REFUSED as reason:
            self._say(self._game.why(reason))
