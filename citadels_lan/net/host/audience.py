"""The viewers of a table: who is connected, who is away, and what each is sent. No sockets and no clock."""

from typing import Final, Protocol

from msgspec import Struct, field

from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import encode_state, view
from citadels_lan.net.host.hosted_game import HostedGame
from citadels_lan.net.limits import Bucket
from citadels_lan.net.wire import messages
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Message, encode, encode_entry
from citadels_lan.net.wire.timing import Timing

from .lobby import Lobby, TakenSeat


class Port(Protocol):
    """The connection to a viewer. `send` accepts encoded frames and never waits."""

    def send(self, data: bytes) -> None: ...

    def close(self, code: str = "left", **details: str | int) -> None: ...


class Viewer(Struct, eq=False):
    """A connected client. `source` is its address, and `seat` is None for a spectator. `sent` and `acked` are
    the numbers of the last entry that was sent and acknowledged. `heard` is when its last message came, and
    `progress` when it last acknowledged a new entry, in seconds of the table's clock. The buckets limit its
    chat, requests and noise."""

    key: bytes
    name: str
    player: bool
    port: Port
    heard: float
    progress: float
    seat: int | None = None
    sent: int = 0
    acked: int = 0
    source: str = ""
    chat: Bucket = field(default_factory=lambda: Bucket(5, 1))
    asking: Bucket = field(default_factory=lambda: Bucket(20, 5))
    noise: Bucket = field(default_factory=lambda: Bucket(8, 2))

    def silent(self, now: float) -> float:
        """Return for how many seconds the viewer has been silent: since its last message, or since its last
        new acknowledgement if it has entries to acknowledge and that is longer."""
        behind = now - self.progress if self.sent > self.acked else 0.0
        return max(now - self.heard, behind)


WINDOW: Final = 256
"""Most entries that are sent to a viewer beyond the last one that it has acknowledged. A viewer that lacks
more entries gets a snapshot first."""
PART: Final = 4096
"""Size of one part of a snapshot, in bytes."""


def tell(viewer: Viewer, message: Message) -> None:
    """Send a message to one viewer."""
    viewer.port.send(encode(message))


def tell_entries(viewer: Viewer, game: HostedGame, now: float) -> None:
    """Send a viewer the entries that it lacks, as far as they are on the disk and WINDOW allows."""
    last, sent = game.kept, viewer.sent
    if sent >= last:
        return
    # Nothing was owed before, so the time for an acknowledgement begins now.
    if sent == viewer.acked:
        viewer.progress = now
    upto = min(last, viewer.acked + WINDOW)
    if upto > sent:
        viewer.sent = upto
        body, seat = game.host_log.body, viewer.seat
        viewer.port.send(b"".join([encode_entry(body(n, seat)) for n in range(sent + 1, upto + 1)]))


def tell_snapshot(viewer: Viewer, game: HostedGame) -> None:
    """Send a viewer a snapshot: the view after the last entry. The viewer shows it until it has all
    entries."""
    packed = pack(encode_state(view(game.state, viewer.seat)))
    parts = tuple(packed[at : at + PART] for at in range(0, len(packed), PART))
    tell(viewer, messages.Snapshot(game.n, game.head, parts, game.host_log.sign_view(viewer.seat, packed)))


def lobby_news(lobby: Lobby, seat: int | None, own: bool) -> messages.LobbyNews:
    """Return the message with the lobby for `seat`, or for a spectator (None). `own`: the viewer is the owner
    of the table."""
    return messages.LobbyNews(lobby.settings, lobby.seats(), seat, own, len(lobby.called_off))


SPECTATORS: Final = 200
NOTHING: Final = messages.Presence((), ())


class Audience:
    """The viewers of a table, players first. They are sent the lobby, or the `game` once there is one. Until
    `quiet_until` all players are expected to connect, and no player is shown as away.

    `served` are the players who have received all entries of a finished game. The table stops waiting for a
    player who has been absent for `Timing.drop` seconds. A resumed table continues once one of the seats
    `needed`, which are on other computers, is connected. Times `now` are seconds of the table's clock."""

    def __init__(self, lobby: Lobby, timing: Timing) -> None:
        self.lobby = lobby
        self.game: HostedGame | None = None
        self.viewers: list[Viewer] = []
        self.presence = NOTHING
        self.served: set[bytes] = set()
        self._gone: dict[bytes, float] = {}
        self.needed: tuple[int, ...] = ()
        self.quiet_until = 0.0
        self._timing = timing
        self._pinged = 0.0
        self._mark = 0
        self._pumped = 0

    @property
    def last(self) -> int:
        """The number of the last entry that viewers may be sent; 0 without a game."""
        return self.game.kept if self.game is not None else 0

    @property
    def over(self) -> bool:
        """Whether the game is closed, each player has every entry or was absent for too long, and each
        connected spectator has every entry."""
        game = self.game
        if game is None or not game.closed or not self.served.issuperset(game.keys):
            return False
        return all(viewer.acked >= game.n for viewer in self.viewers)

    # Connections, seats and absences

    def place(self, viewer: Viewer, kind: SeatKind) -> None:
        """Give a seat and a name to a viewer who joins as a player of this kind. Raises Refusal."""
        if not viewer.player:
            if sum(not other.player and other.key != viewer.key for other in self.viewers) >= SPECTATORS:
                raise Refusal("spectators_full")
            return
        lobby = self.lobby
        if self.game is None:
            lobby.sit(viewer.key, viewer.name, kind, viewer.source)
        seat = viewer.seat = lobby.seat(viewer.key)
        if seat is None:
            raise Refusal("playing")
        lobby.places[seat].away = lobby.places[seat].returning = False
        viewer.name = lobby.places[seat].name
        self._gone.pop(viewer.key, None)

    def enter(self, viewer: Viewer) -> None:
        """Add a viewer, who has a seat or is a spectator. An older connection with the same key is closed."""
        for other in [old for old in self.viewers if (old.key, old.player) == (viewer.key, viewer.player)]:
            self.viewers.remove(other)
            other.port.close("replaced")
        players = sum(other.player for other in self.viewers)
        self.viewers.insert(players if viewer.player else len(self.viewers), viewer)

    def lost(self, viewer: Viewer, now: float, *, left: bool = False) -> None:
        """Record that the connection of a viewer is lost, or that the viewer has ended it (`left`). The seat
        stays reserved."""
        if viewer not in self.viewers:
            return
        self.viewers.remove(viewer)
        if viewer.player:
            self._gone[viewer.key] = now
            if (place := self.lobby.place(viewer.key)) is not None:
                place.away, place.returning = True, not left and place.kind == SeatKind.GUEST
            self.tell_lobby()
            self.tell_presence(now)

    def leave(self, viewer: Viewer) -> None:
        """Free the seat of a player who leaves the lobby."""
        self.viewers.remove(viewer)
        self._free(viewer.key)
        self.tell_lobby()

    def send_away(self, owner: Viewer, key: bytes) -> None:
        """Remove the player with this key from the lobby, as `owner` requests. The player cannot return until
        there is a new code. Raises Refusal."""
        self.lobby.remove(owner.key, key)
        for viewer in [each for each in self.viewers if each.key == key]:
            self.viewers.remove(viewer)
            viewer.port.close("removed")
        self._free(key)

    def free_seats(self, now: float) -> bool:
        """Free the seats of players who have been disconnected from the lobby for too long. Return whether
        there were any."""
        overdue = [key for key, since in self._gone.items() if now - since > self._timing.drop]
        for key in overdue:
            self._free(key)
        if overdue:
            self.tell_lobby()
        return bool(overdue)

    def _free(self, key: bytes) -> None:
        self._gone.pop(key, None)
        self.lobby.places = [place for place in self.lobby.places if place.key != key]
        self._note_seats()

    def _note_seats(self) -> None:
        for viewer in self.viewers:
            if viewer.player:
                viewer.seat = self.lobby.seat(viewer.key)

    def take_seats(self, game: HostedGame) -> None:
        """Set the seats of the lobby to those in the header of a game that is resumed."""
        here = self._here()
        self.lobby.places = [
            TakenSeat(player.key, player.name, player.kind, ready=True, away=player.key not in here)
            for player in game.host_log.header.players
        ]
        self._note_seats()

    def gone(self, game: HostedGame, now: float) -> dict[int, float]:
        """Return the seats of absent players, each with the seconds of absence. For a player who never
        connected, they count from the first call."""
        here = self._here()
        away = [(seat, key) for seat, key in enumerate(game.keys) if key not in here]
        return {seat: now - self._gone.setdefault(key, now) for seat, key in away}

    def absent(self, game: HostedGame, now: float) -> dict[int, float]:
        """Return the seats for which a substitute bot may play, each with the seconds of absence: those of
        `gone`, without browser guests who may just be loading another page."""
        places = self.lobby.places
        return {seat: seconds for seat, seconds in self.gone(game, now).items() if not places[seat].returning}

    def missing(self, game: HostedGame, now: float) -> list[bytes]:
        """Return the keys of the players who have been absent for longer than `Timing.drop`."""
        gone = self.gone(game, now)
        return [game.keys[seat] for seat, seconds in gone.items() if seconds > self._timing.drop]

    def _here(self) -> set[bytes]:
        return {viewer.key for viewer in self.viewers if viewer.player}

    def note_served(self, viewer: Viewer) -> None:
        """Record that the player of a viewer has received all entries of the finished game."""
        game = self.game
        if game is not None and game.closed and viewer.player and viewer.acked >= game.n:
            self.served.add(viewer.key)

    # Messages to viewers

    def tell(self, message: Message) -> None:
        """Send a message to all viewers."""
        self._send(encode(message))

    def _send(self, data: bytes) -> None:
        for viewer in list(self.viewers):
            viewer.port.send(data)

    def pump(self, now: float) -> None:
        """Send all viewers the new entries, players first. A viewer that lacks older entries gets them when
        it acknowledges earlier ones."""
        game = self.game
        if game is not None and game.kept != self._pumped:
            self._pumped = game.kept
            for viewer in list(self.viewers):
                tell_entries(viewer, game, now)

    def catch_up(self, viewer: Viewer, n: int, now: float) -> None:
        """Send a viewer the entries after entry `n`. If it lacks many, it gets a snapshot first, unless
        entries wait for room on the disk."""
        game = self.game
        if game is None:
            return
        if game.n - n > WINDOW and game.signs:
            tell_snapshot(viewer, game)
        tell_entries(viewer, game, now)

    def tell_lobby(self, *only: Viewer) -> None:
        """Send the lobby to the viewers `only`, or to all if none is given. Each message contains the
        viewer's own seat."""
        made: dict[tuple[int | None, bool], bytes] = {}
        owner = self.lobby.owner
        for viewer in only or list(self.viewers):
            # Most viewers see the same lobby, so it is encoded once for each kind of viewer.
            who = (viewer.seat, viewer.player and viewer.key == owner)
            if who not in made:
                made[who] = encode(lobby_news(self.lobby, *who))
            viewer.port.send(made[who])

    def tell_presence(self, now: float) -> None:
        """Send all viewers which players are absent and which the table waits for, if that has changed."""
        game, presence = self.game, NOTHING
        self._end_returns(now)
        if game is not None:
            here = {each.seat for each in self.viewers if each.player and each.silent(now) <= self._timing.away}
            here |= {seat for seat, place in enumerate(self.lobby.places) if place.returning}
            away = tuple(seat for seat in range(len(game.keys)) if seat not in here)
            presence = messages.Presence(away, self.needed or game.awaited)
        if presence != self.presence and now >= self.quiet_until:
            self.presence = presence
            self.tell(presence)

    def _end_returns(self, now: float) -> None:
        """Show browser guests as away who have been disconnected for longer than `Timing.away`."""
        ended = [
            place
            for place in self.lobby.places
            if place.returning and now - self._gone.get(place.key, now) > self._timing.away
        ]
        for place in ended:
            place.returning = False
        if ended:
            self.tell_lobby()

    def answer_noise(self, viewer: Viewer, now: float) -> None:
        """Send all viewers noise as large as a move, because a move of `viewer` would also cause frames to
        all viewers."""
        game = self.game
        if game is not None and not game.closed and viewer.seat is not None and viewer.noise.take(now):
            # All viewers get it, as they would get the entry of a move.
            self._send(encode(messages.Noise(), game.usual))

    def ping(self, now: float) -> None:
        """Send a ping to all viewers, if it is time for one."""
        if now - self._pinged >= self._timing.ping:
            self._pinged = now
            self._mark += 1
            self.tell(messages.Ping(self._mark, self.last))

    def begin_again(self, now: float) -> None:
        """Disconnect all clients after a called-off start, so that they join the lobby of the next start."""
        self.game, self.presence, self._pumped = None, NOTHING, 0
        self._gone |= dict.fromkeys(self._here(), now)
        self.end(Refusal("called_off"))

    # The end

    def close(self) -> None:
        """Disconnect all clients because the host closes the table. The reason contains the seat of the
        host's player, if there is one."""
        places = enumerate(self.lobby.places)
        seat = next((at for at, place in places if place.key in self.lobby.own and not place.bot), None)
        self.end(Refusal("closing", **({} if seat is None else {"seat": seat})))

    def end(self, reason: Refusal, others: Refusal | None = None) -> None:
        """Disconnect all clients. The host's own clients receive `reason`; all others receive `others`, or
        `reason` if that is None."""
        # No viewer is left in the list when a port closes, which would tell the others of a departure.
        viewers, self.viewers = self.viewers, []
        for viewer in viewers:
            why = reason if others is None or viewer.key in self.lobby.own else others
            viewer.port.close(why.code, **why.details)
