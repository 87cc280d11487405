"""A table during its game: what the seats send, and what the table does while nobody sends anything.

It stands still during a pause and while its disk is full; whoever is gone for too long is left out between rounds,
and a stand-in moves for them within one, if the host has any.
"""

from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import (
    Entrusted,
    Pause,
    Paused,
    Play,
    Return,
    SayInDraft,
    StandInFor,
)
from citadels_lan.net.wire.reporting import Report
from citadels_lan.net.wire.timing import Timing

from .audience import Audience
from .broadcast import tell
from .disk import Disk
from .game import HostedGame, Sent
from .pace import Pace
from .stand_ins import StandIns, Takeover
from .viewers import Viewer


class Playing:
    """The game of a table. `takeover` says when bots move for players who are gone; without it they never do.
    `report` is told of faults of this program."""

    def __init__(self, audience: Audience, timing: Timing, takeover: Takeover | None, report: Report) -> None:
        self.takeover = takeover
        self.pace = Pace(timing.clock)
        self.disk = Disk()
        self._audience = audience
        self._report = report
        self._stand_ins: StandIns | None = None

    def begin(self, game: HostedGame) -> None:
        """This is the game from now on."""
        self._audience.game = game
        game.report = self._report
        self._stand_ins = StandIns(game, self.takeover)

    def here(self, viewer: Viewer) -> None:
        """Somebody is back, and wishes for no stand-in any more."""
        if self._stand_ins is not None and viewer.seat is not None:
            self._stand_ins.here(viewer.seat)

    # What seats send

    def take(self, viewer: Viewer, message: Sent, now: float) -> None:
        """What a seat gives to the game. Who is waited for then the next tick says, for most give at once what is
        asked of them; that nobody is any more is said here. Raises Rejected, Refusal."""
        game = self._audience.game
        if game is None or viewer.seat is None:
            raise Refusal("not_playing")
        game.take(viewer.seat, message, lambda: self.pump(now))
        self.pump(now)
        if not game.awaited and self._audience.presence.waiting:
            self._audience.tell_presence(now)
        if isinstance(message, Return):
            self.entrust(viewer)

    def check_pace(self, message: Sent) -> None:
        """Raises Rejected during a pause for a move, and for what is chosen in a sealed draft."""
        game = self._audience.game
        chosen = game is not None and isinstance(message, SayInDraft) and game.draft.chosen(message)
        if self.pace.paused and (chosen or isinstance(message, Play)):
            raise Rejected("paused")

    def entrust(self, viewer: Viewer) -> None:
        """Tell an owner what stand-ins have sealed for its seat, and what they draft for it with."""
        game = self._audience.game
        if game is None or viewer.seat is None:
            return
        sealed, key = game.host_log.entrusted(viewer.seat), game.draft.entrusted(viewer.seat)
        viewer.entrusted = game.draft.round
        if sealed or key is not None:
            tell(viewer, Entrusted(tuple(sealed), key))

    def _entrust_drafts(self) -> None:
        """Owners who are here are told so of each round in which a stand-in drafts for them."""
        game = self._audience.game
        stood_in = game.draft.stood_in if game is not None else ()
        for viewer in self._audience.viewers if stood_in else ():
            if game is not None and viewer.seat in stood_in and viewer.entrusted != game.draft.round:
                self.entrust(viewer)

    def stand_in_for(self, viewer: Viewer, message: StandInFor, now: float) -> bool:
        """The host's person lets a bot move for somebody who is gone, or somebody goes and wishes for one: whether
        that one goes now. Raises Refusal."""
        game = self._audience.game
        if game is None or game.closed:
            raise Refusal("not_playing")
        if self._stand_ins is None or self.takeover is None:
            raise Refusal("no_bots")
        if viewer.player and message.seat == viewer.seat:
            self._stand_ins.wish(message.seat)
            return True
        if viewer.key not in self._audience.lobby.own or not viewer.player:
            raise Refusal("owner_only")
        if message.seat not in self._audience.gone(game, now):
            raise Refusal("not_gone")
        self._stand_ins.begin(message.seat, message.level)
        self.pump(now)
        return False

    def pause(self, viewer: Viewer, message: Pause, now: float) -> None:
        """Anybody who plays may begin a pause, and end it. Raises Refusal."""
        if self._audience.game is None:
            raise Refusal("not_playing")
        if self.pace.pause(message.paused, now):
            self._audience.tell(Paused(message.paused, viewer.seat))
        else:
            tell(viewer, Paused(message.paused, None))

    # What the table does by itself

    def tick(self, game: HostedGame, now: float, *, waits: bool) -> bool:
        """Some time has passed; whether anything has happened. `waits`: nothing new may be signed yet."""
        if game.stuck:
            self._try_disk(game, now)
            return False
        if game.closed:
            self._audience.attendance.served.update(self._audience.missing(game, now))
            return True
        if self.pace.paused or waits:
            return False  # nobody is left out, and nothing taken over
        acted = not game.between and self._let_stand_in(game, now)
        if game.awaited and not acted:
            acted = self._leave_out(game, now)
        if acted:
            self.tell_halt(now)
            self.tell(now)
        return acted

    def _leave_out(self, game: HostedGame, now: float) -> bool:
        """Between rounds: whoever has been gone for too long gives no share."""
        missing = self._audience.missing(game, now)
        if missing:
            game.leave_out([seat for seat, key in enumerate(game.keys) if key in missing])
        return bool(missing)

    def _let_stand_in(self, game: HostedGame, now: float) -> bool:
        """Bots come for whoever has been gone for too long, and make their moves."""
        return self._stand_ins is not None and self._stand_ins.tick(self._audience.gone(game, now))

    def _try_disk(self, game: HostedGame, now: float) -> None:
        if self.disk.due(now):
            game.keep()
            self.tell_halt(now)
            self.pump(now)

    # What viewers are told

    def pump(self, now: float) -> None:
        """Send everybody what is new."""
        self.pace.at(self._audience.game, now)
        self._audience.pump(now)
        self._entrust_drafts()

    def tell(self, now: float) -> None:
        """Send everybody what is new, and who is waited for now."""
        self.pump(now)
        self._audience.tell_presence(now)

    def tell_halt(self, now: float) -> None:
        """Say that the game stands still, or goes on."""
        game = self._audience.game
        stuck = game is not None and game.stuck
        lied = game is not None and game.draft.proven
        code = "disk_full" if stuck else "resumed" if self._audience.wanted else "draft_lie" if lied else ""
        if (halt := self.disk.look(code, now)) is not None:
            self._audience.tell(halt)
