"""The soft time for a decision, counted alike at the host and on every screen. It decides nothing."""

from msgspec import Struct


class Countdown(Struct):
    """`seconds` for each decision, counted from `since`; `moment` says which one it is. `stopped` is when a pause
    began, None where there is none. Times are of any steady clock."""

    seconds: int
    since: float
    moment: int = 0
    stopped: float | None = None

    def at(self, moment: int, now: float) -> None:
        """Count anew where this is another decision."""
        if moment != self.moment:
            self.moment, self.since = moment, now
            self.stopped = None if self.stopped is None else now

    def pause(self, paused: bool, now: float) -> None:
        """Stand still, or go on."""
        if paused and self.stopped is None:
            self.stopped = now
        elif not paused and self.stopped is not None:
            self.since += now - self.stopped
            self.stopped = None

    def gone(self, now: float) -> float:
        """Seconds that count so far."""
        return (now if self.stopped is None else self.stopped) - self.since
