"""The viewers of a table: who is connected, who is away, and what they are sent. No sockets, no clock."""

from typing import Final, Protocol

from msgspec import Struct, field

from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.packing import pack
from citadels_lan.engine import encode_state, view
from citadels_lan.net.limits import Bucket
from citadels_lan.net.wire import messages
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Message, encode, encode_entry
from citadels_lan.net.wire.timing import Timing

from .game import HostedGame
from .lobby import Lobby, TakenSeat


class Port(Protocol):
    """The connection of a viewer, for its frames. `send` never waits."""

    def send(self, data: bytes) -> None: ...

    def close(self, code: str = "left", **details: str | int) -> None: ...


class Viewer(Struct, eq=False):
    """A client that is connected, from the address `source`. `seat` is None for spectators; `sent` and `acked` are
    entries. Times are seconds of the table's clock: when a message came last, and when an acknowledgement last
    made progress."""

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
        """Return for how many seconds this viewer has owed a sign of life."""
        behind = now - self.progress if self.sent > self.acked else 0.0
        return max(now - self.heard, behind)


WINDOW: Final = 256
"""Entries that a viewer may be ahead of its last acknowledgement. One that lacks more gets a snapshot first."""
PART: Final = 4096
"""Bytes of a part of a snapshot."""


def tell(viewer: Viewer, message: Message) -> None:
    """Send a viewer a message."""
    viewer.port.send(encode(message))


def tell_entries(viewer: Viewer, game: HostedGame, now: float) -> None:
    """Send a viewer the entries that are new to it, as far as the disk has them and the window allows."""
    last, sent = game.told, viewer.sent
    if sent >= last:
        return
    if sent == viewer.acked:
        viewer.progress = now
    upto = min(last, viewer.acked + WINDOW)
    if upto > sent:
        viewer.sent = upto
        body, seat = game.host_log.body, viewer.seat
        viewer.port.send(b"".join([encode_entry(body(n, seat)) for n in range(sent + 1, upto + 1)]))


def tell_snapshot(viewer: Viewer, game: HostedGame) -> None:
    """Send a viewer the view after the last entry, to be shown until the log arrives."""
    packed = pack(encode_state(view(game.state, viewer.seat)))
    parts = tuple(packed[at : at + PART] for at in range(0, len(packed), PART))
    tell(viewer, messages.Snapshot(game.n, game.head, parts, game.host_log.sign_view(viewer.seat, packed)))


def lobby_news(lobby: Lobby, seat: int | None, own: bool) -> messages.LobbyNews:
    """The lobby as a seat sees it, or a spectator (None); `own`: whether the seat is the owner's."""
    return messages.LobbyNews(lobby.settings, lobby.seats(), seat, own, len(lobby.called_off))


SPECTATORS: Final = 200
NOTHING: Final = messages.Presence((), ())


class Audience:
    """The viewers of a table, players first: they see its lobby, or its `game` once there is one. Before
    `quiet_until` all are expected to connect, and no player is shown as away.

    `served` are the players who have all of a game that is over. After `Timing.drop` seconds the table waits for
    an absent player no longer. `wanted` are the seats of other computers of which one has to be here before a
    resumed table continues. Times `now` are seconds of the table's clock.
    """

    def __init__(self, lobby: Lobby, timing: Timing) -> None:
        self.lobby = lobby
        self.game: HostedGame | None = None
        self.viewers: list[Viewer] = []
        self.presence = NOTHING
        self.served: set[bytes] = set()
        self._gone: dict[bytes, float] = {}
        self.wanted: tuple[int, ...] = ()
        self.quiet_until = 0.0
        self._timing = timing
        self._pinged = 0.0
        self._mark = 0
        self._pumped = 0

    @property
    def last(self) -> int:
        """The last entry that viewers may be sent."""
        return self.game.told if self.game is not None else 0

    @property
    def over(self) -> bool:
        """Whether the game is closed, each player has every entry or has been gone for too long, and each
        spectator who is connected has every entry."""
        game = self.game
        if game is None or not game.closed or not self.served.issuperset(game.keys):
            return False
        return all(viewer.acked >= game.n for viewer in self.viewers)

    # Who is there

    def place(self, viewer: Viewer, kind: SeatKind) -> None:
        """Give a viewer who joins a seat of this kind, and its name here. Raises Refusal."""
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
        lobby.places[seat].away = False
        viewer.name = lobby.places[seat].name
        self._gone.pop(viewer.key, None)

    def enter(self, viewer: Viewer) -> None:
        """A viewer who has a place is here. It replaces an older connection with the same key."""
        for other in [old for old in self.viewers if (old.key, old.player) == (viewer.key, viewer.player)]:
            self.viewers.remove(other)
            other.port.close("replaced")
        players = sum(one.player for one in self.viewers)
        self.viewers.insert(players if viewer.player else len(self.viewers), viewer)

    def lost(self, viewer: Viewer, now: float) -> None:
        """The connection of a viewer is gone. The seat stays."""
        if viewer not in self.viewers:
            return
        self.viewers.remove(viewer)
        if viewer.player:
            self._gone[viewer.key] = now
            if (place := self.lobby.place(viewer.key)) is not None:
                place.away = True
            self.tell_lobby()
            self.tell_presence(now)

    def leave(self, viewer: Viewer) -> None:
        """A player leaves the lobby, and the seat is free."""
        self.viewers.remove(viewer)
        self._free(viewer.key)
        self.tell_lobby()

    def send_away(self, owner: Viewer, key: bytes) -> None:
        """The owner removes a player, who may not come back while the code stays the same. Raises Refusal."""
        self.lobby.remove(owner.key, key)
        for viewer in [one for one in self.viewers if one.key == key]:
            self.viewers.remove(viewer)
            viewer.port.close("removed")
        self._free(key)

    def free_seats(self, now: float) -> bool:
        """Free the seats of players who left the lobby too long ago. Return whether there are any."""
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
        """A game is continued: its seats are those of its header."""
        here = self._here()
        self.lobby.places = [
            TakenSeat(player.key, player.name, player.kind, ready=True, away=player.key not in here)
            for player in game.host_log.header.players
        ]
        self._note_seats()

    def silent(self, now: float) -> list[Viewer]:
        """Return the viewers that have owed a sign of life for too long."""
        return [each for each in self.viewers if each.silent(now) > self._timing.drop]

    def gone(self, game: HostedGame, now: float) -> dict[int, float]:
        """Return the seats whose players are gone, with the seconds since then. The time of a player who has not
        been here at all begins now."""
        here = self._here()
        away = [(seat, key) for seat, key in enumerate(game.keys) if key not in here]
        return {seat: now - self._gone.setdefault(key, now) for seat, key in away}

    def missing(self, game: HostedGame, now: float) -> list[bytes]:
        """Return the players who have been gone for too long."""
        gone = self.gone(game, now)
        return [game.keys[seat] for seat, seconds in gone.items() if seconds > self._timing.drop]

    def _here(self) -> set[bytes]:
        return {viewer.key for viewer in self.viewers if viewer.player}

    def note_served(self, viewer: Viewer) -> None:
        """At the end of the game: note whether a player has every entry."""
        game = self.game
        if game is not None and game.closed and viewer.player and viewer.acked >= game.n:
            self.served.add(viewer.key)

    # What they are sent

    def tell(self, message: Message) -> None:
        """Send all viewers a message."""
        self._send(encode(message))

    def _send(self, data: bytes) -> None:
        for viewer in list(self.viewers):
            viewer.port.send(data)

    def pump(self, now: float) -> None:
        """Send all viewers the entries that are new, players first. A viewer that lacks older ones gets them when
        it acknowledges what it was sent."""
        game = self.game
        if game is not None and game.told != self._pumped:
            self._pumped = game.told
            for viewer in list(self.viewers):
                tell_entries(viewer, game, now)

    def catch_up(self, viewer: Viewer, n: int, now: float) -> None:
        """Send the entries after `n`. A viewer that lacks many gets a snapshot first, unless entries wait for room
        on the disk."""
        game = self.game
        if game is None:
            return
        if game.n - n > WINDOW and game.signs:
            tell_snapshot(viewer, game)
        tell_entries(viewer, game, now)

    def tell_lobby(self, *only: Viewer) -> None:
        """Send all viewers the lobby, with their own seat, or `only` some of them."""
        made: dict[tuple[int | None, bool], bytes] = {}
        owner = self.lobby.owner
        for viewer in only or list(self.viewers):
            who = (viewer.seat, viewer.player and viewer.key == owner)
            if who not in made:
                made[who] = encode(lobby_news(self.lobby, *who))
            viewer.port.send(made[who])

    def tell_presence(self, now: float) -> None:
        """Send all viewers who is away and who is waited for, if that has changed."""
        game, presence = self.game, NOTHING
        if game is not None:
            here = {one.seat for one in self.viewers if one.player and one.silent(now) <= self._timing.away}
            away = tuple(seat for seat in range(len(game.keys)) if seat not in here)
            presence = messages.Presence(away, self.wanted or game.awaited)
        if presence != self.presence and now >= self.quiet_until:
            self.presence = presence
            self.tell(presence)

    def answer_noise(self, viewer: Viewer, now: float) -> None:
        """Send all viewers noise of the size of a move, so that the network shows what a move would."""
        game = self.game
        if game is not None and not game.closed and viewer.seat is not None and viewer.noise.take(now):
            self._send(encode(messages.Noise(), game.usual))

    def ping(self, now: float) -> None:
        """Ask all viewers for a sign of life if it is time for that."""
        if now - self._pinged >= self._timing.ping:
            self._pinged = now
            self._mark += 1
            self.tell(messages.Ping(self._mark, self.last))

    def begin_again(self, now: float) -> None:
        """A start was called off: all clients connect again, to the lobby of another game."""
        self.game, self.presence, self._pumped = None, NOTHING, 0
        viewers, self.viewers = self.viewers, []
        for viewer in viewers:
            if viewer.player:
                self._gone[viewer.key] = now
            viewer.port.close("called_off")

    # The end

    def close(self) -> None:
        """End all connections because the host closes the table, with the seat of the host's player if there is
        one."""
        places = enumerate(self.lobby.places)
        seat = next((at for at, place in places if place.key in self.lobby.own and not place.bot), None)
        closing = Refusal("closing", **({} if seat is None else {"seat": seat}))
        self.fail(closing, closing)

    def fail(self, reason: Refusal, others: Refusal) -> None:
        """The table ends: the host's own clients are sent `reason`, all others `others`."""
        viewers, self.viewers = self.viewers, []
        for viewer in viewers:
            why = reason if viewer.key in self.lobby.own else others
            viewer.port.close(why.code, **why.details)
