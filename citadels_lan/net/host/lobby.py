"""A table before its game: who sits where, who is ready, and what will be played."""

from collections.abc import Sequence

from msgspec import Struct

from citadels_lan import PROGRAM
from citadels_lan.crypto.chance import host_commitment
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import CALLED_OFF, CalledOff, Endorsement, Header, Seated, SeatKind
from citadels_lan.engine import TableConfig, Unplayable, check
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.wire.clean import distinct, numbered
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Seat, Settings

from .bans import Bans


class TakenSeat(Struct):
    """A seat that is taken. It belongs to `key`; `claim` is the key's signature of name and kind, empty before it
    has come; `away` while no client with that key is connected."""

    key: bytes
    name: str
    kind: SeatKind = SeatKind.PLAYER
    ready: bool = False
    away: bool = False
    claim: bytes = b""

    @property
    def bot(self) -> bool:
        """Whether a bot plays this seat."""
        return self.kind == SeatKind.BOT


class Lobby:
    """The places by seat. `own` are the keys of the host's program itself: its person and its bots. `bans` are
    those of the host's session, `called_off` the starts of this table that ended after *commits*.

    The owner, who configures and starts, is the host's own person; at a table without one, whoever of the persons
    has sat there longest.
    """

    def __init__(self, settings: Settings, bans: Bans | None = None) -> None:
        check_settings(settings)
        self.settings = settings
        self.places: list[TakenSeat] = []
        self.own: set[bytes] = set()
        self.bans = bans or Bans()
        self.called_off: list[CalledOff] = []

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
            Seat(place.name, place.kind, place.ready, place.away, place.key == owner, place.key)
            for place in self.places
        )

    def sit(self, key: bytes, name: str, kind: SeatKind) -> TakenSeat:
        """Take a seat of this kind, or come back to it. Raises Refusal: `table_full`; `owner_only` for a key that
        says it is the host's own player and is not."""
        if kind == SeatKind.HOST and key not in self.own:
            raise Refusal("owner_only")
        seat = self.seat(key)
        if seat is not None:
            place = self.places[seat]
            place.away = False
            if not numbered(place.name, name) or place.kind != kind:  # which the key has not signed yet
                place.kind = kind
                others = [other.name for other in self.places if other is not place]
                place.name, place.claim, place.ready = distinct(name, others), b"", place.bot
            return place
        bot = kind == SeatKind.BOT
        if self._free(reserved=bot and key in self.own) <= 0:
            raise Refusal("table_full", players=self.settings.players)
        place = TakenSeat(key, self.other_name(name), kind, ready=bot)
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

    def keep(self, people: Sequence[tuple[bytes, str]]) -> None:
        """Keep a seat for each of these keys, by its name, until its person comes. Raises Refusal: `seats_taken`
        where there are more of them than seats for people."""
        room = self.settings.players - self.settings.bots
        if len(people) > room:
            raise Refusal("seats_taken", seated=len(people), players=room)
        for key, name in people:
            self.places.append(TakenSeat(key, name, ready=True, away=True))

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
        if len(self.called_off) >= CALLED_OFF:
            raise Refusal("called_off_often", count=len(self.called_off))
        check_settings(self.settings)
        return self.settings.config

    def call_off(self, start: CalledOff | None) -> None:
        """A start has ended before its game began; `start` is None if that was before *commits*. Everybody has to
        connect, sign the name and be ready again."""
        if start is not None:
            self.called_off.append(start)
        for place in self.places:
            place.ready, place.claim, place.away = place.bot, b"", True

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


def make_header(
    core: Core,
    config: TableConfig,
    places: Sequence[TakenSeat],
    *,
    hints: bool = True,
    called_off: Sequence[CalledOff] = (),
) -> Header:
    """What the first entry says of a table."""
    return Header(
        core.game,
        PROGRAM,
        RULES[config.edition],
        config.edition,
        config.options,
        config.cast,
        config.districts,
        core.fp,
        core.host.public,
        host_commitment(core.game, core.secret),
        core.endorsement,
        int(config.draft != "open"),
        None if hints else 0,
        tuple(called_off),
        tuple(Seated(place.name, place.key, place.kind, place.claim) for place in places),
    )
