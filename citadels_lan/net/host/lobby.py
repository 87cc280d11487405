"""A table before its game: who sits where, who is ready, and what will be played."""

from collections.abc import Sequence

from msgspec import Struct

from citadels_lan.engine import TableConfig, Unplayable, check
from citadels_lan.net.wire.clean import distinct, numbered
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Seat, Settings

from .bans import Bans


class TakenSeat(Struct):
    """A seat that is taken. It belongs to `key`; `claim` is the key's signature of the name, empty before it has
    come; `away` while nobody is connected with that key; `guest`: it plays on the host's computer, for somebody
    elsewhere."""

    key: bytes
    name: str
    bot: bool = False
    ready: bool = False
    away: bool = False
    claim: bytes = b""
    guest: bool = False


class Lobby:
    """The places by seat. `own` are the keys of the host's program itself: its person and its bots. `bans` are
    those of the host's session.

    The owner, who configures and starts, is the host's own person; at a table without one, whoever of the persons
    has sat there longest.
    """

    def __init__(self, settings: Settings, bans: Bans | None = None) -> None:
        check_settings(settings)
        self.settings = settings
        self.places: list[TakenSeat] = []
        self.own: set[bytes] = set()
        self.bans = bans or Bans()

    @property
    def owner(self) -> bytes | None:
        """The key of the owner."""
        people = [place.key for place in self.places if not place.bot]
        return next((key for key in people if key in self.own), people[0] if people else None)

    def seat(self, key: bytes) -> int | None:
        """Where a key sits."""
        return next((seat for seat, place in enumerate(self.places) if place.key == key), None)

    def knows(self, key: bytes) -> bool:
        """Whether a key belongs here: the host's own, or one that has a seat."""
        return key in self.own or self.seat(key) is not None

    def seats(self) -> tuple[Seat, ...]:
        """The places as everybody may see them."""
        owner = self.owner
        return tuple(
            Seat(place.name, place.bot, place.ready, place.away, place.key == owner, place.key, place.guest)
            for place in self.places
        )

    def sit(self, key: bytes, name: str, bot: bool, guest: bool = False) -> TakenSeat:
        """Take a seat, or come back to it; `guest`: on the host's computer. Raises Refusal: `table_full`."""
        seat = self.seat(key)
        if seat is not None:
            place = self.places[seat]
            place.away, place.guest = False, guest
            if not numbered(place.name, name):  # the same person by another name, which has not been signed yet
                others = [other.name for other in self.places if other is not place]
                place.name, place.claim, place.ready = distinct(name, others), b"", place.bot
            return place
        if self._free(reserved=bot and key in self.own) <= 0:
            raise Refusal("table_full", players=self.settings.players)
        place = TakenSeat(key, self.other_name(name), bot, ready=bot, guest=guest)
        self.places.append(place)
        return place

    def other_name(self, name: str) -> str:
        """`name`, changed where somebody who sits here has it already."""
        return distinct(name, [place.name for place in self.places])

    def claim(self, key: bytes, name: str, signature: bytes) -> None:
        """Somebody's signature of the name here; one of another name came too late and is left alone."""
        seat = self.seat(key)
        if seat is not None and self.places[seat].name == name:
            self.places[seat].claim = signature

    def restore(self, key: bytes, name: str, bot: bool) -> None:
        """Seat somebody of a game that goes on; not here yet."""
        self.places.append(TakenSeat(key, name, bot, ready=True, away=True))

    def keep(self, people: Sequence[tuple[bytes, str]]) -> None:
        """Keep a seat for each of these keys, by its name, until its person comes. Raises Refusal: `seats_taken`
        where there are more of them than seats for people."""
        room = self.settings.players - self.settings.bots
        if len(people) > room:
            raise Refusal("seats_taken", seated=len(people), players=room)
        for key, name in people:
            self.restore(key, name, bot=False)

    def _free(self, *, reserved: bool) -> int:
        """How many seats are free: those kept for the host's bots, or the others."""
        kept = sum(place.bot and place.key in self.own for place in self.places)
        if reserved:
            return min(self.settings.bots - kept, self.settings.players - len(self.places))
        return self.settings.players - self.settings.bots - (len(self.places) - kept)

    def rise(self, key: bytes) -> None:
        """Leave the seat to somebody else; those behind move up."""
        self.places = [place for place in self.places if place.key != key]

    def remove(self, owner: bytes, key: bytes) -> None:
        """Whoever has this key has been sent away by the owner, and does not come back. Raises Refusal."""
        self._check_owner(owner)
        if key in self.own:
            raise Refusal("own_seat")
        self.bans.removed.add(key)

    def away(self, key: bytes) -> None:
        """The connection is gone; the seat stays for a while."""
        seat = self.seat(key)
        if seat is not None:
            self.places[seat].away = True

    def ready(self, key: bytes, flag: bool) -> None:
        """Say that one is ready, or not any more."""
        seat = self.seat(key)
        if seat is None:
            raise Refusal("spectator")
        self.places[seat].ready = flag

    def configure(self, key: bytes, settings: Settings) -> None:
        """Other settings: everybody but the bots has to be ready again. Raises Refusal."""
        self._check_owner(key)
        check_settings(settings)
        people = sum(not (place.bot and place.key in self.own) for place in self.places)
        bots = len(self.places) - people
        if people > settings.players - settings.bots or bots > settings.bots:
            raise Refusal("seats_taken", seated=len(self.places), players=settings.players)
        self.settings = settings
        for place in self.places:
            place.ready = place.bot

    def start(self, key: bytes | None) -> TableConfig:
        """What will be played. Raises Refusal unless the owner asks, all seats are taken and the others ready;
        at a table that nobody attends None asks."""
        if key is not None:
            self._check_owner(key)
        free = self.settings.players - len(self.places)
        if free > 0:
            raise Refusal("seats_free", free=free)
        for place in self.places:
            if place.away or not place.claim or not (place.ready or place.key == key):
                raise Refusal("not_ready", name=place.name)
        check_settings(self.settings)
        return self.settings.config

    def _check_owner(self, key: bytes) -> None:
        if key != self.owner:
            raise Refusal("owner_only")


def check_settings(settings: Settings) -> None:
    """Raise Refusal where no table can have these settings: with the engine's reason, or `too_many_bots`."""
    if settings.bots > settings.players:
        raise Refusal("too_many_bots", bots=settings.bots, players=settings.players)
    try:
        check(settings.config)
    except Unplayable as reason:
        raise Refusal(reason.code, **reason.details) from None
