"""Noise: frames that say nothing, so that whoever watches the network cannot tell who acts (docs/protocol.md,
section 11)."""

import asyncio
import random
from collections.abc import Callable

from .messages import Noise, encode


class NoiseMaker:
    """Sends noise at random times, on average every `mean` seconds, from `start` to `stop`; never if that is 0."""

    def __init__(self, send: Callable[[bytes], None], mean: float) -> None:
        self._send = send
        self._mean = mean
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin, or go on."""
        if self._timer is None and self._mean:
            pause = random.expovariate(1 / self._mean)
            self._timer = asyncio.get_running_loop().call_later(pause, self._make)

    def stop(self) -> None:
        """Be quiet."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _make(self) -> None:
        self._timer = None
        self._send(encode(Noise()))
        self.start()
