"""How long a connection waits for what, and the soft time for a decision."""

from msgspec import Struct


class Timing(Struct, frozen=True):
    """Seconds: between pings, until a silent seat is shown as away, until it is dropped, for a handshake, for the
    rest of a frame, between attempts of a client at an address to come back (the first and the longest), from a
    question about a sealed marker to its answer, from a call at a sealed draft to the reply, from noise to noise
    on average (these three 0 where there is nobody to hide anything from). After a round the host waits at most
    `cosign` seconds for co-signatures, then at most `words` seconds for their words.
    `clock` is the soft time for a decision, in whole seconds; 0 for none."""

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
