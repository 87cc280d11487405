"""Everybody who looks at a table: who is there, and what all of them are told. No sockets and no clock here."""

from collections.abc import Collection, Sequence
from typing import Final, Protocol

from msgspec import Struct

from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.packing import pack
from citadels_lan.engine import encode_state, view
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import (
    LobbyNews,
    Message,
    Noise,
    Ping,
    Presence,
    Snapshot,
    encode,
    encode_entry,
)
from citadels_lan.net.wire.ratelimit import Bucket
from citadels_lan.net.wire.timing import Timing

from .game import HostedGame
from .lobby import Lobby, TakenSeat


class Port(Protocol):
    """Where a viewer's frames go. `send` never waits."""

    def send(self, data: bytes) -> None: ...

    def close(self, code: str = "left", **details: str | int) -> None: ...


class Viewer(Struct, eq=False):
    """Somebody who is connected, from the address `source`. `seat` is None for spectators; `sent` and `acked` are
    entries; times are seconds of the table's clock: when something was heard last, and when an acknowledgement
    last made progress."""

    key: bytes
    name: str
    player: bool
    port: Port
    heard: float
    progress: float
    chat: Bucket
    asking: Bucket
    noise: Bucket
    seat: int | None = None
    sent: int = 0
    acked: int = 0
    mark: int = 0
    source: str = ""

    def silent(self, now: float) -> float:
        """For how many seconds this viewer has owed a sign of life."""
        behind = now - self.progress if self.sent > self.acked else 0.0
        return max(now - self.heard, behind)


WINDOW: Final = 256
"""So many entries are on their way to a viewer at most; one who is further behind gets a snapshot first."""
PART: Final = 4096
"""Bytes of a snapshot's part."""


def tell(viewer: Viewer, message: Message) -> None:
    """Send somebody a message."""
    viewer.port.send(encode(message))


def tell_entries(viewer: Viewer, game: HostedGame, now: float) -> None:
    """Send somebody the entries that are new there, as far as the disk has them and the window goes."""
    host_log, last = game.host_log, game.told
    if viewer.sent >= last:
        return
    if viewer.sent == viewer.acked:
        viewer.progress = now
    upto = min(last, viewer.acked + WINDOW)
    frames = [encode_entry(host_log.body(n, viewer.seat)) for n in range(viewer.sent + 1, upto + 1)]
    viewer.sent = max(viewer.sent, upto)
    if frames:
        viewer.port.send(b"".join(frames))


def tell_snapshot(viewer: Viewer, game: HostedGame) -> None:
    """Send somebody the view after the last entry, to be shown until the log is there."""
    packed = pack(encode_state(view(game.state, viewer.seat)))
    parts = tuple(packed[at : at + PART] for at in range(0, len(packed), PART))
    tell(viewer, Snapshot(game.n, game.head, parts, game.host_log.sign_view(viewer.seat, packed)))


def lobby_news(lobby: Lobby, seat: int | None, own: bool) -> LobbyNews:
    """The lobby as a seat is told it, or a spectator (None); `own`: whether it is the owner's."""
    return LobbyNews(lobby.settings, lobby.seats(), seat, own, len(lobby.called_off))


def presence_of(
    game: HostedGame | None, viewers: Sequence[Viewer], now: float, longest: float, wanted: tuple[int, ...] = ()
) -> Presence:
    """The seats whose players have been silent for `longest` seconds or are gone, and those that the game waits
    for; while a resumed host waits for one of the `wanted` seats, those."""
    if game is None:
        return Presence((), ())
    here = {viewer.seat for viewer in viewers if viewer.player and viewer.silent(now) <= longest}
    return Presence(tuple(seat for seat in range(len(game.keys)) if seat not in here), wanted or game.awaited)


class Attendance:
    """Since when players have been gone, and who has all of a game that is over. Times are seconds of the table's
    clock; after `patience` of them nobody waits for a player any longer."""

    def __init__(self, patience: float) -> None:
        self.served: set[bytes] = set()
        self._patience = patience
        self._gone: dict[bytes, float] = {}

    def left(self, key: bytes, now: float) -> None:
        """A player's connection is gone."""
        self._gone[key] = now

    def back(self, key: bytes) -> None:
        """A player is here again, or has no seat any more."""
        self._gone.pop(key, None)

    def overdue(self, now: float) -> list[bytes]:
        """Whoever has been gone for too long."""
        return [key for key, since in self._gone.items() if now - since > self._patience]

    def missing(self, absent: Collection[bytes], now: float) -> list[bytes]:
        """The same of players of whom some may not have been here at all: their time begins now."""
        gone = self.gone(absent, now)
        return [key for key, seconds in gone.items() if seconds > self._patience]

    def gone(self, absent: Collection[bytes], now: float) -> dict[bytes, float]:
        """For how many seconds each of the absent has been gone."""
        return {key: now - self._gone.setdefault(key, now) for key in absent}


SPECTATORS: Final = 200
NOTHING: Final = Presence((), ())


class Audience:
    """The viewers of a table, who look at its lobby, or at its `game` once there is one. Before `quiet_until` all
    are expected to connect, and no one is said to be away.

    `wanted` are the seats of other computers of which one has to be here before a resumed table continues. Times
    `now` are seconds of the table's clock.
    """

    def __init__(self, lobby: Lobby, timing: Timing) -> None:
        self.lobby = lobby
        self.game: HostedGame | None = None
        self.viewers: list[Viewer] = []
        self.presence = NOTHING
        self.attendance = Attendance(timing.drop)
        self.wanted: tuple[int, ...] = ()
        self.quiet_until = 0.0
        self._timing = timing
        self._pinged = 0.0

    @property
    def last(self) -> int:
        """The last entry that viewers may be told."""
        return self.game.told if self.game is not None else 0

    @property
    def over(self) -> bool:
        """Whether the game is closed, every player has all of it or has been gone for too long, and every
        spectator who is connected has all of it."""
        game = self.game
        if game is None or not game.closed or not self.attendance.served.issuperset(game.keys):
            return False
        return all(viewer.acked >= game.n for viewer in self.viewers)

    # Who is there

    def place(self, viewer: Viewer, kind: SeatKind) -> None:
        """Give a viewer who joins a seat of this kind, and the name that it has here. Raises Refusal."""
        if not viewer.player:
            if sum(not other.player and other.key != viewer.key for other in self.viewers) >= SPECTATORS:
                raise Refusal("spectators_full")
        elif self.game is not None:
            viewer.seat = self.game.seat(viewer.key)
            if viewer.seat is None:
                raise Refusal("playing")
            self.lobby.places[viewer.seat].away = False
            viewer.name = self.lobby.places[viewer.seat].name
        else:
            viewer.name = self.lobby.sit(viewer.key, viewer.name, kind).name
            viewer.seat = self.lobby.seat(viewer.key)
        if viewer.player:
            self.attendance.back(viewer.key)

    def enter(self, viewer: Viewer) -> None:
        """Somebody who has a place is here, and no longer there where the same key was before."""
        for other in [old for old in self.viewers if (old.key, old.player) == (viewer.key, viewer.player)]:
            self.remove(other)
            other.port.close("replaced")
        self.viewers.append(viewer)

    def remove(self, viewer: Viewer) -> bool:
        """Somebody is gone; whether that is news."""
        if viewer not in self.viewers:
            return False
        self.viewers.remove(viewer)
        return True

    def lost(self, viewer: Viewer, now: float) -> bool:
        """The connection of a viewer is gone, and the seat stays; whether that is news."""
        if not self.remove(viewer):
            return False
        if viewer.player:
            self.attendance.left(viewer.key, now)
            self.lobby.away(viewer.key)
        self.tell_lobby()
        self.tell_presence(now)
        return True

    def take_seats(self, game: HostedGame) -> None:
        """A game is there from somewhere else: seats are those of its header."""
        here = self._here()
        self.lobby.places = [
            TakenSeat(player.key, player.name, player.kind, ready=True, away=player.key not in here)
            for player in game.host_log.header.players
        ]
        for viewer in self.viewers:
            if viewer.player:
                viewer.seat = game.seat(viewer.key)

    def silent(self, now: float) -> list[Viewer]:
        """Those who have owed a sign of life for too long."""
        return [each for each in self.viewers if each.silent(now) > self._timing.drop]

    def gone(self, game: HostedGame, now: float) -> dict[int, float]:
        """For how many seconds the players of which seats have been gone."""
        here = self._here()
        gone = self.attendance.gone([key for key in game.keys if key not in here], now)
        return {seat: gone[key] for seat, key in enumerate(game.keys) if key in gone}

    def missing(self, game: HostedGame, now: float) -> list[bytes]:
        """The players who have been gone for too long."""
        return self.attendance.missing(set(game.keys) - self._here(), now)

    def _here(self) -> set[bytes]:
        return {viewer.key for viewer in self.viewers if viewer.player}

    def note_served(self, viewer: Viewer) -> None:
        """At the end of the game: somebody has all of it."""
        game = self.game
        if game is not None and game.closed and viewer.player and viewer.acked >= game.n:
            self.attendance.served.add(viewer.key)

    # What they are told

    def tell(self, message: Message) -> None:
        """Tell everybody."""
        self._send(encode(message))

    def _send(self, data: bytes) -> None:
        for viewer in list(self.viewers):
            viewer.port.send(data)

    def pump(self, now: float) -> None:
        """Send everybody the entries that are new to them, players first."""
        for viewer in sorted(self.viewers, key=lambda viewer: not viewer.player):
            self.pump_to(viewer, now)

    def pump_to(self, viewer: Viewer, now: float) -> None:
        """Send one of them the entries that are new there."""
        if self.game is not None:
            tell_entries(viewer, self.game, now)

    def catch_up(self, viewer: Viewer, n: int, now: float) -> None:
        """Send the entries after `n`. Whoever is far behind is shown the table at once, but for what waits for
        room on the disk."""
        if self.game is not None and self.game.n - n > WINDOW and self.game.signs:
            tell_snapshot(viewer, self.game)
        self.pump_to(viewer, now)

    def tell_lobby(self) -> None:
        """Send everybody the lobby; those who are told the same get the same bytes."""
        made: dict[tuple[int | None, bool], bytes] = {}
        for viewer in list(self.viewers):
            who = (viewer.seat, viewer.player and viewer.key == self.lobby.owner)
            if who not in made:
                made[who] = encode(lobby_news(self.lobby, *who))
            viewer.port.send(made[who])

    def tell_presence(self, now: float) -> None:
        """Say who is away and who is waited for, where that has changed."""
        presence = presence_of(self.game, self.viewers, now, self._timing.away, self.wanted)
        if presence != self.presence and now >= self.quiet_until:
            self.presence = presence
            self.tell(presence)

    def answer_noise(self, viewer: Viewer, now: float) -> None:
        """Whoever watches the network sees what a move would look like."""
        game = self.game
        if game is not None and not game.closed and viewer.seat is not None and viewer.noise.take(now):
            self._send(encode(Noise(), game.usual))

    def ping(self, now: float) -> None:
        """Ask everybody for a sign of life, where it is time for that."""
        if now - self._pinged >= self._timing.ping:
            self._pinged = now
            for viewer in list(self.viewers):
                viewer.mark += 1
                tell(viewer, Ping(viewer.mark, self.last))

    def begin_again(self, now: float) -> None:
        """A start was called off: everybody connects again, to the lobby of another game."""
        self.game, self.presence = None, NOTHING
        viewers, self.viewers = self.viewers, []
        for viewer in viewers:
            if viewer.player:
                self.attendance.left(viewer.key, now)
            viewer.port.close("called_off")

    # The end

    def close(self) -> None:
        """End every connection because the host closes the table, with the seat of its person if there is one."""
        viewers, self.viewers = self.viewers, []
        places = enumerate(self.lobby.places)
        seat = next((at for at, place in places if place.key in self.lobby.own and not place.bot), None)
        for viewer in viewers:
            viewer.port.close("closing", **({} if seat is None else {"seat": seat}))

    def fail(self, reason: Refusal, others: str) -> None:
        """The table ends: its own people are told `reason`, and all others what it is for them, a code."""
        viewers, self.viewers = self.viewers, []
        for viewer in viewers:
            if viewer.key in self.lobby.own:
                viewer.port.close(reason.code, **reason.details)
            else:
                viewer.port.close(others)
