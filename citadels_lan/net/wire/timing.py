"""The times of connections, and the decision timer. All times are seconds."""

from msgspec import Struct


class Timing(Struct, frozen=True):
    """Times of connections and games, in seconds.

    - `ping`: between two pings. A silent seat is shown as away after `away`, and disconnected after `drop`.
    - `handshake`: for a whole handshake; `frame`: for a frame after its first byte.
    - `retry`: pauses between attempts of a client to reconnect to an address, at first and at most.
    - `sealed`: from a question about a sealed marker to its answer. `reply`: from a call in a sealed draft to
      the reply. `noise`: average time between two noise frames. These are 0 if no one has to be kept from
      learning something from times.
    - `cosign`: the host's longest time to wait for co-signatures after a round; `words`: then for their
      random words.
    - `clock`: the decision timer in whole seconds; 0 for none."""

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
    """The decision timer: `seconds` for each decision, counted from the time `since`. `moment` is the number
    of the decision. `stopped` is when a pause began; None without a pause. Times are monotonic seconds."""

    seconds: int
    since: float
    moment: int = 0
    stopped: float | None = None

    @property
    def paused(self) -> bool:
        """Whether a pause has begun."""
        return self.stopped is not None

    def at(self, moment: int, now: float) -> None:
        """Restart the timer if `moment` is another decision than before."""
        if moment != self.moment:
            self.moment, self.since = moment, now
            self.stopped = None if self.stopped is None else now

    def pause(self, paused: bool, now: float) -> None:
        """Begin a pause (`paused` True), in which the timer stops, or end it."""
        if paused and self.stopped is None:
            self.stopped = now
        elif not paused and self.stopped is not None:
            self.since += now - self.stopped
            self.stopped = None

    def gone(self, now: float) -> float:
        """Return how many seconds of the present decision have passed, without pauses."""
        return (now if self.stopped is None else self.stopped) - self.since
