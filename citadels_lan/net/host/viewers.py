"""Somebody who is connected to a table."""

from typing import Protocol

from msgspec import Struct

from citadels_lan.net.wire.ratelimit import Bucket


class Port(Protocol):
    """Where a viewer's frames go. `send` never waits."""

    def send(self, data: bytes) -> None: ...

    def close(self, code: str = "left", **details: str | int) -> None: ...


class Viewer(Struct, eq=False):
    """Somebody who is connected, from the address `source`. `seat` is None for spectators; `sent` and `acked` are
    entries; times are seconds of the table's clock: when something was heard last, and when an acknowledgement
    last made progress. `entrusted` is the draft of which it was told what a stand-in drafts with for it."""

    key: bytes
    name: str
    player: bool
    port: Port
    heard: float
    progress: float
    chat: Bucket
    asking: Bucket
    noise: Bucket
    seat: int | None = None
    sent: int = 0
    acked: int = 0
    mark: int = 0
    entrusted: int = 0
    source: str = ""

    def silent(self, now: float) -> float:
        """For how many seconds this viewer has owed a sign of life."""
        behind = now - self.progress if self.sent > self.acked else 0.0
        return max(now - self.heard, behind)
