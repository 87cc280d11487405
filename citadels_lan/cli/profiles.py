"""Profiles with their keys, and transcripts as people name them: files, folders, and `-` for standard input.

Two programs on one computer never use the same key at a table. The person's key is in the data folder. A second
program of the same person uses a numbered folder inside, and so do bots.
"""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from citadels_lan.systems.files import data_folder
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
        from citadels_lan.crypto.identity import BadKey, Identity

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


def named(words: Sequence[str]) -> list[Path]:
    """What the words of a command line stand for. In place of a folder stand its transcripts, by name; one with
    none, or that cannot be looked into, stays, for whoever reads it to say so."""
    return [path for word in words for path in _paths(word)]


def one(word: str) -> Path:
    """The one file, or standard input, that a word stands for."""
    from citadels_lan.crypto.transcript import STDIN

    return STDIN if word == "-" else Path(word)


def _paths(word: str) -> Iterator[Path]:
    path = one(word)
    try:
        within = sorted(path.glob("*.ctr")) if word != "-" and path.is_dir() else []
    except OSError:
        within = []
    yield from within or [path]
