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
    """The identity of a table: the id of its game, the host's `secret` for the game, the host's key, the
    fingerprint of its certificate, and the endorsement of the key by the host's player (None if there is
    none)."""

    game: bytes
    secret: bytes
    host: Identity
    fp: bytes
    endorsement: Endorsement | None = None

    def __repr__(self) -> str:
        return f"Core({self.game.hex()})"


class TakenSeat(Struct):
    """A seat in the lobby that a player has. `claim` is the player's signature of name and kind; empty until
    it comes. `away`: no client with the player's `key` is connected. `returning`: the client of a browser
    guest has just disconnected; other players do not see this as away, because the browser may reconnect at
    once."""

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
    """The lobby of a table; `places` are the taken seats. `own` are the keys of the host's player and bots.
    `bans` are those of the host's session, which a rematch keeps. `called_off` are the starts of this table
    that ended after *commits*. `handed`: another program has received the game.

    The owner may change the settings and start the game. It is the host's own player, or if the host does not
    play, the player who joined first."""

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
        """The key of the owner; None if there is no player."""
        people = [place.key for place in self.places if not place.bot]
        # On a host without a player the first one who joined configures the table.
        return next((key for key in people if key in self.own), people[0] if people else None)

    def seat(self, key: bytes) -> int | None:
        """Return the number of the seat that the player with this key has; None for any other key."""
        return next((seat for seat, place in enumerate(self.places) if place.key == key), None)

    def place(self, key: bytes) -> TakenSeat | None:
        """Return the seat that the player with this key has; None for any other key."""
        return next((place for place in self.places if place.key == key), None)

    def knows(self, key: bytes) -> bool:
        """Return whether a key is the host's own (player or bot), or has a seat."""
        return key in self.own or self.place(key) is not None

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats in the form that all viewers are sent."""
        owner = self.owner
        return tuple(
            Seat(each.name, each.kind, each.ready, each.away and not each.returning, each.key == owner, each.key)
            for each in self.places
        )

    def sit(self, key: bytes, name: str, kind: SeatKind, source: str = "") -> TakenSeat:
        """Give the player with this key a seat, or return the seat that the player has already. Only keys in
        `own` may be the host's player and bots. Only clients on this computer (by their address `source`) may
        be guests in a browser. Raises Refusal: `owner_only` for a kind that is not allowed, `table_full`."""
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
        """Raise Refusal if there is no free seat for a player; with `reserved`, for a bot of the host (some
        seats are reserved for bots)."""
        bots, seats = sum(place.bot for place in self.places), self.settings.players
        free = self.settings.bots - bots if reserved else seats - self.settings.bots - (len(self.places) - bots)
        if free <= 0 or (reserved and len(self.places) >= seats):
            raise Refusal("table_full", players=seats)

    def claim(self, key: bytes, name: str, signature: bytes) -> None:
        """Store a player's signature of their name. A signature of another name than the present one changes
        nothing."""
        if (place := self.place(key)) is not None and place.name == name:
            place.claim = signature

    def keep(self, people: Sequence[tuple[bytes, str]]) -> None:
        """Reserve a seat for each of these people (key and name) until they join. Raises Refusal:
        `seats_taken` if there are too few seats for people."""
        room = self.settings.players - self.settings.bots
        if len(people) > room:
            raise Refusal("seats_taken", seated=len(people), players=room)
        for key, name in people:
            self.places.append(TakenSeat(key, name, ready=True, away=True))

    def remove(self, owner: bytes, key: bytes) -> None:
        """Remove the player with the key `key`, as the player `owner` requests. The removed key may not join
        again. Raises Refusal."""
        self._check_owner(owner)
        if key in self.own:
            raise Refusal("own_seat")
        self.bans.removed.add(key)

    def ready(self, key: bytes, flag: bool) -> None:
        """Store whether the player with this key is ready. Raises Refusal: `spectator` if the key has no
        seat."""
        if (place := self.place(key)) is None:
            raise Refusal("spectator")
        place.ready = flag

    def configure(self, key: bytes, settings: Settings) -> None:
        """Change the settings, as the owner `key` requests. All people have to be ready again, unless only
        the number of bots has changed. Raises Refusal."""
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
        """Check that the game may start: all seats are taken, and all players are ready. `key` is that of the
        player who starts it, who must be the owner and counts as ready. None: the table starts by itself.
        Raises Refusal."""
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
        """Return to the lobby after a start was called off. `start` is its record; None if it ended before
        *commits*. All players have to connect, sign their names and be ready again."""
        if start is not None:
            self.called_off.append(start)
        for place in self.places:
            place.ready, place.claim, place.away = place.bot, b"", True

    def _check_owner(self, key: bytes) -> None:
        if key != self.owner:
            raise Refusal("owner_only")


def check_settings(settings: Settings) -> None:
    """Raise Refusal for settings with which no game is possible: the engine's reason, or `too_many_bots`."""
    if settings.bots > settings.players:
        raise Refusal("too_many_bots", bots=settings.bots, players=settings.players)
    try:
        check(settings.config)
    except Unplayable as reason:
        raise Refusal(reason.code, **reason.details) from None
