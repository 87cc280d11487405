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
        gone = self.gone(absent, now)
        return [key for key, seconds in gone.items() if seconds > self._patience]

    def gone(self, absent: Collection[bytes], now: float) -> dict[bytes, float]:
        """For how many seconds each of the absent has been gone."""
        return {key: now - self._gone.setdefault(key, now) for key in absent}
