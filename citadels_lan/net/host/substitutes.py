"""Substitute bots of the host, which play for players who are away (docs/protocol.md, section 10).

Here is when they come and what they do; no sockets and no clock. A substitute sees what its seat may know and
nothing else, and makes at most one move in each `tick`, so that people can follow.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct

from citadels_lan.crypto.log import SeatChange, SeatKind
from citadels_lan.crypto.seats import Absence
from citadels_lan.engine import Action, Event, State, acting, decisions, evolve, redact, view
from citadels_lan.engine.choices import Choice
from citadels_lan.net.wire.errors import Refusal

from .game import HostedGame


class Chooser(Protocol):
    """A bot: it sees what the seat may know. Unless it is `deaf`, it is sent what happens from its first move on:
    each event, and the view before it."""

    @property
    def deaf(self) -> bool: ...

    def told(self, view: State, event: Event) -> None: ...

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action | None:
        """Choose an action. None while it is thinking: it is asked again in the next `tick`."""


STRANDED: Final = 10.0
"""After a handover, seconds until a substitute plays for a browser guest who is away. A guest whose host has left
cannot come back."""
LONGEST_REST: Final = 60.0
"""Seconds at most that a player is away before the next substitute."""


class Takeover(Struct, frozen=True):
    """When a bot plays for a player who is away: `after` so many seconds, None for only when the host's player
    wants one. `level` is which; `make` makes one of a level, KeyError where there is none."""

    make: Callable[[str], Chooser]
    after: float | None = None
    level: str = "sensible"


class Substitutes:
    """The substitutes of one game, by seat. `wished` are the seats whose players have left, and wish for a
    substitute at once."""

    def __init__(self, game: HostedGame, takeover: Takeover) -> None:
        self._game = game
        self._takeover = takeover
        self._choosers: dict[int, tuple[int, Chooser]] = {}
        self.wished: set[int] = set()
        game.listener = self._tell

    def begin(self, seat: int, level: str) -> None:
        """Let a substitute of this level, or of the usual one for none, play a seat. Raises Refusal."""
        level = level or self._takeover.level
        try:
            self._takeover.make(level)
        except KeyError:
            raise Refusal("no_level") from None
        self._game.substitute(seat, level)

    def tick(self, away: Mapping[int, float]) -> bool:
        """Let a bot play a seat that the game waits for, if its player has been `away` for long enough, or wished
        for a bot. `away` are seconds by seat. Return whether anything has happened."""
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
        """Return whether a substitute is due for a seat whose player has been away for so many seconds."""
        audit, after = self._game.host_log.audit, self._takeover.after
        late = after is not None and away >= after
        guest = audit.hosts.now.seat is not None and audit.table.players[seat].kind == SeatKind.GUEST
        return away >= self._rest(seat) and (late or seat in self.wished or (guest and away >= STRANDED))

    def _rest(self, seat: int) -> float:
        """Seconds that a player must be away before the next substitute: one for each that the seat has had, so
        that no player fills the log by leaving and coming back."""
        count = sum(absence.seat == seat for absence in self._game.host_log.audit.absences.all)
        return min(float(count), LONGEST_REST)

    def _move(self, seat: int) -> bool:
        """Make the next move of a substitute. It cannot open the player's sealed commitments, so it makes no move
        that needs one. Return whether there was a move."""
        game = self._game
        own, concealed = view(game.state, seat), game.host_log.audit.concealed
        choices = [choice for choice in decisions(own)[seat] if concealed.breaks(seat, str(choice)) is None]
        action = self._chooser(seat).choose(own, seat, choices)
        if action is None:
            return False
        game.substitute_move(seat, str(action))
        return True

    def _tell(self, state: State, events: Sequence[Event]) -> None:
        """Send events to the substitutes that play now, unless they are deaf."""
        for seat, (n, chooser) in self._choosers.items():
            absence = self._absence(seat)
            if chooser.deaf or absence is None or absence.n != n:
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
