"""Before a game and after it: who sits where, what will be played, and the table at which it goes on."""

from typing import Annotated

from msgspec import Meta, Struct

from citadels_lan.crypto.commitments import Hash
from citadels_lan.crypto.log import GameId, Signature
from citadels_lan.engine import TableConfig, from_scenario

from .message import MOST, Message, Name, SeatNumber

SeatKey = Annotated[bytes, Meta(max_length=32)]


class Settings(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What the table will play, how many of its seats are kept for bots of the host, and whether players may take
    hints."""

    config: TableConfig = from_scenario("first_game", 4)
    bots: Annotated[int, Meta(ge=0, le=MOST)] = 0
    hints: bool = True

    @property
    def players(self) -> int:
        """How many play."""
        return self.config.players


class Seat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One who sits in the lobby. `key` is whose the seat is, by the host's word; `guest`: who plays through the
    host's computer."""

    name: Name
    bot: bool = False
    ready: bool = False
    away: bool = False
    owner: bool = False
    key: SeatKey = b""
    guest: bool = False


class LobbyNews(Message, frozen=True, array_like=True):
    """H to C: the whole lobby, whenever something in it changes. `seat` is the receiver's own."""

    type = 12
    settings: Settings
    seats: Annotated[tuple[Seat, ...], Meta(max_length=MOST)]
    seat: SeatNumber | None
    owner: bool


class Ready(Message, frozen=True, array_like=True):
    """C to H: ready, or not any more."""

    type = 13
    ready: bool


class Configure(Message, frozen=True, array_like=True):
    """C to H, from the owner: other settings."""

    type = 14
    settings: Settings


class Start(Message, frozen=True, array_like=True):
    """C to H, from the owner: begin."""

    type = 15


class Claim(Message, frozen=True, array_like=True):
    """C to H, in the lobby: the seat's signature of its name at this table (see `crypto.claims`)."""

    type = 30
    name: Name
    signature: Signature


class Remove(Message, frozen=True, array_like=True):
    """C to H, of the owner, in the lobby: send whoever has this key away."""

    type = 53
    key: Hash


class Again(Message, frozen=True, array_like=True):
    """H to C, after the game: the same people play again, at a table of the same host. It listens at `port`, is
    known by `game` and `fp`, and keeps the seats of those who sat here."""

    type = 60
    port: Annotated[int, Meta(ge=1, le=65535)]
    game: GameId
    fp: Hash
