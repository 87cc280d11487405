"""What a table is made of, and what the first entry of its log says of it."""

from collections.abc import Sequence

from msgspec import Struct

from citadels_lan import __version__
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import (
    RULES,
    Endorsement,
    Header,
    Seated,
)
from citadels_lan.crypto.seed import host_commitment
from citadels_lan.engine import TableConfig

from .lobby import TakenSeat


class Core(Struct, frozen=True):
    """What a table is made of: its id, the host's secret `s`, the host's key, the certificate's fingerprint, and
    who answers for that key."""

    game: bytes
    secret: bytes
    host: Identity
    fp: bytes
    endorsement: Endorsement | None = None

    def __repr__(self) -> str:
        return f"Core({self.game.hex()})"


def make_header(core: Core, config: TableConfig, places: Sequence[TakenSeat], *, hints: bool = True) -> Header:
    """What the first entry says of a table."""
    return Header(
        core.game,
        f"citadels-lan {__version__}",
        RULES,
        config.edition,
        config.options,
        config.cast,
        config.districts,
        core.fp,
        core.host.public,
        host_commitment(core.game, core.secret),
        core.endorsement,
        tuple(Seated(place.name, place.key, place.bot, place.claim) for place in places),
        tuple(seat for seat, place in enumerate(places) if place.guest) or None,
        None if hints else 0,
        None if config.draft == "open" else 1,
    )
