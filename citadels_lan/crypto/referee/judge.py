"""The referee of one viewer: what came of each entry, from what this viewer may know."""

from collections.abc import Sequence

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import AnyEntry, Header, Move, TableMove
from citadels_lan.crypto.replay import table_of, unsealed_by
from citadels_lan.crypto.sealed_moves import plain
from citadels_lan.engine import (
    Action,
    BadNotation,
    Event,
    IllegalMove,
    Impossible,
    State,
    acting,
    check_state,
    go_on,
    parse,
    play_move,
    view,
)
from citadels_lan.engine.events import RoundBegan, Unsealed
from citadels_lan.engine.events.markers import SECRET

from .completing import completed, put_named
from .counting import check_called, check_copies
from .hidden_moves import hidden_move
from .told import ToldTable


class Referee:
    """Follows a game as `seat` (None: a spectator) is told it; `state` is what this viewer knows of the table.

    An entry that no honest host can have written raises Mismatch, and `state` stays as it was before it. Anything
    else that is raised is a fault of this program, which accuses nobody.
    """

    def __init__(self, header: Header, seat: int | None) -> None:
        self.seat = seat
        self.state: State = view(table_of(header), seat)
        self.broken: dict[tuple[str, int], str] = {}

    def read(self, n: int, entry: AnyEntry, public: Sequence[Event], own: Sequence[Event]) -> None:
        """Take entry `n`: `public` are its events as a spectator is told them, `own` as this viewer is. Entries
        that are no moves have none."""
        if not isinstance(entry, Move | TableMove):
            return
        _check_private(n, self.seat, public, own)
        shown = {} if any(isinstance(event, RoundBegan) for event in own) else self.broken
        full = completed(self.state, own, shown)
        table = ToldTable(n, full, self.state.copy(), own, self.seat)
        if isinstance(entry, TableMove):
            _go_on(n, table)
        else:
            _move(n, entry, table, own)
        table.finish()
        self._check_whole(n, table.seen, own)
        self.state = table.seen
        self.broken = shown | {
            (SECRET[event.kind], event.by): event.character
            for event in table.events
            if isinstance(event, Unsealed)
        }

    def _check_whole(self, n: int, after: State, own: Sequence[Event]) -> None:
        """What holds of the view after the entry, whatever came of it."""
        try:
            check_state(after, self.state)
        except Impossible:
            raise Mismatch("impossible_event", n) from None
        check_called(n, after, own)
        check_copies(n, after, own)


def _check_private(n: int, seat: int | None, public: Sequence[Event], own: Sequence[Event]) -> None:
    """What a viewer is told must be told to everybody but for what only this viewer may know."""
    if len(public) != len(own):
        raise Mismatch("private_event", n, index=min(len(public), len(own)))
    for index, (told, mine) in enumerate(zip(public, own, strict=True)):
        if mine.redact(None) != told or mine.redact(seat) != mine:
            raise Mismatch("private_event", n, index=index)


def _go_on(n: int, table: ToldTable) -> None:
    if acting(table.state) or table.state.phase == "over":
        raise Mismatch("no_table", n)
    go_on(table)


def _move(n: int, entry: Move, table: ToldTable, own: Sequence[Event]) -> None:
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


def _hidden(n: int, seat: int, table: ToldTable, own: Sequence[Event]) -> None:
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


def _play(table: ToldTable, seat: int, action: Action, unsealed: str | None) -> None:
    put_named(table.state, seat, action)
    play_move(table, seat, action, unsealed)
