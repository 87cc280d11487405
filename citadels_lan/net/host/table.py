"""One table and everybody who looks at it. Messages in, frames out through ports; no sockets and no clock here.

Every viewer is a cursor into the log: entries are sent up to WINDOW ahead of what it has acknowledged. So what
waits for a slow reader is bounded, nobody waits for anybody else, and catching up after a lost connection, from
the beginning or from anywhere, is the same as following.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.claims import claim_holds
from citadels_lan.crypto.log import RULES
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.join.handshake import Applicant
from citadels_lan.net.wire.chat import line_signed
from citadels_lan.net.wire.clean import clean_chat, clean_name
from citadels_lan.net.wire.countdown import Countdown
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import (
    GUEST,
    LONGEST,
    Ack,
    Again,
    Beacon,
    Bye,
    Claim,
    Clock,
    Configure,
    Entrusted,
    Handed,
    HeardAt,
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
    StandInFor,
    Standstill,
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
from .lobby import Lobby, TakenSeat
from .neighbourhood import Neighbourhood
from .recovering import Recovering, again, begun
from .returning import Given, Returning
from .stand_ins import StandIns, Takeover
from .viewers import Port, Viewer

SPECTATORS: Final = 200
RETRY: Final = (0.5, 5.0)
"""Seconds until a full disk is tried again: the first time, and at most."""


class HostTable:
    """A table from its lobby to the end of its game. Times `now` are seconds of any steady clock.

    `keep` puts an entry on the disk: while it raises OSError the game stands still, and everybody is told; it is
    tried again, and nobody loses the seat. `changed` is called
    after whatever viewers did. `unattended`: nobody has to start the game, it begins once all seats are taken and
    all are ready. `report` is told of faults of this program. `takeover` says when bots move for players who are
    gone; without it they never do.
    """

    def __init__(
        self,
        core: Core,
        lobby: Lobby,
        keep: Keep,
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
        self._keep = keep
        self._timing = timing
        self._attendance = Attendance(timing.drop)
        self._presence = Presence((), ())
        self._pinged = 0.0
        self._clock = Countdown(timing.clock, 0.0) if timing.clock else None
        self._returning: Returning | None = None
        self.halted = ""
        self._retry = (0.0, RETRY[0])
        self._again: Again | None = None
        self._neighbourhood = Neighbourhood()

    @property
    def over(self) -> bool:
        """Whether the game is closed and every player has all of it, or has been gone for too long."""
        game = self.game
        if game is None or not game.closed:
            return False
        return self._attendance.served.issuperset(game.keys)

    def resume(self, game: HostedGame | None, *, whole: bool = True) -> None:
        """Go on with a game from its journal, None where it has no entry. Where the journal is not `whole`,
        nothing new is signed before every player was here, who may hold more of it."""
        if game is None:
            chain, players = Chain(self.core.game, RULES, self.core.fp), [each.key for each in self.lobby.places]
        else:
            self._play_on(game)
            chain, players = game.host_log.chain, game.keys
        recovering = Recovering(chain, self.core.host.public)
        self._returning = Returning(recovering, () if whole else players)
        if game is not None and not self._returning.waits:
            game.go_on()

    def _play_on(self, game: HostedGame) -> None:
        """This is the game from now on; seats are those of its header."""
        self._take_up(game)
        here = {viewer.key for viewer in self.viewers if viewer.player}
        self.lobby.places = [
            TakenSeat(player.key, player.name, player.bot, ready=True, away=player.key not in here)
            for player in game.host_log.header.players
        ]
        for viewer in self.viewers:
            if viewer.player:
                viewer.seat = game.seat(viewer.key)

    @property
    def waits(self) -> bool:
        """Whether nothing new may be signed, until those who hold more of the game have handed it back."""
        return self._returning is not None and self._returning.waits

    def _take_up(self, game: HostedGame) -> None:
        self.game = game
        game.report = self.report
        if self.takeover is not None:
            self._stand_ins = StandIns(game, self.takeover)

    # Coming and going

    def join(self, who: Applicant, port: Port, now: float, source: str = "") -> Viewer:
        """Let somebody in who has proved the key, from the address `source`. Raises Refusal."""
        name = clean_name(who.name)
        if not name:
            raise Refusal("no_name")
        if who.key in self.lobby.removed:
            raise Refusal("removed")
        player = who.role == "player"
        viewer = Viewer(who.key, name, player, port, now, now, Bucket(5, 1), Bucket(20, 5), Bucket(8, 2))
        viewer.source = source
        self._check_history(viewer, who)
        self._place(viewer, who)
        if self.game is not None or who.n:
            viewer.sent = viewer.acked = who.n
            self._note_served(viewer)
        for other in [old for old in self.viewers if (old.key, old.player) == (who.key, viewer.player)]:
            self._remove(other)
            other.port.close("replaced")
        self.viewers.append(viewer)
        self._welcome(viewer, now)
        if self._returning is not None and player:
            if self.game is not None:
                self._returning.recovering.follow(self.game.host_log.chain)
            self._returning.joined(viewer, who.n, self._last, now)
            self._recover(now)
        self.changed()
        return viewer

    @property
    def _last(self) -> int:
        """The last entry that viewers may be told."""
        return self.game.told if self.game is not None else 0

    def _check_history(self, viewer: Viewer, who: Applicant) -> None:
        """Raises Refusal: `fork` where somebody's file is of another history; `recovering` where it is longer than
        the log of a host that has come back, and only players are asked."""
        returning = self._returning
        if who.n <= self._last:
            if self.game is not None and not self.game.host_log.knows(who.n, who.head):
                raise self._fork()
        elif returning is None or (self.game is None and not self.lobby.knows(who.key)):
            raise self._fork()
        elif not returning.believes(viewer):
            raise self._fork() if viewer.player else Refusal("recovering")

    def _fork(self) -> Refusal:
        """Another history; who has more of this one knows by `n` that there is more."""
        return Refusal("fork", n=self._last)

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
            viewer.name = self.lobby.sit(who.key, viewer.name, who.bot, GUEST in who.capabilities).name
            viewer.seat = self.lobby.seat(who.key)
        if viewer.player:
            self._attendance.back(who.key)

    def _welcome(self, viewer: Viewer, now: float) -> None:
        n = self._last
        tell(viewer, Welcome(viewer.seat, viewer.key == self.lobby.owner, n, viewer.name))
        self.tell_lobby()
        if self.halted:
            tell(viewer, Standstill(self.halted))
        if self._presence != Presence((), ()):
            tell(viewer, self._presence)
        if self._again is not None:
            tell(viewer, self._again)
        if viewer.seat is not None and self._neighbourhood.told.of:
            tell(viewer, self._neighbourhood.told)
        self._tell_presence(now)
        if self.paused:
            tell(viewer, Paused(True, None))
        if self._clock is not None:
            tell(viewer, self._time(self._clock, now))
        self._catch_up(viewer, viewer.sent)
        self._pump(viewer, now)
        self._entrust(viewer)

    def _catch_up(self, viewer: Viewer, n: int) -> None:
        """Whoever is far behind is shown the table at once, but for what waits for room on the disk."""
        if self.game is not None and self.game.n - n > WINDOW and not self.game.stuck:
            tell_snapshot(viewer, self.game)

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
        if self._returning is not None:
            self._returning.lost(viewer)
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
        if self._returning is not None:
            self._returning.forget(key)
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
        """Take a message of a viewer. Raises Malformed for what belongs elsewhere, Mismatch where this program or
        its journal is not that of the game that its players hold."""
        if viewer not in self.viewers:
            return
        viewer.heard = now
        try:
            self._take(viewer, message, now)
        except Refusal as reason:
            n = message.n if isinstance(message, Play) else 0
            tell(viewer, Refused(message.type, n, reason.code, dict(reason.details)))
        self._tell_halt(now)
        self.changed()

    def _take(self, viewer: Viewer, message: Message, now: float) -> None:
        match message:
            case Ack():
                self._acked(viewer, message.n, now)
            case Pong() | Bye() | Noise():
                self._hear(viewer, message, now)
            case Play() | SeedCommit() | SeedPart() | Here() | Beacon() | Return():
                self._play(viewer, message, now)
            case StandInFor():
                self._stand_in_for(viewer, message, now)
            case Pause() | HeardAt():
                self._beside(viewer, message, now)
            case Resync():
                self._resync(viewer, message, now)
            case Say():
                self._say(viewer, message, now)
            case Claim():
                self._claim(viewer, message)
            case Ready() | Configure() | Start() | Remove():
                self._lobby(viewer, message, now)
            case Handed():
                self._take_back(viewer, message, now)
            case _:
                raise Malformed("not a message of a joined client")

    def _hear(self, viewer: Viewer, message: Pong | Bye | Noise, now: float) -> None:
        """Somebody is there, or goes."""
        if isinstance(message, Noise):
            self._answer_noise(viewer, now)
        elif isinstance(message, Bye):
            self._leave(viewer, now)

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
        if self.waits:
            raise Refusal("recovering")
        header = make_header(self.core, config, self.lobby.places, self.lobby.settings.migrate)
        self._take_up(HostedGame.begin(header, self.core.secret, self.core.host, self._keep))

    def _play(self, viewer: Viewer, message: Sent, now: float) -> None:
        game = self.game
        if viewer.seat is None:
            raise Refusal("spectator")
        if self.paused and isinstance(message, Play):
            raise Rejected("paused")
        if self._returning is not None and self.waits:
            self._returning.hold(viewer, message)
            return
        if game is None:
            raise Refusal("not_playing")
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

    def _beside(self, viewer: Viewer, message: Pause | HeardAt, now: float) -> None:
        """What a seat says that is no part of the game."""
        if viewer.seat is None:
            raise Refusal("spectator")
        _spend(viewer.asking, now)
        if isinstance(message, Pause):
            self._pause(viewer, message.paused, now)
        elif self._neighbourhood.note(viewer, message.port):
            for other in [one for one in self.viewers if one.seat is not None]:
                tell(other, self._neighbourhood.told)

    def _pause(self, viewer: Viewer, paused: bool, now: float) -> None:
        """Anybody who plays may begin a pause, and end it."""
        if self.game is None:
            raise Refusal("not_playing")
        if paused == self.paused:
            tell(viewer, Paused(paused, None))
        else:
            self.paused = paused
            if self._clock is not None:
                self._clock.pause(paused, now)
            self._tell_all(Paused(paused, viewer.seat))

    # What a host that has come back lacks

    def _take_back(self, viewer: Viewer, handed: Handed, now: float) -> None:
        """An entry that this host has signed and lost."""
        if self._returning is None:
            raise Malformed("nothing was asked for")
        try:
            self._returning.take(viewer, handed, now)
        except Refusal as fork:
            self.lost(viewer, now)
            viewer.port.close(fork.code)
        self._recover(now)

    def _recover(self, now: float) -> None:
        """Go on with what was handed back, as far as it goes; and with the game, once all of it is there."""
        returning = self._returning
        assert returning is not None
        if self.game is None and returning.recovering.pieces:
            self._play_on(begun(returning.recovering, self.core, self._keep))
            self.tell_lobby()
        if self.game is not None:
            again(self.game, returning.recovering)
            if not returning.waits:
                self.game.go_on()
                returning.release(partial(self._late, now))
                for viewer in self.viewers:
                    self._note_served(viewer)
        self.pump(now)
        self._tell_presence(now)

    def _late(self, now: float, key: bytes, message: Given) -> None:
        """What a player has sent while the table could not go on."""
        for viewer in [each for each in self.viewers if each.player and each.key == key]:
            self.receive(viewer, message, now)

    def _forget_late(self, returning: Returning, now: float) -> None:
        """Whoever says to have more and does not hand it over is sent away."""
        late = returning.overdue(now)
        for viewer in [each for each in self.viewers if each.player and each.key in late]:
            self.lost(viewer, now)
            viewer.port.close("fork")
        if late:
            self._recover(now)

    # A disk without room

    def _tell_halt(self, now: float) -> None:
        """Say that the game stands still, or goes on. Whatever waits is tried again later and later."""
        code = "disk_full" if self.game is not None and self.game.stuck else ""
        if code != self.halted:
            self.halted, self._retry = code, (now + RETRY[0], RETRY[0])
            self._tell_all(Standstill(code))

    def _try_disk(self, game: HostedGame, now: float) -> None:
        at, pause = self._retry
        if not game.stuck or now < at:
            return
        game.keep()
        pause = min(2 * pause, RETRY[1])
        self._retry = (now + pause, pause)
        self._tell_halt(now)
        self.pump(now)

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
        self._catch_up(viewer, message.n)
        self._pump(viewer, now)

    def _say(self, viewer: Viewer, message: Say, now: float) -> None:
        if clean_chat(message.text) != message.text:
            raise Refusal("empty")
        _spend(viewer.chat, now)
        said = (message.number, message.text)
        fp = self.core.fp if self.game is None else self.game.host_log.header.fp
        if not line_signed(viewer.key, message.signature, self.core.game, fp, *said):
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
            tell_entries(viewer, self.game, now)

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
        presence = presence_of(self.game, self.viewers, now, self._timing.away, self._wanted())
        if presence != self._presence:
            self._presence = presence
            self._tell_all(presence)

    def _wanted(self) -> tuple[int, ...]:
        """The seats without whom a table that has come back cannot go on."""
        returning, game = self._returning, self.game
        if returning is None or game is None or not returning.waits:
            return ()
        unheard = {seat for seat, key in enumerate(game.keys) if key in returning.unheard}
        return tuple(sorted(unheard.union(returning.recovering.wanted(game.host_log.audit))))

    # Time

    def tick(self, now: float) -> None:
        """To be called several times between two pings."""
        for viewer in [each for each in self.viewers if each.silent(now) > self._timing.drop]:
            self.lost(viewer, now)
            viewer.port.close("dropped")
        self._tell_presence(now)
        if self._returning is not None:
            self._forget_late(self._returning, now)
        if self.game is None:
            self._free_gone(now)
            if self.unattended:
                self._begin_if_ready(now)
        elif self.game.stuck:
            self._try_disk(self.game, now)
        elif self.game.closed:
            self._give_up(self.game, now)
        elif self.paused:
            pass  # nobody is left out, and nothing taken over
        elif self.game.between and not self.waits:
            self._leave_out(self.game, now)
        elif self._stand_ins is not None and not self.waits:
            self._let_stand_in(self.game, self._stand_ins, now)
        if now - self._pinged >= self._timing.ping:
            self._pinged = now
            for viewer in list(self.viewers):
                viewer.mark += 1
                tell(viewer, Ping(viewer.mark, self._last))

    def _leave_out(self, game: HostedGame, now: float) -> None:
        """Between rounds: whoever has been gone for too long gives no share."""
        missing = self._missing(game, now)
        if not missing:
            return
        game.leave_out([seat for seat, key in enumerate(game.keys) if key in missing])
        self._tell_halt(now)
        self.pump(now)
        self._tell_presence(now)
        self.changed()

    def _let_stand_in(self, game: HostedGame, stand_ins: StandIns, now: float) -> None:
        """Bots come for whoever has been gone for too long, and make their moves."""
        if stand_ins.tick(self._gone(game, now)):
            self._tell_halt(now)
            self.pump(now)
            self._tell_presence(now)
            self.changed()

    def _begin_if_ready(self, now: float) -> None:
        try:
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
            self.changed()


def _spend(bucket: Bucket, now: float) -> None:
    if not bucket.take(now):
        raise Refusal("too_fast")
