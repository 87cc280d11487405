"""The key of one seat in one game, where this machine still has it: with it the own characters of a sealed draft
can be read while the game is not over."""

from contextlib import suppress

from citadels_lan.crypto.owner import Owner
from citadels_lan.crypto.transcript import FileHead
from citadels_lan.net.client.records import GameIdentity, key_path, load_key
from citadels_lan.systems.folders import data_folder


def owner_of(head: FileHead) -> Owner | None:
    """What only the owner of a transcript can do; None for a spectator's, and where its key is not here."""
    if head.seat is None:
        return None
    data = data_folder()
    path = key_path(data / "games", GameIdentity(head.game_id, head.fp, head.host), head.key)
    for found in (path, *data.glob(f"*/*/games/{path.name}")):  # others on this machine, and its bots
        with suppress(OSError):
            if found.exists():
                return Owner(load_key(found), head.game_id, head.seat)
    return None
