"""Where keys and transcripts live, and that no two programs on this machine sit at a table with the same key.

A person's identity is in the data folder itself; a second program of the same person, say two terminals on one
laptop, uses a numbered folder inside. So do bots.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from citadels_lan.crypto.identity import BadKey, Identity
from citadels_lan.systems.folders import data_folder
from citadels_lan.systems.locks import Lock


def transcripts_folder() -> Path:
    """Where transcripts go unless somebody says otherwise."""
    return data_folder() / "transcripts"


class Profiles:
    """The identities of this process: claimed until `close`. Raises OSError where nothing can be written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._locks: list[Lock] = []

    def person(self) -> Path:
        """A home for a person."""
        return self._claim(self.folder, self.folder / "others")

    def bot(self) -> Path:
        """A home for a bot."""
        return self._claim(self.folder / "bots" / "1", self.folder / "bots")

    def claim(self, home: Path) -> bool:
        """Claim a certain home; False where another program has it."""
        home.mkdir(parents=True, exist_ok=True)
        lock = Lock.take(home / "lock")
        if lock is None:
            return False
        self._locks.append(lock)
        return True

    def _claim(self, first: Path, rest: Path) -> Path:
        for home in _numbered(first, rest):
            if self.claim(home):
                return home
        raise AssertionError

    def known(self) -> Iterator[Path]:
        """All profiles that have an identity."""
        for key in (self.folder / "identity.key", *sorted(self.folder.glob("*/*/identity.key"))):
            if key.is_file():
                yield key.parent

    def keys(self) -> Iterator[bytes]:
        """The public keys of all profiles that can be read."""
        for home in self.known():
            with contextlib.suppress(BadKey, OSError):
                yield Identity.load(home / "identity.key").public

    def close(self) -> None:
        """Let others have them."""
        with contextlib.ExitStack() as stack:
            for lock in self._locks:
                stack.callback(lock.close)
        self._locks.clear()


def _numbered(first: Path, rest: Path) -> Iterator[Path]:
    yield first
    number = 2
    while True:
        yield rest / str(number)
        number += 1
