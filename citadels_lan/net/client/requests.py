"""What a person has asked of the host and waits for: a move, and one request of each kind.

A move is answered once it is in the log or has been refused, however often the connection breaks meanwhile. Every
other request is answered by the next lobby or by its refusal, and is lost with the connection.
"""

import asyncio
from typing import TypeAlias

from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Message, Refused

from .moves import Sent

Answered: TypeAlias = asyncio.Future[None]
"""Done when the host has answered; fails with Rejected."""


class Requests:
    """All of one session."""

    def __init__(self) -> None:
        self._move: tuple[Sent, Answered] | None = None
        self._asked: dict[int, Answered] = {}

    def move(self, sent: Sent, answered: Answered | None = None) -> Answered:
        """A move that has been sent."""
        if answered is None:
            answered = asyncio.get_running_loop().create_future()
        self._move = (sent, answered)
        return answered

    def ask(self, message: Message) -> Answered:
        """A request that has been sent; only the last one of each kind is answered."""
        self._asked[message.type] = answered = asyncio.get_running_loop().create_future()
        return answered

    def settle(self) -> None:
        """The log has gone on: the move may be in it."""
        if self._move is None or not self._move[0].settled:
            return
        (sent, answered), self._move = self._move, None
        _answer(answered, sent.refusal)

    def granted(self) -> None:
        """The lobby has changed: whatever was asked has come about."""
        self._answer_all(None)

    def refused(self, refused: Refused) -> None:
        """The host has refused a request."""
        answered = self._asked.pop(refused.about, None)
        if answered is not None:
            _answer(answered, Rejected(refused.code, **refused.details))

    def disconnected(self) -> None:
        """Nobody will answer a request any more; a move is sent again with the next connection."""
        self._answer_all(Rejected("lost"))

    def fail(self, reason: Rejected) -> None:
        """Nothing will be answered any more."""
        if self._move is not None:
            _answer(self._move[1], reason)
        self._answer_all(reason)

    def _answer_all(self, reason: Rejected | None) -> None:
        for answered in self._asked.values():
            _answer(answered, reason)
        self._asked.clear()


def _answer(answered: Answered, reason: Rejected | None) -> None:
    if answered.done():  # whoever waited has been cancelled
        return
    if reason is None:
        answered.set_result(None)
    else:
        answered.set_exception(reason)
