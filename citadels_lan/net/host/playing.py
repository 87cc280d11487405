"""A table during its game: what the seats send, and what the table does while nobody sends anything.

It stands still during a pause, with the soft time for a decision, and while its disk is full. After a round the
players who are here co-sign. A substitute bot plays for players who are gone for too long, if the host has any.
"""

from typing import Final

from citadels_lan.net.wire.errors import Refusal, Rejected, Report
from citadels_lan.net.wire.messages import (
    LONGEST,
    Clock,
    EndGame,
    EndingSeats,
    Message,
    Pause,
    Paused,
    Play,
    SayInDraft,
    Standstill,
    SubstituteFor,
)
from citadels_lan.net.wire.timing import Countdown, Timing

from .audience import Audience, Viewer, tell
from .game import HostedGame, Sent
from .substitutes import Substitutes, Takeover


class Pace:
    """Whether somebody has `paused` the game, and for how long the decision that it waits for has been open.
    `seconds` are the soft time, 0 for none."""

    def __init__(self, seconds: int, now: float = 0.0) -> None:
        self.paused = False
        self.seconds = seconds
        self._clock = Countdown(seconds, now) if seconds else None

    def pause(self, paused: bool, now: float) -> bool:
        """Begin a pause, or end it; whether that changes anything."""
        if paused == self.paused:
            return False
        self.paused = paused
        if self._clock is not None:
            self._clock.pause(paused, now)
        return True

    def at(self, game: HostedGame | None, now: float) -> None:
        """The game has come to where it is."""
        if self._clock is not None and game is not None:
            self._clock.at(game.state.tick, now)

    def gone(self, now: float) -> int:
        """The seconds of this decision that are gone."""
        return min(max(int(self._clock.gone(now)), 0), LONGEST) if self._clock is not None else 0

    def continue_from(self, seconds: int, gone: int, now: float, *, paused: bool) -> None:
        """Take over the pause and the limit of the host before, of which so many seconds are gone."""
        self.seconds, self.paused = seconds, paused
        self._clock = Countdown(seconds, now - gone, stopped=now if paused else None) if seconds else None

    def news(self, game: HostedGame | None, now: float) -> list[Message]:
        """What somebody is told who comes."""
        told: list[Message] = [Paused(True, None)] if self.paused else []
        if self._clock is not None:
            told.append(Clock(self._clock.seconds, self.gone(now) if game is not None else 0))
        return told


RETRY: Final = (0.5, 5.0)
"""Seconds until a full disk is tried again: the first time, and at most."""


class Disk:
    """Whether the game stands still. `halted` is why, a code of `reasons`; empty while it goes on."""

    def __init__(self) -> None:
        self.halted = ""
        self._next, self._pause = 0.0, RETRY[0]

    def look(self, code: str, now: float) -> Standstill | None:
        """What is to be told: that the game stands still, or goes on; None where that is nothing new."""
        if code == self.halted:
            return None
        self.halted, self._next, self._pause = code, now + RETRY[0], RETRY[0]
        return Standstill(code)

    def due(self, now: float) -> bool:
        """Whether it is time to try again; the next time is later and later."""
        if now < self._next:
            return False
        self._pause = min(2 * self._pause, RETRY[1])
        self._next = now + self._pause
        return True


class Playing:
    """The game of a table. `takeover` says when bots move for players who are gone; without it they never do.
    `report` is told of faults of this program."""

    def __init__(self, audience: Audience, timing: Timing, takeover: Takeover | None, report: Report) -> None:
        self.takeover = takeover
        self.pace = Pace(timing.clock)
        self.disk = Disk()
        self._audience = audience
        self._report = report
        self._timing = timing
        self._substitutes: Substitutes | None = None
        self._collects, self._since = ("", 0), 0.0
        self._ending: tuple[int, ...] = ()

    def begin(self, game: HostedGame) -> None:
        """This is the game from now on."""
        self._audience.game = game
        game.report = self._report
        self._substitutes = Substitutes(game, self.takeover)

    def here(self, viewer: Viewer) -> None:
        """A player is back, and wishes for no substitute any more."""
        if self._substitutes is not None and viewer.seat is not None:
            self._substitutes.here(viewer.seat)

    # What seats send

    def take(self, viewer: Viewer, message: Sent, now: float) -> None:
        """What a seat gives to the game. Who is waited for then the next tick says, for most give at once what is
        asked of them; that nobody is any more is said here. Raises Rejected, Refusal."""
        game = self._audience.game
        if game is None or viewer.seat is None:
            raise Refusal("not_playing")
        game.take(viewer.seat, message, lambda: self.pump(now))
        if isinstance(message, EndGame):
            game.note_away(self._audience.gone(game, now))
        while game.cosigning and self._conclude(game, now):
            self.pump(now)
        self.pump(now)
        if not game.awaited and self._audience.presence.waiting:
            self._audience.tell_presence(now)

    def check_pace(self, message: Sent) -> None:
        """Raises Rejected during a pause for a move, and for what is chosen in a sealed draft."""
        game = self._audience.game
        chosen = game is not None and isinstance(message, SayInDraft) and game.draft.chosen(message)
        if self.pace.paused and (chosen or isinstance(message, Play)):
            raise Rejected("paused")

    def substitute_for(self, viewer: Viewer, message: SubstituteFor, now: float) -> bool:
        """The host's person lets a bot move for somebody who is gone, or somebody goes and wishes for one: whether
        that one goes now. Raises Refusal."""
        game = self._audience.game
        if game is None or game.closed:
            raise Refusal("not_playing")
        if self._substitutes is None:
            raise Refusal("no_bots")
        if viewer.player and message.seat == viewer.seat:
            self._substitutes.wish(message.seat)
            return True
        if viewer.key not in self._audience.lobby.own or not viewer.player:
            raise Refusal("owner_only")
        if message.seat not in self._audience.gone(game, now):
            raise Refusal("not_gone")
        self._substitutes.begin(message.seat, message.level)
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
        if waits:
            return False
        if game.ending and game.note_away(self._audience.gone(game, now)):
            self.tell(now)
            return True
        if self.pace.paused:
            return False  # nobody is left out, and nothing taken over
        acted = self._conclude(game, now) if game.cosigning else self._let_substitute_play(game, now)
        if acted:
            self.tell_halt(now)
            self.tell(now)
        return acted

    def _conclude(self, game: HostedGame, now: float) -> bool:
        """After a round: write the co-signatures, or their words, once all players who are here have given theirs
        or the time for that is over."""
        if self._collects != (game.cosigning, game.n):
            self._collects, self._since = (game.cosigning, game.n), now
        patience = self._timing.cosign if game.cosigning == "signed" else self._timing.words
        gone = self._audience.gone(game, now)
        late = now - self._since >= patience
        here = [seat for seat in range(len(game.keys)) if gone.get(seat, 0.0) < patience]
        return game.conclude(() if late else here)

    def _let_substitute_play(self, game: HostedGame, now: float) -> bool:
        """Bots come for players who have been away for too long, and make their moves; never in a sealed draft,
        where the table waits."""
        return self._substitutes is not None and self._substitutes.tick(self._audience.gone(game, now))

    def _try_disk(self, game: HostedGame, now: float) -> None:
        if self.disk.due(now):
            game.keep()
            self.tell_halt(now)
            self.pump(now)

    # What viewers are told

    def pump(self, now: float) -> None:
        """Send everybody what is new."""
        game = self._audience.game
        if game is not None and game.ending != self._ending:
            self._ending = game.ending
            self._audience.tell(EndingSeats(self._ending))
        self.pace.at(self._audience.game, now)
        self._audience.pump(now)

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
