"""What a client sends at a time that does not depend on its content: answers about sealed markers, replies to
the host's calls in a sealed draft, and noise.

The owner of an unsigned warrant can only pass, and the owner of the signed warrant may pass, too. If one of
them answered sooner than the other, the host would learn what it must not know. Part of the time is random: a
computer on which a player has just typed is a little faster than an idle one, and hundreds of answers would
show that.

Noise is frames without content. It hides from other computers on the network which player acts
(docs/protocol.md, section 15)."""

import asyncio
import random
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from citadels_lan.engine import Action
from citadels_lan.engine.actions import Confiscate, Reveal
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Noise, encode

from .updates import HeldAnswer


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
"""The answer of a player who has not chosen in time, by the verb of the question."""
SPREAD: Final = 0.1
"""At most this part of the patience is added at random."""


def spread(patience: float) -> float:
    """Return a patience with its random part, in seconds."""
    return patience + random.SystemRandom().uniform(0, SPREAD * patience)


class Held(Struct, eq=False):
    """An answer to the question after entry `n`. It waits until `until` on the loop's clock. `chosen` is set
    once the player has chosen it; `done` is the future of `Session.act`."""

    n: int
    until: float
    action: Action
    timer: asyncio.TimerHandle
    chosen: bool = False
    done: asyncio.Future[None] | None = None


class Answers:
    """Holds at most one answer, and gives it when its time has come. `_kept` is an answer that was chosen and
    could not be given, until the same question is asked again."""

    def __init__(self, give: Callable[[Held], None]) -> None:
        self.held: Held | None = None
        self._give = give
        self._kept: Held | None = None

    @property
    def shown(self) -> HeldAnswer | None:
        """The answer that waits now."""
        return None if self.held is None else HeldAnswer(self.held.until, self.held.action, self.held.chosen)

    def asked(self, n: int, verb: str, patience: float) -> None:
        """Note that this seat has to answer a question after entry `n`. The answer is given after `patience`
        seconds, or a little more. A second call for the same entry changes nothing."""
        if self.held is not None and self.held.n == n:
            return
        self.withdrawn()
        loop = asyncio.get_running_loop()
        wait = spread(patience)
        self.held = Held(n, loop.time() + wait, PASS[verb], loop.call_later(wait, self._due))
        if (kept := self._kept) is not None and kept.n == n:
            self.held.action, self.held.chosen, self.held.done = kept.action, True, kept.done
            self._kept = None
        self._drop_kept(Rejected("stale"))

    def choose(self, action: Action) -> asyncio.Future[None]:
        """Choose the answer, also a second time before its time has come. The future is done once the answer
        is in the log."""
        assert self.held is not None
        self.held.action, self.held.chosen = action, True
        if self.held.done is None or self.held.done.done():
            self.held.done = asyncio.get_running_loop().create_future()
        return self.held.done

    def withdrawn(self) -> None:
        """Cancel the timer: the question is gone, or cannot be answered now. The client keeps what was chosen
        until it is asked again."""
        held, self.held = self.held, None
        if held is not None:
            held.timer.cancel()
            if held.chosen:
                self._kept = held

    def fail(self, reason: Exception) -> None:
        """The session is over: nothing more will be sent."""
        self.withdrawn()
        self._drop_kept(reason)

    def _drop_kept(self, reason: Exception) -> None:
        kept, self._kept = self._kept, None
        if kept is not None and kept.done is not None and not kept.done.done():
            kept.done.set_exception(reason)

    def _due(self) -> None:
        held, self.held = self.held, None
        if held is not None:
            self._give(held)
