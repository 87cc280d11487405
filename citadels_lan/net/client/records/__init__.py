"""What a client keeps on its disk of one game: key, transcript and moves."""

from .kept import GameIdentity
from .own_key import key_path, load_key
from .records import DiskFull, Records

__all__ = ["DiskFull", "GameIdentity", "Records", "key_path", "load_key"]
