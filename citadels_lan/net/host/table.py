"""One table and its viewers. Messages in, frames out through ports; no sockets and no clock here.

Each viewer is a cursor into the log: entries are sent up to WINDOW ahead of what it has acknowledged. So what
waits for a slow client is bounded, no client waits for another, and catching up after a lost connection, from the
beginning or from anywhere, is the same as following.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from citadels_lan.crypto.log import SeatKind, entry_signed
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.seats import claim_holds
from citadels_lan.net.join.handshake import Applicant, Past
from citadels_lan.net.limits import Bucket
from citadels_lan.net.wire import messages
from citadels_lan.net.wire.clean import clean_chat, clean_name, line_signed
from citadels_lan.net.wire.errors import Refusal, Report, no_report
from citadels_lan.net.wire.messages import Message
from citadels_lan.net.wire.timing import Timing

from .audience import NOTHING, Audience, Port, Viewer, tell, tell_entries
from .game import HostedGame, Keep, Sent
from .handing import Handing
from .lobby import Core, Lobby
from .playing import Playing
from .substitutes import Takeover

InLobby: TypeAlias = messages.Ready | messages.Configure | messages.Start | messages.Remove
InGame: TypeAlias = messages.SubstituteFor | messages.Pause
"""What players ask for; each is answered once, granted or rejected."""
QUIET: Final = (messages.Ack, messages.Pong, messages.Noise)
"""Messages that change nothing but the viewer's own state while a game is played."""


class HostTable:
    """A table from its lobby to the end of its game. Times `now` are monotonic seconds.

    `keep` puts an entry on the disk. While it raises OSError the game stops, all viewers are sent that, and no
    player loses the seat; it is tried again. `changed` is called when something has changed of the lobby, of
    who sits there, or of how far the table is. `unattended`: the game begins by itself once all seats are taken
    and all players are ready. `renew` returns another game id for this table, and changes its journal, when a
    start is called off. `report` takes faults of this program. `takeover` says when bots move for players who are
    gone; without it they never do. `stopped` is why this host signs nothing any more: a client has shown an entry
    that its key has signed and that it lacks.
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
        self.renew: Callable[[], Core] | None = None
        self.unattended = False
        self.report = report
        self.audience = Audience(lobby, timing)
        self.playing = Playing(self.audience, timing, takeover, report)
        self._timing = timing
        self.handing = Handing(self.audience)
        self.stopped: Refusal | None = None
        self.failed = False
        self._held: dict[tuple[bytes, int], tuple[Viewer, Message]] = {}
        self._keep = keep
        self._again: messages.Again | None = None

    @property
    def game(self) -> HostedGame | None:
        """What is played; None in the lobby."""
        return self.audience.game

    @property
    def viewers(self) -> list[Viewer]:
        """Everybody who is connected."""
        return self.audience.viewers

    @property
    def over(self) -> bool:
        """Whether the game is closed and each player has every entry or has been gone for too long, or another
        program hosts it."""
        return self.audience.over or self.lobby.handed

    @property
    def waits(self) -> bool:
        """Whether nothing new may be signed: for good, or before a player of another computer is here."""
        return self.stopped is not None or bool(self.audience.wanted) or self.handing.stops

    @property
    def past(self) -> Past:
        """The proof that this host has taken the game over; None if it has not."""
        if self.game is None:
            return None, ()
        log = self.game.host_log
        before = log.passed[: log.audit.hosts.place(self.core.host.public)]
        return (log.header.hostkey, log.header.fp) if before else None, before

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
        if not self.waits:
            if self.game is not None:
                self.game.go_on()
            self._resume_held(now)
            self.playing.tell(now)

    def _resume_held(self, now: float) -> None:
        """Do what was held while nothing could be signed."""
        held, self._held = self._held, {}
        for viewer, message in held.values():
            self.receive(viewer, message, now)

    # Coming and going

    def join(self, who: Applicant, port: Port, now: float, source: str = "") -> Viewer:
        """Let a client join that has proved its key, from the address `source`. Raises Refusal."""
        name = clean_name(who.name)
        if not name:
            raise Refusal("no_name")
        if who.key in self.lobby.bans.removed:
            raise Refusal("removed")
        self.handing.check_join(who.key)
        viewer = Viewer(who.key, name, who.role == "player", port, now, now, source=source)
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
        that file the table stops, and the host's own clients are sent the reason."""
        game, last = self.game, self.audience.last
        if who.n <= last and (game is None or game.host_log.knows(who.n, who.head)):
            return
        if self.stopped is None and entry_signed(
            self.core.host.public, who.said or b"", self.core.game, who.n, who.head
        ):
            seated = next((place.name for place in self.lobby.places if place.key == who.key), name)
            later = Refusal("later_entries", name=seated, count=who.n - last)
            self.stopped = later if who.n > last else Refusal("signed_elsewhere", n=who.n)
        if self.stopped is not None and who.key in self.lobby.own:
            raise self.stopped
        n = min(who.n, last)  # what this host has signed there is evidence for the client
        if game is None or n == 0:
            raise Refusal("fork", n=n)
        log = game.host_log
        raise Refusal("fork", n=n, head=log.head_at(n).hex(), said=log.signature(n).hex())

    def _welcome(self, viewer: Viewer, now: float) -> None:
        audience = self.audience
        tell(viewer, self._welcome_of(viewer))
        audience.tell_lobby(*(() if viewer.player else (viewer,)))  # a spectator changes nothing for others
        if self.playing.halted:
            tell(viewer, messages.Standstill(self.playing.halted))
        if audience.presence != NOTHING:
            tell(viewer, audience.presence)
        if self._again is not None:
            tell(viewer, self._again)
        audience.tell_presence(now)
        for message in self.playing.pace.news(self.game, now):
            tell(viewer, message)
        audience.catch_up(viewer, viewer.sent, now)

    def _welcome_of(self, viewer: Viewer) -> messages.Welcome:
        n, log = self.audience.last, self.game.host_log if self.game is not None else None
        signed = (log.head_at(n), log.signature(n)) if log is not None and n else ()
        return messages.Welcome(viewer.seat, viewer.key == self.lobby.owner, n, viewer.name, *signed)

    def _leave(self, viewer: Viewer, now: float) -> None:
        if viewer.player and self.game is None:
            self.audience.leave(viewer)
        else:
            self.audience.lost(viewer, now)
        viewer.port.close("left")

    def fail(self, reason: Refusal, others: str = "host_failed") -> None:
        """The table ends by a fault, and its journal is kept. The host's own clients are sent `reason`, all others
        the code `others`."""
        self.failed = True
        self.audience.fail(reason, Refusal(others))

    def play_again(self, at: messages.Again) -> None:
        """After the game: send all viewers, and all who reconnect, to the next table."""
        self._again = at
        self.audience.tell(at)

    # What viewers send

    def receive(self, viewer: Viewer, message: Message, now: float) -> None:
        """Take a message of a viewer. Raises Malformed for one that belongs elsewhere, Mismatch if this program or
        its journal is not that of the game that its players hold."""
        if viewer not in self.viewers:
            return
        viewer.heard = now
        answer: Message | None = messages.Granted(message.type) if isinstance(message, InLobby | InGame) else None
        game = self.game
        try:
            self._take(viewer, message, now)
        except Refusal as reason:
            n = message.n if isinstance(message, messages.Play | messages.SayInDraft) else 0
            answer = messages.Refused(message.type, n, reason.code, dict(reason.details))
        if isinstance(message, QUIET) and (game is None or not (game.closed or self.handing.handed)):
            return
        halted = self.playing.tell_halt(now)
        if answer is not None and viewer in self.viewers:
            tell(viewer, answer)
        if halted or game is None or game.closed or not isinstance(message, Sent):
            self.changed()

    def _take(self, viewer: Viewer, message: Message, now: float) -> None:
        match message:
            case messages.Ack():
                self._acked(viewer, message.n, now)
            case messages.Pong():
                pass
            case _ if isinstance(message, Sent):
                self._play(viewer, message, now)
            case messages.Noise():
                self.audience.answer_noise(viewer, now)
            case messages.Bye():
                self._leave(viewer, now)
            case messages.Accept() | messages.Tried():
                self.handing.hear(viewer, message)
            case _ if isinstance(message, InGame):
                self._ask(viewer, message, now)
            case messages.Resync():
                self._resync(viewer, message, now)
            case messages.Say():
                self._say(viewer, message, now)
            case messages.Claim():
                self._claim(viewer, message)
            case _ if isinstance(message, InLobby):
                self._gather(viewer, message, now)
            case _:
                raise Malformed("not a message of a joined client")

    def _claim(self, viewer: Viewer, message: messages.Claim) -> None:
        """A player signs the own name. A claim that comes when the game has begun is in the log already."""
        if self.game is not None or viewer.seat is None:
            return
        kind = self.lobby.places[viewer.seat].kind
        table = (self.core.game, self.core.fp, self.core.host.public)
        if not claim_holds(viewer.key, message.signature, *table, message.name, kind):
            raise Refusal("signature")
        self.lobby.claim(viewer.key, message.name, message.signature)

    def _gather(self, viewer: Viewer, message: InLobby, now: float) -> None:
        """A request in the lobby. Raises Refusal."""
        if self.game is not None:
            raise Refusal("not_in_lobby")
        _spend(viewer.asking, now)
        match message:
            case messages.Ready():
                self.lobby.ready(viewer.key if viewer.player else b"", message.ready)
            case messages.Configure():
                self.lobby.configure(viewer.key, message.settings)
            case messages.Remove():
                self.audience.send_away(viewer, message.key)
            case messages.Start():
                self._start(viewer.key)
        self.audience.tell_lobby()
        self.audience.tell_presence(now)
        self.playing.pump(now)

    def _start(self, key: bytes | None) -> None:
        self.lobby.check_start(key)
        if self.stopped is not None:
            raise self.stopped
        header = self.lobby.header(self.core)
        self.playing.begin(HostedGame.begin(header, self.core.secret, self.core.host, self._keep))

    def _play(self, viewer: Viewer, message: Sent, now: float) -> None:
        """Give the game what a seat sends, or hold it while nothing may be signed. Raises Refusal."""
        game, seat = self.game, viewer.seat
        if game is None or seat is None:
            raise Refusal("spectator" if seat is None else "not_playing")
        self.playing.check_pace(game, message)
        if self.waits:
            self._held[viewer.key, message.type] = viewer, message
        else:
            self.playing.take(game, seat, message, now)

    def _ask(self, viewer: Viewer, message: InGame, now: float) -> None:
        """A request about the game. Raises Refusal."""
        if self.handing.stops:
            raise Refusal("handing_over")
        if isinstance(message, messages.Pause):
            if viewer.seat is None:
                raise Refusal("spectator")
            _spend(viewer.asking, now)
            self.playing.pause(viewer, message, now)
        elif self.audience.wanted and message.seat != viewer.seat:
            if viewer.key not in self.lobby.own or not viewer.player:
                raise Refusal("owner_only")
            self._continue(now)
        elif self.playing.substitute_for(viewer, message, now):
            self._leave(viewer, now)

    def _acked(self, viewer: Viewer, n: int, now: float) -> None:
        if not viewer.acked <= n <= viewer.sent:
            raise Malformed("acknowledges what was not sent")
        if n > viewer.acked:
            viewer.acked, viewer.progress = n, now
            self.audience.note_served(viewer)
        if self.game is not None:
            tell_entries(viewer, self.game, now)
        self.handing.tick()

    def _resync(self, viewer: Viewer, message: messages.Resync, now: float) -> None:
        if self.game is None or not self.game.host_log.knows(message.n, message.head):
            raise Refusal("fork")
        _spend(viewer.asking, now)
        viewer.sent = viewer.acked = message.n
        self.audience.catch_up(viewer, message.n, now)

    def _say(self, viewer: Viewer, message: messages.Say, now: float) -> None:
        if clean_chat(message.text) != message.text:
            raise Refusal("empty")
        _spend(viewer.chat, now)
        said = (message.number, message.text)
        fp = self.core.fp if self.game is None else self.game.host_log.header.fp
        if not line_signed(viewer.key, message.signature, self.core.game, fp, *said):
            raise Refusal("signature")
        name = viewer.name if viewer.player else self.lobby.other_name(viewer.name)
        self.audience.tell(messages.ChatSaid(viewer.seat, name, viewer.key, *said, message.signature))

    # Time

    def tick(self, now: float) -> None:
        """To be called several times between two pings."""
        for viewer in self.audience.silent(now):
            self.audience.lost(viewer, now)
            viewer.port.close("dropped")
        self.audience.tell_presence(now)
        changed = False
        self.handing.tick()
        if self.handing.handed:
            self.audience.pump(now)
        elif self._held and not self.waits:
            self._resume_held(now)
            self.playing.tell(now)
        game = self.game
        if game is not None and game.starting and not self.waits and not game.stuck:
            changed |= self._call_off(game, now)
        elif game is not None:
            changed |= self.playing.tick(game, now, waits=self.waits)
        else:
            changed |= not self.waits and self.audience.free_seats(now)
            changed |= self.unattended and self._begin_if_ready(now)
        changed |= self.playing.tell_halt(now)
        if changed or self.handing.stops:
            self.changed()
        self.audience.ping(now)

    def _call_off(self, game: HostedGame, now: float) -> bool:
        """Return to the lobby if a player who has to commit or to give a part is gone for too long. Return whether
        that is so. The next header lists a start that ends after *commits*, and the next game has another id."""
        missing = self.audience.missing(game, now)
        if self.renew is None or not any(game.keys[seat] in missing for seat in game.awaited):
            return False
        self.lobby.call_off(game.called_off)
        self.core = self.renew()
        self.audience.begin_again(now)
        self.playing = Playing(self.audience, self._timing, self.playing.takeover, self.report)
        self._held = {}
        return True

    def _begin_if_ready(self, now: float) -> bool:
        """Begin if all are ready, without a request. Return whether that is possible."""
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
