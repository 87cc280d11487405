"""Entries that a host has signed and lost, as clients hand them back. No sockets and no clock here.

The host's own signature says that an entry is genuine, whoever brings it. What it needs besides, to go on with
the game, are the hidden parts: chance follows from the seed and the host's secret, and a hidden move from its
mover, who hands back what it had sent; where that follows from the host's secret, nobody is asked (`gifts`). So an
entry is taken back by doing once more what made it: the same hash must come of it.

    recovering = Recovering(chain, hostkey)              # where the journal ends
    recovering.take(seat, handed)                        # Gap, Unsaid, Malformed: no next entry of this host
    again(game, recovering)                              # as far as everything is there
    recovering.wanted(game.host_log.audit)               # the seats whose own moves are missing for more
"""

import copy
from collections.abc import Sequence

from msgspec import Struct

from citadels_lan.crypto.audit import Auditor
from citadels_lan.crypto.beacons import seats_in
from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.client_log import check_link
from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.delta import Delta
from citadels_lan.crypto.faults import Mismatch, Unacceptable
from citadels_lan.crypto.host_entries import Written
from citadels_lan.crypto.host_log import HostLog, Participant, Share
from citadels_lan.crypto.log import (
    AnyEntry,
    Back,
    Beacons,
    Close,
    Commits,
    DraftCalled,
    DraftLinks,
    DraftSaid,
    DraftWithout,
    Move,
    Open,
    Opened,
    Parts,
    Present,
    Restart,
    Seal,
    StandIn,
    TableMove,
    decode_entry,
)
from citadels_lan.engine import Event, advance, decide
from citadels_lan.net.host.core import Core
from citadels_lan.net.host.game import HostedGame, Keep
from citadels_lan.net.wire.messages import Handed

from .drafting_again import called_again, said_again, without_again
from .gifts import Gift, needed, of_stand_in


class Piece(Struct, frozen=True):
    """An entry that was handed back: its `public` bytes and what they say, and the hashes before and after it."""

    n: int
    public: bytes
    entry: AnyEntry
    before: bytes
    head: bytes


class Recovering:
    """What was handed back of a log that goes on after `chain`, signed by the key `host`. `n` is how
    far that is, `pieces` are the entries that the game does not have yet, in order."""

    def __init__(self, chain: Chain, host: bytes) -> None:
        self.pieces: list[Piece] = []
        self._chain = copy.copy(chain)
        self._host = host
        self._gifts: dict[int, dict[int, Gift]] = {}
        self._openings: dict[bytes, Opening] = {}
        self._signatures: dict[int, bytes] = {}

    @property
    def n(self) -> int:
        """The last entry that was handed back, or the last of the journal."""
        return self._chain.n

    def follow(self, chain: Chain) -> None:
        """The game has gone on meanwhile; what it lacks goes on after this."""
        if not self.pieces:
            self._chain = copy.copy(chain)

    def take(self, seat: int | None, handed: Handed) -> None:
        """What a seat hands back; of entries that the game has by now nothing is kept. Raises Gap where entries
        between are missing, Unsaid where the host has not signed it or has signed another one, Malformed."""
        if handed.n > self.n:
            self._extend(handed)
        piece = next((piece for piece in self.pieces if piece.n == handed.n), None)
        if piece is None or seat is None:
            return
        own = isinstance(piece.entry, Move | DraftSaid) and piece.entry.seat == seat
        if isinstance(piece.entry, Beacons) or own:
            self._gifts.setdefault(piece.n, {})[seat] = Gift(handed.own or b"", handed.openings, handed.draft)

    def _extend(self, handed: Handed) -> None:
        delta = Delta(handed.n, handed.signature, handed.public, handed.leaves, None, None)
        before, head = self._chain.head, check_link(self._chain, self._host, delta)
        entry = decode_entry(handed.public)
        self._chain.grow(head)
        self.pieces.append(Piece(handed.n, handed.public, entry, before, head))
        if isinstance(entry, Move | Opened | Close):
            self._openings |= {committed(self._chain.game, opening): opening for opening in entry.openings}
        elif isinstance(entry, Seal):
            moves = [piece.n for piece in reversed(self.pieces) if isinstance(piece.entry, Move | DraftSaid)]
            self._signatures |= dict(zip(moves, reversed(entry.signatures), strict=False))

    def drop(self, n: int) -> None:
        """The game has all entries up to `n` now."""
        self.pieces = [piece for piece in self.pieces if piece.n > n]
        for past in [past for past in self._gifts if past <= n]:
            del self._gifts[past]

    def unfit(self, piece: Piece) -> None:
        """What a mover handed back is not what it had sent."""
        if isinstance(piece.entry, Move | DraftSaid):
            self._gifts.get(piece.n, {}).pop(piece.entry.seat, None)

    def wanted(self, audit: Auditor) -> tuple[int, ...]:
        """The seats without whom the first piece cannot be made again; `audit` is that of the game before it."""
        if not self.pieces:
            return ()
        piece = self.pieces[0]
        match piece.entry:
            case Move(seat=seat) as move if not (
                _is_of_stand_in(audit, move) or self.of_move(audit, piece, move) is not None
            ):
                return (seat,)
            case DraftSaid(seat=seat) as said if not (
                _drafted_by_stand_in(audit, said) or self.of_said(piece, said) is not None
            ):
                return (seat,)
            case Beacons():
                return tuple(
                    seat
                    for seat in seats_in(audit.between.present)
                    if self.of_last_links(audit, piece.n, seat) is None
                )
        return ()

    def of_move(self, audit: Auditor, piece: Piece, move: Move) -> Gift | None:
        """What came with a move, from its mover or what is public by now; None where that is not enough."""
        n = piece.n
        own = self._gifts.get(n, {}).get(move.seat)
        if own is not None:
            return own
        openings = [self._openings.get(commit) for commit in needed(audit, move)]
        known = tuple(opening for opening in openings if opening is not None)
        if n not in self._signatures or len(known) < len(openings):
            return None
        return Gift(self._signatures[n], known)

    def of_said(self, piece: Piece, said: DraftSaid) -> Gift | None:
        """The signature of what a seat has said in a sealed draft, from itself or the next seal."""
        own = self._gifts.get(piece.n, {}).get(said.seat)
        if own is None and piece.n in self._signatures:
            return Gift(self._signatures[piece.n])
        return own

    def of_last_links(self, audit: Auditor, n: int, seat: int) -> Gift | None:
        """The same of the links after a game: the openings of what this seat had sealed. Before the end there are
        none."""
        sealed = [commit for commit, _ in audit.concealed.sealed_by(seat)] if audit.over else []
        known = tuple(self._openings[commit] for commit in sealed if commit in self._openings)
        given = self._gifts.get(n, {}).get(seat)
        if audit.over and audit.drafts is not None:
            return given
        return Gift(openings=known) if len(known) == len(sealed) else given


def begun(recovering: Recovering, core: Core, keep: Keep) -> HostedGame:
    """The game of which a host has nothing but its secrets, begun once more. Raises Mismatch."""
    first = recovering.pieces[0]
    if not isinstance(first.entry, Open) or first.n != 1:
        raise Mismatch("order", first.n)
    game = HostedGame.begin(first.entry.header, core.secret, core.host, keep)
    if game.head != first.head:
        raise Mismatch("header", 1)
    recovering.drop(1)
    return game


def again(game: HostedGame, recovering: Recovering) -> None:
    """Write the entries once more, as far as everything is there. Raises Mismatch where something else comes of
    it: then this program, or what it knows of the game, is not that of then."""
    audit = game.host_log.audit
    while recovering.pieces and not recovering.wanted(audit):
        piece = recovering.pieces[0]
        try:
            made = _made(game, recovering, piece) if piece.n > game.n else []
        except Unacceptable:
            if not _of_owner(audit, piece.entry):
                raise Mismatch("order", piece.n) from None
            recovering.unfit(piece)
            continue
        if game.host_log.head_at(piece.n) != piece.head:
            raise Mismatch("event", piece.n)
        for written, events in made:
            game.append(written, events)
        recovering.drop(game.n)
    game.note_awaited()


def _made(game: HostedGame, recovering: Recovering, piece: Piece) -> list[tuple[Written, Sequence[Event]]]:
    """The same once more. Raises Unacceptable where what came with a move does not fit."""
    log, entry = game.host_log, piece.entry
    match entry:
        case Commits():
            more = (entry.boxes or (), entry.drafts or ())
            return [(log.commit(entry.commits, entry.anchors, entry.signatures, *more), ())]
        case Parts():
            return [(log.reveal(entry.parts, entry.signatures), ())]
        case Present() | Restart() | Beacons():
            return [(_between(log, recovering, piece.n, entry), ())]
        case StandIn():
            return [(log.stand_in(entry.seat, entry.level), ())]
        case Back():
            log.check_back(entry)
            return [(log.back(entry), ())]
        case TableMove():
            events = advance(game.state, game.chance)
            return [(log.table(events), events)]
        case Move():
            return [_moved(game, recovering, piece, entry)]
        case Seal():
            return [(log.seal(), ())]
        case DraftSaid() | DraftWithout() | DraftCalled():
            return [_drafted(game, recovering, piece, entry)]
        case DraftLinks() | Opened() | Close():
            return [(written, ()) for written in log.close()]
        case _:
            raise Mismatch("order", piece.n)


def _drafted(
    game: HostedGame, recovering: Recovering, piece: Piece, entry: DraftSaid | DraftWithout | DraftCalled
) -> tuple[Written, Sequence[Event]]:
    match entry:
        case DraftSaid():
            gift = recovering.of_said(piece, entry) or Gift()
            return said_again(game, entry, gift.signature)
        case DraftWithout():
            return without_again(game, entry)
        case DraftCalled():
            return called_again(game, entry)


def _between(log: HostLog, recovering: Recovering, n: int, entry: Present | Restart | Beacons) -> Written:
    match entry:
        case Present():
            return log.present(_participants(entry))
        case Restart():
            return log.restart(list(seats_in(entry.missing)))
        case Beacons():
            return log.beacons(_shares(log, recovering, n, entry))


def _moved(game: HostedGame, recovering: Recovering, piece: Piece, move: Move) -> tuple[Written, Sequence[Event]]:
    log = game.host_log
    stood_in = _is_of_stand_in(log.audit, move)
    gift = of_stand_in(game, move) if stood_in else recovering.of_move(log.audit, piece, move)
    if gift is None:
        raise Unacceptable("opening")
    read = log.check_move(move.seat, piece.n, move.what, gift.signature, gift.openings)
    events = decide(game.state, move.seat, read.action, game.chance, read.unsealed)
    return log.move(read, events), events


def _is_of_stand_in(audit: Auditor, move: Move) -> bool:
    """Whether a stand-in of the host's made the next move."""
    return audit.movers.stint(move.seat) is not None


def _of_owner(audit: Auditor, entry: AnyEntry) -> bool:
    """Whether the next entry is what the owner of a seat has sent."""
    match entry:
        case Move():
            return not _is_of_stand_in(audit, entry)
        case DraftSaid():
            return not _drafted_by_stand_in(audit, entry)
    return False


def _drafted_by_stand_in(audit: Auditor, said: DraftSaid) -> bool:
    """Whether a stand-in of the host's drafts for a seat in this round."""
    return audit.drafts is not None and bool(audit.drafts.rounds) and said.seat in audit.drafts.now.stints


def _participants(entry: Present) -> dict[int, Participant]:
    return {
        seat: Participant(signature, bool(entry.disputed >> seat & 1))
        for seat, signature in zip(seats_in(entry.present), entry.signatures, strict=True)
    }


def _shares(log: HostLog, recovering: Recovering, n: int, entry: Beacons) -> dict[int, Share]:
    shares: dict[int, Share] = {}
    for seat, link in zip(seats_in(log.audit.between.present), entry.links, strict=True):
        gift = recovering.of_last_links(log.audit, n, seat) or Gift()
        try:
            log.check_share(seat, n - 1, Share(link, gift.openings, gift.draft))
        except Unacceptable:  # the openings are not the seat's: as if it had given none
            gift = Gift()
        shares[seat] = Share(link, gift.openings, gift.draft)
    return shares
