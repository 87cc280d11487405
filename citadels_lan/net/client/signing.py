"""The signatures of a seat: its part of the seed, its co-signatures, its moves (open, hidden from the
others, or sealed from the host as well), and its return after a bot of the host has played it.
"""

from typing import Final

from msgspec import Struct

from citadels_lan.crypto.chance import part_commitment
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.log import (
    BACK,
    BOT,
    Agreement,
    CheckWords,
    Commits,
    CoSigned,
    Move,
    SaidItem,
    SeatChange,
    SeatKind,
    sign_move,
)
from citadels_lan.crypto.packing import u64
from citadels_lan.crypto.seats import Absence, agree_fields, cosign, sign_back, word_commitment
from citadels_lan.engine import Action, State, acting, refusal
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.errors import Refusal, Rejected

from .own_view import OwnView
from .records import Records
from .updates import BackAgain, Cosigned, SubstituteBegan, Update


def commitment(records: Records, client_log: ClientLog, seat: int) -> wire.SeedCommit:
    """The seat's agreement to the header, with its commitment to a part that is stored now. Raises Refusal:
    `storage`."""
    header, agreed = client_log.audit.table, client_log.chain.head
    commit = part_commitment(agreed, seat, records.starts.part(header, agreed))
    anchors = records.owner(seat).anchors(header)
    signature = records.identity.sign("agree", *agree_fields(agreed, seat, commit, anchors))
    return wire.SeedCommit(Agreement(commit, anchors, signature))


def part(records: Records, client_log: ClientLog, seat: int) -> wire.SeedPart:
    """The seat's part, once *commits* is stored and has its commitment. Raises Refusal: `not_agreed`,
    `storage`."""
    given = records.starts.release(records.agreed, records.head)
    if part_commitment(records.agreed, seat, given) != client_log.audit.commits[seat]:
        raise Refusal("not_agreed", what="part")
    return wire.SeedPart(given)


def cosignature(records: Records, client_log: ClientLog, seat: int, *, protest: bool) -> wire.Cosign:
    """The seat's co-signature; after the game with what it has still sealed."""
    chain, audit, game = client_log.chain, client_log.audit, records.game.id
    commit = word_commitment(game, chain.n, seat, records.owner(seat).word(chain.head))
    signed = cosign(records.identity, game, chain.n, chain.head, seat, commit, protest=protest)
    openings = records.owner(seat).opened_at_the_end(audit) if audit.over else ()
    return wire.Cosign(chain.n, signed, tuple(openings))


def check_word(records: Records, client_log: ClientLog, seat: int) -> wire.CheckWord | None:
    """The seat's word, if the last entry has the commitment to it; None otherwise."""
    chain, signed = client_log.chain, client_log.audit.signed
    word = records.owner(seat).word(client_log.audit.cosigned[-1].head)
    commit = word_commitment(client_log.game, chain.n - 1, seat, word)
    given = any((signer.seat, signer.commit) == (seat, commit) for signer in signed.seats)
    return wire.CheckWord(chain.n, word) if given else None


COMMITTED: Final = 2
"""After so many entries all seats have committed to their parts, and give them."""


class PendingSignatures:
    """What the table needs from one seat, what the seat has given on this connection, and what the log says of it
    since. `given` is the entry with which the history ended that it co-signed last. `protest` is whether a bot has
    moved for this seat while its client was connected, since the last co-signature."""

    def __init__(self, records: Records) -> None:
        self.given = 0
        self.protest = False
        self._records = records
        self._protested = records.protested()
        self._since: int | None = None
        self._returned = 0

    def welcomed(self, n: int) -> None:
        """A connection begins, with the host at entry `n`."""
        self._since, self._returned = n, 0

    def lost(self, *, unsent: bool) -> None:
        """The connection is gone; `unsent`: with what was given last."""
        self._since = None
        if unsent:
            self.given = self._returned = 0

    def due(self) -> wire.SeedCommit | wire.SeedPart | wire.Cosign | wire.CheckWord | None:
        """Return what the table needs from this seat now, to be sent. Raises Refusal: `not_agreed`, `storage`."""
        records = self._records
        client_log, seat = records.client_log, records.seat
        if client_log is None or seat is None:
            return None
        audit = client_log.audit
        if audit.expects(Commits):
            return commitment(records, client_log, seat)
        if client_log.chain.n == COMMITTED:
            return part(records, client_log, seat)
        if audit.expects(CoSigned):
            self.given = client_log.chain.n
            return cosignature(records, client_log, seat, protest=self.protest)
        return check_word(records, client_log, seat) if audit.expects(CheckWords) else None

    def ending(self) -> wire.EndGame:
        """The seat's agreement to end the game without a result after the last entry."""
        records = self._records
        signature = records.identity.sign("end", records.game.id, u64(records.n), records.head)
        return wire.EndGame(records.n, signature)

    # A bot plays the seat

    @property
    def taken_over(self) -> bool:
        """Whether a bot plays this seat although its client is connected, and the player has not taken it back."""
        absence = self._absence
        if absence is None or absence.bot is None or absence.n == self._returned:
            return False
        return self._connected_at(absence.n)

    def returning(self, *, asked: bool = False) -> wire.Return | None:
        """The message that takes the seat back after an absence, once on a connection. If the client was connected
        all the time, the player has to ask for it once a bot plays. A bot that plays its own seat asks at once."""
        records, absence = self._records, self._absence
        if absence is None or absence.n == self._returned:
            return None
        connected = self._connected_at(absence.n) and records.profile.kind != SeatKind.BOT
        if connected and not asked and (absence.bot is not None or absence.n == records.n):
            return None
        assert records.client_log is not None
        chain = records.client_log.chain
        head = absence.head or chain.head
        self._returned = absence.n
        return wire.Return(absence.n, sign_back(records.identity, records.game.id, absence, head).sig)

    @property
    def _absence(self) -> Absence | None:
        client_log, seat = self._records.client_log, self._records.seat
        return client_log.audit.absences.now(seat) if client_log is not None and seat is not None else None

    def _connected_at(self, n: int) -> bool:
        """Whether entry `n` came while this client was connected, and was not sent to catch up."""
        return self._since is not None and n > self._since

    # What the log says

    def note_substitute(self, n: int, entry: Move) -> None:
        """A bot has moved for a seat. If it is this one and its client is connected, the next co-signature
        protests, also if the program is restarted before that."""
        if entry.seat != self._records.seat:
            return
        if self._connected_at(n) and not self.protest:
            self._records.keep_protest(n)
        self.protest |= self._connected_at(n) or n == self._protested

    def cosigned(self, n: int) -> Cosigned:
        """Return the update for the co-signatures in entry `n`."""
        client_log, own = self._records.client_log, self._records.seat
        assert client_log is not None
        last = client_log.audit.cosigned[-1]
        missing = tuple(seat for seat in range(len(client_log.audit.table.players)) if seat not in last.seats)
        if own in last.seats:
            self.protest = False
        omitted = own in missing and self.given == n - 1
        return Cosigned(
            last.round, last.words, last.seats, missing, last.over, own=omitted, protests=last.protests
        )

    def note_seat(self, n: int, entry: SeatChange) -> list[Update]:
        """A player is away, a bot plays the seat, or the player is back."""
        own = entry.seat == self._records.seat
        if entry.what == BOT:
            return [SubstituteBegan(entry.seat, entry.level, own=own and self._connected_at(n))]
        if entry.what != BACK:
            return []
        client_log = self._records.client_log
        assert client_log is not None
        (ended,) = [absence for absence in client_log.audit.absences.all if absence.until == n]
        if ended.bot is None:
            return []
        return [BackAgain(entry.seat, len(ended.moves), here=own and self._connected_at(ended.bot))]


class Sent(Struct, eq=False):
    """A move on its way. `taken` once it is in the log, `refusal` if it did not get there."""

    play: wire.Play | wire.SayInDraft
    line: str
    taken: bool = False
    refusal: Rejected | None = None

    @property
    def settled(self) -> bool:
        """Whether the host has answered."""
        return self.taken or self.refusal is not None


def signed(records: Records, client_log: ClientLog, seat: int, line: str) -> wire.Play:
    """A line of notation as the next entry, with what commits to it or breaks a seal."""
    what, openings = records.owner(seat).prepare(client_log.audit, client_log.chain.head, line)
    signature = sign_move(records.identity, records.game.id, client_log.chain, seat, what)
    return wire.Play(client_log.chain.n + 1, what, signature, openings)


def picks(state: State) -> bool:
    """Whether a player picks a character now."""
    return bool(state.steps) and state.steps[-1].verb == Pick.verb


class OwnTurn:
    """When a seat may move, and its last move: `sent`, on its way or settled."""

    def __init__(self, records: Records, view: OwnView) -> None:
        self.sent: Sent | None = None
        self._records = records
        self._view = view

    @property
    def pending(self) -> wire.Play | wire.SayInDraft | None:
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
        drafting = self._view.drafting
        if drafting is not None and picks(state):
            return drafting.may_pick
        return client_log.audit.expects(Move)

    def sign(self, action: Action) -> wire.Play | wire.SayInDraft:
        """The move, on its way from now on. Raises Rejected: `not_your_turn`."""
        client_log, seat = self._records.client_log, self._records.seat
        if client_log is None or seat is None or not self.due:
            raise Rejected("not_your_turn")
        message = self._said(action) if self._view.drafting is not None else None
        self.sent = Sent(message or signed(self._records, client_log, seat, str(action)), str(action))
        return self.sent.play

    def _said(self, action: Action) -> wire.SayInDraft | None:
        """Return the message of an action in a sealed draft, None if the action belongs to no draft. Raises
        Rejected if the rules do not allow it: the host does not see the action."""
        view, seat, drafting = self._view.own, self._records.seat, self._view.drafting
        if drafting is None or view is None or seat is None or not isinstance(action, Pick | Theater):
            return None
        if (reason := refusal(view, seat, action)) is not None:
            raise Rejected(reason.code, **reason.details)
        return drafting.chosen(action, view)

    def again(self) -> wire.Play | wire.SayInDraft | None:
        """What was on its way when the connection broke. If another entry came first, a move is signed again for
        the new head, as long as this seat still has to make it; otherwise it is settled."""
        play, sent, records = self.pending, self.sent, self._records
        if play is None or sent is None or play.n == records.n + 1:
            return play
        client_log, seat = records.client_log, records.seat
        if isinstance(play, wire.SayInDraft) or client_log is None or seat is None or not self._may_move:
            sent.refusal = Rejected("stale")
            return None
        sent.play = signed(records, client_log, seat, sent.line)
        return sent.play

    def refused(self, refused: wire.Refused) -> bool:
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
