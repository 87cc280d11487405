"""One table and everybody who looks at it. Messages in, frames out through ports; no sockets and no clock here.

Every viewer is a cursor into the log: entries are sent up to WINDOW ahead of what it has acknowledged. So what
waits for a slow reader is bounded, nobody waits for anybody else, and catching up after a lost connection, from
the beginning or from anywhere, is the same as following.

What is done with a message depends on where the table is: before its game (`seating`) or in it (`playing`).
"""

from collections.abc import Callable
from typing import Final

from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.join.handshake import Applicant, Past
from citadels_lan.net.wire.clean import clean_chat, clean_name, line_signed
from citadels_lan.net.wire.errors import Refusal, Report, no_report
from citadels_lan.net.wire.messages import (
    Accept,
    Ack,
    Again,
    Bye,
    ChatSaid,
    Claim,
    Configure,
    Fetch,
    Granted,
    Message,
    Noise,
    Pause,
    Play,
    Pong,
    Ready,
    Refused,
    Remove,
    Resync,
    Say,
    SayInDraft,
    Standstill,
    Start,
    SubstituteFor,
    Tried,
    Welcome,
)
from citadels_lan.net.wire.ratelimit import Bucket
from citadels_lan.net.wire.timing import Timing

from .audience import NOTHING, Audience, Port, Viewer, tell
from .game import HostedGame, Keep, Sent
from .handing import Handing
from .lobby import Core, Lobby, make_header
from .playing import Playing
from .resuming import fork, of_this_history, signed_elsewhere
from .seating import Seating
from .substitutes import Takeover

REQUESTS: Final = (Ready, Configure, Start, Remove, SubstituteFor, Pause)
"""What people ask for; each is answered once, granted or refused."""


class HostTable:
    """A table from its lobby to the end of its game. Times `now` are seconds of any steady clock.

    `keep` puts an entry on the disk: while it raises OSError the game stands still, and everybody is told; it is
    tried again, and nobody loses the seat. `changed` is called after whatever viewers did. `unattended`: nobody
    has to start the game, it begins once all seats are taken and all are ready. `renew` gives another game id and
    journal for this table when a start is called off. `report` is told of faults of
    this program. `takeover` says when bots move for players who are gone; without it they never do. `stopped` is
    why this host signs nothing any more: a client has shown an entry that its key has signed and that it lacks.
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
        self.changed: Callable[[], None] = lambda: None
        self.renew: Callable[[], tuple[Core, Keep]] | None = None
        self.unattended = False
        self.report = report
        self.audience = Audience(lobby, timing)
        self.playing = Playing(self.audience, timing, takeover, report)
        self._timing = timing
        self.handing = Handing(self.audience, self.playing, lambda: self.core.secret)
        self._seating = Seating(core, self.audience)
        self.stopped: Refusal | None = None
        self.failed = False
        self._held: dict[tuple[bytes, int], tuple[Viewer, Message]] = {}
        self._keep = keep
        self._again: Again | None = None

    @property
    def game(self) -> HostedGame | None:
        """What is played; None in the lobby."""
        return self.audience.game

    @property
    def viewers(self) -> list[Viewer]:
        """Everybody who is connected."""
        return self.audience.viewers

    @property
    def halted(self) -> str:
        """Why the game stands still, a code of `reasons`; empty while it goes on."""
        return self.playing.disk.halted

    @property
    def over(self) -> bool:
        """Whether the game is closed, and everyone has all of it or has been gone for too long; or another
        program hosts it."""
        return self.audience.over or (self.handing.handed is not None and self.handing.handed.serves)

    @property
    def waits(self) -> bool:
        """Whether nothing new may be signed: for good, or before a player of another computer is here."""
        return self.stopped is not None or bool(self.audience.wanted) or self.handing.stops

    @property
    def past(self) -> Past | None:
        """What this host shows if it has taken the game over."""
        if self.game is None:
            return None
        log = self.game.host_log
        before = log.passed[: log.audit.hosts.place(self.core.host.public)]
        return Past((log.header.hostkey, log.header.fp), before) if before else None

    def resume(self, game: HostedGame, *, received: bool = False) -> None:
        """Continue a game from its journal. That may be an older copy of a journal with which another program has
        continued, so nothing new is signed before one player of another computer is here, who would show that.
        `received`: this program has just taken the game over."""
        self.playing.begin(game)
        self.audience.take_seats(game)
        if not game.host_log.audit.over and not received:
            here = {one.key for one in game.host_log.header.players if one.kind == SeatKind.GUEST} | self.lobby.own
            self.audience.wanted = tuple(seat for seat, key in enumerate(game.keys) if key not in here)
        if not self.waits:
            game.go_on()

    def _continue(self, now: float) -> None:
        """A player of another computer is here, or the host's person waits for none: do what has been held."""
        self.audience.wanted = ()
        if self.game is not None and not self.waits:
            self.game.go_on()
        self._resume_held(now)

    def _resume_held(self, now: float) -> None:
        """Do what was held while nothing could be signed; nothing if that is still so."""
        if self.waits:
            if self.handing.handed is not None:
                self.audience.pump(now)
            return
        held, self._held = self._held, {}
        for viewer, message in held.values():
            self.receive(viewer, message, now)
        self.playing.tell(now)

    # Coming and going

    def join(self, who: Applicant, port: Port, now: float, source: str = "") -> Viewer:
        """Let somebody in who has proved the key, from the address `source`. Raises Refusal."""
        name = clean_name(who.name)
        if not name:
            raise Refusal("no_name")
        if who.key in self.lobby.bans.removed:
            raise Refusal("removed")
        self.handing.check_join(who.key)
        player = who.role == "player"
        viewer = Viewer(who.key, name, player, port, now, now, Bucket(5, 1), Bucket(20, 5), Bucket(8, 2))
        viewer.source = source
        self._check_history(who, name)
        self.audience.place(viewer, who.kind)
        self.playing.here(viewer)
        if self.game is not None or who.n:
            viewer.sent = viewer.acked = who.n
            self.audience.note_served(viewer)
        self.audience.enter(viewer)
        self._welcome(viewer, now)
        if viewer.seat in self.audience.wanted:
            self._continue(now)
        self.playing.tell_halt(now)
        self.changed()
        return viewer

    def _check_history(self, who: Applicant, name: str) -> None:
        """Raises Refusal: `fork` if a client's file is of another history. If the host's key has signed the end of
        that file the table stops, and its own people are sent the reason."""
        game, last = self.game, self.audience.last
        if of_this_history(game, last, who):
            return
        if self.stopped is None:
            seated = next((place.name for place in self.lobby.places if place.key == who.key), name)
            self.stopped = signed_elsewhere(self.core, last, who, seated)
        if self.stopped is not None and who.key in self.lobby.own:
            raise self.stopped
        raise fork(game, last, who)

    def _welcome(self, viewer: Viewer, now: float) -> None:
        audience = self.audience
        tell(viewer, self._welcome_of(viewer))
        audience.tell_lobby()
        if self.halted:
            tell(viewer, Standstill(self.halted))
        if audience.presence != NOTHING:
            tell(viewer, audience.presence)
        if self._again is not None:
            tell(viewer, self._again)
        audience.tell_presence(now)
        for told in self.playing.pace.news(self.game, now):
            tell(viewer, told)
        audience.catch_up(viewer, viewer.sent, now)

    def _welcome_of(self, viewer: Viewer) -> Welcome:
        n, owner = self.audience.last, viewer.key == self.lobby.owner
        if self.game is None or n == 0:
            return Welcome(viewer.seat, owner, n, viewer.name)
        log = self.game.host_log
        return Welcome(viewer.seat, owner, n, viewer.name, log.head_at(n), log.signature(n))

    def lost(self, viewer: Viewer, now: float) -> None:
        """The connection of a viewer is gone."""
        if self.audience.lost(viewer, now):
            self.changed()

    def _leave(self, viewer: Viewer, now: float) -> None:
        if viewer.player and self.game is None:
            self._seating.leave(viewer)
        else:
            self.lost(viewer, now)
        viewer.port.close("left")

    def close(self) -> None:
        """Tell every viewer that the host closes the table, and end the connections."""
        self.audience.close()

    def fail(self, reason: Refusal, others: str = "host_failed") -> None:
        """The table ends here by a fault, and its journal is kept. Its own people are sent `reason`, all others
        the code `others`."""
        self.failed = True
        self.audience.fail(reason, others)

    def play_again(self, at: Again) -> None:
        """After the game: tell everybody, and whoever comes back, of the table at which it goes on."""
        self._again = at
        self.audience.tell(at)

    # What viewers send

    def receive(self, viewer: Viewer, message: Message, now: float) -> None:
        """Take a message of a viewer. Raises Malformed for what belongs elsewhere, Mismatch where this program or
        its journal is not that of the game that its players hold."""
        if viewer not in self.viewers:
            return
        viewer.heard = now
        answer: Message | None = Granted(message.type) if isinstance(message, REQUESTS) else None
        try:
            self._take(viewer, message, now)
        except Refusal as reason:
            n = message.n if isinstance(message, Play | SayInDraft) else 0
            answer = Refused(message.type, n, reason.code, dict(reason.details))
        self.playing.tell_halt(now)
        if answer is not None and viewer in self.viewers:
            tell(viewer, answer)
        self.changed()

    def _take(self, viewer: Viewer, message: Message, now: float) -> None:
        match message:
            case Ack():
                self._acked(viewer, message.n, now)
            case Pong() | Bye() | Noise():
                self._hear(viewer, message, now)
            case _ if isinstance(message, Sent):
                self._play(viewer, message, now)
            case Fetch() | Accept() | Tried():
                self.handing.hear(viewer, message)
            case SubstituteFor() | Pause() if self.handing.stops:
                raise Refusal("handing_over")
            case SubstituteFor():
                self._substitute_for(viewer, message, now)
            case Pause():
                self._pause(viewer, message, now)
            case Resync():
                self._resync(viewer, message, now)
            case Say():
                self._say(viewer, message, now)
            case Ready() | Configure() | Start() | Remove() | Claim():
                self._gather(viewer, message, now)
            case _:
                raise Malformed("not a message of a joined client")

    def _hear(self, viewer: Viewer, message: Pong | Bye | Noise, now: float) -> None:
        """Somebody is there, or goes."""
        if isinstance(message, Noise):
            self.audience.answer_noise(viewer, now)
        elif isinstance(message, Bye):
            self._leave(viewer, now)

    def _gather(self, viewer: Viewer, message: Ready | Configure | Start | Remove | Claim, now: float) -> None:
        """What is said in the lobby. A claim that comes when the game has begun stands in the log already."""
        if isinstance(message, Claim):
            if self.game is None:
                self._seating.claim(viewer, message)
            return
        if self.game is not None:
            raise Refusal("not_in_lobby")
        _spend(viewer.asking, now)
        if isinstance(message, Start):
            self._start(viewer.key)
        else:
            self._seating.take(viewer, message)
        self.audience.tell_lobby()
        self.audience.tell_presence(now)
        self.playing.pump(now)

    def _start(self, key: bytes | None) -> None:
        config = self.lobby.start(key)
        if self.stopped is not None:
            raise self.stopped
        settings = self.lobby.settings
        places, called_off = self.lobby.places, self.lobby.called_off
        header = make_header(self.core, config, places, hints=settings.hints, called_off=called_off)
        self.playing.begin(HostedGame.begin(header, self.core.secret, self.core.host, self._keep))

    def _play(self, viewer: Viewer, message: Sent, now: float) -> None:
        if viewer.seat is None:
            raise Refusal("spectator")
        self.playing.check_pace(message)
        if self.waits:
            self._held[viewer.key, message.type] = viewer, message
        else:
            self.playing.take(viewer, message, now)

    def _substitute_for(self, viewer: Viewer, message: SubstituteFor, now: float) -> None:
        if self.audience.wanted and message.seat != viewer.seat:
            if viewer.key not in self.lobby.own or not viewer.player:
                raise Refusal("owner_only")
            self._continue(now)
        elif self.playing.substitute_for(viewer, message, now):
            self._leave(viewer, now)

    def _pause(self, viewer: Viewer, message: Pause, now: float) -> None:
        if viewer.seat is None:
            raise Refusal("spectator")
        _spend(viewer.asking, now)
        self.playing.pause(viewer, message, now)

    def _acked(self, viewer: Viewer, n: int, now: float) -> None:
        if not viewer.acked <= n <= viewer.sent:
            raise Malformed("acknowledges what was not sent")
        if n > viewer.acked:
            viewer.acked, viewer.progress = n, now
            self.audience.note_served(viewer)
        self.audience.pump_to(viewer, now)
        self.handing.tick()

    def _resync(self, viewer: Viewer, message: Resync, now: float) -> None:
        if self.game is None or not self.game.host_log.knows(message.n, message.head):
            raise Refusal("fork")
        _spend(viewer.asking, now)
        viewer.sent = viewer.acked = message.n
        self.audience.catch_up(viewer, message.n, now)

    def _say(self, viewer: Viewer, message: Say, now: float) -> None:
        if clean_chat(message.text) != message.text:
            raise Refusal("empty")
        _spend(viewer.chat, now)
        said = (message.number, message.text)
        fp = self.core.fp if self.game is None else self.game.host_log.header.fp
        if not line_signed(viewer.key, message.signature, self.core.game, fp, *said):
            raise Refusal("signature")
        name = viewer.name if viewer.player else self.lobby.other_name(viewer.name)
        self.audience.tell(ChatSaid(viewer.seat, name, viewer.key, *said, message.signature))

    # Time

    def tick(self, now: float) -> None:
        """To be called several times between two pings."""
        for viewer in self.audience.silent(now):
            self.lost(viewer, now)
            viewer.port.close("dropped")
        self.audience.tell_presence(now)
        changed = False
        self.handing.tick()
        self._resume_held(now)
        if self.game is not None and self.game.starting and not self.waits and not self.game.stuck:
            changed |= self._call_off(self.game, now)
        elif self.game is not None:
            changed |= self.playing.tick(self.game, now, waits=self.waits)
        else:
            changed |= not self.waits and self._seating.free_gone(now)
            changed |= self.unattended and self._begin_if_ready(now)
        self.playing.tell_halt(now)
        if changed:
            self.changed()
        self.audience.ping(now)

    def _call_off(self, game: HostedGame, now: float) -> bool:
        """Return to the lobby if a player who has to commit or to give a part is gone for too long; whether that
        is so. The next header lists a start that ends after *commits*, and the next game has another id."""
        missing = self.audience.missing(game, now)
        if self.renew is None or not any(game.keys[seat] in missing for seat in game.awaited):
            return False
        self.lobby.call_off(game.called_off)
        self.core, self._keep = self.renew()
        self.audience.begin_again(now)
        self.playing = Playing(self.audience, self._timing, self.playing.takeover, self.report)
        self._seating = Seating(self.core, self.audience)
        self._held = {}
        return True

    def _begin_if_ready(self, now: float) -> bool:
        """Begin, where nobody has to ask for it; whether that is possible."""
        try:
            self._start(None)
        except Refusal:
            return False
        self.audience.tell_lobby()
        self.playing.pump(now)
        return True


def _spend(bucket: Bucket, now: float) -> None:
    if not bucket.take(now):
        raise Refusal("too_fast")
