"""Who is who at a table: each player's key signs its name, and a person's key answers for the host's.

A key of the host is made for one table; without an endorsement nobody could be shown to have held it.
"""

from .frames import Field, u8
from .identity import Identity, verify
from .log import Endorsement, Header


def claim(identity: Identity, game: bytes, fp: bytes, host: bytes, name: str, bot: bool) -> bytes:
    """A player's signature of the own name, for the table with this game, certificate and key of the host."""
    return identity.sign("seat", *_seat_fields(game, fp, host, name, bot))


def claim_holds(key: bytes, signature: bytes, game: bytes, fp: bytes, host: bytes, name: str, bot: bool) -> bool:
    """Whether a claim is that of `key`."""
    return verify(key, signature, "seat", *_seat_fields(game, fp, host, name, bot))


def claimed(header: Header, seat: int) -> bool:
    """Whether the player at a seat has signed what the header says of it."""
    player = header.players[seat]
    table = (header.game_id, header.fp, header.hostkey)
    return claim_holds(player.key, player.claim, *table, player.name, player.bot)


def endorse(identity: Identity, game: bytes, fp: bytes, host: bytes) -> Endorsement:
    """The word of the person who runs a host that the key `host` is its own."""
    return Endorsement(identity.public, identity.sign("host-key", game, fp, host))


def endorsed(header: Header) -> bool:
    """Whether the endorsement of a header holds; where there is none nothing is wrong."""
    given = header.endorsement
    fields = (header.game_id, header.fp, header.hostkey)
    return given is None or verify(given.key, given.signature, "host-key", *fields)


def _seat_fields(game: bytes, fp: bytes, host: bytes, name: str, bot: bool) -> tuple[Field, ...]:
    return game, fp, host, name, u8(bot)
