"""The profiles of this computer, each with a key.

Two programs on one computer never use the same key at a table. The player's key is in the data folder. A second
program of the same player uses a numbered folder inside, and so do bots.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from citadels_lan.platform.files import data_folder
from citadels_lan.platform.locks import Lock


def transcripts_folder() -> Path:
    """Return where transcripts go by default."""
    return data_folder() / "transcripts"


class Profiles:
    """The profiles that this process has claimed until `close`. Raises OSError if it cannot write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.second = False
        """Whether another program uses the player's own folder, so that this one has a numbered folder."""
        self._locks: list[Lock] = []

    def person(self) -> Path:
        """Claim a folder for a player."""
        home = self._claim(self.folder, self.folder / "others")
        self.second = home != self.folder
        return home

    def bot(self) -> Path:
        """Claim a folder for a bot."""
        return self._claim(self.folder / "bots" / "1", self.folder / "bots")

    def claim(self, home: Path) -> bool:
        """Claim a folder; False if another program uses it."""
        home.mkdir(parents=True, exist_ok=True)
        lock = Lock.take(home / "lock")
        if lock is None:
            return False
        self._locks.append(lock)
        return True

    def _claim(self, first: Path, rest: Path) -> Path:
        home = first
        for number in count(2):
            if self.claim(home):
                break
            home = rest / str(number)
        return home

    def known(self) -> Iterator[tuple[Path, bytes]]:
        """Yield the folders that have a key, that of the player first, each with its public key; b"" if it cannot
        be read."""
        from citadels_lan.crypto.identity import BadKey, Identity

        for key in (self.folder / "identity.key", *sorted(self.folder.glob("*/*/identity.key"))):
            if key.is_file():
                try:
                    yield key.parent, Identity.load(key).public
                except (BadKey, OSError):
                    yield key.parent, b""

    def close(self) -> None:
        """Let other programs use the claimed folders."""
        for lock in self._locks:
            lock.close()
        self._locks.clear()
