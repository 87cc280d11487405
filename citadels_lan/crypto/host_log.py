"""The host's side of a log: builds the entries, keeps what is not public yet, and says each viewer its part.

Pure: no files, no sockets. The host writes each `Written` as a journal record before it tells anybody; the same
records bring the host's log back after a crash.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from citadels_lan.engine import BadNotation, Event, encode_event, parse, redact
from citadels_lan.engine.events import Revealed

from .audit import Auditor, Signed, head_fields, mover_signed
from .beacons import bitmap, cosigned, seeds
from .chain import Chain, join_leaves, leaf_hash, salt
from .client_log import decode_events
from .commitments import MAX_LINE, WIDTH, Hash, Opening, Seat, check, committed, join, split
from .delta import CHECK, Delta, longest
from .drbg import SeededChance
from .faults import Unacceptable
from .identity import Identity, verify
from .log import (
    OPENING_BYTES,
    OPENINGS,
    AnyEntry,
    Beacons,
    Close,
    Commits,
    Header,
    Move,
    Open,
    Opened,
    Parts,
    Seal,
    Signature,
    TableMove,
    Told,
    decode_entry,
    encode_entry,
    encode_private,
    events_of,
)
from .packing import Malformed, pack, pad, typed, unpack
from .sealed_moves import manner, plain, starred, unsealed_part
from .seed import joint_seed, part_commitment


class Written(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An entry as the host's journal has it. `private` are the private bytes by seat; `signature` and `openings`
    came with a move, or the openings with the last beacons. It holds secrets of all seats: it never leaves the
    host."""

    n: int
    public: bytes
    private: tuple[tuple[Seat, bytes], ...] = ()
    signature: Signature | None = None
    openings: tuple[Opening, ...] = ()


def encode_record(written: Written) -> bytes:
    """A journal record, without its length."""
    return pack(written)


def decode_record(data: bytes) -> Written:
    """The entry of a journal record; Malformed for everything else."""
    return typed(unpack(data), Written)


class ReadMove(Struct, frozen=True):
    """A move as the engine takes it: its line, and what its opening says of a seal that it breaks."""

    line: str
    unsealed: str | None = None


class Share(Struct, frozen=True):
    """What a seat gives between rounds: its signature of the head, its link, and, after the game, its openings."""

    signature: Signature
    link: Hash
    openings: tuple[Opening, ...] = ()


class HostLog:
    """The log of one game at its host. `written` are the entries so far, entry `n` at index `n - 1`."""

    def __init__(self, header: Header, secret: bytes, host: Identity) -> None:
        """`secret` is `s`, 32 bytes that `header.hostcommit` fixes; `host` has the key `header.hostkey`."""
        self.header = header
        self.chain = Chain(header.game_id, header.rules, header.fp)
        self.audit = Auditor(header.game_id, header.rules, header.fp)
        self.written: list[Written] = []
        self._secret = secret
        self._host = host
        self._leaves: list[bytes] = []
        self._checks: list[bytes] = []
        self._signatures: list[bytes] = []
        self._held: dict[bytes, Opening] = {}
        self._lines: dict[int, str] = {}

    @classmethod
    def restore(cls, secret: bytes, host: Identity, records: Iterable[Written]) -> "HostLog":
        """The host's log after these journal records, of which the first has the header. Raises Malformed or
        Mismatch if they are damaged."""
        host_log: HostLog | None = None
        for written in records:
            entry = decode_entry(written.public)
            if host_log is None and isinstance(entry, Open):
                host_log = cls(entry.header, secret, host)
            if host_log is None:
                break
            host_log._append(entry, written)
        if host_log is None:
            raise Malformed("the journal does not begin with a table")
        return host_log

    # What is written

    def open(self) -> Written:
        """The first entry."""
        return self._write(Open(self.header))

    def commit(self, commits: Sequence[bytes], anchors: Sequence[bytes]) -> Written:
        """All seats' commitments to their parts of the seed, and the anchors of their beacons."""
        return self._write(Commits(tuple(commits), tuple(anchors)))

    def reveal(self, parts: Sequence[bytes], signatures: Sequence[bytes]) -> Written:
        """All parts, each checked by `check_part` when it came."""
        return self._write(Parts(tuple(parts), tuple(signatures)))

    def beacons(self, shares: Mapping[int, Share]) -> Written:
        """Between rounds: the shares of the seats that are present, each checked by `check_share` when it came."""
        seats = sorted(shares)
        entry = Beacons(
            self.audit.round + 1,
            bitmap(seats),
            tuple(shares[seat].signature for seat in seats),
            tuple(shares[seat].link for seat in seats),
        )
        openings = tuple(one for seat in seats for one in shares[seat].openings)
        return self._write(entry, openings=openings)

    def table(self, events: Sequence[Event]) -> Written:
        """What the table did by itself."""
        return self._write(TableMove(self._public(events)), self._private(events))

    def move(
        self,
        seat: int,
        what: str | bytes,
        signature: bytes,
        openings: Sequence[Opening],
        events: Sequence[Event],
    ) -> Written:
        """A move that `check_move` has found good and the engine legal, and what came of it."""
        held = self._held | _by_commitment(what, openings)
        broken = tuple(openings) if isinstance(what, str) else ()
        shown = (*broken, *_shown(held, events, self.audit.round))
        entry = Move(seat, what, self._public(events), shown)
        return self._write(entry, self._private(events), signature, tuple(openings))

    def seal(self) -> Written:
        """The signatures since the last seal. Due when `must_seal`."""
        draft = Seal(tuple(self._signatures), bytes(64))
        return self._write(Seal(draft.signatures, self._sign(draft)))

    def close(self) -> list[Written]:
        """The last entries: every opening not shown before, and the host's secret. Due when `may_close`."""
        left = sorted(self._held.values(), key=lambda one: (one.round, one.seat, one.slot, one.kind))
        *first, last = batches(left)
        written = [self._write(Opened(batch)) for batch in first]
        draft = Close(self._secret, last, bytes(64))
        return [*written, self._write(Close(draft.secret, draft.openings, self._sign(draft)))]

    @property
    def must_seal(self) -> bool:
        """Whether the next entry must be a seal."""
        return self.audit.must_seal

    @property
    def may_close(self) -> bool:
        """Whether the game is over and sealed."""
        return self.audit.may_close

    # What the host knows

    def seed(self) -> bytes:
        """The seed of this round; known after the first `beacons`."""
        return self._seeds()[max(self.audit.rounds)]

    def chances(self) -> dict[int, SeededChance]:
        """The chance of every round so far, from its beginning, by the number of its beacons entry."""
        return {n: SeededChance(seed) for n, seed in self._seeds().items()}

    def _seeds(self) -> dict[int, bytes]:
        first = joint_seed(self.header.game_id, self._secret, self.audit.parts, self.audit.committed_head)
        return dict(seeds(first, self.audit.rounds))

    def entries(self) -> list[AnyEntry]:
        """All entries so far, for `replay.play`, which brings the state back."""
        return [decode_entry(written.public) for written in self.written]

    def line(self, n: int) -> str:
        """The line of notation of the move in entry `n`, without the star of a sealed one."""
        return self._lines[n]

    def check_part(self, seat: int, part: bytes, signature: bytes) -> None:
        """Refused unless a part of the seed is the one committed to, signed with the head after *commits*."""
        game = self.header.game_id
        if part_commitment(game, seat, part) != self.audit.commits[seat]:
            raise Unacceptable("part")
        if not verify(self.header.players[seat].key, signature, "seed", game, self.chain.head):
            raise Unacceptable("signature")

    def check_share(self, seat: int, n: int, share: Share) -> None:
        """Refused unless a share is for this head and this round, and opens nothing but the seat's own seals."""
        audit, game = self.audit, self.header.game_id
        if n != self.chain.n or not audit.expects(Beacons):
            raise Unacceptable("stale")
        if not cosigned(self.header.players[seat].key, share.signature, game, n, self.chain.head):
            raise Unacceptable("signature")
        if not audit.link_fits(seat, share.link, audit.round + 1):
            raise Unacceptable("part")
        own = dict(audit.sealed_by(seat)) if audit.over else {}
        for opening in share.openings:
            commit = committed(game, opening)
            place = own.pop(commit, None)
            if place is None or not place.opened_by(game, commit, opening):
                raise Unacceptable("opening")

    def check_move(
        self, seat: int, n: int, what: str | bytes, signature: bytes, openings: Sequence[Opening]
    ) -> ReadMove:
        """What a move says that came in as entry `n`; Refused unless it is signed and its commitments open.

        Whether it is legal is for the engine to say.
        """
        if n != self.chain.n + 1 or not self.audit.expects(Move):
            raise Unacceptable("stale")
        if not mover_signed(self.header, Signed(n, self.chain.head, seat, what), signature):
            raise Unacceptable("signature")
        if isinstance(what, bytes):
            said, sent = ReadMove(self._hidden_line(seat, what, openings)), "hidden"
        elif (sealed := unsealed_part(what)) is not None:
            said, sent = ReadMove(sealed[0]), "sealed"
            if openings or sealed[1] in self.audit.pending:
                raise Unacceptable("opening" if openings else "used")
        else:
            said, sent = ReadMove(what, self._unsealed(seat, what, openings)), "open"
        if manner(said.line) != sent:
            raise Unacceptable("hidden")
        if not canonical(said.line, seat):
            raise Unacceptable("notation")
        return said

    def _unsealed(self, seat: int, what: str, openings: Sequence[Opening]) -> str | None:
        """What the opening of the seal says that an open move breaks."""
        breaking = self.audit.breaks(seat, what)
        if len(openings) != (breaking is not None):
            raise Unacceptable("opening")
        if breaking is None:
            return None
        commit, place = breaking
        if not place.opened_by(self.header.game_id, commit, openings[0]):
            raise Unacceptable("opening")
        return starred(openings[0])

    def _hidden_line(self, seat: int, what: bytes, openings: Sequence[Opening]) -> str:
        commits = [what[at : at + WIDTH] for at in range(0, len(what), WIDTH)]
        if not commits or len(commits) != len(openings) or not all(map(self._opens, commits, openings)):
            raise Unacceptable("opening")
        if any(commit in self.audit.pending for commit in commits):
            raise Unacceptable("used")
        place = (self.audit.round, seat, self.audit.slot(seat))
        if any((one.round, one.seat, one.slot) != place for one in openings):
            raise Unacceptable("opening")
        lines = tuple(one.line for one in openings)
        if split(join(lines)) != lines:
            raise Unacceptable("opening")
        return join(lines)

    def _opens(self, commit: bytes, opening: Opening) -> bool:
        return check(self.header.game_id, commit, opening)

    # What each viewer is told

    def delta(self, n: int, viewer: int | None) -> Delta:
        """Entry `n` for a seat, or for a spectator (None)."""
        written = self.written[n - 1]
        private = dict(written.private).get(viewer) if viewer is not None else None
        key = salt(self._secret, n, viewer) if viewer is not None and private is not None else None
        return Delta(n, self._checks[n - 1], written.public, self._leaves[n - 1], key, private)

    def bodies(self, n: int) -> dict[int | None, bytes]:
        """The body of entry `n` for every seat and for spectators (None), all padded to the same length, which
        does not depend on what is hidden."""
        viewers = (None, *range(len(self.header.players)))
        packed = {viewer: pack(self.delta(n, viewer)) for viewer in viewers}
        size = longest(self.delta(n, None), dict(self.written[n - 1].private).values())
        return {viewer: pad(data, size) for viewer, data in packed.items()}

    # How an entry is made

    def _public(self, events: Sequence[Event]) -> list[list[object]]:
        return [encode_event(redact(event, None)) for event in events]

    def _private(self, events: Sequence[Event]) -> tuple[tuple[int, bytes], ...]:
        seats = range(len(self.header.players))
        told = ((seat, told_to(seat, events)) for seat in seats)
        return tuple((seat, encode_private(one)) for seat, one in told if one)

    def _sign(self, entry: Seal | Close) -> bytes:
        fields = head_fields(self.header.game_id, self.chain.n + 1, self.chain.head, entry)
        return self._host.sign("head", *fields)

    def _write(
        self,
        entry: AnyEntry,
        private: tuple[tuple[int, bytes], ...] = (),
        signature: bytes | None = None,
        openings: tuple[Opening, ...] = (),
    ) -> Written:
        written = Written(self.chain.n + 1, encode_entry(entry), private, signature, openings)
        self._append(entry, written)
        return written

    def _append(self, entry: AnyEntry, written: Written) -> None:
        game, n = self.header.game_id, self.chain.n + 1
        self.audit.read(n, self.chain.head, entry, decode_events(events_of(entry)))
        self._note(entry, written)
        leaves = join_leaves(
            {seat: leaf_hash(game, n, seat, salt(self._secret, n, seat), data) for seat, data in written.private}
        )
        head = self.chain.append(written.public, leaves)
        self.written.append(written)
        self._leaves.append(leaves)
        self._checks.append(head[:CHECK])

    def _note(self, entry: AnyEntry, written: Written) -> None:
        if isinstance(entry, Move):
            assert written.signature is not None
            self._signatures.append(written.signature)
            self._held |= _by_commitment(entry.what, written.openings)
            lines = tuple(one.line for one in written.openings)
            self._lines[self.chain.n + 1] = plain(entry.what) if isinstance(entry.what, str) else join(lines)
        elif isinstance(entry, Beacons):
            self._held |= {committed(self.header.game_id, one): one for one in written.openings}
        elif isinstance(entry, Seal):
            self._signatures = []
        self._held = {commit: one for commit, one in self._held.items() if commit in self.audit.pending}


def batches(openings: Sequence[Opening]) -> list[tuple[Opening, ...]]:
    """The openings in entries as few as their limits allow; at least one, which may be empty."""
    made: list[tuple[Opening, ...]] = [()]
    for opening in openings:
        longer = (*made[-1], opening)
        if len(longer) <= OPENINGS and len(pack(longer)) <= OPENING_BYTES:
            made[-1] = longer
        else:
            made.append((opening,))
    return made


def canonical(line: str, seat: int) -> bool:
    """Whether a line is the one way to write its move, and not too long."""
    try:
        return len(line) <= MAX_LINE and str(parse(line, seat)) == line
    except BadNotation:
        return False


def told_to(seat: int, events: Sequence[Event]) -> list[Told]:
    """The events that a seat is told differently from a spectator."""
    told = []
    for index, event in enumerate(events):
        own = redact(event, seat)
        if own != redact(event, None):
            told.append(Told(index, encode_event(own)))
    return told


def _by_commitment(what: str | bytes, openings: Sequence[Opening]) -> dict[bytes, Opening]:
    if isinstance(what, str):
        return {}
    return {what[at * WIDTH : (at + 1) * WIDTH]: one for at, one in enumerate(openings)}


def _shown(held: dict[bytes, Opening], events: Sequence[Event], round_: int) -> tuple[Opening, ...]:
    lines = [f"pick {event.character}" for event in events if isinstance(event, Revealed)]
    return tuple(one for line in lines for one in held.values() if (one.round, one.line) == (round_, line))
