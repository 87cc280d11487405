"""A table before its game: who sits where, who is ready, what will be played, and who may not join."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan import PROGRAM
from citadels_lan.crypto.chance import host_commitment
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import CALLED_OFF, CalledOff, Endorsement, Header, Seated, SeatKind
from citadels_lan.engine import Unplayable, check
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.net.limits import Delays, is_loopback
from citadels_lan.net.wire.clean import distinct, numbered
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Seat, Settings

FLOODING: Final = (1, 5.0, 600.0, 3600.0, 256)
"""A ban for flooding lasts 5 seconds, each further one twice as long, 600 at most. It counts for an hour. The last
256 are kept, since an attacker can make keys at no cost."""


class Bans:
    """Keys and sources that may not join. `removed` are the keys that the owner has removed, until there is a
    new code. `flooding` are keys, and the sources of connections without a seat. A rematch takes them over."""

    def __init__(self) -> None:
        self.removed: set[bytes] = set()
        self.flooding = Delays(*FLOODING)


class Admission(Struct, frozen=True):
    """Admission to the tables of one host's session: `join_code` lets in, `bans` keep out."""

    join_code: JoinCode
    bans: Bans


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
    """A seat that is taken. It belongs to `key`; `claim` is the key's signature of name and kind, empty before it
    has come; `away` while no client with that key is connected. `returning`: the client of a guest in a browser
    has just gone, and the seat is shown as taken, because the client changes its view or starts again."""

    key: bytes
    name: str
    kind: SeatKind = SeatKind.PLAYER
    ready: bool = False
    away: bool = False
    claim: bytes = b""
    returning: bool = False

    @property
    def shown_away(self) -> bool:
        """Whether other players see that the player is away."""
        return self.away and not self.returning

    @property
    def bot(self) -> bool:
        """Whether a bot plays this seat."""
        return self.kind == SeatKind.BOT


class Lobby:
    """The places by seat. `own` are the keys of the host's program itself: its person and its bots. `bans` are
    those of the host's session, `called_off` the starts of this table that ended after *commits*. `handed`:
    another program has the game now.

    The owner, who configures and starts, is the host's own player, or else the player who joined first.
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
        """Return the taken seat of a key, or None."""
        return next((place for place in self.places if place.key == key), None)

    def knows(self, key: bytes) -> bool:
        """Whether a key belongs here: the host's own, or one that has a seat."""
        return key in self.own or self.place(key) is not None

    def seats(self) -> tuple[Seat, ...]:
        """Return the seats as all viewers may see them."""
        owner = self.owner
        return tuple(
            Seat(place.name, place.kind, place.ready, place.shown_away, place.key == owner, place.key)
            for place in self.places
        )

    def sit(self, key: bytes, name: str, kind: SeatKind, source: str = "") -> TakenSeat:
        """Take a seat of this kind, or come back to it. Only keys of the host's program are its player and its
        bots, and only clients on this computer, by their address `source`, are guests in a browser. Raises
        Refusal: `owner_only` for another one that says it is, `table_full`."""
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
        place = TakenSeat(key, self.other_name(name), kind, ready=bot)
        self.places.append(place)
        return place

    def check_room(self, *, reserved: bool = False) -> None:
        """Raise Refusal if there is no free seat: for a player, or of those reserved for the host's bots."""
        if self._free(reserved=reserved) <= 0:
            raise Refusal("table_full", players=self.settings.players)

    def other_name(self, name: str) -> str:
        """Return `name`, with a number if another player of this table has that name already."""
        return distinct(name, [place.name for place in self.places])

    def claim(self, key: bytes, name: str, signature: bytes) -> None:
        """Keep a player's signature of the name here. One of another name came too late and changes nothing."""
        if (place := self.place(key)) is not None and place.name == name:
            place.claim = signature

    def keep(self, people: Sequence[tuple[bytes, str]]) -> None:
        """Keep a seat for each of these keys, by its name, until its person comes. Raises Refusal: `seats_taken`
        where there are more of them than seats for people."""
        room = self.settings.players - self.settings.bots
        if len(people) > room:
            raise Refusal("seats_taken", seated=len(people), players=room)
        for key, name in people:
            self.places.append(TakenSeat(key, name, ready=True, away=True))

    def _free(self, *, reserved: bool) -> int:
        """Return the number of free seats: of those reserved for the host's bots, or of the others."""
        kept = sum(place.bot for place in self.places)
        if reserved:
            return min(self.settings.bots - kept, self.settings.players - len(self.places))
        return self.settings.players - self.settings.bots - (len(self.places) - kept)

    def remove(self, owner: bytes, key: bytes) -> None:
        """The owner removes the player with this key, who does not come back. Raises Refusal."""
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
        """Change the settings. All players but the bots have to be ready again, unless only the number of bots
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
        """Raises Refusal unless the owner asks, all seats are taken and the others ready. None asks at a table
        without an owner."""
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
