"""A move as its owner signs and sends it: openly, hidden from the others, or sealed from the host as well."""

from msgspec import Struct

from citadels_lan.crypto.chain import sign_move
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.log import Move, SaidItem
from citadels_lan.engine import Action, State, acting, refusal
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Play, Refused, SayInDraft

from .drafting import Drafting
from .own_view import OwnView
from .records import Records


class Sent(Struct, eq=False):
    """A move on its way. `taken` once it is in the log, `refusal` if it did not get there."""

    play: Play | SayInDraft
    line: str
    taken: bool = False
    refusal: Rejected | None = None

    @property
    def settled(self) -> bool:
        """Whether the host has answered."""
        return self.taken or self.refusal is not None


def signed(records: Records, client_log: ClientLog, seat: int, line: str) -> Play:
    """A line of notation as the next entry, with what commits to it or breaks a seal."""
    what, openings = records.owner(seat).prepare(client_log.audit, client_log.chain.head, line)
    signature = sign_move(records.identity, records.game.id, client_log.chain, seat, what)
    return Play(client_log.chain.n + 1, what, signature, openings)


def picks_sealed(state: State) -> bool:
    """Whether somebody picks a character that even the host does not see."""
    return state.draft != "open" and bool(state.steps) and state.steps[-1].verb == Pick.verb


class OwnTurn:
    """When a seat may move, and its last move: `sent`, on its way or settled."""

    def __init__(self, records: Records, view: OwnView, drafting: Drafting) -> None:
        self.sent: Sent | None = None
        self._records = records
        self._view = view
        self._drafting = drafting

    @property
    def pending(self) -> Play | SayInDraft | None:
        """The move that is on its way."""
        return self.sent.play if self.sent is not None and not self.sent.settled else None

    @property
    def due(self) -> bool:
        """Whether this seat has to decide by the log, and nothing it decided is on its way."""
        return self.pending is None and self._may_move

    @property
    def _may_move(self) -> bool:
        client_log, state, seat = self._records.client_log, self._view.own, self._records.seat
        if client_log is None or state is None or seat is None:
            return False
        if client_log.audit.absences.substitute(seat) is not None or seat not in acting(state):
            return False
        return self._drafting.may_pick if picks_sealed(state) else client_log.audit.expects(Move)

    def sign(self, action: Action) -> Play | SayInDraft:
        """The move, on its way from now on. Raises Rejected: `not_your_turn`."""
        client_log, seat = self._records.client_log, self._records.seat
        if client_log is None or seat is None or not self.due:
            raise Rejected("not_your_turn")
        if (said := self._said(action)) is not None:
            self.sent = Sent(said, str(action))
            return said
        play = signed(self._records, client_log, seat, str(action))
        self.sent = Sent(play, str(action))
        return play

    def _said(self, action: Action) -> SayInDraft | None:
        """What an action says in a sealed draft. Raises Rejected where the rules do not allow it, which the host
        does not see."""
        view = self._view.own
        if (
            view is None
            or view.draft == "open"
            or self._records.seat is None
            or not isinstance(action, Pick | Theater)
        ):
            return None
        if (reason := refusal(view, self._records.seat, action)) is not None:
            raise Rejected(reason.code, **reason.details)
        return self._drafting.chosen(action, view)

    def again(self) -> Play | SayInDraft | None:
        """What was on its way when the connection broke. If another entry came first, a move is signed again for
        the new head, as long as this seat still has to make it; otherwise it is settled."""
        play, sent, records = self.pending, self.sent, self._records
        if play is None or sent is None or play.n == records.n + 1:
            return play
        client_log, seat = records.client_log, records.seat
        if isinstance(play, SayInDraft) or client_log is None or seat is None or not self._may_move:
            sent.refusal = Rejected("stale")
            return None
        sent.play = signed(records, client_log, seat, sent.line)
        return sent.play

    @property
    def overtaken(self) -> bool:
        """Whether another entry came before the move that is on its way."""
        return self.pending is not None and self.pending.n <= self._records.n

    def refused(self, refused: Refused) -> bool:
        """The host has refused a move; whether that is the one on its way."""
        if self.pending is None or self.sent is None or refused.n != self.pending.n:
            return False
        self.sent.refusal = Rejected(refused.code, **refused.details)
        return True

    def line(self, n: int, entry: Move | SaidItem) -> str | None:
        """The line of the move in entry `n`, or of what a seat has chosen in its draft, as far as this viewer
        knows it."""
        play, sent = self.pending, self.sent
        what = entry.what if isinstance(entry, Move) else entry.message
        if play is not None and sent is not None and play.n == n:
            if (entry.seat, what) == (self._records.seat, play.what):
                sent.taken = True
                return sent.line
            sent.refusal = Rejected("stale")
        return what if isinstance(what, str) else None
