"""One table and everybody who looks at it. Messages in, frames out through ports; no sockets and no clock here.

Every viewer is a cursor into the log: entries are sent up to WINDOW ahead of what it has acknowledged. So what
waits for a slow reader is bounded, nobody waits for anybody else, and catching up after a lost connection, from
the beginning or from anywhere, is the same as following.

What is done with a message depends on where the table is: before its game (`seating`) or in it (`playing`).
"""

from collections.abc import Callable
from typing import Final

from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.join.handshake import Applicant
from citadels_lan.net.wire.chat import line_signed
from citadels_lan.net.wire.clean import clean_chat, clean_name
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import (
    GUEST,
    Ack,
    Again,
    Beacon,
    Bye,
    Claim,
    Configure,
    Granted,
    HeardAt,
    Here,
    Message,
    Noise,
    Pause,
    Play,
    Pong,
    Ready,
    Refused,
    Remove,
    Resync,
    Return,
    Said,
    Say,
    SayInDraft,
    SeedCommit,
    SeedPart,
    StandInFor,
    Standstill,
    Start,
    Welcome,
)
from citadels_lan.net.wire.ratelimit import Bucket
from citadels_lan.net.wire.reporting import Report, no_report
from citadels_lan.net.wire.timing import Timing

from .audience import NOTHING, Audience
from .broadcast import tell
from .core import Core, make_header
from .game import HostedGame, Keep, Sent
from .lobby import Lobby
from .neighbourhood import Neighbourhood
from .playing import Playing
from .resuming import fork, of_this_history, signed_elsewhere
from .seating import Seating
from .stand_ins import Takeover
from .viewers import Port, Viewer

REQUESTS: Final = (Ready, Configure, Start, Remove, StandInFor, Pause)
"""What people ask for; each is answered once, granted or refused."""


class HostTable:
    """A table from its lobby to the end of its game. Times `now` are seconds of any steady clock.

    `keep` puts an entry on the disk: while it raises OSError the game stands still, and everybody is told; it is
    tried again, and nobody loses the seat. `changed` is called after whatever viewers did. `unattended`: nobody
    has to start the game, it begins once all seats are taken and all are ready. `report` is told of faults of
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
        self.unattended = False
        self.report = report
        self.audience = Audience(lobby, timing)
        self.playing = Playing(self.audience, timing, takeover, report)
        self._seating = Seating(core, self.audience)
        self.stopped: Refusal | None = None
        self.failed = False
        self._held: dict[tuple[bytes, int], tuple[Viewer, Message]] = {}
        self._keep = keep
        self._again: Again | None = None
        self._neighbourhood = Neighbourhood()

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
        """Whether the game is closed, and everyone has all of it or has been gone for too long."""
        return self.audience.over

    @property
    def waits(self) -> bool:
        """Whether nothing new may be signed: for good, or before a player of another computer is here."""
        return self.stopped is not None or bool(self.audience.wanted)

    def resume(self, game: HostedGame) -> None:
        """Continue a game from its journal. That may be an older copy of a journal with which another program has
        continued, so nothing new is signed before one player of another computer is here, who would show that."""
        self.playing.begin(game)
        self.audience.take_seats(game)
        if not game.host_log.audit.over:
            here = {game.keys[seat] for seat in game.host_log.header.guests or ()} | self.lobby.own
            self.audience.wanted = tuple(seat for seat, key in enumerate(game.keys) if key not in here)
        if not self.waits:
            game.go_on()

    def _continue(self, now: float) -> None:
        """A player of another computer is here, or the host's person waits for none: do what has been held."""
        self.audience.wanted = ()
        if self.game is not None:
            self.game.go_on()
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
        player = who.role == "player"
        viewer = Viewer(who.key, name, player, port, now, now, Bucket(5, 1), Bucket(20, 5), Bucket(8, 2))
        viewer.source = source
        self._check_history(who, name)
        self.audience.place(viewer, bot=who.bot, guest=GUEST in who.capabilities)
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
        if viewer.seat is not None and self._neighbourhood.told.of:
            tell(viewer, self._neighbourhood.told)
        audience.tell_presence(now)
        for told in self.playing.pace.news(self.game, now):
            tell(viewer, told)
        audience.catch_up(viewer, viewer.sent, now)
        self.playing.entrust(viewer)

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
            case Play() | SeedCommit() | SeedPart() | Here() | Beacon() | Return() | SayInDraft():
                self._play(viewer, message, now)
            case StandInFor():
                self._stand_in_for(viewer, message, now)
            case Pause() | HeardAt():
                self._beside(viewer, message, now)
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
        header = make_header(self.core, config, self.lobby.places, hints=settings.hints)
        self.playing.begin(HostedGame.begin(header, self.core.secret, self.core.host, self._keep))

    def _play(self, viewer: Viewer, message: Sent, now: float) -> None:
        if viewer.seat is None:
            raise Refusal("spectator")
        self.playing.check_pace(message)
        if self.waits:
            self._held[viewer.key, message.type] = viewer, message
        else:
            self.playing.take(viewer, message, now)

    def _stand_in_for(self, viewer: Viewer, message: StandInFor, now: float) -> None:
        if self.audience.wanted and message.seat != viewer.seat:
            if viewer.key not in self.lobby.own or not viewer.player:
                raise Refusal("owner_only")
            self._continue(now)
        elif self.playing.stand_in_for(viewer, message, now):
            self._leave(viewer, now)

    def _beside(self, viewer: Viewer, message: Pause | HeardAt, now: float) -> None:
        """What a seat says that is no part of the game."""
        if viewer.seat is None:
            raise Refusal("spectator")
        _spend(viewer.asking, now)
        if isinstance(message, Pause):
            self.playing.pause(viewer, message, now)
        elif self._neighbourhood.note(viewer, message.port):
            for other in [one for one in self.viewers if one.seat is not None]:
                tell(other, self._neighbourhood.told)

    def _acked(self, viewer: Viewer, n: int, now: float) -> None:
        if not viewer.acked <= n <= viewer.sent:
            raise Malformed("acknowledges what was not sent")
        if n > viewer.acked:
            viewer.acked, viewer.progress = n, now
            self.audience.note_served(viewer)
        self.audience.pump_to(viewer, now)

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
        self.audience.tell(Said(viewer.seat, name, viewer.key, *said, message.signature))

    # Time

    def tick(self, now: float) -> None:
        """To be called several times between two pings."""
        for viewer in self.audience.silent(now):
            self.lost(viewer, now)
            viewer.port.close("dropped")
        self.audience.tell_presence(now)
        changed = False
        if self.game is not None:
            changed |= self.playing.tick(self.game, now, waits=self.waits)
        else:
            changed |= not self.waits and self._seating.free_gone(now)
            changed |= self.unattended and self._begin_if_ready(now)
        self.playing.tell_halt(now)
        if changed:
            self.changed()
        self.audience.ping(now)

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
