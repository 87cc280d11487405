"""What a seat agrees to before it gives anything of its own to a game: the table that its lobby has shown.

A host may begin any table it likes, but not with the part of somebody who was shown another one.
"""

from citadels_lan.crypto.log import Header
from citadels_lan.net.wire.messages import LobbyNews


def disagreement(header: Header, lobby: LobbyNews, name: str) -> str:
    """In which way a table is not the one of the lobby, in a word: `settings`, `own_name` or `players`; empty
    where it is. `name` is the own one, as the table had accepted it."""
    if (header.config, header.migrate or 0) != (lobby.settings.config, lobby.settings.migrate):
        return "settings"
    guests = header.guests or ()
    begun = [(one.name, one.key, one.bot, seat in guests) for seat, one in enumerate(header.players)]
    shown = [(seat.name, seat.key, seat.bot, seat.guest) for seat in lobby.seats]
    if [key for _, key, *_ in begun] != [key for _, key, *_ in shown]:
        return "players"
    if lobby.seat is not None and begun[lobby.seat][0] != name:
        return "own_name"
    return "" if begun == shown else "players"
