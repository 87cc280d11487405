"""A table during its game: what the seats send, and what the table does by itself as time passes.

The game stops during a pause, together with the decision timer, and while the host's disk is full. After a round
the players who are here co-sign. Substitute bots play for players who are gone for too long, if the host has any.
"""

from typing import Final

from citadels_lan.net.wire import messages
from citadels_lan.net.wire.errors import Refusal, Rejected, Report
from citadels_lan.net.wire.messages import Message
from citadels_lan.net.wire.timing import Countdown, Timing

from .audience import Audience, Viewer, tell
from .game import HostedGame, Sent
from .substitutes import Substitutes, Takeover


class Pace:
    """Whether a player has `paused` the game, and for how long the decision that it waits for has been open.
    `seconds` are the limit of the decision timer, 0 without one."""

    def __init__(self, seconds: int) -> None:
        self.paused = False
        self.seconds = seconds
        self._clock = Countdown(seconds, 0.0)

    def pause(self, paused: bool, now: float) -> bool:
        """Begin a pause, or end it. Return whether that changes anything."""
        if paused == self.paused:
            return False
        self.paused = paused
        self._clock.pause(paused, now)
        return True

    def at(self, game: HostedGame | None, now: float) -> None:
        """Start the timer again if the game waits for another decision."""
        if game is not None:
            self._clock.at(game.state.tick, now)

    def gone(self, now: float) -> int:
        """The seconds of this decision that are gone."""
        return min(max(int(self._clock.gone(now)), 0), messages.LONGEST)

    def continue_from(self, seconds: int, gone: int, now: float, *, paused: bool) -> None:
        """Take over the pause and the limit of the host before, of which so many seconds are gone."""
        self.seconds, self.paused = seconds, paused
        self._clock = Countdown(seconds, now - gone, stopped=now if paused else None)

    def news(self, game: HostedGame | None, now: float) -> list[Message]:
        """The messages about it for a viewer who joins."""
        news: list[Message] = [messages.Paused(True, None)] if self.paused else []
        if self.seconds:
            news.append(messages.Clock(self.seconds, self.gone(now) if game is not None else 0))
        return news


RETRY: Final = (0.5, 5.0)
"""Seconds until a full disk is tried again: the first time, and at most."""


class Playing:
    """The game of a table. `takeover` says when bots move for players who are gone; without it they never do.
    `report` takes faults of this program. `halted` is why the game is stopped, a code of `reasons`, or empty."""

    def __init__(self, audience: Audience, timing: Timing, takeover: Takeover | None, report: Report) -> None:
        self.takeover = takeover
        self.pace = Pace(timing.clock)
        self.halted = ""
        self._retry, self._retry_after = 0.0, RETRY[0]
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
        if self.takeover is not None and game.draft is None:
            self._substitutes = Substitutes(game, self.takeover)

    def here(self, viewer: Viewer) -> None:
        """A player is back, and wishes for no substitute any more."""
        if self._substitutes is not None and viewer.seat is not None:
            self._substitutes.wished.discard(viewer.seat)

    # What seats send

    def take(self, game: HostedGame, seat: int, message: Sent, now: float) -> None:
        """Give the game a message of a seat. Most players answer at once, so only the next tick sends who is
        awaited then; but that no one is awaited any more is sent here. Raises Rejected."""
        game.take(seat, message, lambda: self.pump(now))
        if isinstance(message, messages.EndGame):
            game.note_away(self._audience.gone(game, now))
        while game.cosigning and self._conclude(game, now):
            self.pump(now)
        self.pump(now)
        if not game.awaited and self._audience.presence.waiting:
            self._audience.tell_presence(now)

    def check_pace(self, game: HostedGame, message: Sent) -> None:
        """Raises Rejected during a pause for a move, and for a choice in a sealed draft."""
        if self.pace.paused:
            chosen = isinstance(message, messages.SayInDraft) and game.draft and game.draft.chosen(message)
            if chosen or isinstance(message, messages.Play):
                raise Rejected("paused")

    def substitute_for(self, viewer: Viewer, message: messages.SubstituteFor, now: float) -> bool:
        """The host's player lets a bot move for a player who is gone, or a player leaves and wishes for a bot.
        Return whether the viewer leaves. Raises Refusal."""
        game = self._audience.game
        if game is None or game.closed:
            raise Refusal("not_playing")
        if self._substitutes is None:
            raise Refusal("no_bots")
        if viewer.player and message.seat == viewer.seat:
            self._substitutes.wished.add(message.seat)
            return True
        if viewer.key not in self._audience.lobby.own or not viewer.player:
            raise Refusal("owner_only")
        if message.seat not in self._audience.gone(game, now):
            raise Refusal("not_gone")
        self._substitutes.begin(message.seat, message.level)
        self.pump(now)
        return False

    def pause(self, viewer: Viewer, message: messages.Pause, now: float) -> None:
        """Any player may begin a pause, and end it. Raises Refusal."""
        if self._audience.game is None:
            raise Refusal("not_playing")
        if self.pace.pause(message.paused, now):
            self._audience.tell(messages.Paused(message.paused, viewer.seat))
        else:
            tell(viewer, messages.Paused(message.paused, None))

    # What the table does by itself

    def tick(self, game: HostedGame, now: float, *, waits: bool) -> bool:
        """Some time has passed. Return whether anything has happened. `waits`: nothing new may be signed yet."""
        if game.stuck:
            self._try_disk(game, now)
            return False
        if game.closed:
            self._audience.served.update(self._audience.missing(game, now))
            return True
        if waits:
            return False
        if game.ending and game.note_away(self._audience.gone(game, now)):
            self.tell(now)
            return True
        if self.pace.paused:
            return False  # no player is left out, and no substitute comes
        if game.cosigning:
            acted = self._conclude(game, now)
        else:  # never in a sealed draft, where the table waits
            acted = self._substitutes is not None and self._substitutes.tick(self._audience.gone(game, now))
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

    def _try_disk(self, game: HostedGame, now: float) -> None:
        """Try a full disk again, later each time."""
        if now >= self._retry:
            self._retry_after = min(2 * self._retry_after, RETRY[1])
            self._retry = now + self._retry_after
            game.keep()
            self.tell_halt(now)
            self.pump(now)

    # What viewers are sent

    def pump(self, now: float) -> None:
        """Send all viewers what is new."""
        game = self._audience.game
        if game is None:
            return
        if game.ending != self._ending:
            self._ending = game.ending
            self._audience.tell(messages.EndingSeats(self._ending))
        self.pace.at(game, now)
        self._audience.pump(now)

    def tell(self, now: float) -> None:
        """Send all viewers what is new, and who is waited for now."""
        self.pump(now)
        self._audience.tell_presence(now)

    def tell_halt(self, now: float) -> bool:
        """Send all viewers that the game is stopped, or continues. Return whether that is new."""
        code = self._halt()
        if code == self.halted:
            return False
        self.halted, self._retry, self._retry_after = code, now + RETRY[0], RETRY[0]
        self._audience.tell(messages.Standstill(code))
        return True

    def _halt(self) -> str:
        game = self._audience.game
        if game is not None and game.stuck:
            return "disk_full"
        if self._audience.wanted:
            return "resumed"
        lied = game is not None and game.draft is not None and game.draft.proven
        return "draft_lie" if lied else ""
