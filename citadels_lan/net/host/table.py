"""One table and its viewers. Messages in, frames out through ports; no sockets and no clock here.

Each viewer is a cursor into the log: entries are sent up to WINDOW ahead of what it has acknowledged. So what
waits for a slow client is bounded, no client waits for another, and catching up after a lost connection, from the
beginning or from anywhere, is the same as following.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import SeatKind, entry_signed
from citadels_lan.crypto.seats import claim_holds
from citadels_lan.net.join.handshake import Applicant, Past
from citadels_lan.net.limits import Bucket
from citadels_lan.net.wire import messages
from citadels_lan.net.wire.clean import clean_chat, clean_name, line_signed
from citadels_lan.net.wire.errors import Refusal, Rejected, Report, no_report
from citadels_lan.net.wire.messages import Message
from citadels_lan.net.wire.timing import Countdown, Timing

from .audience import NOTHING, Audience, Port, Viewer, tell, tell_entries
from .game import HostedGame, Keep, Sent
from .lobby import Core, Lobby
from .outgoing_handover import OutgoingHandover
from .substitutes import Substitutes, Takeover

InLobby: TypeAlias = messages.Ready | messages.Configure | messages.Start | messages.Remove
InGame: TypeAlias = messages.SubstituteFor | messages.Pause
"""What players ask for; each is answered once, granted or rejected."""
QUIET: Final = (messages.Ack, messages.Pong, messages.Noise)
"""Messages that change nothing but the viewer's own state while a game is played."""
RETRY: Final = (0.5, 5.0)
"""Seconds until a full disk is tried again: the first time, and at most."""


class HostTable:
    """A table from its lobby to the end of its game. Times `now` are monotonic seconds.

    `keep` puts an entry on the disk. While it raises OSError the game stops, all viewers are sent that, and no
    player loses the seat; it is tried again. `changed` is called when something has changed of the lobby, of
    who sits there, or of how far the table is. `unattended`: the game begins by itself once all seats are taken
    and all players are ready. `renew` returns another game id for this table, and changes its journal, when a
    start is called off. `report` takes faults of this program. `takeover` says when bots move for players who are
    gone; without it they never do. `stopped` is why this host signs nothing any more: a client has shown an entry
    that its key has signed and that it lacks. `clock` is the decision timer, `halted` the reason why the game is
    stopped, a code or empty.

    The game stops during a pause, together with the timer, and while the disk is full. After a round the players
    who are connected co-sign.
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
        self.takeover = takeover
        self.audience = Audience(lobby, timing)
        self._timing = timing
        self.handover = OutgoingHandover(self.audience)
        self.stopped: Refusal | None = None
        self.failed = False
        self._keep = keep
        self._again: messages.Again | None = None
        self._forget_game()

    def _forget_game(self) -> None:
        """Set what a new game begins with."""
        self.clock = Countdown(self._timing.clock, 0.0)
        self.halted = ""
        self._retry, self._retry_after = 0.0, RETRY[0]
        self._substitutes: Substitutes | None = None
        self._collects, self._since = ("", 0), 0.0
        self._ending: tuple[int, ...] = ()
        self._held: dict[tuple[bytes, int], tuple[Viewer, Message]] = {}

    @property
    def game(self) -> HostedGame | None:
        """The game, or None in the lobby."""
        return self.audience.game

    @property
    def viewers(self) -> list[Viewer]:
        """All connected viewers."""
        return self.audience.viewers

    @property
    def over(self) -> bool:
        """Whether the game is closed and each player has every entry or has been gone for too long, or another
        program hosts it."""
        return self.audience.over or self.lobby.handed

    @property
    def waits(self) -> bool:
        """Whether nothing new may be signed: for good, or before a player of another computer is here."""
        return self.stopped is not None or bool(self.audience.needed) or self.handover.stops

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
        self._begin(game)
        self.audience.take_seats(game)
        if not game.host_log.audit.over and not received:
            players = enumerate(game.host_log.header.players)
            others = ((seat, player) for seat, player in players if player.key not in self.lobby.own)
            self.audience.needed = tuple(seat for seat, player in others if player.kind != SeatKind.GUEST)
        if not self.waits:
            game.go_on()

    def _begin(self, game: HostedGame) -> None:
        self.audience.game = game
        game.report = self.report
        if self.takeover is not None and game.draft is None:
            self._substitutes = Substitutes(game, self.takeover)

    def _continue(self, now: float) -> None:
        """Continue a resumed game: a player of another computer has connected, or the host's player waits for
        none."""
        self.audience.needed = ()
        if not self.waits:
            if self.game is not None:
                self.game.go_on()
            self._resume_held(now)

    def _resume_held(self, now: float) -> None:
        """Do what was held while nothing could be signed."""
        held, self._held = self._held, {}
        for viewer, message in held.values():
            self.receive(viewer, message, now)
        self._tell(now)

    # Coming and going

    def check_room(self, role: messages.Role) -> None:
        """Raise Refusal if there is no seat for another player: `playing`, `table_full`."""
        if role == "player":
            if self.game is not None:
                raise Refusal("playing")
            self.lobby.check_room()

    def join(self, who: Applicant, port: Port, now: float, source: str = "") -> Viewer:
        """Let a client join that has proved its key, from the address `source`. Raises Refusal."""
        name = clean_name(who.name)
        if not name:
            raise Refusal("no_name")
        if who.key in self.lobby.bans.removed:
            raise Refusal("removed")
        self.handover.check_join(who.key)
        viewer = Viewer(who.key, name, who.role == "player", port, now, now, source=source)
        self._check_history(who, name)
        self.audience.place(viewer, who.kind)
        if self._substitutes is not None and viewer.seat is not None:
            self._substitutes.wished.discard(viewer.seat)
        if self.game is not None or who.n:
            viewer.sent = viewer.acked = who.n
            self.audience.note_served(viewer)
        self.audience.enter(viewer)
        self._welcome(viewer, now)
        if viewer.seat in self.audience.needed:
            self._continue(now)
        self._tell_halt(now)
        self.changed()
        return viewer

    def _check_history(self, who: Applicant, name: str) -> None:
        """Raises Refusal: `fork` if a client's file is of another history. If the host's key has signed the end of
        that file the table stops, and the host's own clients are sent the reason."""
        game, last = self.game, self.audience.last
        if who.n <= last and (game is None or game.host_log.knows(who.n, who.head)):
            return
        # Only the host's own signature shows that it, or a copy of its journal, has continued elsewhere.
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
        if self.halted:
            tell(viewer, messages.Standstill(self.halted))
        if audience.presence != NOTHING:
            tell(viewer, audience.presence)
        if self._again is not None:
            tell(viewer, self._again)
        audience.tell_presence(now)
        if self.clock.paused:
            tell(viewer, messages.Paused(True, None))
        if self.clock.seconds:
            tell(
                viewer, messages.Clock(self.clock.seconds, self.decision_time(now) if self.game is not None else 0)
            )
        audience.catch_up(viewer, viewer.sent, now)

    def _welcome_of(self, viewer: Viewer) -> messages.Welcome:
        n, log = self.audience.last, self.game.host_log if self.game is not None else None
        signed = (log.head_at(n), log.signature(n)) if log is not None and n else ()
        return messages.Welcome(viewer.seat, viewer.key == self.lobby.owner, n, viewer.name, *signed)

    def _leave(self, viewer: Viewer, now: float) -> None:
        if viewer.player and self.game is None:
            self.audience.leave(viewer)
        else:
            self.audience.lost(viewer, now, left=True)
        viewer.port.close("left")

    def fail(self, reason: Refusal, others: str = "host_failed") -> None:
        """End the table after a fault, and keep its journal. The host's own clients are sent `reason`, all others
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
        if viewer not in self.audience.viewers:
            return
        viewer.heard = now
        answer: Message | None = messages.Granted(message.type) if isinstance(message, InLobby | InGame) else None
        game = self.game
        try:
            self._take(viewer, message, now)
        except Refusal as reason:
            n = message.n if isinstance(message, messages.Play | messages.SayInDraft) else 0
            answer = messages.Refused(message.type, n, reason.code, dict(reason.details))
        # Acknowledgements are the most frequent messages, and change nothing that is announced or recorded.
        if isinstance(message, QUIET) and (game is None or not (game.closed or self.handover.handed)):
            return
        halted = self._tell_halt(now)
        if answer is not None and viewer in self.audience.viewers:
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
                self.handover.hear(viewer, message)
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
        """Take a player's signature of the own name. After the game has begun it is in the log already."""
        if self.game is not None or viewer.seat is None:
            return
        kind = self.lobby.places[viewer.seat].kind
        table = (self.core.game, self.core.fp, self.core.host.public)
        if not claim_holds(viewer.key, message.signature, *table, message.name, kind):
            raise Refusal("signature")
        self.lobby.claim(viewer.key, message.name, message.signature)

    def _gather(self, viewer: Viewer, message: InLobby, now: float) -> None:
        """Take a request in the lobby. Raises Refusal."""
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
        self.pump(now)

    def _start(self, key: bytes | None) -> None:
        self.lobby.check_start(key)
        if self.stopped is not None:
            raise self.stopped
        header = self.lobby.header(self.core)
        self._begin(HostedGame.begin(header, self.core.secret, self.core.host, self._keep))

    def _play(self, viewer: Viewer, message: Sent, now: float) -> None:
        """Give the game what a seat sends, or hold it while nothing may be signed. Raises Refusal."""
        game, seat = self.game, viewer.seat
        if game is None or seat is None:
            raise Refusal("spectator" if seat is None else "not_playing")
        if self.clock.paused and game.is_choice(message):
            raise Rejected("paused")
        if self.waits:
            # One message of each kind is enough: a client sends the next one after the answer.
            self._held[viewer.key, message.type] = viewer, message
            return
        game.take(seat, message, lambda: self.pump(now))
        if isinstance(message, messages.EndGame):
            game.note_away(self.audience.gone(game, now))
        while game.cosigning and self._conclude(game, now):
            pass
        self.pump(now)
        # Most clients send at once what the table awaits, so the next tick names the awaited players.
        if not game.awaited and self.audience.presence.waiting:
            self.audience.tell_presence(now)

    def _ask(self, viewer: Viewer, message: InGame, now: float) -> None:
        """Take a request about the game. Raises Refusal."""
        if self.handover.stops:
            raise Refusal("handing_over")
        if isinstance(message, messages.Pause):
            self._pause(viewer, message, now)
        elif self.audience.needed and message.seat != viewer.seat:
            self._check_own(viewer)
            self._continue(now)
        else:
            self._substitute_for(viewer, message, now)

    def _pause(self, viewer: Viewer, message: messages.Pause, now: float) -> None:
        """Begin a pause or end it, for any player. Raises Refusal."""
        if viewer.seat is None or self.game is None:
            raise Refusal("spectator" if viewer.seat is None else "not_playing")
        _spend(viewer.asking, now)
        if message.paused == self.clock.paused:
            tell(viewer, messages.Paused(message.paused, None))
        else:
            self.clock.pause(message.paused, now)
            self.audience.tell(messages.Paused(message.paused, viewer.seat))

    def _substitute_for(self, viewer: Viewer, message: messages.SubstituteFor, now: float) -> None:
        """The host's player lets a bot play for an absent player, or a player leaves the seat to a bot. Raises
        Refusal."""
        game = self.game
        if game is None or game.closed:
            raise Refusal("not_playing")
        if self._substitutes is None:
            raise Refusal("no_bots")
        if viewer.player and message.seat == viewer.seat:
            self._substitutes.wished.add(message.seat)
            self._leave(viewer, now)
            return
        self._check_own(viewer)
        if message.seat not in self.audience.gone(game, now):
            raise Refusal("not_gone")
        self._substitutes.begin(message.seat, message.level)
        self.pump(now)

    def _check_own(self, viewer: Viewer) -> None:
        if viewer.key not in self.lobby.own or not viewer.player:
            raise Refusal("owner_only")

    def _acked(self, viewer: Viewer, n: int, now: float) -> None:
        if not viewer.acked <= n <= viewer.sent:
            raise Malformed("acknowledges what was not sent")
        if n > viewer.acked:
            viewer.acked, viewer.progress = n, now
            self.audience.note_served(viewer)
        if self.game is not None:
            tell_entries(viewer, self.game, now)
        self.handover.tick()

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
        line = (message.number, message.text)
        fp = self.core.fp if self.game is None else self.game.host_log.header.fp
        if not line_signed(viewer.key, message.signature, self.core.game, fp, *line):
            raise Refusal("signature")
        name = viewer.name if viewer.player else self.lobby.other_name(viewer.name)
        self.audience.tell(messages.ChatSaid(viewer.seat, name, viewer.key, *line, message.signature))

    # Time

    def tick(self, now: float) -> None:
        """Do what time brings. Called several times between two pings."""
        for viewer in self.audience.silent(now):
            self.audience.lost(viewer, now)
            viewer.port.close("dropped")
        self.audience.tell_presence(now)
        changed = False
        self.handover.tick()
        if self.handover.handed:
            self.audience.pump(now)
        elif self._held and not self.waits:
            self._resume_held(now)
        game = self.game
        if game is None:
            changed |= not self.waits and self.audience.free_seats(now)
            changed |= self.unattended and self._begin_if_ready(now)
        elif game.starting and not self.waits and not game.stuck:
            changed |= self._call_off(game, now)
        else:
            changed |= self._tick_game(game, now)
        changed |= self._tell_halt(now)
        if changed or self.handover.stops:
            self.changed()
        self.audience.ping(now)

    def _tick_game(self, game: HostedGame, now: float) -> bool:
        """Do what the table does by itself as time passes. Return whether anything has happened."""
        if game.stuck:
            self._try_disk(game, now)
            return False
        if game.closed:
            self.audience.served.update(self.audience.missing(game, now))
            return True
        if self.waits:
            return False
        if game.ending and game.note_away(self.audience.gone(game, now)):
            acted = True
        elif self.clock.paused:
            return False  # no player is left out, and no substitute comes
        elif game.cosigning:
            acted = self._conclude(game, now)
        else:  # never in a sealed draft, where the table waits
            acted = self._substitutes is not None and self._substitutes.tick(self.audience.gone(game, now))
        if acted:
            self._tell_halt(now)
            self._tell(now)
        return acted

    def _conclude(self, game: HostedGame, now: float) -> bool:
        """After a round: write the co-signatures, or their words, once all connected players have sent theirs or
        the time for that is over. Return whether that is so."""
        if self._collects != (game.cosigning, game.n):
            self._collects, self._since = (game.cosigning, game.n), now
        patience = self._timing.cosign if game.cosigning == "signed" else self._timing.words
        gone = self.audience.gone(game, now)
        late = now - self._since >= patience
        return game.conclude([] if late else [at for at in range(len(game.keys)) if gone.get(at, 0.0) < patience])

    def _try_disk(self, game: HostedGame, now: float) -> None:
        """Try a full disk again, later each time."""
        if now >= self._retry:
            self._retry_after = min(2 * self._retry_after, RETRY[1])
            self._retry = now + self._retry_after
            game.keep()
            self._tell_halt(now)
            self.pump(now)

    def decision_time(self, now: float) -> int:
        """The seconds that are gone of the current decision."""
        return min(max(int(self.clock.gone(now)), 0), messages.LONGEST)

    # What viewers are sent

    def pump(self, now: float) -> None:
        """Send all viewers what is new."""
        game = self.game
        if game is None:
            return
        # The seats that agree to end the game are no entry, so they are sent separately.
        if game.ending != self._ending:
            self._ending = game.ending
            self.audience.tell(messages.EndingSeats(self._ending))
        self.clock.at(game.state.tick, now)
        self.audience.pump(now)

    def _tell(self, now: float) -> None:
        """Send all viewers what is new, and which players are awaited now."""
        self.pump(now)
        self.audience.tell_presence(now)

    def _tell_halt(self, now: float) -> bool:
        """Send all viewers that the game is stopped, or continues. Return whether that is new."""
        game, code = self.game, ""
        if game is not None and game.stuck:
            code = "disk_full"
        elif self.audience.needed:
            code = "resumed"
        elif game is not None and game.draft is not None and game.draft.proven:
            code = "draft_lie"
        if code == self.halted:
            return False
        self.halted, self._retry, self._retry_after = code, now + RETRY[0], RETRY[0]
        self.audience.tell(messages.Standstill(code))
        return True

    # The beginning

    def _call_off(self, game: HostedGame, now: float) -> bool:
        """Return to the lobby if a player who has to commit or to give a part is gone for too long. Return whether
        that is so. The next header lists a start that ends after *commits*, and the next game has another id."""
        missing = self.audience.missing(game, now)
        if self.renew is None or not any(game.keys[seat] in missing for seat in game.awaited):
            return False
        self.lobby.call_off(game.called_off)
        self.core = self.renew()
        self.audience.begin_again(now)
        self._forget_game()
        return True

    def _begin_if_ready(self, now: float) -> bool:
        """Begin if all are ready, without a request. Return whether that is possible."""
        try:
            self._start(None)
        except Refusal:
            return False
        self.audience.tell_lobby()
        self.pump(now)
        return True


def _spend(bucket: Bucket, now: float) -> None:
    if not bucket.take(now):
        raise Refusal("too_fast")
