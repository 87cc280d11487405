"""Substitute bots of the host, which play for players who are away (docs/protocol.md, section 10).

This module decides when they begin and what they play; it has no sockets and no clock. A substitute sees what its
seat may know and nothing else. It makes at most one move in each `tick`, so that people can follow.
"""

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
    """A bot that sees what its seat may know. Unless it `ignores_events`, it receives each event from its first
    move on, with the view before the event."""

    @property
    def ignores_events(self) -> bool: ...

    def told(self, view: State, event: Event) -> None: ...

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action | None:
        """Choose an action. Return None while the bot is thinking; the next `tick` asks again."""


STRANDED: Final = 10.0
"""After a handover, seconds until a substitute plays for a browser guest who is away. A guest whose host has left
cannot come back."""
LONGEST_REST: Final = 60.0
"""Longest time in seconds that a player must be away before the next substitute."""


class Takeover(Struct, frozen=True):
    """When a bot plays for an absent player. `after`: the seconds of absence; None: only when the host's
    player asks for it. `level` is the usual level; `make` makes a bot of a level, and raises KeyError for
    an unknown one."""

    make: Callable[[str], Chooser]
    after: float | None = None
    level: str = "sensible"


class Substitutes:
    """The substitutes of one game, by seat. `wished` are the seats whose players have left and asked for a
    substitute."""

    def __init__(self, game: HostedGame, takeover: Takeover) -> None:
        self._game = game
        self._takeover = takeover
        self._choosers: dict[int, tuple[int, Chooser]] = {}
        self.wished: set[int] = set()
        game.listener = self._tell

    def begin(self, seat: int, level: str) -> None:
        """Let a substitute play a seat, of this level or of the usual one if it is empty. Raises Refusal."""
        level = level or self._takeover.level
        try:
            self._takeover.make(level)
        except KeyError:
            raise Refusal("no_level") from None
        self._game.substitute(seat, level)

    def tick(self, away: Mapping[int, float]) -> bool:
        """Let a bot play a seat that the game waits for, if its player has been away for long enough, or asked
        for a bot. `away` are seconds by seat. Return whether anything has changed."""
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
        """Return whether a substitute is due for a seat whose player has been away for this many seconds."""
        audit, after = self._game.host_log.audit, self._takeover.after
        late = after is not None and away >= after
        guest = audit.hosts.now.seat is not None and audit.table.players[seat].kind == SeatKind.GUEST
        # The time before the next substitute grows, so that no player can fill the log by leaving and coming back.
        rest = min(sum(absence.seat == seat for absence in audit.absences.all), LONGEST_REST)
        return away >= rest and (late or seat in self.wished or (guest and away >= STRANDED))

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
        """Send events to the substitutes that play now, unless they ignore events."""
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
