"""The key of one seat in one game, from which all follows that it keeps to itself."""

import os
from pathlib import Path
from typing import Final

from citadels_lan.crypto.frames import digest
from citadels_lan.systems.files import write_private

from .kept import GameIdentity

KEY: Final = 32


def key_path(folder: Path, game: GameIdentity, public: bytes) -> Path:
    """Where the key of `public` for a game is. It is of the table, not of the number of its game, which the host
    chooses: at another table with that number nothing may be secret that everybody knows from the first."""
    table = digest("own-table", game.id, game.rules, game.fp, game.host)
    return folder / f"{game.id.hex()[:16]}-{table.hex()[:16]}-{public.hex()[:16]}.key"


def load_key(path: Path) -> bytes:
    """The secret of this seat in one game, made when first asked for. Raises OSError."""
    if not path.exists():
        write_private(path, os.urandom(KEY))
    key = path.read_bytes()
    if len(key) != KEY:
        raise OSError("the key file is damaged")
    return key
