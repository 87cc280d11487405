"""What a client keeps on its disk of one game: key, transcript, moves, and what the host said beside the log."""

from .kept import GameIdentity, kept_table
from .own_key import key_path, load_key
from .records import DiskFull, Records

__all__ = ["DiskFull", "GameIdentity", "Records", "kept_table", "key_path", "load_key"]
