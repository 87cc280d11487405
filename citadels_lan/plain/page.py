"""Line mode for a page: the same game in messages instead of lines."""

from collections.abc import Coroutine
from functools import partial
from typing import Any, Final

import msgspec

from citadels_lan.front.failures import REFUSED
from citadels_lan.texts import msg
from citadels_lan.texts.commands import in_english

from . import lines as plain_lines
from .messages import FromPage, PageAnswer, PageLeave, PageLine, PageReady, PageSay, PageShow
from .streams import PageOutput
from .table import ABOUT, DONE, LEAVING, SPOKEN, VIEWS, PlainTable

DECODER: Final = msgspec.json.Decoder(FromPage)
MOST: Final = 8
"""Requests that may wait for the host at the same time."""
BUSY: Final = msg("Your last messages are still waiting for the host. Try again in a moment.")
NOTHING: Final = msg("There is nothing to show yet.")
WORDS: Final = frozenset({*VIEWS, *ABOUT, *SPOKEN, *DONE, *LEAVING, "help", "?", "remove"}) - {"end"}
"""The commands that do not answer a question."""


class PageTable(PlainTable):
    """A guest's game on a page. Requests are taken at any time; an answer must carry the number of the open
    question."""

    OUTPUT = PageOutput

    def _begin(self) -> None: ...

    async def _talk(self) -> None:
        """Take messages until the guest leaves or the input ends."""
        while not self._done and (line := await self.lines.next()) is not None:
            try:
                message = DECODER.decode(line)
            except (msgspec.DecodeError, UnicodeError):  # the web server sends nothing of the kind
                continue
            await self._reply(self._take(message))

    async def _reply(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except REFUSED as reason:
            self.output.notice(self.game.why(reason))

    async def _take(self, message: FromPage) -> None:
        """Do what a message asks for; what waits for the host holds up nothing else."""
        match message:
            case PageShow(what):
                self._show(what)
            case PageSay(text):
                await self._chat(text)
            case PageLeave():
                self._done = True
            case PageReady():
                self._wait_for(self._ready(""))
            case PageAnswer(question):
                self._wait_for(self._question.answer(question, partial(self._question.choose, message)))
            case PageLine(text, question):
                await self._line(" ".join(text.split()), question)

    def _show(self, what: str) -> None:
        lines = list(plain_lines.help_lines(self.game) if what == "help" else VIEWS[what](self.game))
        if lines:
            self.output.view(what, lines)
        else:
            self.output.notice(self.texts.say(NOTHING))

    async def _line(self, line: str, question: int) -> None:
        """A typed command, or a move, which answers the question that was shown."""
        word = in_english(self.texts, line).partition(" ")[0].lower()
        if word in LEAVING:
            await self._answer(line)
        elif not word or word in WORDS or self.game.of_pause(line):
            self._wait_for(self._answer(line))
        else:
            self._wait_for(self._question.answer(question, partial(self._answer, line)))

    def _wait_for(self, work: Coroutine[Any, Any, None]) -> None:
        if len(self._later) < MOST:
            self._do_later(self._reply(work))
        else:
            work.close()
            self.output.notice(self.texts.say(BUSY))
