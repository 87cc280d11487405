"""Pauses, and the soft time for a decision, which stands still with them."""

from citadels_lan.net.wire.countdown import Countdown
from citadels_lan.net.wire.messages import LONGEST, Clock, Message, Paused

from .game import HostedGame


class Pace:
    """Whether somebody has `paused` the game, and for how long the decision that it waits for has been open.
    `seconds` are the soft time, 0 for none."""

    def __init__(self, seconds: int, now: float = 0.0) -> None:
        self.paused = False
        self._clock = Countdown(seconds, now) if seconds else None

    def pause(self, paused: bool, now: float) -> bool:
        """Begin a pause, or end it; whether that changes anything."""
        if paused == self.paused:
            return False
        self.paused = paused
        if self._clock is not None:
            self._clock.pause(paused, now)
        return True

    def at(self, game: HostedGame | None, now: float) -> None:
        """The game has come to where it is."""
        if self._clock is not None and game is not None:
            self._clock.at(game.state.tick, now)

    def news(self, game: HostedGame | None, now: float) -> list[Message]:
        """What somebody is told who comes."""
        told: list[Message] = [Paused(True, None)] if self.paused else []
        if self._clock is not None:
            gone = int(self._clock.gone(now)) if game is not None else 0
            told.append(Clock(self._clock.seconds, min(max(gone, 0), LONGEST)))
        return told
