"""What a seat owes its table, and what it says when a bot of the host has played it."""

from typing import Final

from citadels_lan.crypto.absences import Absence, sign_back
from citadels_lan.crypto.chance import part_commitment
from citadels_lan.crypto.claims import agree_fields
from citadels_lan.crypto.client_log import ClientLog
from citadels_lan.crypto.cosigning import cosign, word_commitment
from citadels_lan.crypto.frames import u64
from citadels_lan.crypto.log import (
    BACK,
    BOT,
    SUBSTITUTE,
    Agreement,
    CheckWords,
    Commits,
    CoSigned,
    Move,
    SeatChange,
    SeatKind,
)
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import CheckWord, Cosign, EndGame, Message, Return, SeedCommit, SeedPart

from .records import Records
from .updates import BackAgain, Cosigned, SubstituteBegan, Update


def commitment(records: Records, client_log: ClientLog, seat: int) -> SeedCommit:
    """The seat's agreement to the header, with its commitment to a part that is stored now. Raises Refusal:
    `storage`."""
    header, agreed = client_log.audit.table, client_log.chain.head
    commit = part_commitment(agreed, seat, records.part())
    anchors = records.owner(seat).anchors(header)
    signature = records.identity.sign("agree", *agree_fields(agreed, seat, commit, anchors))
    return SeedCommit(Agreement(commit, anchors, signature))


def part(records: Records, client_log: ClientLog, seat: int) -> SeedPart:
    """The seat's part, once *commits* is stored and has its commitment. Raises Refusal: `not_agreed`,
    `storage`."""
    given = records.release()
    if part_commitment(records.agreed, seat, given) != client_log.audit.commits[seat]:
        raise Refusal("not_agreed", what="part")
    return SeedPart(given)


def cosignature(records: Records, client_log: ClientLog, seat: int, *, protest: bool) -> Cosign:
    """The seat's co-signature; after the game with what it has still sealed."""
    chain, audit, game = client_log.chain, client_log.audit, records.game.id
    commit = word_commitment(game, chain.n, seat, records.owner(seat).word(chain.head))
    signed = cosign(records.identity, game, chain.n, chain.head, seat, commit, protest=protest)
    openings = records.owner(seat).opened_at_the_end(audit) if audit.over else ()
    return Cosign(chain.n, signed, tuple(openings))


def agreed_end(records: Records, client_log: ClientLog) -> EndGame:
    """The signature that the game ends without a result."""
    chain = client_log.chain
    return EndGame(chain.n, records.identity.sign("end", records.game.id, u64(chain.n), chain.head))


def check_word(records: Records, client_log: ClientLog, seat: int) -> CheckWord | None:
    """The seat's word, if the last entry has the commitment to it; None otherwise."""
    chain, signed = client_log.chain, client_log.audit.signed
    word = records.owner(seat).word(client_log.audit.cosigned[-1].head)
    commit = word_commitment(client_log.game, chain.n - 1, seat, word)
    given = any((one.seat, one.commit) == (seat, commit) for one in signed.seats)
    return CheckWord(chain.n, word) if given else None


COMMITTED: Final = 2
"""After so many entries all seats have committed to their parts, and give them."""


class Duties:
    """What one seat has given on this connection, and what the log says of it since. `given` is the entry with
    which the history ended that it co-signed last. `protest` is whether a bot has moved for this seat while its
    client was connected, since the last co-signature."""

    def __init__(self, records: Records) -> None:
        self.given = 0
        self.protest = False
        self._records = records
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

    def owed(self) -> SeedCommit | SeedPart | Cosign | CheckWord | None:
        """What the table needs of this seat now. Raises Refusal: `not_agreed`, `storage`."""
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
            return cosignature(records, client_log, seat, protest=self.protest)
        return check_word(records, client_log, seat) if audit.expects(CheckWords) else None

    def ending(self) -> EndGame:
        """The seat's agreement to end the game without a result after the last entry."""
        client_log = self._records.client_log
        assert client_log is not None
        return agreed_end(self._records, client_log)

    def note_given(self, message: Message) -> None:
        """It is on its way."""
        if isinstance(message, Cosign):
            self.given = message.n

    # A bot plays the seat

    @property
    def taken_over(self) -> bool:
        """Whether a bot plays this seat although its client is connected, and the player has not taken it back."""
        absence = self._absence
        if absence is None or absence.bot is None or absence.n == self._returned:
            return False
        return self._connected_at(absence.n)

    def returning(self, *, asked: bool = False) -> Return | None:
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
        return Return(absence.n, sign_back(records.identity, records.game.id, absence, head).sig)

    @property
    def _absence(self) -> Absence | None:
        client_log, seat = self._records.client_log, self._records.seat
        return client_log.audit.absences.now(seat) if client_log is not None and seat is not None else None

    def _connected_at(self, n: int) -> bool:
        """Whether entry `n` came while this client was connected, and was not sent to catch up."""
        return self._since is not None and n > self._since

    # What the log says

    def note_move(self, n: int, entry: Move) -> None:
        """If a bot moves for this seat while its player is connected, the next co-signature protests."""
        if (entry.seat, entry.by) == (self._records.seat, SUBSTITUTE) and self._connected_at(n):
            self.protest = True

    def cosigned(self, n: int) -> Cosigned:
        """Who has co-signed in entry `n`."""
        client_log, own = self._records.client_log, self._records.seat
        assert client_log is not None
        one = client_log.audit.cosigned[-1]
        missing = tuple(seat for seat in range(len(client_log.audit.table.players)) if seat not in one.seats)
        if own in one.seats:
            self.protest = False
        omitted = own in missing and self.given == n - 1
        return Cosigned(one.round, one.words, one.seats, missing, one.over, own=omitted, protests=one.protests)

    def note_seat(self, n: int, entry: SeatChange) -> list[Update]:
        """A player is away, a bot plays the seat, or the player is back."""
        own = entry.seat == self._records.seat
        if entry.what == BOT:
            return [SubstituteBegan(entry.seat, entry.level, own=own and self._connected_at(n))]
        if entry.what != BACK:
            return []
        client_log = self._records.client_log
        assert client_log is not None
        (ended,) = [one for one in client_log.audit.absences.all if one.until == n]
        if ended.bot is None:
            return []
        return [BackAgain(entry.seat, len(ended.moves), here=own and self._connected_at(ended.bot))]
