"""The signatures of a seat: its part of the seed, its co-signatures, its moves (open, hidden from the other
players, or sealed from the host as well), and its return after a bot of the host has played it."""

from typing import Final

from msgspec import Struct

from citadels_lan.crypto import log
from citadels_lan.crypto.chance import part_commitment
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.codec import u64
from citadels_lan.crypto.seats import Absence, agree_fields, cosign, sign_back, word_commitment
from citadels_lan.engine import Action, acting, refusal
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.errors import Refusal, Rejected

from .own_view import OwnView
from .records import Records
from .updates import BackAgain, Cosigned, SubstituteBegan, Update


def commitment(records: Records, client_log: ClientLog, seat: int) -> wire.SeedCommit:
    """Return the seat's agreement to the header, with its commitment to a part that is stored now. Raises
    Refusal: `storage`."""
    header, agreed = client_log.audit.table, client_log.chain.head
    commit = part_commitment(agreed, seat, records.starts.part(header, agreed))
    anchors = records.owner(seat).anchors(header)
    signature = records.identity.sign("agree", *agree_fields(agreed, seat, commit, anchors))
    return wire.SeedCommit(log.Agreement(commit, anchors, signature))


def part(records: Records, client_log: ClientLog, seat: int) -> wire.SeedPart:
    """Return the seat's part, once *commits* is stored and has its commitment. Raises Refusal: `not_agreed`,
    `storage`."""
    given = records.starts.release(records.agreed, records.head)
    if part_commitment(records.agreed, seat, given) != client_log.audit.commits[seat]:
        raise Refusal("not_agreed", what="part")
    return wire.SeedPart(given)


def cosignature(records: Records, client_log: ClientLog, seat: int, *, protest: bool) -> wire.Cosign:
    """Return the seat's co-signature; after the game with the openings of its sealed moves."""
    chain, audit, game = client_log.chain, client_log.audit, records.game.id
    commit = word_commitment(game, chain.n, seat, records.owner(seat).word(chain.head))
    signed = cosign(records.identity, game, chain.n, chain.head, seat, commit, protest=protest)
    openings = records.owner(seat).opened_at_the_end(audit) if audit.over else ()
    return wire.Cosign(chain.n, signed, tuple(openings))


def check_word(records: Records, client_log: ClientLog, seat: int) -> wire.CheckWord | None:
    """Return the seat's word, if the last entry has the commitment to it; None otherwise."""
    chain, signed = client_log.chain, client_log.audit.signed
    word = records.owner(seat).word(client_log.audit.cosigned[-1].head)
    commit = word_commitment(client_log.game, chain.n - 1, seat, word)
    given = any((signer.seat, signer.commit) == (seat, commit) for signer in signed.seats)
    return wire.CheckWord(chain.n, word) if given else None


COMMITTED: Final = 2
"""After so many entries all seats have committed to their parts of the seed, and give them."""


class PendingSignatures:
    """The signatures of one seat besides its moves. `given` is the last entry of the history that it co-signed
    last. `protest` is whether a bot has moved for this seat while its client was connected, since the last
    co-signature."""

    def __init__(self, records: Records) -> None:
        self.given = 0
        self.protest = False
        self._records = records
        self._protested = records.protested()
        self._since: int | None = None
        self._returned = 0

    def welcomed(self, n: int) -> None:
        """Note that a connection begins, and that the host is at entry `n`."""
        self._since, self._returned = n, 0

    def lost(self, *, unsent: bool) -> None:
        """Note that the connection has ended. `unsent`: the last messages of this seat were not sent."""
        self._since = None
        if unsent:
            self.given = self._returned = 0

    def due(self) -> wire.SeedCommit | wire.SeedPart | wire.Cosign | wire.CheckWord | None:
        """Return what the table needs from this seat now, to be sent. Raises Refusal: `not_agreed`,
        `storage`."""
        records = self._records
        client_log, seat = records.client_log, records.seat
        if client_log is None or seat is None:
            return None
        audit = client_log.audit
        if audit.expects(log.Commits):
            return commitment(records, client_log, seat)
        if client_log.chain.n == COMMITTED:
            return part(records, client_log, seat)
        if audit.expects(log.CoSigned):
            self.given = client_log.chain.n
            return cosignature(records, client_log, seat, protest=self.protest)
        return check_word(records, client_log, seat) if audit.expects(log.CheckWords) else None

    def ending(self) -> wire.EndGame:
        """Return the seat's agreement to end the game without a result after the last entry."""
        records = self._records
        signature = records.identity.sign("end", records.game.id, u64(records.n), records.head)
        return wire.EndGame(records.n, signature)

    # A bot plays the seat

    @property
    def taken_over(self) -> bool:
        """Whether a bot plays this seat although its client is connected, and the player has not taken it
        back."""
        absence = self._absence
        if absence is None or absence.bot is None or absence.n == self._returned:
            return False
        return self._connected_at(absence.n)

    def returning(self, *, asked: bool = False) -> wire.Return | None:
        """Return the message that takes the seat back after an absence, once on a connection. If the client
        was connected all the time, the player has to ask for it once a bot plays. A bot that plays its own
        seat asks at once."""
        records, absence = self._records, self._absence
        if absence is None or absence.n == self._returned:
            return None
        connected = self._connected_at(absence.n) and records.profile.kind != log.SeatKind.BOT
        if connected and not asked and (absence.bot is not None or absence.n == records.n):
            return None
        head = absence.head or records.head
        self._returned = absence.n
        return wire.Return(absence.n, sign_back(records.identity, records.game.id, absence, head).sig)

    @property
    def _absence(self) -> Absence | None:
        client_log, seat = self._records.client_log, self._records.seat
        return client_log.audit.absences.now(seat) if client_log is not None and seat is not None else None

    def _connected_at(self, n: int) -> bool:
        """Whether entry `n` came while this client was connected, and was not sent to catch up."""
        return self._since is not None and n > self._since

    # Entries of the log

    def note_substitute(self, n: int, entry: log.Move) -> None:
        """A bot has moved for a seat. If it is this seat, and its client is connected, the next co-signature
        protests, also if the program is restarted before."""
        if entry.seat != self._records.seat:
            return
        if self._connected_at(n) and not self.protest:
            self._records.keep_protest(n)
        self.protest |= self._connected_at(n) or n == self._protested

    def cosigned(self, n: int) -> Cosigned:
        """Return the update for the co-signatures in entry `n`."""
        audit, own = self._records.log.audit, self._records.seat
        last = audit.cosigned[-1]
        missing = tuple(seat for seat in range(len(audit.table.players)) if seat not in last.seats)
        if own in last.seats:
            self.protest = False
        omitted = own in missing and self.given == n - 1
        return Cosigned(
            last.round, last.words, last.seats, missing, last.over, own=omitted, protests=last.protests
        )

    def note_seat(self, n: int, entry: log.SeatChange) -> list[Update]:
        """Return the updates for entry `n`: a player is away, a bot plays the seat, or the player is back."""
        own = entry.seat == self._records.seat
        if entry.what == log.BOT:
            return [SubstituteBegan(entry.seat, entry.level, own=own and self._connected_at(n))]
        if entry.what != log.BACK:
            return []
        (ended,) = [absence for absence in self._records.log.audit.absences.all if absence.until == n]
        if ended.bot is None:
            return []
        return [BackAgain(entry.seat, len(ended.moves), here=own and self._connected_at(ended.bot))]


class Sent(Struct, eq=False):
    """A move that was sent. `taken` is set once it is in the log, `refusal` if it cannot get there."""

    play: wire.Play | wire.SayInDraft
    line: str
    taken: bool = False
    refusal: Rejected | None = None

    @property
    def settled(self) -> bool:
        """Whether the move is in the log or rejected."""
        return self.taken or self.refusal is not None


def signed(records: Records, client_log: ClientLog, seat: int, line: str) -> wire.Play:
    """Sign a line of notation as the next entry, with its commitments, or the openings of what was sealed."""
    what, openings = records.owner(seat).prepare(client_log.audit, client_log.chain.head, line)
    signature = log.sign_move(records.identity, records.game.id, client_log.chain, seat, what)
    return wire.Play(client_log.chain.n + 1, what, signature, openings)


class OwnTurn:
    """When a seat may move, and its last move: `sent`, on its way or settled."""

    def __init__(self, records: Records, view: OwnView) -> None:
        self.sent: Sent | None = None
        self._records = records
        self._view = view

    @property
    def _pending(self) -> Sent | None:
        """The move that is on its way."""
        return self.sent if self.sent is not None and not self.sent.settled else None

    @property
    def due(self) -> bool:
        """Whether this seat has to decide by the log, and no decision of it is on its way."""
        return self._pending is None and self._may_move

    @property
    def _may_move(self) -> bool:
        client_log, state, seat = self._records.client_log, self._view.own, self._records.seat
        if client_log is None or state is None or seat is None:
            return False
        if client_log.audit.absences.substitute(seat) is not None or seat not in acting(state):
            return False
        drafting = self._view.drafting
        if drafting is not None and state.steps and state.steps[-1].verb == Pick.verb:
            return drafting.may_pick
        return client_log.audit.expects(log.Move)

    def sign(self, action: Action) -> Sent:
        """Sign a move of this seat, which `due` allows. Raises Rejected if the rules do not allow a move in a
        sealed draft: the host cannot see that."""
        records, line = self._records, str(action)
        assert records.seat is not None
        message = self._draft_message(records.seat, action) if self._view.drafting is not None else None
        self.sent = Sent(message or signed(records, records.log, records.seat, line), line)
        return self.sent

    def _draft_message(self, seat: int, action: Action) -> wire.SayInDraft | None:
        view, drafting = self._view.own, self._view.drafting
        if drafting is None or view is None or not isinstance(action, Pick | Theater):
            return None
        if (reason := refusal(view, seat, action)) is not None:
            raise Rejected(reason.code, **reason.details)
        return drafting.chosen(action, view)

    def again(self, *, lost: bool) -> wire.Play | wire.SayInDraft | None:
        """Return the move that is on its way if it has to be sent again. If another entry came first, sign it
        for the new head, as long as this seat still has to make it; otherwise it is settled. `lost`: its
        connection has ended."""
        sent, records = self._pending, self._records
        if sent is None:
            return None
        if sent.play.n == records.n + 1:
            return sent.play if lost else None
        if isinstance(sent.play, wire.SayInDraft) or records.seat is None or not self._may_move:
            sent.refusal = Rejected("stale")
            return None
        sent.play = signed(records, records.log, records.seat, sent.line)
        return sent.play

    def refused(self, refused: wire.Refused) -> bool:
        """The host has rejected a move. Return whether that is the move on its way."""
        sent = self._pending
        if sent is None or refused.n != sent.play.n:
            return False
        sent.refusal = Rejected(refused.code, **refused.details)
        return True

    def line(self, n: int, entry: log.Move | log.SaidItem) -> str | None:
        """Return the line of the move in entry `n`, or of a choice in a sealed draft, if this viewer knows
        it."""
        sent, what = self._pending, entry.what if isinstance(entry, log.Move) else entry.message
        if sent is not None and sent.play.n == n:
            if (entry.seat, what) == (self._records.seat, sent.play.what):
                sent.taken = True
                return sent.line
            sent.refusal = Rejected("stale")
        return what if isinstance(what, str) else None
