"""One table and everybody who looks at it. Messages in, frames out through ports; no sockets and no clock here.

Every viewer is a cursor into the log: entries are sent up to WINDOW ahead of what it has acknowledged. So what
waits for a slow reader is bounded, nobody waits for anybody else, and catching up after a lost connection, from
the beginning or from anywhere, is the same as following.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Final

from citadels_lan.crypto.claims import claim_holds
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.join.handshake import Applicant
from citadels_lan.net.wire.chat import line_signed
from citadels_lan.net.wire.clean import clean_chat, clean_name
from citadels_lan.net.wire.countdown import Countdown
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import (
    LONGEST,
    Ack,
    Again,
    Beacon,
    Bye,
    Claim,
    Clock,
    Configure,
    Entrusted,
    Here,
    Message,
    Noise,
    Pause,
    Paused,
    Ping,
    Play,
    Pong,
    Presence,
    Ready,
    Refused,
    Remove,
    Resync,
    Return,
    Said,
    Say,
    SeedCommit,
    SeedPart,
    Settings,
    StandInFor,
    Start,
    Welcome,
    encode,
)
from citadels_lan.net.wire.ratelimit import Bucket
from citadels_lan.net.wire.reporting import Report, no_report
from citadels_lan.net.wire.timing import Timing

from .attendance import Attendance
from .broadcast import WINDOW, lobby_news, presence_of, tell, tell_entries, tell_snapshot
from .game import Core, HostedGame, Keep, Sent, make_header
from .journal import Unwritten, writing
from .lobby import Lobby
from .stand_ins import StandIns, Takeover
from .viewers import Port, Viewer

SPECTATORS: Final = 200


class HostTable:
    """A table from its lobby to the end of its game. Times `now` are seconds of any steady clock.

    `begin` is called with the settings when the game begins and gives what keeps its entries. An OSError
    from there ends the table: every viewer is told, and it is raised again as Unwritten. `changed` is called
    after whatever viewers did. `unattended`: nobody has to start the game, it begins once all seats are taken and
    all are ready. `report` is told of faults of this program. `takeover` says when bots move for players who are
    gone; without it they never do.
    """

    def __init__(
        self,
        core: Core,
        lobby: Lobby,
        begin: Callable[[Settings], Keep],
        timing: Timing,
        report: Report = no_report,
        takeover: Takeover | None = None,
    ) -> None:
        self.core = core
        self.lobby = lobby
        self.game: HostedGame | None = None
        self.viewers: list[Viewer] = []
        self.changed: Callable[[], None] = lambda: None
        self.unattended = False
        self.report = report
        self.takeover = takeover
        self.paused = False
        self._stand_ins: StandIns | None = None
        self._begin = begin
        self._timing = timing
        self._attendance = Attendance(timing.drop)
        self._presence = Presence((), ())
        self._pinged = 0.0
        self._clock = Countdown(timing.clock, 0.0) if timing.clock else None
        self._again: Again | None = None

    @property
    def over(self) -> bool:
        """Whether the game is closed and every player has all of it, or has been gone for too long."""
        game = self.game
        if game is None or not game.closed:
            return False
        return self._attendance.served.issuperset(game.keys)

    def resume(self, game: HostedGame) -> None:
        """Go on with a game from its journal. Raises Unwritten."""
        self._take_up(game)
        for player in game.host_log.header.players:
            self.lobby.restore(player.key, player.name, player.bot)
        game.go_on()

    def _take_up(self, game: HostedGame) -> None:
        self.game = game
        game.report = self.report
        if self.takeover is not None:
            self._stand_ins = StandIns(game, self.takeover)

    # Coming and going

    def join(self, who: Applicant, port: Port, now: float) -> Viewer:
        """Let somebody in who has proved the key. Raises Refusal."""
        name = clean_name(who.name)
        if not name:
            raise Refusal("no_name")
        if who.key in self.lobby.removed:
            raise Refusal("removed")
        player = who.role == "player"
        viewer = Viewer(who.key, name, player, port, now, now, Bucket(5, 1), Bucket(20, 5), Bucket(8, 2))
        if self.game is not None and not self.game.host_log.knows(who.n, who.head):
            raise Refusal("fork", n=self.game.n)  # who has more of this history knows then that there is more
        self._place(viewer, who)
        if self.game is not None:
            viewer.sent = viewer.acked = who.n
            self._note_served(viewer)
        for other in [old for old in self.viewers if (old.key, old.player) == (who.key, viewer.player)]:
            self._remove(other)
            other.port.close("replaced")
        self.viewers.append(viewer)
        self._welcome(viewer, now)
        return viewer

    def _place(self, viewer: Viewer, who: Applicant) -> None:
        if not viewer.player:
            if sum(not other.player and other.key != who.key for other in self.viewers) >= SPECTATORS:
                raise Refusal("spectators_full")
        elif self.game is not None:
            viewer.seat = self.game.seat(who.key)
            if viewer.seat is None:
                raise Refusal("playing")
            self.lobby.places[viewer.seat].away = False
            viewer.name = self.lobby.places[viewer.seat].name
            if self._stand_ins is not None:
                self._stand_ins.here(viewer.seat)
        else:
            viewer.name = self.lobby.sit(who.key, viewer.name, who.bot).name
            viewer.seat = self.lobby.seat(who.key)
        if viewer.player:
            self._attendance.back(who.key)

    def _welcome(self, viewer: Viewer, now: float) -> None:
        n = self.game.n if self.game else 0
        tell(viewer, Welcome(viewer.seat, viewer.key == self.lobby.owner, n, viewer.name))
        self.tell_lobby()
        if self._presence != Presence((), ()):
            tell(viewer, self._presence)
        if self._again is not None:
            tell(viewer, self._again)
        self._tell_presence(now)
        if self.paused:
            tell(viewer, Paused(True, None))
        if self._clock is not None:
            tell(viewer, self._time(self._clock, now))
        if self.game is not None and n - viewer.sent > WINDOW:
            tell_snapshot(viewer, self.game)
        self._pump(viewer, now)
        self._entrust(viewer)

    def lost(self, viewer: Viewer, now: float) -> None:
        """The connection of a viewer is gone."""
        if not self._remove(viewer):
            return
        if viewer.player:
            self._attendance.left(viewer.key, now)
            self.lobby.away(viewer.key)
        self.tell_lobby()
        self._tell_presence(now)
        self.changed()

    def _leave(self, viewer: Viewer, now: float) -> None:
        if viewer.player and self.game is None:
            self._remove(viewer)
            self._free(viewer.key)
            self.tell_lobby()
        else:
            self.lost(viewer, now)
        viewer.port.close("left")

    def _remove(self, viewer: Viewer) -> bool:
        if viewer not in self.viewers:
            return False
        self.viewers.remove(viewer)
        return True

    def _send_away(self, owner: Viewer, key: bytes) -> None:
        """The owner sends somebody away, who may not come back while the code stays what it is. Raises Refusal."""
        self.lobby.remove(owner.key, key)
        for viewer in [one for one in self.viewers if one.key == key]:
            self._remove(viewer)
            viewer.port.close("removed")
        self._free(key)

    def _free(self, key: bytes) -> None:
        self._attendance.back(key)
        self.lobby.rise(key)
        for viewer in self.viewers:
            if viewer.player:
                viewer.seat = self.lobby.seat(viewer.key)

    def close(self, code: str = "closing") -> None:
        """Send everybody away."""
        viewers, self.viewers = self.viewers, []
        for viewer in viewers:
            viewer.port.close(code)

    def fail(self, reason: Refusal) -> None:
        """This program has broken the table: its own people are told `reason`, where the report is, and all others
        that it was the host's."""
        viewers, self.viewers = self.viewers, []
        for viewer in viewers:
            if viewer.key in self.lobby.own:
                viewer.port.close(reason.code, **reason.details)
            else:
                viewer.port.close("host_failed")

    def play_again(self, at: Again) -> None:
        """After the game: tell everybody, and whoever comes back, of the table at which it goes on."""
        self._again = at
        self._tell_all(at)

    # What viewers send

    def receive(self, viewer: Viewer, message: Message, now: float) -> None:
        """Take a message of a viewer. Raises Malformed for what belongs elsewhere, Unwritten from the journal."""
        if viewer not in self.viewers:
            return
        viewer.heard = now
        try:
            with self._journaling():
                self._take(viewer, message, now)
        except Refusal as reason:
            n = message.n if isinstance(message, Play) else 0
            tell(viewer, Refused(message.type, n, reason.code, dict(reason.details)))
        self.changed()

    @contextlib.contextmanager
    def _journaling(self) -> Iterator[None]:
        """Where the journal cannot be written the table ends, and everybody is told."""
        try:
            yield
        except Unwritten:
            self.close("journal")
            raise

    def _take(self, viewer: Viewer, message: Message, now: float) -> None:
        match message:
            case Ack():
                self._acked(viewer, message.n, now)
            case Pong():
                pass
            case Noise():
                self._answer_noise(viewer, now)
            case Play() | SeedCommit() | SeedPart() | Here() | Beacon() | Return():
                self._play(viewer, message, now)
            case StandInFor():
                self._stand_in_for(viewer, message, now)
            case Pause():
                self._pause(viewer, message.paused, now)
            case Resync():
                self._resync(viewer, message, now)
            case Say():
                self._say(viewer, message, now)
            case Claim():
                self._claim(viewer, message)
            case Ready() | Configure() | Start() | Remove():
                self._lobby(viewer, message, now)
            case Bye():
                self._leave(viewer, now)
            case _:
                raise Malformed("not a message of a joined client")

    def _lobby(self, viewer: Viewer, message: Ready | Configure | Start | Remove, now: float) -> None:
        if self.game is not None:
            raise Refusal("not_in_lobby")
        _spend(viewer.asking, now)
        match message:
            case Ready():
                self.lobby.ready(viewer.key if viewer.player else b"", message.ready)
            case Configure():
                self.lobby.configure(viewer.key, message.settings)
            case Start():
                self._start(viewer.key)
            case Remove():
                self._send_away(viewer, message.key)
        self.tell_lobby()
        self._tell_presence(now)
        self.pump(now)

    def _start(self, key: bytes | None) -> None:
        config = self.lobby.start(key)
        header = make_header(self.core, config, self.lobby.places)
        with writing():
            keep = self._begin(self.lobby.settings)
        self._take_up(HostedGame.begin(header, self.core.secret, self.core.host, keep))

    def _play(self, viewer: Viewer, message: Sent, now: float) -> None:
        game = self.game
        if game is None:
            raise Refusal("not_playing")
        if viewer.seat is None:
            raise Refusal("spectator")
        if self.paused and isinstance(message, Play):
            raise Rejected("paused")
        game.take(viewer.seat, message, lambda: self.pump(now))
        self.pump(now)
        self._tell_presence(now)
        if isinstance(message, Return):
            self._entrust(viewer)

    def _entrust(self, viewer: Viewer) -> None:
        """Tell an owner what stand-ins have sealed for its seat."""
        game = self.game
        if game is not None and viewer.seat is not None and (sealed := game.host_log.entrusted(viewer.seat)):
            tell(viewer, Entrusted(tuple(sealed)))

    def _stand_in_for(self, viewer: Viewer, message: StandInFor, now: float) -> None:
        """The host's person lets a bot move for somebody who is gone, or somebody goes and wishes for one."""
        if self.game is None or self.game.closed:
            raise Refusal("not_playing")
        if self._stand_ins is None:
            raise Refusal("no_bots")
        if viewer.player and message.seat == viewer.seat:
            self._stand_ins.wish(message.seat)
            self._leave(viewer, now)
            return
        if viewer.key not in self.lobby.own or not viewer.player:
            raise Refusal("owner_only")
        if message.seat not in self._gone(self.game, now):
            raise Refusal("not_gone")
        self._stand_ins.begin(message.seat, message.level)
        self.pump(now)

    def _gone(self, game: HostedGame, now: float) -> dict[int, float]:
        """For how many seconds the players of which seats have been gone."""
        here = {viewer.key for viewer in self.viewers if viewer.player}
        gone = self._attendance.gone([key for key in game.keys if key not in here], now)
        return {seat: gone[key] for seat, key in enumerate(game.keys) if key in gone}

    def _pause(self, viewer: Viewer, paused: bool, now: float) -> None:
        """Anybody who plays may begin a pause, and end it."""
        if self.game is None or viewer.seat is None:
            raise Refusal("not_playing" if self.game is None else "spectator")
        _spend(viewer.asking, now)
        if paused == self.paused:
            tell(viewer, Paused(paused, None))
        else:
            self.paused = paused
            if self._clock is not None:
                self._clock.pause(paused, now)
            self._tell_all(Paused(paused, viewer.seat))

    def _acked(self, viewer: Viewer, n: int, now: float) -> None:
        if not viewer.acked <= n <= viewer.sent:
            raise Malformed("acknowledges what was not sent")
        if n > viewer.acked:
            viewer.acked, viewer.progress = n, now
            self._note_served(viewer)
        self._pump(viewer, now)

    def _note_served(self, viewer: Viewer) -> None:
        """At the end of the game: somebody has all of it."""
        game = self.game
        if game is not None and game.closed and viewer.player and viewer.acked >= game.n:
            self._attendance.served.add(viewer.key)

    def _give_up(self, game: HostedGame, now: float) -> None:
        """At the end of the game: whoever does not come back for the rest of it is not waited for."""
        self._attendance.served.update(self._missing(game, now))
        self.changed()

    def _missing(self, game: HostedGame, now: float) -> list[bytes]:
        """The players who have been gone for too long."""
        here = {viewer.key for viewer in self.viewers if viewer.player}
        return self._attendance.missing(set(game.keys) - here, now)

    def _resync(self, viewer: Viewer, message: Resync, now: float) -> None:
        if self.game is None or not self.game.host_log.knows(message.n, message.head):
            raise Refusal("fork")
        _spend(viewer.asking, now)
        viewer.sent = viewer.acked = message.n
        if self.game.n - message.n > WINDOW:
            tell_snapshot(viewer, self.game)
        self._pump(viewer, now)

    def _say(self, viewer: Viewer, message: Say, now: float) -> None:
        if clean_chat(message.text) != message.text:
            raise Refusal("empty")
        _spend(viewer.chat, now)
        said = (message.number, message.text)
        if not line_signed(viewer.key, message.signature, self.core.game, self.core.fp, *said):
            raise Refusal("signature")
        name = viewer.name if viewer.player else self.lobby.other_name(viewer.name)
        self._tell_all(Said(viewer.seat, name, viewer.key, *said, message.signature))

    def _claim(self, viewer: Viewer, message: Claim) -> None:
        """Somebody has signed the own name. Where the game has begun it stands in the log already."""
        if self.game is not None or viewer.seat is None:
            return
        bot = self.lobby.places[viewer.seat].bot
        table = (self.core.game, self.core.fp, self.core.host.public)
        if not claim_holds(viewer.key, message.signature, *table, message.name, bot):
            raise Refusal("signature")
        self.lobby.claim(viewer.key, message.name, message.signature)
        self.changed()

    # What viewers are told

    def pump(self, now: float) -> None:
        """Send everybody the entries that are new to them, players first."""
        if self._clock is not None and self.game is not None:
            self._clock.at(self.game.state.tick, now)
        for viewer in sorted(self.viewers, key=lambda viewer: not viewer.player):
            self._pump(viewer, now)

    def _pump(self, viewer: Viewer, now: float) -> None:
        if self.game is not None:
            tell_entries(viewer, self.game.host_log, now)

    def _time(self, clock: Countdown, now: float) -> Clock:
        """How long a decision may take, and has taken."""
        gone = int(clock.gone(now)) if self.game is not None else 0
        return Clock(clock.seconds, min(max(gone, 0), LONGEST))

    def _tell_all(self, message: Message) -> None:
        self._send_all(encode(message))

    def _send_all(self, data: bytes) -> None:
        for viewer in list(self.viewers):
            viewer.port.send(data)

    def _answer_noise(self, viewer: Viewer, now: float) -> None:
        """Whoever watches the network sees what a move would look like."""
        game = self.game
        if game is not None and not game.closed and viewer.seat is not None and viewer.noise.take(now):
            self._send_all(encode(Noise(), game.usual))

    def tell_lobby(self) -> None:
        """Send everybody the lobby; those who are told the same get the same bytes."""
        made: dict[tuple[int | None, bool], bytes] = {}
        for viewer in list(self.viewers):
            who = (viewer.seat, viewer.player and viewer.key == self.lobby.owner)
            if who not in made:
                made[who] = encode(lobby_news(self.lobby, *who))
            viewer.port.send(made[who])

    def _tell_presence(self, now: float) -> None:
        presence = presence_of(self.game, self.viewers, now, self._timing.away)
        if presence != self._presence:
            self._presence = presence
            self._tell_all(presence)

    # Time

    def tick(self, now: float) -> None:
        """To be called several times between two pings. Raises Unwritten from the journal."""
        for viewer in [each for each in self.viewers if each.silent(now) > self._timing.drop]:
            self.lost(viewer, now)
            viewer.port.close("dropped")
        self._tell_presence(now)
        if self.game is None:
            self._free_gone(now)
            if self.unattended:
                self._begin_if_ready(now)
        elif self.game.closed:
            self._give_up(self.game, now)
        elif self.paused:
            pass  # nobody is left out, and nothing taken over
        elif self.game.between:
            self._leave_out(self.game, now)
        elif self._stand_ins is not None:
            self._let_stand_in(self.game, self._stand_ins, now)
        if now - self._pinged >= self._timing.ping:
            self._pinged = now
            n = self.game.n if self.game else 0
            for viewer in list(self.viewers):
                viewer.mark += 1
                tell(viewer, Ping(viewer.mark, n))

    def _leave_out(self, game: HostedGame, now: float) -> None:
        """Between rounds: whoever has been gone for too long gives no share."""
        missing = self._missing(game, now)
        if not missing:
            return
        with self._journaling():
            game.leave_out([seat for seat, key in enumerate(game.keys) if key in missing])
        self.pump(now)
        self._tell_presence(now)
        self.changed()

    def _let_stand_in(self, game: HostedGame, stand_ins: StandIns, now: float) -> None:
        """Bots come for whoever has been gone for too long, and make their moves."""
        with self._journaling():
            happened = stand_ins.tick(self._gone(game, now))
        if happened:
            self.pump(now)
            self._tell_presence(now)
            self.changed()

    def _begin_if_ready(self, now: float) -> None:
        try:
            with self._journaling():
                self._start(None)
        except Refusal:
            return
        self.tell_lobby()
        self.pump(now)
        self.changed()

    def _free_gone(self, now: float) -> None:
        overdue = self._attendance.overdue(now)
        for key in overdue:
            self._free(key)
        if overdue:
            self.tell_lobby()


def _spend(bucket: Bucket, now: float) -> None:
    if not bucket.take(now):
        raise Refusal("too_fast")
