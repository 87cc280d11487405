"""Transcripts of one game that many tests share: whole, without its close, or unfinished."""

from dataclasses import replace
from pathlib import Path

from citadels_lan.crypto.log import Close, decode_delta, decode_entry
from citadels_lan.presenter.recording import Recording, load_recording
from tests.crypto.table import recorded

ENTRIES = 120
"""The number of entries of the unfinished game."""


def finished(folder: Path, viewer: int | None = 0) -> Path:
    """Write the transcript of a viewer of the whole game."""
    return _written(folder / f"finished-{viewer}.ctr", recorded().transcript(viewer))


def broken_off(folder: Path, viewer: int | None = 0) -> Path:
    """Write the transcript of a viewer of the unfinished game."""
    game = recorded()
    return _written(
        folder / f"broken-{viewer}.ctr",
        replace(game, bodies=game.bodies[:ENTRIES]).transcript(viewer, finish=False),
    )


def unclosed(folder: Path, viewer: int | None = 0) -> Path:
    """Write the transcript of a viewer of a game without its last entry, *close*."""
    game = recorded()
    entries = [decode_entry(decode_delta(sent[viewer]).public) for sent in game.bodies]
    assert isinstance(entries[-1], Close)
    content = replace(game, bodies=game.bodies[:-1]).transcript(viewer, finish=False)
    return _written(folder / f"unclosed-{viewer}.ctr", content)


def whole(folder: Path) -> Recording:
    """Return the recording of the whole game."""
    return load_recording(finished(folder))


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
