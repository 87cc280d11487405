"""What must hold from one entry to the next, for everybody who reads a log: host, clients and verification.

The order of the entries is a small machine:

    after     may come
    nothing   open              who sits where, and what is played
    open      commits           each seat agrees to that and commits to its part of the seed
    commits   table             the deal
    table     table move        somebody must decide
    table     seat              a player is away, a bot plays the seat, or the player is back
    move      move seat
    seat      table move seat   as before it, whether or not the table has something to do
    move      signed            once the round or the game has ended, as after every other entry
    signed    words             unless no one has signed
    signed    table seat        the beginning of the next round
    words     table seat
    signed    close             once the game is over
    words     close
    close     close             as many as all openings need
    close                       nothing comes after the last one

A *handover* may come wherever a move or *table* may come, and changes nothing else.

In a sealed draft *said* comes in a round after *table*, as long as something is due (`drafts`); after it *said* or
what may come after a move. A proven lie ends the game: *signed*, *words* and *close* follow.

Every entry is signed by the host (see `chain`), so whatever contradicts here is proof against it.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto.absences import Absences
from citadels_lan.crypto.chain import Signed, mover_signed
from citadels_lan.crypto.chance import host_commitment, part_commitment
from citadels_lan.crypto.claims import check_agreements, check_table
from citadels_lan.crypto.commitments import Opening
from citadels_lan.crypto.cosigning import CoSignedRound, check_signed, words_of
from citadels_lan.crypto.draft.record import OVER
from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.frames import u64
from citadels_lan.crypto.handover import MOST, Hosts, accepted
from citadels_lan.crypto.identity import verify
from citadels_lan.crypto.log import (
    AGREED,
    BACK,
    BOT,
    FINISHED,
    LIED,
    OWNER,
    SUBSTITUTE,
    AnyEntry,
    CheckWords,
    Close,
    Commits,
    CoSigned,
    Handover,
    Header,
    Move,
    Open,
    Said,
    SeatChange,
    SeatKind,
    TableMove,
)
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

from .concealed import Concealed
from .drafts import LINK, Drafts

DECIDING: Final = (Move, SeatChange)
"""What may come where a seat must decide."""


class Auditor:
    """Reads the entries of one game in order and raises Mismatch at the first that cannot be.

    After a Mismatch it is of no more use. `header` is known after the first entry; `concealed` is what the moves
    conceal, and what is opened of it; `cosigned` are the co-signatures in order, `signed` the last entry with
    them; `moves` how many moves each seat has signed; `absences` say who is away, `agreed` who has signed an end
    without a result. `drafts` are the sealed ones, None where the draft is open. `hosts` are the keys that sign
    the entries."""

    def __init__(self, game: bytes, rules: bytes, fp: bytes, host: bytes) -> None:
        """`host` is the key that signs the entries."""
        self._identity = (game, rules, fp)
        self.hosts = Hosts(game, host, fp)
        self.header: Header | None = None
        self.absences = Absences(game, ())
        self.commits: tuple[bytes, ...] = ()
        self.agreed_head = b""
        self.committed_head = b""
        self.parts: tuple[bytes, ...] = ()
        self.secret: bytes | None = None
        self.cosigned: list[CoSignedRound] = []
        self.round = 0
        self.concealed = Concealed(game)
        self.moves: dict[int, int] = {}
        self.signatures = 0
        self.over = False
        self.drafts: Drafts | None = None
        self._coming = 1
        self._round_over = False
        self.signed = CoSigned(())
        self.agreed: tuple[int, ...] | None = None
        self._ends: tuple[int, bytes] | None = None
        self._next: tuple[type, ...] = (Open,)

    @property
    def table(self) -> Header:
        """The header, of which there is one after the first entry."""
        assert self.header is not None
        return self.header

    @property
    def may_close(self) -> bool:
        """Whether the game is over, but not closed."""
        return Close in self._next

    @property
    def may_end(self) -> bool:
        """Whether the players may end the game without a result."""
        return self.committed_head != b"" and not self.over and self._ends is None

    @property
    def must_agree(self) -> tuple[int, ...]:
        """The seats that have to sign such an end: all people who are not away, and of whom no deal, pick, box or
        gift of a sealed draft is due."""
        due = self.drafts.due[1] if self.drafts is not None else ()
        excused = due if len(due) == 1 else ()
        people = (seat for seat, player in enumerate(self.table.players) if player.kind != SeatKind.BOT)
        return tuple(seat for seat in people if seat not in excused and self.absences.now(seat) is None)

    def agrees(self, seat: int, n: int, head: bytes, signature: bytes) -> bool:
        """Whether a seat has signed that the game ends after entry `n`, whose hash is `head`."""
        fields = (self.table.game_id, u64(n), head)
        return seat < len(self.table.players) and verify(self.table.players[seat].key, signature, "end", *fields)

    def _check_end(self, n: int, entry: Close) -> None:
        first, head = self._ends or (n, b"")
        seats = [one.seat for one in entry.sigs]
        if seats != sorted(set(seats)) or not set(seats) >= set(self.must_agree):
            raise Mismatch("end", n)
        for one in entry.sigs:
            if not self.agrees(one.seat, first - 1, head, one.signature):
                raise Mismatch("end_signature", n, seat=one.seat)
        self.signatures += len(seats)
        self.agreed = tuple(seats)

    def expects(self, kind: type) -> bool:
        """Whether an entry of this kind may come next."""
        return kind in self._next

    @property
    def may_hand_over(self) -> bool:
        """Whether the next entry may hand the game over to another host."""
        rest = any(self.expects(kind) for kind in (Move, TableMove, Said)) and not self.expects(CheckWords)
        return bool(self.committed_head) and rest and len(self.hosts.all) <= MOST

    def may_host(self, seat: int) -> bool:
        """Whether the game may be handed over to a seat: not to a bot, and not to a guest in a browser."""
        players = self.table.players
        return seat < len(players) and players[seat].kind in (SeatKind.HOST, SeatKind.PLAYER)

    def is_new(self, key: bytes) -> bool:
        """Whether no seat and no host has this key."""
        keys = {*(player.key for player in self.table.players), *(host.key for host in self.hosts.all)}
        return key not in keys

    def read(self, n: int, before: bytes, entry: AnyEntry, events: Sequence[Event]) -> None:
        """Take entry `n`; `before` is hash[n-1], `events` those of the entry as a spectator is told them."""
        ends = isinstance(entry, Close) and entry.why == AGREED and self.may_end
        hands = isinstance(entry, Handover) and self.may_hand_over
        if not (self.expects(type(entry)) or ends or hands):
            raise Mismatch("order", n)
        self.absences.reached(n - 1, before)
        if isinstance(entry, TableMove) and not self.committed_head:
            self.committed_head = before
        match entry:
            case Open():
                self._open(n, entry)
            case Commits():
                self._agree(n, before, entry)
            case CoSigned():
                self._cosign(n, before, entry)
            case CheckWords():
                self._words(n, before, entry)
            case TableMove():
                self._happen(n, events, ())
                if any(isinstance(event, (Placed, Confiscated, ThreatShown)) for event in events):
                    raise Mismatch("placed", n)
                self._next = self._after_table(n)
            case Said():
                self._drafts.take(n, before, entry)
                self.signatures += len(entry.items)
                self._happen(n, events, ())
                self._next = self._go_on()
            case SeatChange() | Handover():
                self._change(n, before, entry)
            case Move():
                self._move(n, before, entry, events)
            case Close():
                self._close(n, before, entry)

    def _change(self, n: int, before: bytes, entry: SeatChange | Handover) -> None:
        """Another player for a seat, or another host. What may come next stays what it was."""
        if isinstance(entry, SeatChange):
            self._change_seat(n, entry)
            return
        table = self.table
        right = self.may_host(entry.seat) and self.is_new(entry.key)
        if not right or not accepted(table.players[entry.seat].key, entry, table.game_id, n, before):
            raise Mismatch("handover", n, seat=entry.seat)
        self.signatures += 1
        self.hosts.add(n, entry)

    def _open(self, n: int, entry: Open) -> None:
        header = entry.header
        self.signatures += check_table(n, header, self._identity, self.hosts.now.key)
        self.header = header
        self.absences = Absences(header.game_id, [player.key for player in header.players])
        self.drafts = Drafts(header) if header.draft else None
        self._next = (Commits,)

    def _agree(self, n: int, before: bytes, entry: Commits) -> None:
        check_agreements(n, before, self.table, entry)
        self.agreed_head = before
        self.commits = tuple(one.commit for one in entry.seats)
        if self.drafts is not None:
            self.drafts.agree(entry.seats)
        self.signatures += len(entry.seats)
        self._next = (TableMove,)

    def _cosign(self, n: int, before: bytes, entry: CoSigned) -> None:
        check_signed(n, before, self.table, entry)
        seats = tuple(one.seat for one in entry.seats)
        protests = tuple(one.seat for one in entry.seats if one.protest)
        self.cosigned.append(CoSignedRound(n, self.round, self.over, before, seats, protests))
        self.signatures += len(seats)
        self.signed, self._coming, self._round_over = entry, self.round + 1, False
        self._next = self._after_signing
        if seats:
            self._next = (CheckWords, *self._next)

    def _words(self, n: int, before: bytes, entry: CheckWords) -> None:
        words = words_of(n, before, self.table.game_id, self.signed, entry)
        self.cosigned[-1] = replace(self.cosigned[-1], words=words)
        self._next = self._after_signing

    @property
    def _after_signing(self) -> tuple[type, ...]:
        """What may come after the co-signatures of a round, or of the game."""
        if self.over:
            return (Close,)
        return TableMove, SeatChange

    def _change_seat(self, n: int, entry: SeatChange) -> None:
        """In a sealed draft no bot plays for a player."""
        if entry.what == BOT and self.drafts is not None:
            raise Mismatch("substitute", n, seat=entry.seat)
        wrong = self.absences.change(n, entry)
        if wrong == "seats":
            raise Mismatch(wrong, n)
        if wrong:
            raise Mismatch(wrong, n, seat=entry.seat)
        self.signatures += entry.what == BACK

    def _move(self, n: int, before: bytes, entry: Move, events: Sequence[Event]) -> None:
        if entry.seat >= len(self.table.players):
            raise Mismatch("seats", n)
        if self.round != self._coming:
            raise Mismatch("round", n)
        if (entry.by == SUBSTITUTE) != (self.absences.substitute(entry.seat) is not None):
            raise Mismatch("mover", n, seat=entry.seat)
        if entry.by == OWNER:
            key = self.table.players[entry.seat].key
            self._check_signed(Signed(n, before, entry.seat, entry.what), key, entry.sig)
        self.absences.moved(entry.seat, n)
        placed = [event for event in events if isinstance(event, Placed)]
        breaking = self.concealed.take(n, before, entry, placed)
        self.concealed.open(n, entry.openings)
        self._happen(n, events, entry.openings)
        picks = [_pick(event) for event in events if isinstance(event, Revealed)]
        self.concealed.check_opened(n, entry.seat, entry.openings, picks, breaking and breaking[0])
        self.concealed.check_shown(n, entry.seat, events)
        if any(isinstance(event, Inquired) and event.what == "swap" for event in events):
            raise Mismatch("draft", n, seat=entry.seat)  # what is given in an exchange comes with it
        self._next = self._go_on()

    def _check_signed(self, signed: Signed, key: bytes, signature: bytes) -> None:
        if not mover_signed(self.table.game_id, key, signed, signature):
            raise Mismatch("move_signature", signed.n, seat=signed.seat)
        self.moves[signed.seat] = self.moves.get(signed.seat, 0) + 1
        self.signatures += 1

    @property
    def _drafts(self) -> Drafts:
        assert self.drafts is not None  # *said* comes only in a round of one
        return self.drafts

    def _go_on(self) -> tuple[type, ...]:
        """What may come in a round, or after it."""
        self.over = self.over or (self.drafts is not None and self.drafts.proven)
        return (CoSigned,) if self.over or self._round_over else self._in_round()

    def _after_table(self, n: int) -> tuple[type, ...]:
        """What may come once the table has acted: where the draft is sealed, the round waits for its deal."""
        if self.drafts is None:
            return (CoSigned,) if self.over or self._round_over else (TableMove, *DECIDING)
        self.drafts.begin(n, self.round + 1)
        return self._go_on()

    def _in_round(self) -> tuple[type, ...]:
        if self.drafts is None:
            return DECIDING
        return (Said, SeatChange) if self.drafts.due != OVER else (Said, *DECIDING)

    def _happen(self, n: int, events: Sequence[Event], openings: tuple[Opening, ...]) -> None:
        shown = {(opening.round, opening.line) for opening in openings}
        for event in events:
            if self.drafts is not None:
                self.drafts.happen(n, event)
            if isinstance(event, (RoundBegan, LapBegan)):
                if (self.round + 1, event.round) != (self._coming, self._coming):
                    raise Mismatch("round", n)  # no round begins before the last one is co-signed
                self.round, self._round_over = event.round, False
                self.concealed.begin_round(self.round)
            elif isinstance(event, Revealed) and not (
                self.drafts.showed(event) if self.drafts else (self.round, _pick(event)) in shown
            ):
                raise Mismatch("revealed", n, seat=event.seat)
            elif isinstance(event, RoundEnded):
                self._round_over = True
            elif isinstance(event, GameEnded):
                self.over = True

    def _close(self, n: int, before: bytes, entry: Close) -> None:
        """The last entry opens the host's secret and the parts, and has the signatures of an agreed end; those
        before it have openings alone."""
        self._ends = self._ends or (n, before)
        lied = self.drafts is not None and self.drafts.proven
        why = AGREED if not self.over else LIED if lied else FINISHED
        if entry.why != why or bool(entry.sigs) != (why == AGREED and entry.secret != b""):
            raise Mismatch("close", n)
        if entry.sigs:
            self._check_end(n, entry)
        links = [one for one in entry.openings if self.drafts is not None and one.kind == LINK]
        self.concealed.open(n, [one for one in entry.openings if one not in links])
        if self.drafts is not None:
            self.drafts.open(n, links)
        self._next = (Close,)
        if not entry.secret:
            return
        if host_commitment(self.table.game_id, entry.secret) != self.table.hostcommit:
            raise Mismatch("secret", n)
        if len(entry.parts) != len(self.commits):
            raise Mismatch("seats", n)
        for seat, (part, commit) in enumerate(zip(entry.parts, self.commits, strict=True)):
            if part_commitment(self.agreed_head, seat, part) != commit:
                raise Mismatch("part", n, seat=seat)
        held = [place for place in self.concealed.pending.values() if place.sealed is None]
        if held:  # the host had these openings when it took the moves
            raise Mismatch("withheld", n, seat=held[0].seat, move=held[0].n)
        self.concealed.check_substitutes(n, entry.secret)
        self.secret, self.parts = entry.secret, entry.parts
        self._next = ()


def _pick(event: Revealed) -> str:
    """What the opening says of the pick that brought this character into the round. Its seat may be another one's,
    who has exchanged characters since."""
    return f"pick {event.character}"
