"""Transcripts of one game, which many tests share: complete, without the entry *close*, or of an unfinished
game."""

from dataclasses import replace
from pathlib import Path

from citadels_lan.crypto.log import Close, decode_delta, decode_entry
from citadels_lan.presenter.recording import Recording, load_recording
from tests.crypto.table import recorded

ENTRIES = 120
"""How many entries the transcript of the unfinished game has."""


def finished(folder: Path, viewer: int | None = 0) -> Path:
    """Write the transcript that `viewer` has of the finished game."""
    return _written(folder / f"finished-{viewer}.ctr", recorded().transcript(viewer))


def broken_off(folder: Path, viewer: int | None = 0) -> Path:
    """Write the transcript that `viewer` has of the unfinished game."""
    game = recorded()
    return _written(
        folder / f"broken-{viewer}.ctr",
        replace(game, bodies=game.bodies[:ENTRIES]).transcript(viewer, finish=False),
    )


def unclosed(folder: Path, viewer: int | None = 0) -> Path:
    """Write the transcript that `viewer` has of the game without its last entry, *close*."""
    game = recorded()
    entries = [decode_entry(decode_delta(sent[viewer]).public) for sent in game.bodies]
    assert isinstance(entries[-1], Close)
    content = replace(game, bodies=game.bodies[:-1]).transcript(viewer, finish=False)
    return _written(folder / f"unclosed-{viewer}.ctr", content)


def whole(folder: Path) -> Recording:
    """Return the recording of the finished game."""
    return load_recording(finished(folder))


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
