"""The referee of one viewer: what came of each entry, from what this viewer may know."""

from collections.abc import Sequence

from msgspec import Struct

from citadels_lan.crypto.draft.playing import DraftEntry, passed_in, play_draft, plays_of
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import EVENTFUL, AnyEntry, DraftSaid, Header, Move, TableMove
from citadels_lan.crypto.replay import table_of, unsealed_by
from citadels_lan.crypto.sealed_moves import plain
from citadels_lan.engine import (
    Action,
    BadNotation,
    Event,
    IllegalMove,
    Impossible,
    State,
    Table,
    acting,
    go_on,
    parse,
    play_move,
    view,
)
from citadels_lan.engine.events import RoundBegan, Unsealed
from citadels_lan.engine.events.markers import SECRET

from .completing import completed, put_named
from .counting import check_called, check_copies
from .following import followed
from .hidden_moves import hidden_move
from .told import ToldTable


class Followed(Struct, frozen=True):
    """An entry that was told: `own` are its events as the viewer is told them, `before` and `after` are the views
    around it; there is none after one that cannot be followed."""

    n: int
    entry: Move | TableMove | DraftEntry
    own: Sequence[Event]
    before: State
    after: State | None


class Referee:
    """Follows a game as `seat` (None: a spectator) is told it; `state` is what this viewer knows of the table.

    To `follow` an entry is cheap: `state` is that after it, if there can be such a one. To `judge` it is to play
    it; that may come a little later, and comes at the latest before the next entry is followed.

    An entry that no honest host can have written raises Mismatch from one of the two, from `judge` every time, and
    nothing is to be followed any more. Anything else that is raised is a fault of this program, which accuses
    nobody.
    """

    def __init__(self, header: Header, seat: int | None) -> None:
        self.seat = seat
        self.state: State = view(table_of(header), seat)
        self.broken: dict[tuple[str, int], str] = {}
        self._followed: Followed | None = None

    def read(self, n: int, entry: AnyEntry, public: Sequence[Event], own: Sequence[Event]) -> None:
        """Follow entry `n`, and judge it."""
        self.follow(n, entry, public, own)
        self.judge()

    def follow(self, n: int, entry: AnyEntry, public: Sequence[Event], own: Sequence[Event]) -> None:
        """Take entry `n`: `public` are its events as a spectator is told them, `own` as this viewer is. Entries
        that are no moves have none."""
        self.judge()
        if not isinstance(entry, EVENTFUL):
            return
        _check_private(n, self.seat, public, own)
        try:
            after = followed(n, self.state, own)
        except Exception:
            self._replay(Followed(n, entry, own, self.state, None))  # what the rules say of it says more
            raise
        self._followed = Followed(n, entry, own, self.state, after)
        self.state = after

    def judge(self) -> None:
        """Judge the entry that was followed last, unless that is done."""
        if self._followed is not None:
            self._replay(self._followed)
            self._followed = None

    def _replay(self, one: Followed) -> None:
        """Let the engine play an entry, and count what no rule says."""
        shown = {} if any(isinstance(event, RoundBegan) for event in one.own) else self.broken
        told = ToldTable(one.n, completed(one.before, one.own, shown), one.own, self.seat)
        match one.entry:
            case TableMove():
                _go_on(one.n, told.table)
            case Move():
                _move(one.n, one.entry, told.table, one.own)
            case _:
                _draft(one.n, one.entry, told.table, one.own)
        told.finish()
        if one.after is not None:
            check_called(one.n, one.after, one.own)
            check_copies(one.n, one.after, one.own)
        self.broken = shown | {
            (SECRET[event.kind], event.by): event.character
            for event in told.table.events
            if isinstance(event, Unsealed)
        }


def _check_private(n: int, seat: int | None, public: Sequence[Event], own: Sequence[Event]) -> None:
    """What a viewer is told must be told to everybody but for what only this viewer may know."""
    if len(public) != len(own):
        raise Mismatch("private_event", n, index=min(len(public), len(own)))
    for index, (told, mine) in enumerate(zip(public, own, strict=True)):
        if mine.redact(None) != told or mine.redact(seat) != mine:
            raise Mismatch("private_event", n, index=index)


def _go_on(n: int, table: Table) -> None:
    if acting(table.state) or table.state.phase == "over":
        raise Mismatch("no_table", n)
    go_on(table)


def _draft(n: int, entry: DraftEntry, table: Table, own: Sequence[Event]) -> None:
    """Play what was said in a sealed draft: who has said something else than it held is not for the rules."""
    seat = entry.seat if isinstance(entry, DraftSaid) else 0
    try:
        play_draft(table, seat, plays_of(entry, table.state, passed_in(own)))
    except (IllegalMove, Impossible):
        raise Mismatch("draft", n, seat=seat) from None


def _move(n: int, entry: Move, table: Table, own: Sequence[Event]) -> None:
    seat = entry.seat
    if not isinstance(entry.what, str):
        _hidden(n, seat, table, own)
        return
    line = plain(entry.what)
    try:
        action = parse(line, seat)
        if str(action) != line:
            raise Mismatch("notation", n, seat=seat)
        _play(table, seat, action, unsealed_by(entry))
    except (BadNotation, IllegalMove) as reason:
        raise Mismatch("illegal", n, seat=seat, line=line, reason=reason.code) from None


def _hidden(n: int, seat: int, table: Table, own: Sequence[Event]) -> None:
    """Play the move that was committed to, as the events show it: they are the host's words, not the mover's."""
    if seat not in acting(table.state):
        raise Mismatch("no_move", n, seat=seat)
    action = hidden_move(table.state, seat, own)
    if action is None:
        raise Mismatch("no_move", n, seat=seat)
    try:
        _play(table, seat, action, None)
    except IllegalMove:
        raise Mismatch("no_move", n, seat=seat) from None


def _play(table: Table, seat: int, action: Action, unsealed: str | None) -> None:
    put_named(table.state, seat, action)
    play_move(table, seat, action, unsealed)
