"""The host's side of a log: it checks what seats send, builds the entries, keeps what is not public yet, and
returns what each viewer receives.

This module uses no files and no sockets. The host writes each `Written` as a journal record before it sends
anything. After a crash `HostLog.restore` builds the log from these records. The engine, not this module,
decides whether a move is legal."""

import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.client_log import decode_events, private_parts, sign_view
from citadels_lan.crypto.draft.drafts import LINK, AnyDraftMessage
from citadels_lan.crypto.seed import joint_seed, part_commitment
from citadels_lan.crypto.signatures import Passed, check_agreement, cosigned, substitute_key, word_commitment
from citadels_lan.engine import Action, BadNotation, Event, encode_event, parse, redact
from citadels_lan.engine.actions import Theater
from citadels_lan.engine.events import Revealed

from . import commitments as moves
from . import log
from .codec import Malformed, pack, typed, unpack
from .commitments import Hash, Opening, Seat
from .identity import Identity


class ReadMove(Struct, frozen=True):
    """A checked move that can be written to the log: what the seat has signed and sent, and the `action` that
    it means to the engine. The move of a substitute bot has an empty signature. If the move reveals a sealed
    marker, `unsealed` is the character with the signed marker; otherwise None."""

    seat: int
    what: str | bytes
    signature: bytes
    openings: tuple[Opening, ...]
    action: Action
    unsealed: str | None = None


def _line_of(audit: Auditor, seat: int, what: str | bytes, openings: Sequence[Opening]) -> tuple[str, str | None]:
    """Return the line of the move `what` without a star, and the character whose sealed marker the move
    reveals (None if it reveals none). Raises Unacceptable."""
    unsealed = None
    if isinstance(what, bytes):
        line, sent = _hidden_line(audit, seat, what, openings), "hidden"
    elif (sealed := moves.read_sealed(what)) is not None:
        line, sent = sealed.line, "sealed"
        if openings or sealed.commit in audit.concealed.pending:
            raise log.Unacceptable("opening" if openings else "used")
    else:
        line, sent = what, "open"
        unsealed = _unsealed(audit, seat, what, openings)
    if moves.manner(line) != sent:
        raise log.Unacceptable("hidden")
    return line, unsealed


def _hidden_line(audit: Auditor, seat: int, what: bytes, openings: Sequence[Opening]) -> str:
    """Return the line of a hidden move, read from `openings`, which only the host receives. Raises
    Unacceptable if they do not open the commitments `what`."""
    game = audit.table.game_id
    commits = [what[at : at + moves.WIDTH] for at in range(0, len(what), moves.WIDTH)]
    if not commits or len(commits) != len(openings):
        raise log.Unacceptable("opening")
    place, lines = (audit.round, seat, audit.concealed.slot(seat)), tuple(opening.line for opening in openings)
    placed = all((opening.round, opening.seat, opening.slot) == place for opening in openings)
    opened = all(moves.check(game, commit, opening) for commit, opening in zip(commits, openings, strict=True))
    # The protocol splits each line in one way only.
    if not placed or not opened or moves.split(moves.join(lines)) != lines:
        raise log.Unacceptable("opening")
    if any(commit in audit.concealed.pending for commit in commits):
        raise log.Unacceptable("used")
    return moves.join(lines)


def _unsealed(audit: Auditor, seat: int, what: str, openings: Sequence[Opening]) -> str | None:
    """Return the character with the signed marker, if the move `what` (a line of notation that everyone can
    read, such as `confiscate yes`) reveals which of the seat's markers is signed; otherwise None. Raises
    Unacceptable unless `openings` are exactly what the move needs."""
    breaking = audit.concealed.breaks(seat, what)
    if len(openings) != (breaking is not None):
        raise log.Unacceptable("opening")
    if breaking is None:
        return None
    commit, place = breaking
    if not place.opened_by(audit.table.game_id, commit, openings[0]):
        raise log.Unacceptable("opening")
    return moves.starred(openings[0])


class Written(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An entry in the host's journal. `private` are the private bytes by seat. `openings` are those that
    seats have sent with the move or with co-signatures. `said` is the signature of an earlier host if that
    host signed the entry, otherwise None. `parts` are the parts of the seed by seat, only in the record of
    the first deal. `ends` are the signatures of an agreed end, only in records of *close*. A record contains
    secrets of all seats, so it never leaves the host."""

    n: int
    public: bytes
    private: tuple[tuple[Seat, bytes], ...] = ()
    openings: tuple[Opening, ...] = ()
    said: log.Signature | None = None
    parts: tuple[Hash, ...] = ()
    ends: tuple[log.EndSignature, ...] = ()


def decode_record(data: bytes) -> Written:
    """Decode the entry in a journal record. Raises Malformed."""
    return typed(unpack(data), Written)


def batches(openings: Sequence[Opening]) -> list[tuple[Opening, ...]]:
    """Split openings into groups for as few entries as the limits allow. Without openings there is one empty
    group."""
    made: list[tuple[Opening, ...]] = [()]
    for opening in openings:
        longer = (*made[-1], opening)
        if len(longer) <= log.OPENINGS and len(pack(longer)) <= log.OPENING_BYTES:
            made[-1] = longer
        else:
            made.append((opening,))
    return made


def by_commitment(what: str | bytes, openings: Sequence[Opening]) -> dict[bytes, Opening]:
    """Return the openings of a hidden move, by the commitments in `what` that they open. For a line of
    notation: {}."""
    if isinstance(what, str):
        return {}
    return {what[at * moves.WIDTH : (at + 1) * moves.WIDTH]: opening for at, opening in enumerate(openings)}


FIRST_DEAL: Final = 3
"""The first entry that depends on the seed. Its journal record contains the parts of the seed."""


class CoSigning(Struct, frozen=True):
    """A seat's message after a round: its co-signature. After the end of the game, `openings` open the seat's
    sealed moves; in a game with sealed drafts they also reveal the secret of its last draft (the last used
    link of its second hash chain). Before that, there are none."""

    signed: log.CoSignature
    openings: tuple[Opening, ...] = ()


class HostLog:
    """The log of one game, kept by its host. `written` are the entries so far; entry `n` has the index `n -
    1`. `heads[n]` is the hash of entry `n`."""

    def __init__(self, header: log.Header, secret: bytes, host: Identity) -> None:
        """`secret` is the host's 32-byte secret, to which `header.hostcommit` commits. `host` is the key that
        signs entries: the one in `header.hostkey`, or after a *handover* the new host's."""
        self.header = header
        self.chain = log.Chain(header.game_id, header.rules, header.fp)
        self.audit = Auditor(header.game_id, header.rules, header.fp, header.hostkey)
        self.written: list[Written] = []
        self._secret = secret
        self._host = host
        self._leaves: list[bytes] = []
        self.heads = [self.chain.head]
        self._bodies: dict[int, dict[int | None, bytes]] = {}
        self._signed: dict[int, bytes] = {}
        self._held: dict[bytes, Opening] = {}
        self._links: tuple[Opening, ...] = ()
        self._ends: tuple[log.EndSignature, ...] = ()
        self._parts: tuple[bytes, ...] = ()

    @classmethod
    def restore(cls, secret: bytes, host: Identity, records: Iterable[Written]) -> "HostLog":
        """Return the host's log from its journal records, the first of which has the header. Raises Malformed
        or Mismatch if they are damaged."""
        host_log: HostLog | None = None
        for written in records:
            entry = log.decode_entry(written.public)
            if host_log is None and isinstance(entry, log.Open):
                host_log = cls(entry.header, secret, host)
            if host_log is None:
                break
            host_log._append(entry, written)
        if host_log is None:
            raise Malformed("the journal does not begin with a table")
        if len(host_log.written) >= FIRST_DEAL and len(host_log._parts) != len(host_log.header.players):
            raise Malformed("the journal has not all parts of the seed")
        return host_log

    # Writing entries

    def give_parts(self, parts: Sequence[bytes]) -> None:
        """Store all parts of the seed, by seat. `check_part` must have accepted each. The record of the next
        entry contains them, so they are on the disk before anyone sees a result of the seed."""
        self._parts = tuple(parts)

    def cosign(self, given: Mapping[int, CoSigning]) -> Written:
        """Write the entry with the co-signatures of the connected seats. `check_cosigning` must have accepted
        each."""
        seats = sorted(given)
        openings = tuple(opening for seat in seats for opening in given[seat].openings)
        return self.write(log.CoSigned(tuple(given[seat].signed for seat in seats)), openings=openings)

    def words(self, words: Mapping[int, bytes]) -> Written:
        """Write the entry with the random words of all seats that co-signed in the previous entry.
        `check_word` must have accepted each."""
        return self.write(log.CheckWords(tuple(log.GivenWord(seat, words[seat]) for seat in sorted(words))))

    def move(self, move: ReadMove, events: Sequence[Event]) -> Written:
        """Write a move that `check_move` or `substitute_move` has returned. `events` are the engine's events
        for it, which prove that it is legal."""
        held = self._held | by_commitment(move.what, move.openings)
        broken = move.openings if isinstance(move.what, str) else ()
        lines = [f"pick {event.character}" for event in events if isinstance(event, Revealed)]
        round_ = self.audit.round
        shown = (own for line in lines for own in held.values() if (own.round, own.line) == (round_, line))
        by = log.OWNER if move.signature else log.SUBSTITUTE
        entry = log.Move(move.seat, by, move.what, [], (*broken, *shown), move.signature)
        return self.happen(entry, events, move.openings)

    def away(self, seat: int) -> Written:
        """Write that the player of a seat is away. Only allowed where a move may come next."""
        return self.write(log.SeatChange(seat, log.AWAY, "", b""))

    def end(self, agreed: Mapping[int, bytes]) -> list[Written]:
        """Write the last entries of a game that its players end without a result. `agreed` are their
        signatures by seat, which `check_end` has checked."""
        self._ends = tuple(log.EndSignature(seat, agreed[seat]) for seat in sorted(agreed))
        return self.close()

    @property
    def signs(self) -> bool:
        """Whether the key of this host signs the next entry. False once the game is handed over."""
        return self.audit.hosts.now.key == self._host.public

    @property
    def passed(self) -> tuple[Passed, ...]:
        """All handovers of the game so far, as proof for a client that has not seen them."""
        entries = [host.first - 1 for host in self.audit.hosts.all[1:]]
        return tuple(Passed(n, self.heads[n - 1], self.written[n - 1].public, self.signature(n)) for n in entries)

    def close(self) -> list[Written]:
        """Write the last entries: all openings that are not public yet, then the host's secret and the parts
        of the seed. Call it when `audit.may_close`; if the program crashed between two of these entries, call
        it again."""
        if self._ends:
            return self._close(log.AGREED, ())
        drafts = self.audit.drafts
        links = [one for one in self._links if drafts is not None and one.seat not in drafts.links]
        return self._close(log.LIED if drafts is not None and drafts.proven else log.FINISHED, links)

    def _close(self, why: int, more: Sequence[Opening]) -> list[Written]:
        held = [*self._held.values(), *more]
        # A restored host must write the same entries again.
        left = sorted(held, key=lambda held: (held.round, held.seat, held.slot, held.kind))
        *first, last = batches(left)
        entries = [log.Close(why, openings, b"", (), ()) for openings in first]
        entries.append(log.Close(why, last, self._secret, self._parts, self._ends))
        return [self.write(entry) for entry in entries]

    def sign_view(self, seat: int | None, packed: bytes) -> bytes:
        """Return the host's signature of a snapshot for `seat` (None: for spectators). `packed` is the packed
        view after the last entry."""
        return sign_view(self._host, self.header.game_id, self.chain.n, self.chain.head, seat, packed)

    # Facts about the log

    def seed(self) -> bytes | None:
        """Return the seed of the game; None until every seat has given its part."""
        return joint_seed(self.heads[2], self._secret, self._parts) if self._parts else None

    @property
    def signed(self) -> log.CoSigned | None:
        """The last entry, if it has co-signatures; otherwise None."""
        cosigned = self.audit.cosigned
        return self.audit.signed if cosigned and cosigned[-1].n == self.chain.n else None

    def entries(self) -> list[log.AnyEntry]:
        """All entries so far. `replay.play` computes the state from them."""
        return [log.decode_entry(written.public) for written in self.written]

    def entry(self, n: int) -> log.AnyEntry:
        """Return entry `n`."""
        return log.decode_entry(self.written[n - 1].public)

    def line(self, n: int, move: log.Move | None = None) -> str:
        """Return the line of notation of the move in entry `n`, without a star. `move` is that entry if the
        caller has decoded it already."""
        entry = move or self.entry(n)
        assert isinstance(entry, log.Move)
        if isinstance(entry.what, str):
            return moves.plain(entry.what)
        return moves.join(tuple(opening.line for opening in self.written[n - 1].openings))

    def knows(self, n: int, head: bytes) -> bool:
        """Return whether `head` is hash[n], the head of this game's log after entry `n`. True for `n` 0."""
        return n == 0 or (n < len(self.heads) and hmac.compare_digest(self.heads[n], head))

    # Messages from seats

    def check_commit(self, seat: int, agreement: log.Agreement, others: Collection[bytes] = ()) -> None:
        """Check that the seat has signed the header together with its commitments, and that none of its
        values is among the `others`, the values of other seats. Raises Unacceptable."""
        check_agreement(self.header, self.chain.head, seat, agreement, others)

    def check_part(self, seat: int, part: bytes) -> None:
        """Check that a part of the seed opens the seat's commitment. Raises Unacceptable."""
        if part_commitment(self.heads[1], seat, part) != self.audit.commits[seat]:
            raise log.Unacceptable("part")

    def check_cosigning(self, seat: int, n: int, given: CoSigning) -> None:
        """Check that a seat has co-signed the history up to entry `n`, and has opened only its own sealed
        moves. Raises Unacceptable."""
        audit, signed = self.audit, given.signed
        if n != self.chain.n or not audit.expects(log.CoSigned) or signed.seat != seat:
            raise log.Unacceptable("stale")
        if not cosigned(self.header.players[seat].key, self.header.game_id, n, self.chain.head, signed):
            raise log.Unacceptable("signature")
        self._check_openings(seat, given.openings, opened=audit.over)

    def check_end(self, seat: int, n: int, signature: bytes) -> None:
        """Check the seat's signature that agrees to end the game without a result after entry `n`. Raises
        Unacceptable."""
        if n != self.chain.n or not self.audit.may_end:
            raise log.Unacceptable("stale")
        if not self.audit.agrees(seat, n, self.chain.head, signature):
            raise log.Unacceptable("signature")

    def _check_openings(self, seat: int, openings: Sequence[Opening], *, opened: bool) -> None:
        links = [one for one in openings if one.kind == LINK]
        sealed = [one for one in openings if one.kind != LINK]
        drafts = self.audit.drafts if opened else None
        fits = all(drafts is not None and one.seat == seat and drafts.link_fits(one) for one in links)
        if len(links) > 1 or not fits:
            raise log.Unacceptable("part")
        if sealed and not (opened and self.audit.concealed.opens_own(seat, sealed)):
            raise log.Unacceptable("opening")

    def check_word(self, seat: int, n: int, word: bytes) -> None:
        """Check that `word` opens the commitment in the seat's co-signature, which must be in the last entry,
        `n`. Raises Unacceptable."""
        signed = self.signed
        mine = next((one for one in signed.seats if one.seat == seat), None) if signed is not None else None
        if n != self.chain.n or mine is None:
            raise log.Unacceptable("stale")
        if word_commitment(self.header.game_id, n - 1, seat, word) != mine.commit:
            raise log.Unacceptable("part")

    def check_move(
        self, seat: int, n: int, what: str | bytes, signature: bytes, openings: Sequence[Opening]
    ) -> ReadMove:
        """Return the move that a seat has sent for entry `n`. Raises Unacceptable if entry `n` is not the
        next one, the signature is wrong, the openings do not fit, or the line is not in its only valid
        form."""
        audit = self.audit
        if n != self.chain.n + 1 or not audit.expects(log.Move):
            raise log.Unacceptable("stale")
        if audit.absences.substitute(seat) is not None:
            raise log.Unacceptable("substitute")
        game, key, before = self.header.game_id, self.header.players[seat].key, self.chain.head
        if not log.mover_signed(game, key, n, before, seat, what, signature):
            raise log.Unacceptable("signature")
        line, unsealed = _line_of(audit, seat, what, openings)
        try:
            action = parse(line, seat) if len(line) <= moves.MAX_LINE else None
        except BadNotation:
            action = None
        # Each action is written in one way only.
        if action is None or str(action) != line:
            raise log.Unacceptable("notation")
        # In a sealed draft the character of an exchange comes as a message between the seats.
        if audit.drafts is not None and isinstance(action, Theater) and action.seat is not None:
            raise log.Unacceptable("draft_turn")  # what is given in an exchange comes with it
        return ReadMove(seat, what, signature, tuple(openings), action, unsealed)

    def check_said(self, n: int, item: log.SaidItem) -> AnyDraftMessage:
        """Return the decoded draft message that a seat has sent for entry `n`. Raises Unacceptable if entry
        `n` is not the next one, or the message is not signed, not due, or does not fit."""
        if n != self.chain.n + 1 or self.audit.drafts is None or not self.audit.expects(log.Said):
            raise log.Unacceptable("stale")
        try:
            return self.audit.drafts.check(n, self.chain.head, item)
        except Malformed:
            raise log.Unacceptable("draft_form") from None

    def check_back(self, seat: int, signature: bytes) -> None:
        """Check that the player of a seat is away according to the log, and has signed the return. Raises
        Unacceptable."""
        self.audit.absences.reached(self.chain.n, self.chain.head)
        if not self.audit.absences.returns(seat, signature):
            raise log.Unacceptable("back")

    def substitute_move(self, seat: int, line: str) -> ReadMove:
        """Return the move `line` of the substitute bot that plays a seat. A line that is not open becomes a
        hidden move, whose openings the host publishes at the end."""
        action = parse(line, seat)
        if moves.manner(line) == "open":
            return ReadMove(seat, line, b"", (), action)
        game, slot = self.header.game_id, self.audit.concealed.slot(seat)
        key = substitute_key(self._secret, seat)
        what, openings = moves.conceal(key, game, self.chain.head, self.audit.round, seat, slot, line)
        return ReadMove(seat, what, b"", openings, action)

    # What each viewer receives

    def delta(self, n: int, viewer: int | None) -> log.Delta:
        """Return what `viewer` receives of entry `n`: a seat, or a spectator (None)."""
        written = self.written[n - 1]
        private = dict(written.private).get(viewer) if viewer is not None else None
        key = log.salt(self._secret, n, viewer) if viewer is not None and private is not None else None
        return log.Delta(n, self.signature(n), written.public, self._leaves[n - 1], key, private)

    def signature(self, n: int) -> bytes:
        """Return the host's signature of hash[n], and so of all entries up to `n`. Repeated calls return the
        same bytes."""
        if (said := self.written[n - 1].said) is not None:
            return said
        if n not in self._signed:
            # Entries before a handover keep the signature of the host before (`Written.said`).
            assert self.audit.hosts.at(n).key == self._host.public, "another host signs this entry"
            self._signed[n] = log.sign_entry(self._host, self.header.game_id, n, self.heads[n])
        return self._signed[n]

    def bodies(self, n: int) -> dict[int | None, bytes]:
        """Return the body of entry `n` for every seat and for spectators (None). All have the same length,
        which does not depend on hidden values."""
        private, public = dict(self.written[n - 1].private), self.delta(n, None)
        # All viewers get the same length, so that observers cannot see who receives a card.
        size = log.longest(public, private.values())
        own = {viewer: log.encode_delta(self.delta(n, viewer), size) for viewer in private}
        return dict.fromkeys((None, *range(len(self.header.players))), log.encode_delta(public, size)) | own

    def body(self, n: int, viewer: int | None) -> bytes:
        """Return the padded body of entry `n` for a seat, or for a spectator (None)."""
        # Most viewers of an entry receive the same bytes, so the whole game needs little memory.
        if n not in self._bodies:
            self._bodies[n] = self.bodies(n)
        return self._bodies[n][viewer]

    # Building entries

    def happen(
        self, entry: log.EventfulEntry, events: Sequence[Event], openings: tuple[Opening, ...] = ()
    ) -> Written:
        """Complete `entry` with the events and write it. Each viewer receives the events that it may see.
        `openings` are those that arrived with the entry. Messages of a sealed draft must have passed
        `check_said`."""
        public = [redact(event, None) for event in events]
        private = private_parts(len(self.header.players), events, public)
        entry = replace(entry, events=[encode_event(event) for event in public])
        return self.write(entry, tuple(private.items()), openings, public)

    def write(
        self,
        entry: log.AnyEntry,
        private: tuple[tuple[int, bytes], ...] = (),
        openings: tuple[Opening, ...] = (),
        public: Sequence[Event] | None = None,
    ) -> Written:
        """Write the next entry. Messages of seats in it must have been checked before. `private` are the
        private bytes by seat, and `public` the events as spectators see them (None: decode them from the
        entry)."""
        n = self.chain.n + 1
        # The parts must be on the disk before any result of the seed leaves the host.
        parts = self._parts if n == FIRST_DEAL else ()
        ends = self._ends if isinstance(entry, log.Close) else ()
        written = Written(n, pack(entry), private, openings, parts=parts, ends=ends)
        self._append(entry, written, public)
        return written

    def _append(self, entry: log.AnyEntry, written: Written, public: Sequence[Event] | None = None) -> None:
        n = self.chain.n + 1
        public = decode_events(log.events_of(entry)) if public is None else public
        self.audit.read(n, self.chain.head, entry, public)
        self._note(entry, written)
        leaves = log.leaves_of(self._secret, self.header.game_id, n, dict(written.private))
        self.heads.append(self.chain.grow(log.entry_hash(self.chain.head, n, written.public, leaves)))
        self.written.append(written)
        self._leaves.append(leaves)

    def _note(self, entry: log.AnyEntry, written: Written) -> None:
        if isinstance(entry, log.Move):
            self._held |= by_commitment(entry.what, written.openings)
        elif isinstance(entry, log.CoSigned):
            self._links = tuple(one for one in written.openings if one.kind == LINK)
            sealed = (one for one in written.openings if one.kind != LINK)
            self._held |= {moves.committed(self.header.game_id, opening): opening for opening in sealed}
        elif isinstance(entry, log.Close):
            self._ends = written.ends
        if written.n == FIRST_DEAL:
            self._parts = written.parts
        self._held = {
            commit: held for commit, held in self._held.items() if commit in self.audit.concealed.pending
        }
