"""What must hold from one entry to the next, for everybody who reads a log: host, clients and verification.

The order of the entries is a small machine:

    after     may come
    nothing   open              who sits where, and what is played
    open      commits           each seat agrees to that, and has fixed its part of the seed and its beacons
    commits   parts             the parts are there
    parts     present           who takes part in the chance of the first round
    present   beacons           the round gets its chance
    present   restart           somebody's link has not come
    restart   present           who takes part now
    beacons   table             the deal, or the beginning of the round
    beacons   opened close      once the game is over
    table     table move        somebody must decide
    table     stand-in back
    move      move
    move      stand-in back
    move      seal              once the round or the game has ended, or 32 moves wait for a seal
    seal      move              in the same round
    seal      stand-in back
    stand-in  table move        as before it, whether or not the table has something to do
    stand-in  stand-in back
    back      table move        as before it
    back      stand-in back
    seal      present           once the round or the game has ended
    opened    opened close      as many as it takes for all openings
    close                       nothing comes any more

Where the draft is sealed, what comes in a round after *table* follows from the draft (`drafts`): *draft said*,
*draft without*, *draft called*, *restart* as long as nobody has dealt; and after the last beacons *draft links*.

Every entry is signed by the host (see `chain`), so whatever contradicts here is proof against it.
"""

from collections.abc import Sequence
from typing import Final

from citadels_lan.crypto.beacons import Between, seats_in
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.draft.boxes import usable
from citadels_lan.crypto.draft.parts import DraftCall
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import (
    SEAL_AFTER,
    AnyEntry,
    Back,
    Beacons,
    Close,
    Commits,
    DraftCalled,
    DraftLinks,
    DraftSaid,
    DraftWithout,
    Header,
    Move,
    Open,
    Opened,
    Parts,
    Present,
    Restart,
    Seal,
    StandIn,
    TableMove,
    openings_of,
)
from citadels_lan.crypto.seed import host_commitment
from citadels_lan.crypto.stand_ins import Movers
from citadels_lan.engine.events import (
    Confiscated,
    Event,
    GameEnded,
    Inquired,
    LapBegan,
    Placed,
    Revealed,
    RoundBegan,
    RoundEnded,
    ThreatShown,
)

from .beginning import check_agreements, check_parts, check_table
from .concealed import Concealed
from .drafts import Drafts
from .signed import Signed, mover_signed

DECIDING: Final = (Move, StandIn, Back)
"""What may come where somebody must decide: a move, or who makes it is somebody else from there on."""


class Auditor:
    """Reads the entries of one game in order and raises Mismatch at the first that cannot be.

    After a Mismatch it is of no more use. `header` is known after the first entry; `concealed` is what the moves
    conceal, and what is opened of it; `unsealed` are the moves without signature; `between` is what was said
    between rounds; `moves` how many moves of each seat have a signature, checked here; `movers` say who has
    signed them. `drafts` are the sealed ones, None where the draft is open.
    """

    def __init__(self, game: bytes, rules: str, fp: bytes, host: bytes) -> None:
        """`host` is the key that signs the entries."""
        self._identity = (game, rules, fp)
        self._host = host
        self.header: Header | None = None
        self.movers = Movers(game, ())
        self.commits: tuple[bytes, ...] = ()
        self.committed_head = b""
        self.parts: tuple[bytes, ...] = ()
        self.secret: bytes | None = None
        self.round = 0
        self.unsealed: list[Signed] = []
        self.concealed = Concealed(game)
        self.between = Between()
        self.moves: dict[int, int] = {}
        self.signatures = 0
        self.over = False
        self.drafts: Drafts | None = None
        self._coming = 0
        self._round_over = False
        self._next: tuple[type, ...] = (Open,)

    @property
    def table(self) -> Header:
        """The header, of which there is one after the first entry."""
        assert self.header is not None
        return self.header

    @property
    def must_seal(self) -> bool:
        """Whether the next entry is a seal."""
        return self._next == (Seal,)

    @property
    def may_close(self) -> bool:
        """Whether the game is over and sealed, but not closed."""
        return Close in self._next or DraftLinks in self._next

    def expects(self, kind: type) -> bool:
        """Whether an entry of this kind may come next."""
        return kind in self._next

    def read(self, n: int, before: bytes, entry: AnyEntry, events: Sequence[Event]) -> None:
        """Take entry `n`; `before` is hash[n-1], `events` those of the entry as a spectator is told them."""
        if not self.expects(type(entry)):
            raise Mismatch("order", n)
        match entry:
            case Open():
                self._open(n, entry)
            case Commits() | Parts():
                self._agree(n, before, entry)
            case Present() | Restart() | Beacons():
                self._between(n, before, entry)
            case TableMove():
                self._happen(n, events, ())
                if any(isinstance(event, (Placed, Confiscated, ThreatShown)) for event in events):
                    raise Mismatch("placed", n)
                self._next = (TableMove, *DECIDING) if self.drafts is None else self._begin_draft(n)
            case DraftSaid() | DraftWithout() | DraftCalled() | DraftLinks():
                self._draft(n, before, entry, events)
            case StandIn() | Back():
                self._hand_over(n, before, entry)
            case Move():
                self._move(n, before, entry, events)
            case Seal():
                self._seal(n, entry)
            case Opened():
                self.concealed.open(n, entry.openings)
            case Close():
                self._close(n, entry)

    def _open(self, n: int, entry: Open) -> None:
        header = entry.header
        self.signatures += check_table(n, header, self._identity, self._host)
        self.header = header
        self.movers = Movers(header.game_id, [player.key for player in header.players])
        self.drafts = None if header.draft is None else Drafts(header, self.movers)
        self._next = (Commits,)

    def _agree(self, n: int, before: bytes, entry: Commits | Parts) -> None:
        if isinstance(entry, Parts):
            check_parts(n, before, self.table, self.commits, entry)
            self.parts, self.committed_head = entry.parts, before
            self._next = (Present,)
        else:
            boxes = check_agreements(n, before, self.table, entry)
            self.commits = entry.commits
            self.between.anchors = entry.anchors
            if self.drafts is not None:
                self.drafts.anchors, self.drafts.boxes = entry.drafts or (), boxes
            self._next = (Parts,)
        self.signatures += len(entry.signatures)

    def _between(self, n: int, before: bytes, entry: Present | Restart | Beacons) -> None:
        match entry:
            case Present():
                coming = self.round + 1
                self.signatures += self.between.gather(n, before, entry, self.table, coming, over=self.over)
                self.movers.attend(n, seats_in(entry.present))
                self._next = (Beacons, Restart)
            case Restart():
                if self.expects(DraftSaid) and entry.missing != 1 << self._drafts.record.due[1]:
                    raise Mismatch("restart", n)
                self.between.begin_anew(n, entry, self.round + 1)
                self._next = (Present,)
            case Beacons():
                self.between.give(n, before, entry, self.table.game_id, self.round + 1)
                self._coming = self.round + 1
                if self.over:
                    self._next = (Opened, Close) if self.drafts is None else (DraftLinks,)
                else:
                    self._next = self._go_on(n) if self._awaits_deal else (TableMove,)

    def _hand_over(self, n: int, before: bytes, entry: StandIn | Back) -> None:
        """Somebody else moves for a seat from here on; what may come next stays what it was."""
        match entry:
            case StandIn():
                drafts = self.drafts is not None
                if (entry.anchor is not None, entry.box is not None and usable(entry.box)) != (drafts, drafts):
                    raise Mismatch("stand_in", n, seat=entry.seat)
                self._change_mover(n, entry.seat, self.movers.begin(n, before, entry))
            case Back():
                self._change_mover(n, entry.seat, self.movers.end(n, entry))

    def _change_mover(self, n: int, seat: int, wrong: str) -> None:
        if wrong == "seats":
            raise Mismatch(wrong, n)
        if wrong:
            raise Mismatch(wrong, n, seat=seat)
        self.signatures += 1

    def _move(self, n: int, before: bytes, entry: Move, events: Sequence[Event]) -> None:
        if entry.seat >= len(self.table.players):
            raise Mismatch("seats", n)
        if self.round != self._coming:
            raise Mismatch("round", n)
        self.unsealed.append(Signed(n, before, entry.seat, entry.what))
        self.movers.moved(entry.seat, n)
        placed = [event for event in events if isinstance(event, Placed)]
        stood_in = self.movers.stint(entry.seat) is not None
        breaking = self.concealed.take(n, entry.seat, entry.what, placed, stood_in=stood_in)
        self.concealed.open(n, entry.openings)
        self._happen(n, events, entry.openings)
        picks = [_pick(event) for event in events if isinstance(event, Revealed)]
        self.concealed.check_opened(n, entry.seat, entry.openings, picks, breaking and breaking[0])
        self.concealed.check_shown(n, entry.seat, events)
        if any(isinstance(event, Inquired) and event.what == "swap" for event in events):
            raise Mismatch("draft", n, seat=entry.seat)  # what is given in an exchange comes with it
        self._next = self._go_on(n)

    def _draft(
        self,
        n: int,
        before: bytes,
        entry: DraftSaid | DraftWithout | DraftCalled | DraftLinks,
        events: Sequence[Event],
    ) -> None:
        drafts = self._drafts
        match entry:
            case DraftSaid():
                if entry.seat >= len(self.table.players):
                    raise Mismatch("seats", n)
                self.unsealed.append(Signed(n, before, entry.seat, entry.what, drafts.drafter(entry.seat)))
                drafts.take(n, entry, events)
            case DraftWithout():
                drafts.skip(n, entry, events)
            case DraftCalled():
                self.signatures += drafts.call(n, before, entry)
            case DraftLinks():
                drafts.open(n, entry)
                self._next = (Opened, Close)
                return
        shown = drafts.record.calls[-1] if isinstance(entry, DraftCalled) else None
        self._happen(n, events, (), shown)
        self._next = self._go_on(n)

    @property
    def _drafts(self) -> Drafts:
        assert self.drafts is not None
        return self.drafts

    @property
    def _awaits_deal(self) -> bool:
        """Whether a round has its chance, but nobody has dealt its draft."""
        return self.drafts is not None and self.drafts.waits_for_deal

    def _go_on(self, n: int) -> tuple[type, ...]:
        """What may come in a round, or after it."""
        self.over = self.over or (self.drafts is not None and self.drafts.proven)
        ended = self.over or (self._round_over and not self._awaits_deal)
        if ended or len(self.unsealed) >= SEAL_AFTER:
            return (Seal,)
        return self._in_round()

    def _begin_draft(self, n: int) -> tuple[type, ...]:
        """What may come once the table has begun a round, which waits for its deal then."""
        if not self._awaits_deal:
            raise Mismatch("draft", n)
        return self._go_on(n)

    def _in_round(self) -> tuple[type, ...]:
        if self.drafts is None:
            return DECIDING
        beacons = max(self.between.rounds)
        if self.drafts.waits_for_deal and beacons not in self.drafts.rounds:
            self.drafts.begin(beacons, self.between.rounds[beacons], self.between.attempt)
        return self.drafts.kinds

    def _happen(
        self, n: int, events: Sequence[Event], openings: tuple[Opening, ...], call: DraftCall | None = None
    ) -> None:
        shown = {(opening.round, opening.line) for opening in openings}
        for event in events:
            if self.drafts is not None:
                self.drafts.happen(n, event)
            if isinstance(event, (RoundBegan, LapBegan)):
                if (self.round + 1, event.round) != (self._coming, self._coming):
                    raise Mismatch("round", n)  # no link is revealed before its time, and no nonce is used twice
                self.round, self._round_over = event.round, False
                self.concealed.begin_round(self.round)
            elif isinstance(event, Revealed) and not (
                self.drafts.showed(event, call) if self.drafts else (self.round, _pick(event)) in shown
            ):
                raise Mismatch("revealed", n, seat=event.seat)
            elif isinstance(event, RoundEnded):
                self._round_over = True
            elif isinstance(event, GameEnded):
                self.over = True

    def _seal(self, n: int, entry: Seal) -> None:
        if len(entry.signatures) != len(self.unsealed):
            raise Mismatch("seal", n)
        for signed, signature in zip(self.unsealed, entry.signatures, strict=True):
            if not mover_signed(self.table.game_id, self.movers.key(signed.seat, signed.n), signed, signature):
                raise Mismatch("move_signature", n, seat=signed.seat, move=signed.n)
        for signed, signature in zip(self.unsealed, entry.signatures, strict=True):
            self.moves[signed.seat] = self.moves.get(signed.seat, 0) + 1
            if signed.drafter is not None:
                self._drafts.now.sign(signed, signature)
        self.signatures += len(self.unsealed)
        self.unsealed = []
        self._next = (Present,) if self.over or self._round_over else self._in_round()

    def _close(self, n: int, entry: Close) -> None:
        if host_commitment(self.table.game_id, entry.secret) != self.table.hostcommit:
            raise Mismatch("secret", n)
        self.concealed.open(n, openings_of(entry))
        held = [place for place in self.concealed.pending.values() if not place.owned]
        if held:  # the host had these openings when it took the moves
            raise Mismatch("withheld", n, seat=held[0].seat, move=held[0].n)
        if self.drafts is not None:
            self.drafts.check_stand_ins(entry.secret)
        self.secret = entry.secret
        self._next = ()


def _pick(event: Revealed) -> str:
    """What the opening says of the pick that brought this character into the round. Its seat may be another one's,
    who has exchanged characters since."""
    return f"pick {event.character}"
