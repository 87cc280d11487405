"""A table before its game: who has which seat, who is ready, the settings of the game, and who may not join."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan import PROGRAM
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import CALLED_OFF, CalledOff, Endorsement, Header, Seated, SeatKind
from citadels_lan.crypto.seed import host_commitment
from citadels_lan.engine import Unplayable, check
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.join.join_code import Bans
from citadels_lan.net.limits import is_loopback
from citadels_lan.net.wire.clean import distinct, numbered
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Seat, Settings


class Core(Struct, frozen=True):
    """The identity of a table: the id of its game, the host's secret `s`, the host's key, the fingerprint of the
    certificate, and the endorsement of that key by the host's player."""

    game: bytes
    secret: bytes
    host: Identity
    fp: bytes
    endorsement: Endorsement | None = None

    def __repr__(self) -> str:
        return f"Core({self.game.hex()})"


class TakenSeat(Struct):
    """A taken seat. `key` is its player's; `claim` is that key's signature of name and kind, empty until it
    arrives. `away`: no client with that key is connected. `returning`: the client of a guest in a browser has
    just gone, and the seat is still shown as taken, because the browser may reconnect at once."""

    key: bytes
    name: str
    kind: SeatKind = SeatKind.PLAYER
    ready: bool = False
    away: bool = False
    claim: bytes = b""
    returning: bool = False

    @property
    def bot(self) -> bool:
        """Whether a bot plays this seat."""
        return self.kind == SeatKind.BOT


class Lobby:
    """The lobby; `places` are its seats. `own` are the keys of the host's own program: its player and its bots.
    `bans` are those of the host's session, `called_off` the starts of this table that ended after *commits*.
    `handed`: another program has the game now.

    The owner, who configures and starts, is the host's own player; without one, the player who joined first.
    """

    def __init__(self, settings: Settings, bans: Bans | None = None) -> None:
        check_settings(settings)
        self.settings = settings
        self.places: list[TakenSeat] = []
        self.own: set[bytes] = set()
        self.bans = bans or Bans()
        self.called_off: list[CalledOff] = []
        self.handed = False

    @property
    def owner(self) -> bytes | None:
        """The key of the owner."""
        people = [place.key for place in self.places if not place.bot]
        # On a host without a player the first one who joined configures the table.
        return next((key for key in people if key in self.own), people[0] if people else None)

    def seat(self, key: bytes) -> int | None:
        """Return the number of the seat of a key, or None."""
        return next((seat for seat, place in enumerate(self.places) if place.key == key), None)

    def place(self, key: bytes) -> TakenSeat | None:
        """Return the taken seat of a key, with its player; otherwise None."""
        return next((place for place in self.places if place.key == key), None)

    def knows(self, key: bytes) -> bool:
        """Whether a key belongs here: the host's own, or one that has a seat."""
        return key in self.own or self.place(key) is not None

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats as all viewers may see them."""
        owner = self.owner
        return tuple(
            Seat(each.name, each.kind, each.ready, each.away and not each.returning, each.key == owner, each.key)
            for each in self.places
        )

    def sit(self, key: bytes, name: str, kind: SeatKind, source: str = "") -> TakenSeat:
        """Give a player of this kind a seat, or the seat that the player had. Only keys of the host's program
        may be its player and its bots, and only clients on this computer, by their address `source`, may be
        guests in a browser. Raises Refusal: `owner_only` for a false kind, `table_full`."""
        host_only = key not in self.own and kind in (SeatKind.HOST, SeatKind.BOT)
        if host_only or (kind == SeatKind.GUEST and not is_loopback(source)):
            raise Refusal("owner_only")
        if (place := self.place(key)) is not None:
            place.away = False
            # A player who returns with the name that the table gave keeps it, with its number.
            if not numbered(place.name, name) or place.kind != kind:  # which the key has not signed yet
                place.kind = kind
                others = [other.name for other in self.places if other is not place]
                place.name, place.claim, place.ready = distinct(name, others), b"", place.bot
            return place
        bot = kind == SeatKind.BOT
        self.check_room(reserved=bot)
        place = TakenSeat(key, distinct(name, [each.name for each in self.places]), kind, ready=bot)
        self.places.append(place)
        return place

    def check_room(self, *, reserved: bool = False) -> None:
        """Raise Refusal if no seat is free: for a player, or, for a bot of the host, of the seats reserved for
        bots."""
        bots, seats = sum(place.bot for place in self.places), self.settings.players
        free = self.settings.bots - bots if reserved else seats - self.settings.bots - (len(self.places) - bots)
        if free <= 0 or (reserved and len(self.places) >= seats):
            raise Refusal("table_full", players=seats)

    def claim(self, key: bytes, name: str, signature: bytes) -> None:
        """Store a player's signature of their name. A signature of another name came too late and changes
        nothing."""
        if (place := self.place(key)) is not None and place.name == name:
            place.claim = signature

    def keep(self, people: Sequence[tuple[bytes, str]]) -> None:
        """Reserve a seat for each of these keys, under its name, until its player joins. Raises Refusal:
        `seats_taken` if there are more of them than seats for people."""
        room = self.settings.players - self.settings.bots
        if len(people) > room:
            raise Refusal("seats_taken", seated=len(people), players=room)
        for key, name in people:
            self.places.append(TakenSeat(key, name, ready=True, away=True))

    def remove(self, owner: bytes, key: bytes) -> None:
        """Remove the player with this key for the owner; the key may not return. Raises Refusal."""
        self._check_owner(owner)
        if key in self.own:
            raise Refusal("own_seat")
        self.bans.removed.add(key)

    def ready(self, key: bytes, flag: bool) -> None:
        """Note whether a player is ready. Raises Refusal: `spectator`."""
        if (place := self.place(key)) is None:
            raise Refusal("spectator")
        place.ready = flag

    def configure(self, key: bytes, settings: Settings) -> None:
        """Change the settings. All players except bots have to be ready again, unless only the number of bots
        changes. Raises Refusal."""
        self._check_owner(key)
        check_settings(settings)
        people = sum(not place.bot for place in self.places)
        bots = len(self.places) - people
        if people > settings.players - settings.bots or bots > settings.bots:
            raise Refusal("seats_taken", seated=len(self.places), players=settings.players)
        same = replace(settings, bots=self.settings.bots) == self.settings
        self.settings = settings
        for place in self.places:
            place.ready = place.bot or (same and place.ready)

    def check_start(self, key: bytes | None) -> None:
        """Check that the owner asks, all seats are taken and the others are ready. At a table without an owner
        no one needs to ask. Raises Refusal."""
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

    def header(self, core: Core) -> Header:
        """Return the header for the first entry of this table."""
        config = self.settings.config
        rules = (RULES[config.edition], config.edition, config.options, config.cast, config.districts)
        host = (core.fp, core.host.public, host_commitment(core.game, core.secret), core.endorsement)
        sealed, hints = int(config.draft != "open"), None if self.settings.hints else 0
        seated = tuple(Seated(place.name, place.key, place.kind, place.claim) for place in self.places)
        return Header(core.game, PROGRAM, *rules, *host, sealed, hints, tuple(self.called_off), seated)

    def call_off(self, start: CalledOff | None) -> None:
        """Handle a start that ended before its game began. `start` is its record, None if it ended before
        *commits*. All players have to connect, sign the name and be ready again."""
        if start is not None:
            self.called_off.append(start)
        for place in self.places:
            place.ready, place.claim, place.away = place.bot, b"", True

    def _check_owner(self, key: bytes) -> None:
        if key != self.owner:
            raise Refusal("owner_only")


def check_settings(settings: Settings) -> None:
    """Raise Refusal for settings that no table can have: with the engine's reason, or `too_many_bots`."""
    if settings.bots > settings.players:
        raise Refusal("too_many_bots", bots=settings.bots, players=settings.players)
    try:
        check(settings.config)
    except Unplayable as reason:
        raise Refusal(reason.code, **reason.details) from None
