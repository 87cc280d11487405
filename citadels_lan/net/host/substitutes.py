"""Substitute bots of the host, which play for players who are away (docs/protocol.md, section 10).

This module decides when they begin and what they play; it has no sockets and no clock. A substitute bot sees
only what its seat may know. All of them together make at most one move in each `tick`, so that people can
follow."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct

from citadels_lan.crypto.log import SeatChange, SeatKind
from citadels_lan.crypto.signatures import Absence
from citadels_lan.engine import Action, Event, State, acting, decisions, evolve, redact, view
from citadels_lan.engine.choices import Choice
from citadels_lan.net.host.hosted_game import HostedGame
from citadels_lan.net.wire.errors import Refusal


class Chooser(Protocol):
    """A bot that chooses actions for a seat and sees only what the seat may know. Unless `ignores_events` is
    True, `told` is called with each event after the bot has begun, and with the view before the event."""

    @property
    def ignores_events(self) -> bool: ...

    def told(self, view: State, event: Event) -> None: ...

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action | None:
        """Return the chosen action; None if the bot is still thinking, so that the next `tick` asks again."""


STRANDED: Final = 10.0
"""Seconds of absence after which a substitute bot plays for a browser guest whose host has handed the game
over. Such a guest cannot reconnect."""
LONGEST_REST: Final = 60.0
"""Before the next substitute bot, a player must be absent for one second for each earlier absence, but at
most for this many seconds."""


class Takeover(Struct, frozen=True):
    """When bots play for absent players. `after`: seconds of absence; None: only when the host's player asks
    for it. `level` is the usual level. `make` returns a new bot of a level, and raises KeyError for an
    unknown one."""

    make: Callable[[str], Chooser]
    after: float | None = None
    level: str = "sensible"


class Substitutes:
    """The substitute bots of one game. `wished` are the seats whose players have left and have asked for a
    bot."""

    def __init__(self, game: HostedGame, takeover: Takeover) -> None:
        self._game = game
        self._takeover = takeover
        self._choosers: dict[int, tuple[int, Chooser]] = {}
        self.wished: set[int] = set()
        game.listener = self._tell

    def begin(self, seat: int, level: str) -> None:
        """Let a substitute bot of this level play a seat from now on. An empty `level` is the usual one.
        Raises Refusal."""
        level = level or self._takeover.level
        try:
            self._takeover.make(level)
        except KeyError:
            raise Refusal("no_level") from None
        self._game.substitute(seat, level)

    def tick(self, away: Mapping[int, float]) -> bool:
        """Make a move for one absent player if the game waits for it, or let a bot begin if that is due.
        `away` are the seconds of absence by seat. Return whether anything has changed."""
        game = self._game
        # The log allows a change of a seat only between other entries.
        if game.full or not game.host_log.audit.expects(SeatChange):
            return False
        for seat in acting(game.state):
            if seat in away and game.substituted(seat):
                return self._move(seat)
            if seat in away and self._due(seat, away[seat]):
                game.substitute(seat, self._takeover.level)
                return True
        return False

    def _due(self, seat: int, away: float) -> bool:
        """Return whether a substitute bot may begin to play a seat. `away`: how many seconds its player has
        been absent."""
        audit, after = self._game.host_log.audit, self._takeover.after
        late = after is not None and away >= after
        guest = audit.hosts.now.seat is not None and audit.table.players[seat].kind == SeatKind.GUEST
        # The time before the next substitute grows, so that no player can fill the log by leaving and coming back.
        rest = min(sum(absence.seat == seat for absence in audit.absences.all), LONGEST_REST)
        return away >= rest and (late or seat in self.wished or (guest and away >= STRANDED))

    def _move(self, seat: int) -> bool:
        """Make the next move of the substitute bot at a seat. It does not choose moves that reveal the
        player's sealed markers, because only the player can open them. Return False if the bot is still
        thinking."""
        game = self._game
        own, concealed = view(game.state, seat), game.host_log.audit.concealed
        choices = [choice for choice in decisions(own)[seat] if concealed.breaks(seat, str(choice)) is None]
        action = self._chooser(seat).choose(own, seat, choices)
        if action is None:
            return False
        game.substitute_move(seat, str(action))
        return True

    def _tell(self, state: State, events: Sequence[Event]) -> None:
        """Pass the events after `state` to the substitute bots that play now, each as its seat sees them."""
        for seat, (n, chooser) in self._choosers.items():
            absence = self._absence(seat)
            if chooser.ignores_events or absence is None or absence.n != n:
                continue
            before = view(state, seat)
            for event in events:
                redacted = redact(event, seat)
                chooser.told(before, redacted)
                before = evolve(before, redacted)

    def _absence(self, seat: int) -> Absence | None:
        return self._game.host_log.audit.absences.substitute(seat)

    def _chooser(self, seat: int) -> Chooser:
        absence = self._absence(seat)
        assert absence is not None
        if self._choosers.get(seat, (0,))[0] != absence.n:
            self._choosers[seat] = absence.n, self._takeover.make(absence.level)
        return self._choosers[seat][1]
