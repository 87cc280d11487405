"""Answers about sealed markers, and replies to the host's calls in a sealed draft. The client sends them at a
time that does not depend on what they are.

The owner of an unsigned warrant can only pass, and the owner of the signed warrant may pass, too. If one
of them answered sooner than the other, the host would learn what it must not know. Part of the time is
random: a computer on which a player has just typed is a little faster than an idle one, and hundreds of
answers would show that.

Noise is frames without content. It hides from other computers on the network which player acts
(docs/protocol.md, section 15).
"""

import asyncio
import random
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from citadels_lan.engine import Action
from citadels_lan.engine.actions import Confiscate, Reveal
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Noise, SayInDraft, encode

from .view import HeldAnswer


class NoiseMaker:
    """Sends noise at random times, on average every `mean` seconds, from `start` to `stop`."""

    def __init__(self, send: Callable[[bytes], None], mean: float) -> None:
        self._send = send
        self._mean = mean
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin, or continue."""
        if self._timer is None:
            pause = random.expovariate(1 / self._mean)
            self._timer = asyncio.get_running_loop().call_later(pause, self._make)

    def stop(self) -> None:
        """Send no more noise."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _make(self) -> None:
        self._timer = None
        self._send(encode(Noise()))
        self.start()


PASS: Final[dict[str, Action]] = {"confiscate": Confiscate(False), "reveal": Reveal(False)}
"""What is answered by whoever has not chosen in time, by the verb of the question."""
SPREAD: Final = 0.1
"""So much of the patience is added at random, at most."""


class Held(Struct, eq=False):
    """An answer to the question after entry `n` that waits until `until` on the loop's clock. `chosen` is set
    once the person has chosen it; `done` is the future of `act`."""

    n: int
    until: float
    action: Action
    timer: asyncio.TimerHandle
    chosen: bool = False
    done: asyncio.Future[None] | None = None


class Replies:
    """Holds the reply to a call of a sealed draft until its time has come. That has nothing to do with what is
    held: the reply was made before."""

    def __init__(self, give: Callable[[SayInDraft], None]) -> None:
        self._give = give
        self._n = 0
        self._timer: asyncio.TimerHandle | None = None

    def holds(self, n: int) -> bool:
        """Whether the reply to the call that becomes entry `n` waits here, or has gone."""
        return self._n == n

    def hold(self, reply: SayInDraft, since: float, patience: float) -> None:
        """Let a reply go `patience` seconds after the time `since` on the loop's clock, or a little later."""
        self.withdrawn()
        self._n = reply.n
        patience += random.SystemRandom().uniform(0, SPREAD * patience)
        self._timer = asyncio.get_running_loop().call_at(since + patience, self._give, reply)

    def withdrawn(self) -> None:
        """The host no longer waits for the reply, or it cannot be sent now."""
        self._n = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Answers:
    """Holds at most one answer, and hands it over in time."""

    def __init__(self, give: Callable[[Held], None]) -> None:
        self.held: Held | None = None
        self._give = give
        self._kept: tuple[int, Action, asyncio.Future[None] | None] | None = None

    @property
    def shown(self) -> HeldAnswer | None:
        """The answer that waits now."""
        held = self.held
        return None if held is None else HeldAnswer(held.until, held.action, held.chosen)

    def asked(self, n: int, verb: str, patience: float) -> None:
        """This seat has to answer a question after entry `n`; called again for the same one it changes
        nothing. It will be answered after `patience` seconds, or a little more."""
        if self.held is not None and self.held.n == n:
            return
        self.withdrawn()
        loop = asyncio.get_running_loop()
        patience += random.SystemRandom().uniform(0, SPREAD * patience)
        timer = loop.call_later(patience, self._due)
        self.held = Held(n, loop.time() + patience, PASS[verb], timer)
        if self._kept is not None and self._kept[0] == n:
            _, self.held.action, self.held.done = self._kept
            self.held.chosen, self._kept = True, None
        self._drop_kept(Rejected("stale"))

    def choose(self, action: Action) -> asyncio.Future[None]:
        """The person's choice, which leaves when it is time; another one replaces it. The future is done once the
        answer is in the log."""
        assert self.held is not None
        self.held.action, self.held.chosen = action, True
        if self.held.done is None or self.held.done.done():
            self.held.done = asyncio.get_running_loop().create_future()
        return self.held.done

    def withdrawn(self) -> None:
        """The question is no more, or cannot be answered now; what was chosen is kept until it is asked again."""
        held, self.held = self.held, None
        if held is not None:
            held.timer.cancel()
            if held.chosen:
                self._kept = (held.n, held.action, held.done)

    def fail(self, reason: Exception) -> None:
        """Nothing will be sent any more."""
        self.withdrawn()
        self._drop_kept(reason)

    def _drop_kept(self, reason: Exception) -> None:
        kept, self._kept = self._kept, None
        if kept is not None and kept[2] is not None and not kept[2].done():
            kept[2].set_exception(reason)

    def _due(self) -> None:
        held, self.held = self.held, None
        if held is not None:
            self._give(held)
