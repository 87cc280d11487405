"""What a person has asked of the host and waits for: a move, and whatever else people ask for.

A move is answered once it is in the log or has been refused, however often the connection breaks meanwhile. Every
other request is granted or refused, in the order of those of its kind, and is lost with the connection.
"""

import asyncio
from collections import defaultdict, deque
from typing import TypeAlias

from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Granted, Message, Refused

from .moves import Sent

Answered: TypeAlias = asyncio.Future[None]
"""Done when the host has answered; fails with Rejected."""


class Requests:
    """All of one session."""

    def __init__(self) -> None:
        self._move: tuple[Sent, Answered] | None = None
        self._asked: defaultdict[int, deque[Answered]] = defaultdict(deque)

    def move(self, sent: Sent, answered: Answered | None = None) -> Answered:
        """A move that has been sent."""
        if answered is None:
            answered = asyncio.get_running_loop().create_future()
        self._move = (sent, answered)
        return answered

    def ask(self, message: Message) -> Answered:
        """A request that has been sent."""
        answered: Answered = asyncio.get_running_loop().create_future()
        self._asked[message.type].append(answered)
        return answered

    def settle(self) -> None:
        """The log has gone on: the move may be in it."""
        if self._move is None or not self._move[0].settled:
            return
        (sent, answered), self._move = self._move, None
        _answer(answered, sent.refusal)

    def answer(self, answer: Granted | Refused) -> None:
        """The host has granted or refused a request; one that nobody made means nothing."""
        if asked := self._asked.get(answer.about):
            reason = Rejected(answer.code, **answer.details) if isinstance(answer, Refused) else None
            _answer(asked.popleft(), reason)

    def disconnected(self) -> None:
        """Nobody will answer a request any more; a move is sent again with the next connection."""
        self._lose(Rejected("lost"))

    def fail(self, reason: Rejected) -> None:
        """Nothing will be answered any more."""
        if self._move is not None:
            _answer(self._move[1], reason)
        self._lose(reason)

    def _lose(self, reason: Rejected) -> None:
        for asked in self._asked.values():
            for answered in asked:
                _answer(answered, reason)
        self._asked.clear()


def _answer(answered: Answered, reason: Rejected | None) -> None:
    if answered.done():  # whoever waited has been cancelled
        return
    if reason is None:
        answered.set_result(None)
    else:
        answered.set_exception(reason)
