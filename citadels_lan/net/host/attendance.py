"""Which players a table still waits for."""

from collections.abc import Collection


class Attendance:
    """Since when players have been gone, and who has all of a game that is over. Times are seconds of the table's
    clock; after `patience` of them nobody waits for a player any longer."""

    def __init__(self, patience: float) -> None:
        self.served: set[bytes] = set()
        self._patience = patience
        self._gone: dict[bytes, float] = {}

    def left(self, key: bytes, now: float) -> None:
        """A player's connection is gone."""
        self._gone[key] = now

    def back(self, key: bytes) -> None:
        """A player is here again, or has no seat any more."""
        self._gone.pop(key, None)

    def overdue(self, now: float) -> list[bytes]:
        """Whoever has been gone for too long."""
        return [key for key, since in self._gone.items() if now - since > self._patience]

    def missing(self, absent: Collection[bytes], now: float) -> list[bytes]:
        """The same of players of whom some may not have been here at all: their time begins now."""
        for key in absent:
            self._gone.setdefault(key, now)
        return [key for key in self.overdue(now) if key in absent]
