"""Somebody who is connected to a table, and the patience that a table has."""

from typing import Protocol

from msgspec import Struct


class Timing(Struct, frozen=True):
    """Seconds: between pings, until a silent seat is shown as away, until it is dropped, for a handshake, for the
    rest of a frame, between attempts of a client to come back (the first and the longest), and from a question
    about a sealed marker to its answer (0: at once, where there is nobody to hide anything from)."""

    ping: float = 5.0
    away: float = 10.0
    drop: float = 30.0
    handshake: float = 10.0
    frame: float = 10.0
    retry: tuple[float, float] = (0.25, 4.0)
    sealed: float = 5.0


class Port(Protocol):
    """Where a viewer's frames go. `send` never waits."""

    def send(self, data: bytes) -> None: ...

    def close(self, code: str = "left", **details: str | int) -> None: ...


class Bucket(Struct):
    """So many requests at once, and then only so many a second. `spent` is the time until which they are spent."""

    burst: int
    rate: float
    spent: float = 0.0

    def take(self, now: float) -> bool:
        """Whether one more is allowed now."""
        spent = max(self.spent, now - self.burst / self.rate) + 1 / self.rate
        if spent > now:
            return False
        self.spent = spent
        return True


class Viewer(Struct, eq=False):
    """Somebody who is connected. `seat` is None for spectators; `sent` and `acked` are entries; times are seconds
    of the table's clock: when something was heard last, and when an acknowledgement last made progress."""

    key: bytes
    name: str
    player: bool
    port: Port
    heard: float
    progress: float
    chat: Bucket
    asking: Bucket
    seat: int | None = None
    sent: int = 0
    acked: int = 0
    mark: int = 0

    def silent(self, now: float) -> float:
        """For how many seconds this viewer has owed a sign of life."""
        behind = now - self.progress if self.sent > self.acked else 0.0
        return max(now - self.heard, behind)
