"""One table and its viewers. It receives messages, and sends frames through ports; no sockets and no clock.

Each viewer has a position in the log: it is sent entries up to WINDOW entries after the last one that it has
acknowledged. So the data that waits for a slow client is limited, and no client waits for another. A client
that was disconnected is sent the entries that it lacks in the same way."""

from collections.abc import Callable
from typing import Final, TypeAlias

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import SeatKind, entry_signed
from citadels_lan.crypto.signatures import claim_holds, line_signed
from citadels_lan.net.host.handing_over import OutgoingHandover
from citadels_lan.net.host.hosted_game import HostedGame, Keep, Sent
from citadels_lan.net.join.handshake import Applicant, Past
from citadels_lan.net.limits import Bucket
from citadels_lan.net.wire import messages
from citadels_lan.net.wire.clean import clean_chat, clean_name, distinct
from citadels_lan.net.wire.errors import Refusal, Rejected, Report, no_report
from citadels_lan.net.wire.timing import Countdown, Timing

from .audience import Audience, Port, Viewer, tell, tell_entries
from .lobby import Core, Lobby
from .substitutes import Substitutes, Takeover

InLobby: TypeAlias = messages.Ready | messages.Configure | messages.Start | messages.Remove
InGame: TypeAlias = messages.SubstituteFor | messages.Pause
"""Requests of players during a game. The host answers each once, with `Granted` or `Refused`."""
QUIET: Final = (messages.Ack, messages.Pong, messages.Noise)
"""During a game, messages that can change nothing except the state of the viewer that sends them."""
RETRY: Final = (0.5, 5.0)
"""Seconds before a write to a full disk is tried again: at first, and at most."""


class HostTable:
    """A table from its lobby to the end of its game. Times `now` are monotonic seconds.

    `keep` stores an entry on the disk. While it raises OSError, the game stops, all viewers are informed, and
    the write is tried again. `changed` is called when the lobby, its players, or the phase of the table have
    changed. `unattended`: the game begins by itself once all seats are taken and all players are ready.
    `renew` is called when a start is called off; it changes the journal and returns the table's new identity.
    `report` receives faults of this program. `takeover` says when bots move for absent players; None: never.
    `stopped` is why this host signs nothing any more, or None: a client has shown an entry that this host's
    key has signed but that is not in its log. `clock` is the decision timer. `halted` is the code of why the
    game has stopped, or "".

    The game and the timer stop during a pause, and while the disk is full. After a round the connected
    players co-sign."""

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
        """Set the fields about a game to their values before a game."""
        self.clock = Countdown(self._timing.clock, 0.0)
        self.halted = ""
        self._retry, self._retry_after = 0.0, RETRY[0]
        self._substitutes: Substitutes | None = None
        self._collects, self._since = ("", 0), 0.0
        self._ending: tuple[int, ...] = ()
        self._held: dict[tuple[bytes, int], tuple[Viewer, messages.Message]] = {}

    @property
    def game(self) -> HostedGame | None:
        """The game; None in the lobby."""
        return self.audience.game

    @property
    def over(self) -> bool:
        """Whether the table can be closed: the game is closed, and each player has every entry or was absent
        for too long; or another program hosts it."""
        return self.audience.over or self.lobby.handed

    @property
    def waits(self) -> bool:
        """Whether nothing new may be signed now: because of `stopped`, during a handover, or while a resumed
        table waits for a player on another computer."""
        return self.stopped is not None or bool(self.audience.needed) or self.handover.stops

    @property
    def past(self) -> Past:
        """The proof that this host has taken the game over: the key and fingerprint of the first host, and
        the handovers. (None, ()) for the first host."""
        if self.game is None:
            return None, ()
        log = self.game.host_log
        # Only the handovers before this host prove it; a later one names the next host.
        before = log.passed[: log.audit.hosts.place(self.core.host.public)]
        return (log.header.hostkey, log.header.fp) if before else None, before

    def resume(self, game: HostedGame, *, received: bool = False) -> None:
        """Continue a game from its journal. The journal may be an older copy, and another program may have
        continued the game with a newer one. So the host signs nothing before a player on another computer has
        connected, who would have the later entries. `received`: this program has just taken the game over, so
        it need not wait."""
        self._begin(game)
        self.audience.take_seats(game)
        # After a handover the successor has just compared its copy, so it need not wait.
        if not game.host_log.audit.over and not received:
            players = enumerate(game.host_log.header.players)
            others = ((seat, player) for seat, player in players if player.key not in self.lobby.own)
            self.audience.needed = tuple(seat for seat, player in others if player.kind != SeatKind.GUEST)
        if not self.waits:
            game.go_on()

    def _begin(self, game: HostedGame) -> None:
        self.audience.game = game
        game.report = self.report
        # In a sealed draft a substitute could not open the player's commitments.
        if self.takeover is not None and game.draft is None:
            self._substitutes = Substitutes(game, self.takeover)

    def _continue(self, now: float) -> None:
        """Continue a resumed game: a player on another computer has connected, or the host's player has
        decided not to wait."""
        self.audience.needed = ()
        # A handover or a stop may still forbid signing.
        if not self.waits:
            if self.game is not None:
                self.game.go_on()
            self._resume_held(now)

    def _resume_held(self, now: float) -> None:
        """Process the messages that were held while nothing could be signed."""
        # A message may be held again, so the new dictionary must be in place first.
        held, self._held = self._held, {}
        for viewer, message in held.values():
            self.receive(viewer, message, now)
        self._tell(now)

    # Coming and going

    def check_room(self, role: messages.Role) -> None:
        """Raise Refusal if a player cannot join: `playing` if a game has begun, `table_full`. Spectators
        always can."""
        if role == "player":
            if self.game is not None:
                raise Refusal("playing")
            self.lobby.check_room()

    def join(self, who: Applicant, port: Port, now: float, source: str = "") -> Viewer:
        """Let a client that has proved its key join, from the address `source`. Return its viewer. Raises
        Refusal."""
        name = clean_name(who.name)
        if not name:
            raise Refusal("no_name")
        if who.key in self.lobby.bans.removed:
            raise Refusal("removed")
        self.handover.check_join(who.key)
        viewer = Viewer(who.key, name, who.role == "player", port, now, now, source=source)
        self._check_history(who, name)
        self.audience.place(viewer, who.kind)
        # A player who comes back does not want a substitute any more.
        if self._substitutes is not None and viewer.seat is not None:
            self._substitutes.wished.discard(viewer.seat)
        # The client has these entries, so only later ones are sent.
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
        """Check that the log of the client `who` is a beginning of this host's log. Raises Refusal: `fork` if
        it is not. If this host's key has signed the last entry of that log, the table stops (`stopped`), and
        the host's own clients receive that reason instead."""
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
        raise Refusal("fork", n=n, head=log.heads[n].hex(), said=log.signature(n).hex())

    def _welcome(self, viewer: Viewer, now: float) -> None:
        audience = self.audience
        tell(viewer, self._welcome_of(viewer))
        audience.tell_lobby(*(() if viewer.player else (viewer,)))  # a spectator changes nothing for others
        if self.halted:
            tell(viewer, messages.Standstill(self.halted))
        if self.game is not None:  # also if all are here: another host may have said otherwise
            tell(viewer, audience.presence)
        # A player who missed the rematch still learns where it is.
        if self._again is not None:
            tell(viewer, self._again)
        audience.tell_presence(now)
        if self.clock.paused:
            tell(viewer, messages.Paused(True, None))
        if self.clock.seconds:
            gone = self.decision_time(now) if self.game is not None else 0
            tell(viewer, messages.Clock(self.clock.seconds, gone))
        audience.catch_up(viewer, viewer.sent, now)

    def _welcome_of(self, viewer: Viewer) -> messages.Welcome:
        n, log = self.audience.last, self.game.host_log if self.game is not None else None
        # The signature lets the client prove it if this host denies the entry later.
        signed = (log.heads[n], log.signature(n)) if log is not None and n else ()
        return messages.Welcome(viewer.seat, viewer.key == self.lobby.owner, n, viewer.name, *signed)

    def _leave(self, viewer: Viewer, now: float) -> None:
        if viewer.player and self.game is None:
            self.audience.leave(viewer)
        else:
            self.audience.lost(viewer, now, left=True)
        viewer.port.close("left")

    def fail(self, reason: Refusal, others: str = "host_failed") -> None:
        """End the table after a fault, and keep its journal. The host's own clients receive `reason`; all
        others receive the code `others`."""
        self.failed = True
        self.audience.end(reason, Refusal(others))

    def play_again(self, at: messages.Again) -> None:
        """After the game: send all viewers the table of the rematch, now and when they reconnect."""
        self._again = at
        self.audience.tell(at)

    # Messages from viewers

    def receive(self, viewer: Viewer, message: messages.Message, now: float) -> None:
        """Process a message of a viewer. Raises Malformed if the viewer may not send it at this moment."""
        # Frames of a connection that was replaced may still arrive.
        if viewer not in self.audience.viewers:
            return
        viewer.heard = now
        answer: messages.Message | None = (
            messages.Granted(message.type) if isinstance(message, InLobby | InGame) else None
        )
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
        # The message may have been a goodbye.
        if answer is not None and viewer in self.audience.viewers:
            tell(viewer, answer)
        if halted or game is None or game.closed or not isinstance(message, Sent):
            self.changed()

    def _take(self, viewer: Viewer, message: messages.Message, now: float) -> None:
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
        """Store a player's signature of their name. Once the game has begun, do nothing: the header contains
        the signature."""
        if self.game is not None or viewer.seat is None:
            return
        # The claim covers the kind, so that the host cannot turn a person into a bot later.
        kind = self.lobby.places[viewer.seat].kind
        table = (self.core.game, self.core.fp, self.core.host.public)
        if not claim_holds(viewer.key, message.signature, *table, message.name, kind):
            raise Refusal("signature")
        self.lobby.claim(viewer.key, message.name, message.signature)

    def _gather(self, viewer: Viewer, message: InLobby, now: float) -> None:
        """Process a request that is allowed only in the lobby. Raises Refusal."""
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
        # A host that may have signed elsewhere begins no other game either.
        if self.stopped is not None:
            raise self.stopped
        header = self.lobby.header(self.core)
        self._begin(HostedGame.begin(header, self.core.secret, self.core.host, self._keep))

    def _play(self, viewer: Viewer, message: Sent, now: float) -> None:
        """Process a seat's message for the game. While nothing may be signed, hold it for later. Raises
        Refusal."""
        game, seat = self.game, viewer.seat
        if game is None or seat is None:
            raise Refusal("spectator" if seat is None else "not_playing")
        # Co-signatures and parts of the seed do not depend on the players, so they continue.
        if self.clock.paused and game.is_choice(message):
            raise Rejected("paused")
        if self.waits:
            # One message of each kind is enough: a client sends the next one after the answer.
            self._held[viewer.key, message.type] = viewer, message
            return
        game.take(seat, message, lambda: self.pump(now))
        if isinstance(message, messages.EndGame):
            game.note_away(self.audience.gone(game, now))
        # The words may be complete at once after the co-signatures.
        while game.cosigning and self._conclude(game, now):
            pass
        self.pump(now)
        # Most clients send at once what the table awaits, so the next tick names the awaited players.
        if not game.awaited and self.audience.presence.waiting:
            self.audience.tell_presence(now)

    def _ask(self, viewer: Viewer, message: InGame, now: float) -> None:
        """Process a request about a pause or a substitute bot. Raises Refusal."""
        if self.handover.stops:
            raise Refusal("handing_over")
        if isinstance(message, messages.Pause):
            self._pause(viewer, message, now)
        # The host's player decides to continue without the absent players.
        elif self.audience.needed and message.seat != viewer.seat:
            self._check_own(viewer)
            self._continue(now)
        else:
            self._substitute_for(viewer, message, now)

    def _pause(self, viewer: Viewer, message: messages.Pause, now: float) -> None:
        """Begin or end a pause. Any player may ask for that. Raises Refusal."""
        if viewer.seat is None or self.game is None:
            raise Refusal("spectator" if viewer.seat is None else "not_playing")
        _spend(viewer.asking, now)
        # Two players may press the key at the same time; the second one changes nothing.
        if message.paused == self.clock.paused:
            tell(viewer, messages.Paused(message.paused, None))
        else:
            self.clock.pause(message.paused, now)
            self.audience.tell(messages.Paused(message.paused, viewer.seat))

    def _substitute_for(self, viewer: Viewer, message: messages.SubstituteFor, now: float) -> None:
        """Let a substitute bot play a seat: for an absent player, as the host's player asks; or for the
        player who asks, and who then leaves. Raises Refusal."""
        game = self.game
        if game is None or game.closed:
            raise Refusal("not_playing")
        if self._substitutes is None:
            raise Refusal("no_bots")
        # Leaving one's seat to a bot needs no permission.
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
        # A client cannot have what was not sent, nor forget what it has confirmed.
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
        # The client must clean a line before it signs it: the host cannot change signed text.
        if clean_chat(message.text) != message.text:
            raise Refusal("empty")
        _spend(viewer.chat, now)
        line = (message.number, message.text)
        # The header names the first host's certificate, which stays the same after a handover.
        fp = self.core.fp if self.game is None else self.game.host_log.header.fp
        if not line_signed(viewer.key, message.signature, self.core.game, fp, *line):
            raise Refusal("signature")
        # A spectator may have chosen a player's name; then a number distinguishes it.
        name = viewer.name if viewer.player else distinct(viewer.name, [each.name for each in self.lobby.places])
        self.audience.tell(messages.ChatSaid(viewer.seat, name, viewer.key, *line, message.signature))

    # Time

    def tick(self, now: float) -> None:
        """Do everything that depends on the time. Called several times between two pings."""
        for viewer in [each for each in self.audience.viewers if each.silent(now) > self._timing.drop]:
            self.audience.lost(viewer, now)
            viewer.port.close("dropped")
        self.audience.tell_presence(now)
        changed = False
        self.handover.tick()
        # Only the last entry is still sent; the successor does everything else.
        if self.handover.handed:
            self.audience.pump(now)
        elif self._held and not self.waits:
            self._resume_held(now)
        game = self.game
        if game is None:
            changed |= not self.waits and self.audience.free_seats(now)
            changed |= self.unattended and self._begin_if_ready(now)
        # A start is called off only before the first deal; later the table waits.
        elif game.starting and not self.waits and not game.stuck:
            changed |= self._call_off(game, now)
        else:
            changed |= self._tick_game(game, now)
        changed |= self._tell_halt(now)
        if changed or self.handover.stops:
            self.changed()
        self.audience.ping(now)

    def _tick_game(self, game: HostedGame, now: float) -> bool:
        """Do what depends on the time during a game after its first deal. Return whether anything has
        changed."""
        if game.stuck:
            self._try_disk(game, now)
            return False
        # Players who are gone for too long count as served, so that the table can close.
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
            acted = self._substitutes is not None and self._substitutes.tick(self.audience.absent(game, now))
        if acted:
            self._tell_halt(now)
            self._tell(now)
        return acted

    def _conclude(self, game: HostedGame, now: float) -> bool:
        """End the present collection of co-signatures or random words if all connected players have sent
        theirs, or the time for it is over. Return whether it has ended."""
        # A new collection begins, so its time begins, too.
        if self._collects != (game.cosigning, game.n):
            self._collects, self._since = (game.cosigning, game.n), now
        patience = self._timing.cosign if game.cosigning == "signed" else self._timing.words
        gone = self.audience.gone(game, now)
        late = now - self._since >= patience
        return game.conclude([] if late else [at for at in range(len(game.keys)) if gone.get(at, 0.0) < patience])

    def _try_disk(self, game: HostedGame, now: float) -> None:
        """Try again to write to a full disk, after growing pauses."""
        if now >= self._retry:
            self._retry_after = min(2 * self._retry_after, RETRY[1])
            self._retry = now + self._retry_after
            game.keep()
            self._tell_halt(now)
            self.pump(now)

    def decision_time(self, now: float) -> int:
        """Return how many seconds of the present decision have passed."""
        return min(max(int(self.clock.gone(now)), 0), messages.LONGEST)

    # Messages to viewers

    def pump(self, now: float) -> None:
        """Send all viewers the new entries, and which seats agree to end the game."""
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
        """Send all viewers the new entries, and which players the table waits for."""
        self.pump(now)
        self.audience.tell_presence(now)

    def _tell_halt(self, now: float) -> bool:
        """If the reason why the game has stopped is another than before, send it to all viewers. Return
        whether it is."""
        game, code = self.game, ""
        if game is not None and game.stuck:
            code = "disk_full"
        elif self.audience.needed:
            code = "resumed"
        elif game is not None and (drafts := game.host_log.audit.drafts) is not None and drafts.proven:
            code = "draft_lie"
        if code == self.halted:
            return False
        self.halted, self._retry, self._retry_after = code, now + RETRY[0], RETRY[0]
        self.audience.tell(messages.Standstill(code))
        return True

    # The beginning

    def _call_off(self, game: HostedGame, now: float) -> bool:
        """Call the start off if a player whose commitment or part of the seed is missing has been absent for
        too long. Return whether that happened. The next game of the table has another id, and its header
        lists a start that ended after *commits*."""
        missing = self.audience.missing(game, now)
        # Players whose message has arrived may be away; only the missing ones matter.
        if self.renew is None or not any(game.keys[seat] in missing for seat in game.awaited):
            return False
        self.lobby.call_off(game.called_off)
        self.core = self.renew()
        self.audience.begin_again(now)
        self._forget_game()
        return True

    def _begin_if_ready(self, now: float) -> bool:
        """Begin the game if all seats are taken and all players are ready, although no player has asked for
        it. Return whether the game has begun."""
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
