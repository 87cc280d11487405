"""Transcripts as people name them: files, folders of files, and `-` for standard input."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from citadels_lan.crypto.transcript import STDIN


def named(words: Sequence[str]) -> list[Path]:
    """What the words of a command line stand for. In place of a folder stand its transcripts, by name; one with
    none, or that cannot be looked into, stays, for whoever reads it to say so."""
    return [path for word in words for path in _paths(word)]


def one(word: str) -> Path:
    """The one file, or standard input, that a word stands for."""
    return STDIN if word == "-" else Path(word)


def _paths(word: str) -> Iterator[Path]:
    path = one(word)
    try:
        within = sorted(path.glob("*.ctr")) if path is not STDIN and path.is_dir() else []
    except OSError:
        within = []
    yield from within or [path]
