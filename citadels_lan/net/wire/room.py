"""Whether there is room on the disk for a game, before it begins: for a journal, or for a transcript."""

from pathlib import Path
from typing import Final

from citadels_lan.systems.files import free_space

from .errors import Refusal

MB: Final = 1_000_000
ROOM: Final = 20 * MB
"""Bytes; a long game needs a few per cent of it."""


def check_room(folder: Path) -> None:
    """Raises Refusal: `no_room`."""
    if free_space(folder) < ROOM:
        raise no_room(folder)


def no_room(folder: Path) -> Refusal:
    """Nothing can be written there, or too little."""
    return Refusal("no_room", path=str(folder), megabytes=ROOM // MB)
