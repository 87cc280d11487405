"""The soft time for a decision: what is left of it, and what is said when half of it and all of it is over.

Nothing is decided by it: whoever is waited for may take all the time there is (docs/decisions/0018-soft-time.md).
"""

import math
from collections.abc import Sequence
from typing import Final

from citadels_lan.front.told.entries import Notice
from citadels_lan.net.wire.timing import Countdown
from citadels_lan.texts import Texts, msg

HALF: Final = msg("Half of the time for this decision is over. Waited for: {names}.")
UP: Final = msg("The time for this decision is up. Waited for: {names}.")
ASKED: Final = msg(
    "The time for this decision is up. Waited for: {names}. You are the host: wait, or remind them in the chat."
)
YOURS: Final = msg("Your time for this decision is up: please choose. Nobody chooses for you.")
LEFT: Final = msg("Time: {time}.")
OVER: Final = msg("The time is up.")


class DecisionTime:
    """The count of one table, and how much of it has been said for this decision."""

    def __init__(self, countdown: Countdown) -> None:
        self.countdown = countdown
        self._told = (countdown.moment, 0)

    def left(self, texts: Texts, now: float) -> str:
        """What is left, in minutes and seconds."""
        seconds = math.ceil(self.countdown.seconds - self.countdown.gone(now))
        return texts.say(LEFT, time=f"{seconds // 60}:{seconds % 60:02}") if seconds > 0 else texts.say(OVER)

    def news(self, now: float) -> int:
        """2 once when the time is up, 1 once when half of it is over, else 0."""
        passed = self.countdown.gone(now) / self.countdown.seconds
        stage = 2 if passed >= 1 else 1 if passed >= 1 / 2 else 0
        moment, told = self._told
        if moment != self.countdown.moment:
            told = 0
        self._told = (self.countdown.moment, max(stage, told))
        return stage if stage > told else 0


def notice(stage: int, names: Sequence[str], texts: Texts, *, mine: bool, hosting: bool) -> Notice:
    """What is said at a stage of the time, to whoever is waited for (`mine`), to the host's person, to others."""
    if stage > 1 and mine:
        return Notice(YOURS, aside=True)
    said = HALF if stage == 1 else ASKED if hosting else UP
    return Notice(said, (("names", texts.listing(list(names))),), aside=True)
