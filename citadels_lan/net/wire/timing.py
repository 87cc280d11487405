"""The times of connections, and the decision timer. All times are seconds."""

from msgspec import Struct


class Timing(Struct, frozen=True):
    """Seconds of waiting.

    `ping` is the time between pings. A silent seat is shown as away after `away`, and dropped after `drop`. A
    handshake may take `handshake`, the rest of a frame `frame`. A client that reconnects waits between
    attempts at an address as `retry` says (at first, and at most). `sealed` is the time from a question about
    a sealed marker to its answer, `reply` from a call in a sealed draft to the reply, and `noise` the mean
    time between two noise frames; they are 0 if no one has to be kept from learning something. After a round
    the host waits at most `cosign` for co-signatures, then at most `words` for their words. `clock` is the
    decision timer in whole seconds; 0 for none."""

    ping: float = 1.5
    away: float = 10.0
    drop: float = 30.0
    handshake: float = 10.0
    frame: float = 10.0
    retry: tuple[float, float] = (0.25, 1.0)
    sealed: float = 5.0
    reply: float = 0.005
    noise: float = 2.0
    cosign: float = 10.0
    words: float = 3.0
    clock: int = 0


class Countdown(Struct):
    """The decision timer: `seconds` for each decision, counted from `since`. `moment` identifies the decision.
    `stopped` is when a pause began, None without a pause. Times are monotonic seconds."""

    seconds: int
    since: float
    moment: int = 0
    stopped: float | None = None

    @property
    def paused(self) -> bool:
        """Whether a pause has begun."""
        return self.stopped is not None

    def at(self, moment: int, now: float) -> None:
        """Restart the timer if this is another decision than before."""
        if moment != self.moment:
            self.moment, self.since = moment, now
            self.stopped = None if self.stopped is None else now

    def pause(self, paused: bool, now: float) -> None:
        """Stop the timer, or let it continue."""
        if paused and self.stopped is None:
            self.stopped = now
        elif not paused and self.stopped is not None:
            self.since += now - self.stopped
            self.stopped = None

    def gone(self, now: float) -> float:
        """Return the seconds that have passed for this decision, without pauses."""
        return (now if self.stopped is None else self.stopped) - self.since
