"""What a client keeps on its disk of one game: its key, its transcript, its moves, what its host said beside it."""

from .kept import GameIdentity, kept_table
from .own_key import key_path, load_key
from .records import DiskFull, Records

__all__ = ["DiskFull", "GameIdentity", "Records", "kept_table", "key_path", "load_key"]
