"""What must hold from one entry to the next, for everybody who reads a log: host, clients and verification.

The order of the entries is a small machine:

    after     may come
    nothing   open              who sits where, and what is played
    open      commits           each seat agrees to that, and has fixed its part of the seed and its beacons
    commits   parts             the parts are there
    parts     present           who takes part in the chance of the first round
    parts     shared            where another machine may go on: the host's secret in shares
    shared    present
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

After *shared* and before *close* another machine may become the host: `new host` comes anywhere, and after it
what would have come without it, but *present* where the links of an attempt are missing or the game is over.

Every entry is signed by the host (see `chain`), so whatever contradicts here is proof against it.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from citadels_lan.engine import HIDDEN
from citadels_lan.engine.events import (
    Confiscated,
    Event,
    GameEnded,
    LapBegan,
    Placed,
    Revealed,
    RoundBegan,
    RoundEnded,
    ThreatShown,
)

from .beacons import Between, seats_in
from .chain import Chain
from .claims import claimed, endorsed
from .commitments import WIDTH, Opening, check, committed
from .faults import Mismatch
from .frames import u8, u64
from .identity import BadKey, Identity, check_public_key, verify
from .log import (
    SEAL_AFTER,
    AnyEntry,
    Back,
    Beacons,
    Close,
    Commits,
    Header,
    Move,
    NewHost,
    Open,
    Opened,
    Parts,
    Present,
    Restart,
    Seal,
    SharedOut,
    StandIn,
    TableMove,
    openings_of,
)
from .migration.agreement import holds, trustees
from .migration.escrow import length_fits
from .migration.shares import usable
from .sealed_moves import BREAKING, VERBS, SealedMove, fits, manner, read_sealed, starred
from .seed import host_commitment, part_commitment
from .stand_ins import Movers

DECIDING: Final = (Move, StandIn, Back)
"""What may come where somebody must decide: a move, or who makes it is somebody else from there on."""


class Signed(Struct, frozen=True):
    """A move whose signature is still to come: `before` is the head that was signed with it."""

    n: int
    before: bytes
    seat: int
    what: str | bytes


class Committed(Struct, frozen=True):
    """Where a commitment stands: the entry, its place in the move, and what its opening must say. `sealed` is the
    sealed move that it stands in, None for a hidden one; `owned`: only the owner of the seat has the opening, not
    the host."""

    n: int
    index: int
    round: int
    seat: int
    slot: int
    sealed: SealedMove | None = None
    owned: bool = False

    def opened_by(self, game: bytes, commit: bytes, opening: Opening) -> bool:
        """Whether an opening opens `commit`, which stands here, and says what it may say here."""
        says = (opening.round, opening.seat, opening.slot, opening.kind == "discard")
        if says != (self.round, self.seat, self.slot, self.index > 0) or not check(game, commit, opening):
            return False
        return self.sealed is None or fits(opening, self.sealed)


class Auditor:
    """Reads the entries of one game in order and raises Mismatch at the first that cannot be.

    After a Mismatch it is of no more use. `header` is known after the first entry; `opened` are the openings by
    (entry, index in the move); `pending` the commitments not opened yet; `unsealed` the moves without signature;
    `between` what was said between rounds; `moves` how many moves of each seat have a signature, checked here;
    `movers` say who has signed them. Where another machine may go on, `boxes` are the keys of the seats' shares,
    `shared` are these; `given` what the mover has signed with which signature, by entry; `new_hosts` the rounds
    in which the host has changed, and how, by entry.
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
        self.pending: dict[bytes, Committed] = {}
        self.opened: dict[tuple[int, int], Opening] = {}
        self.between = Between()
        self.moves: dict[int, int] = {}
        self.signatures = 0
        self.over = False
        self.boxes: tuple[bytes, ...] = ()
        self.shared: SharedOut | None = None
        self.given: dict[int, tuple[Signed, bytes]] = {}
        self.new_hosts: dict[int, tuple[int, NewHost]] = {}
        self._coming = 0
        self._round_over = False
        self._hidden: dict[int, int] = {}
        self._starred: dict[tuple[int, str], str] = {}
        self._markers: dict[tuple[int, str], list[bytes]] = {}  # sealed in this round, by seat and verb
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
        return Close in self._next

    def expects(self, kind: type) -> bool:
        """Whether an entry of this kind may come next."""
        return kind in self._next or (kind is NewHost and self.may_move)

    @property
    def may_move(self) -> bool:
        """Whether another machine may become the host now."""
        return self.shared is not None and self.secret is None

    def slot(self, seat: int) -> int:
        """The slot of the next hidden or sealed move of a seat: how many it made in this round."""
        return self._hidden.get(seat, 0)

    def sealed_by(self, seat: int) -> list[tuple[bytes, Committed]]:
        """The commitments of the moves that the owner of a seat has sealed and that are not open yet."""
        return [(commit, place) for commit, place in self.pending.items() if place.owned and place.seat == seat]

    def sealed_for(self, seat: int) -> list[tuple[bytes, Committed]]:
        """Those of the moves that stand-ins have sealed for a seat."""
        return [
            (commit, place)
            for commit, place in self.pending.items()
            if place.sealed is not None and not place.owned and place.seat == seat
        ]

    def breaks(self, seat: int, what: str) -> tuple[bytes, Committed] | None:
        """The seal that an open move of a seat breaks: its own markers of this round, if they are not open yet."""
        for commit in self._markers.get((seat, BREAKING.get(what, "")), ()):
            if commit in self.pending:
                return commit, self.pending[commit]
        return None

    def read(self, n: int, before: bytes, entry: AnyEntry, events: Sequence[Event]) -> None:
        """Take entry `n`; `before` is hash[n-1], `events` those of the entry as a spectator is told them."""
        if not self.expects(type(entry)):
            raise Mismatch("order", n)
        match entry:
            case Open():
                self._open(n, entry)
            case Commits():
                self._commits(n, before, entry)
            case Parts() | SharedOut():
                self._share(n, before, entry)
            case Present() | Restart() | Beacons():
                self._between(n, before, entry)
            case TableMove():
                self._happen(n, events, ())
                if any(isinstance(event, (Placed, Confiscated, ThreatShown)) for event in events):
                    raise Mismatch("placed", n)
                self._next = (TableMove, *DECIDING)
            case StandIn() | Back() | NewHost():
                self._hand_over(n, before, entry)
            case Move():
                self._move(n, before, entry, events)
            case Seal():
                self._seal(n, entry)
            case Opened():
                self._openings(n, entry.openings)
            case Close():
                self._close(n, entry)

    def _open(self, n: int, entry: Open) -> None:
        header = entry.header
        known = (header.game_id, header.rules, header.fp) == self._identity
        guests = header.guests or ()
        if not known or list(guests) != sorted({*guests} & {*range(len(header.players))}):
            raise Mismatch("header", n)
        if header.hostkey != self._host:
            raise Mismatch("host", n)
        for player in header.players:
            try:
                check_public_key(player.key)
            except BadKey:
                raise Mismatch("key", n) from None
        if len({player.key for player in header.players}) != len(header.players):
            raise Mismatch("key", n)
        for seat in range(len(header.players)):
            if not claimed(header, seat):
                raise Mismatch("claim", n, seat=seat)
        if not endorsed(header):
            raise Mismatch("endorsement", n)
        self.signatures += len(header.players) + (header.endorsement is not None)
        self.header = header
        self.movers = Movers(header.game_id, [player.key for player in header.players])
        self._next = (Commits,)

    def _commits(self, n: int, before: bytes, entry: Commits) -> None:
        players = self.table.players
        if not len(entry.commits) == len(entry.anchors) == len(entry.signatures) == len(players):
            raise Mismatch("seats", n)
        self.boxes = self._boxes(n, entry)
        for seat, signature in enumerate(entry.signatures):
            given = (entry.commits[seat], entry.anchors[seat], *self.boxes[seat : seat + 1])
            fields = agree_fields(self.table.game_id, before, seat, *given)
            if not verify(players[seat].key, signature, "agree", *fields):
                raise Mismatch("agreement", n, seat=seat)
        self.signatures += len(players)
        self.commits = entry.commits
        self.between.anchors = entry.anchors
        self._next = (Parts,)

    def _boxes(self, n: int, entry: Commits) -> tuple[bytes, ...]:
        """The boxes of the seats, which are there where they are needed."""
        boxes = entry.boxes or ()
        wanted = len(self.table.players) if self.table.migrate is not None else 0
        if len(boxes) != wanted or (entry.boxes is None) != (wanted == 0) or not all(map(usable, boxes)):
            raise Mismatch("box", n)
        return boxes

    def _parts(self, n: int, before: bytes, entry: Parts) -> None:
        game = self.table.game_id
        if not len(entry.parts) == len(entry.signatures) == len(self.table.players):
            raise Mismatch("seats", n)
        for seat, player in enumerate(self.table.players):
            if part_commitment(game, seat, entry.parts[seat]) != self.commits[seat]:
                raise Mismatch("part", n, seat=seat)
            if not verify(player.key, entry.signatures[seat], "seed", game, before):
                raise Mismatch("part_signature", n, seat=seat)
        self.signatures += len(entry.parts)
        self.parts, self.committed_head = entry.parts, before
        self._next = (Present,) if self.table.migrate is None else (SharedOut,)

    def _share(self, n: int, before: bytes, entry: Parts | SharedOut) -> None:
        match entry:
            case Parts():
                self._parts(n, before, entry)
            case SharedOut():
                self._share_out(n, entry)

    def _share_out(self, n: int, entry: SharedOut) -> None:
        seats = trustees(self.table)
        enough = (self.table.migrate or 0) <= len(seats)
        if not enough or not len(entry.commits) == len(entry.shares) == len(seats):
            raise Mismatch("shared", n)
        self.shared = entry
        self._next = (Present,)

    def _change_host(self, n: int, before: bytes, entry: NewHost) -> None:
        if not holds(self.table, entry, n - 1, before):
            raise Mismatch("new_host", n)
        self.signatures += len(entry.agreed)
        self.new_hosts[n] = (self.round, entry)
        if self.expects(Beacons) or self.may_close:
            # The links of this attempt may be known to who was the host; and its last openings are not here.
            self._next = (Present,)

    def _between(self, n: int, before: bytes, entry: Present | Restart | Beacons) -> None:
        match entry:
            case Present():
                coming = self.round + 1
                self.signatures += self.between.gather(n, before, entry, self.table, coming, over=self.over)
                self.movers.attend(n, seats_in(entry.present))
                self._next = (Beacons, Restart)
            case Restart():
                self.between.begin_anew(n, entry, self.round + 1)
                self._next = (Present,)
            case Beacons():
                self.between.give(n, before, entry, self.table.game_id, self.round + 1)
                self._coming = self.round + 1
                self._next = (Opened, Close) if self.over else (TableMove,)

    def _hand_over(self, n: int, before: bytes, entry: StandIn | Back | NewHost) -> None:
        """Somebody else moves for a seat from here on, or is the host; what may come next stays what it was."""
        match entry:
            case NewHost():
                self._change_host(n, before, entry)
            case StandIn():
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
        self._check_escrow(n, entry)
        self.unsealed.append(Signed(n, before, entry.seat, entry.what))
        self.movers.moved(entry.seat, n)
        breaking = self._take_commitments(n, entry, events)
        self._openings(n, entry.openings)
        self._happen(n, events, entry.openings)
        revealed = {self._pick_of(event) for event in events if isinstance(event, Revealed)}
        for opening in entry.openings:
            if (opening.round, opening.line) in revealed:
                continue
            if breaking is None or committed(self.table.game_id, opening) != breaking[0]:
                raise Mismatch("opening", n, seat=opening.seat)  # what else was hidden stays so to the end
            self._starred[entry.seat, opening.kind] = starred(opening)
        if breaking is not None and breaking[0] in self.pending:
            raise Mismatch("seal_unopened", n, seat=entry.seat)
        self._shown(n, entry.seat, events)
        ended = self._round_over or self.over
        self._next = (Seal,) if ended or len(self.unsealed) >= SEAL_AFTER else DECIDING

    def _check_escrow(self, n: int, entry: Move) -> None:
        commitments = len(entry.what) // WIDTH if isinstance(entry.what, bytes) else 0
        fits = entry.escrow is not None and length_fits(entry.escrow, commitments)
        if fits != (self.table.migrate is not None) or (entry.escrow is not None and not fits):
            raise Mismatch("escrow", n)

    def _take_commitments(self, n: int, entry: Move, events: Sequence[Event]) -> tuple[bytes, Committed] | None:
        """Take the commitments in a move; the seal that it breaks, if it breaks one."""
        placed = [event for event in events if isinstance(event, Placed)]
        seat, what = entry.seat, entry.what
        if isinstance(what, bytes):
            self._commit(n, seat, [what[at : at + WIDTH] for at in range(0, len(what), WIDTH)])
        elif (sealed := read_sealed(what)) is not None:
            self._commit(n, seat, [sealed.commit], sealed)
            if [_markers_in(event) for event in placed] != [(seat, sealed.verb, sealed.characters, HIDDEN)]:
                raise Mismatch("placed", n, seat=seat)
            return None
        elif manner(what) != "open":
            raise Mismatch("hidden", n, seat=seat)
        if placed:
            raise Mismatch("placed", n, seat=seat)
        return self.breaks(seat, what) if isinstance(what, str) else None

    def _commit(self, n: int, seat: int, commits: list[bytes], sealed: SealedMove | None = None) -> None:
        slot = self.slot(seat)
        self._hidden[seat] = slot + 1
        for index, commit in enumerate(commits):
            if commit in self.pending:
                raise Mismatch("commitment_again", n, seat=seat)
            owned = sealed is not None and self.movers.stint(seat) is None
            self.pending[commit] = Committed(n, index, self.round, seat, slot, sealed, owned)
            if sealed is not None:
                self._markers.setdefault((seat, sealed.verb), []).append(commit)

    def _shown(self, n: int, seat: int, events: Sequence[Event]) -> None:
        """What is shown of sealed markers is what their openings say."""
        for event in events:
            if isinstance(event, Confiscated):
                if (event.by, event.character) != (seat, self._starred.get((seat, "warrant"))):
                    raise Mismatch("shown", n, seat=event.by)
            elif isinstance(event, ThreatShown):
                star = self._starred.get((seat, "threaten"))
                if star is None or event.flower != (event.character == star):
                    raise Mismatch("shown", n, seat=seat)

    def _openings(self, n: int, openings: tuple[Opening, ...]) -> None:
        for opening in openings:
            commit = committed(self.table.game_id, opening)
            place = self.pending.pop(commit, None)
            if place is None or not place.opened_by(self.table.game_id, commit, opening):
                raise Mismatch("opening", n, seat=opening.seat)
            self.opened[place.n, place.index] = opening

    def _happen(self, n: int, events: Sequence[Event], openings: tuple[Opening, ...]) -> None:
        shown = {(opening.round, opening.line) for opening in openings}
        for event in events:
            if isinstance(event, (RoundBegan, LapBegan)):
                if (self.round + 1, event.round) != (self._coming, self._coming):
                    raise Mismatch("round", n)  # no link is revealed before its time, and no nonce is used twice
                self.round, self._round_over = event.round, False
                self._hidden, self._starred, self._markers = {}, {}, {}
            elif isinstance(event, Revealed) and self._pick_of(event) not in shown:
                raise Mismatch("revealed", n, seat=event.seat)
            elif isinstance(event, RoundEnded):
                self._round_over = True
            elif isinstance(event, GameEnded):
                self.over = True

    def _pick_of(self, event: Revealed) -> tuple[int, str]:
        """What the opening says of the pick that brought this character into the round: not that of another round.
        Its seat may be another one's, who has exchanged characters since."""
        return self.round, f"pick {event.character}"

    def _seal(self, n: int, entry: Seal) -> None:
        if len(entry.signatures) != len(self.unsealed):
            raise Mismatch("seal", n)
        for signed, signature in zip(self.unsealed, entry.signatures, strict=True):
            if not mover_signed(self.table.game_id, self.movers.key(signed.seat, signed.n), signed, signature):
                raise Mismatch("move_signature", n, seat=signed.seat, move=signed.n)
        for signed in self.unsealed:
            self.moves[signed.seat] = self.moves.get(signed.seat, 0) + 1
        if self.table.migrate is not None:
            given = zip(self.unsealed, entry.signatures, strict=True)
            self.given |= {signed.n: (signed, signature) for signed, signature in given}
        self.signatures += len(self.unsealed)
        self.unsealed = []
        self._next = (Present,) if self.over or self._round_over else DECIDING

    def _close(self, n: int, entry: Close) -> None:
        if host_commitment(self.table.game_id, entry.secret) != self.table.hostcommit:
            raise Mismatch("secret", n)
        self._openings(n, openings_of(entry))
        held = [place for place in self.pending.values() if not place.owned]
        if held:  # the host had these openings when it took the moves
            raise Mismatch("withheld", n, seat=held[0].seat, move=held[0].n)
        self.secret = entry.secret
        self._next = ()


def _markers_in(placed: Placed) -> tuple[int, str, tuple[str, ...], str]:
    return placed.by, VERBS.get(placed.kind, ""), placed.characters, placed.chosen


def mover_signed(game: bytes, key: bytes, signed: Signed, signature: bytes) -> bool:
    """Whether `key`, which moves for the seat, has signed a move with all history before it."""
    return verify(key, signature, move_tag(signed.what), *move_fields(game, signed))


def sign_move(identity: Identity, game: bytes, chain: Chain, seat: int, what: str | bytes) -> bytes:
    """A mover's signature of its move as the next entry of the chain."""
    return identity.sign(move_tag(what), *move_fields(game, Signed(chain.n + 1, chain.head, seat, what)))


def move_tag(what: str | bytes) -> str:
    """The tag of a mover's signature: a line never passes for commitments of the same bytes."""
    return "move" if isinstance(what, str) else "hidden"


def move_fields(game: bytes, signed: Signed) -> tuple[bytes | str, ...]:
    """What a mover signs, under `move_tag`."""
    return game, u64(signed.n), signed.before, u8(signed.seat), signed.what


def agree_fields(
    game: bytes, header: bytes, seat: int, commit: bytes, anchor: bytes, *box: bytes
) -> tuple[bytes, ...]:
    """What a seat signs, under the tag `agree`, when it commits to its part: `header` is hash[1], `box` the key of
    its share where it gets one."""
    return game, header, u8(seat), commit, anchor, *box
