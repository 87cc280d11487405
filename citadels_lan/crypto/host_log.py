"""The host's side of a log: builds the entries, keeps what is not public yet, and says each viewer its part.

Pure: no files, no sockets. The host writes each `Written` as a journal record before it tells anybody; the same
records bring the host's log back after a crash.
"""

import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from citadels_lan.engine import Event, encode_event, parse, redact

from .absences import substitute_key
from .audit import Auditor
from .audit.drafts import LINK
from .chain import Chain, join_leaves, leaf_hash, salt, sign_entry
from .chance import joint_seed, part_commitment
from .claims import check_agreement
from .client_log import decode_events
from .commitments import Opening, committed, conceal, join
from .cosigning import cosigned, word_commitment
from .delta import Delta
from .faults import Unacceptable
from .handover import Passed
from .host_entries import Bodies, Written, batches, by_commitment, openings_shown, private_parts
from .identity import Identity
from .log import (
    AGREED,
    AWAY,
    BACK,
    BOT,
    FINISHED,
    LIED,
    OWNER,
    SUBSTITUTE,
    Agreement,
    AnyEntry,
    CheckWords,
    Close,
    Commits,
    CoSignature,
    CoSigned,
    EndSignature,
    GivenWord,
    Handover,
    Header,
    Move,
    Open,
    Said,
    SaidItem,
    SeatChange,
    TableMove,
    decode_entry,
    encode_entry,
    events_of,
)
from .packing import Malformed
from .received_moves import ReadMove, read_move
from .sealed_moves import manner, plain
from .signed_view import sign_view

FIRST_DEAL: Final = 3
"""The entry that the seed decides first; its record has the parts of the seed."""


class CoSigning(Struct, frozen=True):
    """What a seat gives after a round: its co-signature, and after the end of the game its own openings, with its
    last secret link of sealed drafts."""

    signed: CoSignature
    openings: tuple[Opening, ...] = ()


class HostLog:
    """The log of one game at its host. `written` are the entries so far, entry `n` at index `n - 1`."""

    def __init__(self, header: Header, secret: bytes, host: Identity) -> None:
        """`secret` is `s`, 32 bytes that `header.hostcommit` fixes; `host` has the key `header.hostkey`, or that
        of the last *handover*."""
        self.header = header
        self.chain = Chain(header.game_id, header.rules, header.fp)
        self.audit = Auditor(header.game_id, header.rules, header.fp, header.hostkey)
        self.written: list[Written] = []
        self._secret = secret
        self._host = host
        self._leaves: list[bytes] = []
        self._heads = [self.chain.head]
        self._bodies = Bodies(len(header.players), self.written, self.delta)
        self._signed: dict[int, bytes] = {}
        self._held: dict[bytes, Opening] = {}
        self._links: tuple[Opening, ...] = ()
        self._ends: tuple[EndSignature, ...] = ()
        self._parts: tuple[bytes, ...] = ()

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
        if len(host_log.written) >= FIRST_DEAL and len(host_log._parts) != len(host_log.header.players):
            raise Malformed("the journal has not all parts of the seed")
        return host_log

    # What is written

    def open(self) -> Written:
        """The first entry."""
        return self._write(Open(self.header))

    def commit(self, agreements: Sequence[Agreement]) -> Written:
        """What all seats agree and commit to, each checked by `check_commit` when it came."""
        return self._write(Commits(tuple(agreements)))

    def give_parts(self, parts: Sequence[bytes]) -> None:
        """All parts of the seed, each checked by `check_part` when it came. The record of the next entry has them,
        so they are on the disk before anyone sees what comes of the seed."""
        self._parts = tuple(parts)

    def cosign(self, given: Mapping[int, CoSigning]) -> Written:
        """The co-signatures of the seats that are there, each checked by `check_cosigning` when it came."""
        seats = sorted(given)
        openings = tuple(opening for seat in seats for opening in given[seat].openings)
        return self._write(CoSigned(tuple(given[seat].signed for seat in seats)), openings=openings)

    def words(self, words: Mapping[int, bytes]) -> Written:
        """The words of all seats in the entry before, each checked by `check_word` when it came."""
        return self._write(CheckWords(tuple(GivenWord(seat, words[seat]) for seat in sorted(words))))

    def table(self, events: Sequence[Event]) -> Written:
        """What the table did by itself."""
        public = [redact(event, None) for event in events]
        entry = TableMove([encode_event(event) for event in public])
        return self._write(entry, private_parts(len(self.header.players), events, public), public=public)

    def move(self, move: ReadMove, events: Sequence[Event]) -> Written:
        """A move that `check_move` or `substitute_move` gave, and that the engine found legal; what came of it."""
        held = self._held | by_commitment(move.what, move.openings)
        broken = move.openings if isinstance(move.what, str) else ()
        shown = (*broken, *openings_shown(held, events, self.audit.round))
        public = [redact(event, None) for event in events]
        raw = [encode_event(event) for event in public]
        entry = Move(move.seat, OWNER if move.signature else SUBSTITUTE, move.what, raw, shown, move.signature)
        private = private_parts(len(self.header.players), events, public)
        return self._write(entry, private, move.openings, public)

    def say(self, items: Sequence[SaidItem], events: Sequence[Event]) -> Written:
        """What seats say in a sealed draft, each checked by `read_said` when it came, and what came of it."""
        public = [redact(event, None) for event in events]
        entry = Said(tuple(items), [encode_event(event) for event in public])
        return self._write(entry, private_parts(len(self.header.players), events, public), public=public)

    def away(self, seat: int) -> Written:
        """The player of a seat is away. Possible where a move is expected, as the next two."""
        return self._write(SeatChange(seat, AWAY, "", b""))

    def substitute(self, seat: int, level: str) -> Written:
        """A substitute bot of this level plays a seat whose player is away."""
        return self._write(SeatChange(seat, BOT, level, b""))

    def back(self, seat: int, signature: bytes) -> Written:
        """The player of a seat is back; `check_back` has accepted the signature when it came."""
        return self._write(SeatChange(seat, BACK, "", signature))

    def end(self, agreed: Mapping[int, bytes]) -> list[Written]:
        """The last entries of a game that its players end without a result, by their signatures, each checked by
        `check_end`."""
        self._ends = tuple(EndSignature(seat, agreed[seat]) for seat in sorted(agreed))
        return self._close(AGREED, ())

    def hand_over(self, entry: Handover) -> Written:
        """The game belongs to another host from here on. Possible where `audit.may_hand_over`."""
        return self._write(entry)

    @property
    def signs(self) -> bool:
        """Whether the next entry is this host's."""
        return self.audit.hosts.now.key == self._host.public

    @property
    def passed(self) -> tuple[Passed, ...]:
        """All handovers, as proof for a client that does not have them."""
        entries = [host.first - 1 for host in self.audit.hosts.all[1:]]
        return tuple(Passed(n, self._heads[n - 1], self.written[n - 1].public, self.signature(n)) for n in entries)

    def close(self) -> list[Written]:
        """The last entries: every opening not shown before, the host's secret and the parts. Due when
        `may_close`, also after the first of them."""
        if self._ends:
            return self._close(AGREED, ())
        drafts = self.audit.drafts
        links = [one for one in self._links if drafts is not None and one.seat not in drafts.links]
        return self._close(LIED if drafts is not None and drafts.proven else FINISHED, links)

    def _close(self, why: int, more: Sequence[Opening]) -> list[Written]:
        held = [*self._held.values(), *more]
        left = sorted(held, key=lambda held: (held.round, held.seat, held.slot, held.kind))
        *first, last = batches(left)
        entries = [Close(why, openings, b"", (), ()) for openings in first]
        entries.append(Close(why, last, self._secret, self._parts, self._ends))
        return [self._write(entry) for entry in entries]

    def sign_view(self, seat: int | None, packed: bytes) -> bytes:
        """The host's signature of the packed view after the last entry, as this seat is shown it."""
        return sign_view(self._host, self.header.game_id, self.chain.n, self.chain.head, seat, packed)

    @property
    def may_close(self) -> bool:
        """Whether the game is over."""
        return self.audit.may_close

    # What the host knows

    def seed(self) -> bytes | None:
        """The seed of the game; None before all parts are there."""
        return joint_seed(self._heads[2], self._secret, self._parts) if self._parts else None

    @property
    def signed(self) -> CoSigned | None:
        """The last entry, if it is one with co-signatures."""
        entry = decode_entry(self.written[-1].public) if self.audit.cosigned else None
        return entry if isinstance(entry, CoSigned) else None

    def entries(self) -> list[AnyEntry]:
        """All entries so far, for `replay.play`, which brings the state back."""
        return [decode_entry(written.public) for written in self.written]

    def entry(self, n: int) -> AnyEntry:
        """Entry `n`."""
        return decode_entry(self.written[n - 1].public)

    def line(self, n: int) -> str:
        """The line of notation of the move in entry `n`, without the star of a sealed one."""
        entry = self.entry(n)
        assert isinstance(entry, Move)
        if isinstance(entry.what, str):
            return plain(entry.what)
        return join(tuple(opening.line for opening in self.written[n - 1].openings))

    def head_at(self, n: int) -> bytes:
        """hash[n]."""
        return self._heads[n]

    def knows(self, n: int, head: bytes) -> bool:
        """Whether hash[n] of this game is `head`. Of the beginning everybody knows enough."""
        return n == 0 or (n < len(self._heads) and hmac.compare_digest(self._heads[n], head))

    # What seats send

    def check_commit(self, seat: int, agreement: Agreement, others: Collection[bytes] = ()) -> None:
        """Raises Unacceptable unless the seat has signed what it commits to, and the header, and no value of it
        stands among those of the `others`."""
        check_agreement(self.header, self.chain.head, seat, agreement, others)

    def check_part(self, seat: int, part: bytes) -> None:
        """Raises Unacceptable unless a part of the seed is the one committed to."""
        if part_commitment(self._heads[1], seat, part) != self.audit.commits[seat]:
            raise Unacceptable("part")

    def check_cosigning(self, seat: int, n: int, given: CoSigning) -> None:
        """Raises Unacceptable unless a seat has signed this head, and opens only its own seals."""
        audit, signed = self.audit, given.signed
        if n != self.chain.n or not audit.expects(CoSigned) or signed.seat != seat:
            raise Unacceptable("stale")
        if not cosigned(self.header.players[seat].key, self.header.game_id, n, self.chain.head, signed):
            raise Unacceptable("signature")
        self._check_openings(seat, given.openings, opened=audit.over)

    def check_end(self, seat: int, n: int, signature: bytes) -> None:
        """Raises Unacceptable unless a seat agrees that the game ends here."""
        if n != self.chain.n or not self.audit.may_end:
            raise Unacceptable("stale")
        if not self.audit.agrees(seat, n, self.chain.head, signature):
            raise Unacceptable("signature")

    def _check_openings(self, seat: int, openings: Sequence[Opening], *, opened: bool) -> None:
        links = [one for one in openings if one.kind == LINK]
        sealed = [one for one in openings if one.kind != LINK]
        drafts = self.audit.drafts if opened else None
        fits = all(drafts is not None and one.seat == seat and drafts.link_fits(one) for one in links)
        if len(links) > 1 or not fits:
            raise Unacceptable("part")
        if sealed and not (opened and self.audit.concealed.opens_own(seat, sealed)):
            raise Unacceptable("opening")

    def check_word(self, seat: int, n: int, word: bytes) -> None:
        """Raises Unacceptable unless a seat's word opens its commitment in the last entry."""
        signed = self.signed
        mine = next((one for one in signed.seats if one.seat == seat), None) if signed is not None else None
        if n != self.chain.n or mine is None:
            raise Unacceptable("stale")
        if word_commitment(self.header.game_id, n - 1, seat, word) != mine.commit:
            raise Unacceptable("part")

    def check_move(
        self, seat: int, n: int, what: str | bytes, signature: bytes, openings: Sequence[Opening]
    ) -> ReadMove:
        """The move that a seat has sent as entry `n`, for the engine and for `move`; see `read_move`."""
        return read_move(self.chain, self.audit, seat, n, what, signature, openings)

    def check_back(self, seat: int, signature: bytes) -> None:
        """Unacceptable unless the player of a seat is away by the log, and has signed that it is back."""
        self.audit.absences.reached(self.chain.n, self.chain.head)
        if not self.audit.absences.returns(seat, signature):
            raise Unacceptable("back")

    def substitute_move(self, seat: int, line: str) -> ReadMove:
        """A move of the substitute that plays a seat. Its hidden moves, and its markers, are commitments that the
        host opens at the end."""
        action = parse(line, seat)
        if manner(line) == "open":
            return ReadMove(seat, line, b"", (), action)
        game, slot = self.header.game_id, self.audit.concealed.slot(seat)
        key = substitute_key(self._secret, seat)
        what, openings = conceal(key, game, self.chain.head, self.audit.round, seat, slot, line)
        return ReadMove(seat, what, b"", openings, action)

    # What each viewer is told

    def delta(self, n: int, viewer: int | None) -> Delta:
        """Entry `n` for a seat, or for a spectator (None)."""
        written = self.written[n - 1]
        private = dict(written.private).get(viewer) if viewer is not None else None
        key = salt(self._secret, n, viewer) if viewer is not None and private is not None else None
        return Delta(n, self.signature(n), written.public, self._leaves[n - 1], key, private)

    def signature(self, n: int) -> bytes:
        """The host's signature of entry `n`, and of all before it: always the same bytes."""
        if (said := self.written[n - 1].said) is not None:
            return said
        if n not in self._signed:
            assert self.audit.hosts.at(n).key == self._host.public, "another host signs this entry"
            self._signed[n] = sign_entry(self._host, self.header.game_id, n, self._heads[n])
        return self._signed[n]

    def bodies(self, n: int) -> dict[int | None, bytes]:
        """The body of entry `n` for every seat and for spectators (None)."""
        return self._bodies.by_viewer(n)

    def body(self, n: int, viewer: int | None) -> bytes:
        """The body of entry `n` for one viewer."""
        return self._bodies.of(n, viewer)

    # How an entry is made

    def _write(
        self,
        entry: AnyEntry,
        private: tuple[tuple[int, bytes], ...] = (),
        openings: tuple[Opening, ...] = (),
        public: Sequence[Event] | None = None,
    ) -> Written:
        """`public` are the events of the entry, where it has any."""
        n = self.chain.n + 1
        parts = self._parts if n == FIRST_DEAL else ()
        ends = self._ends if isinstance(entry, Close) else ()
        written = Written(n, encode_entry(entry), private, openings, parts=parts, ends=ends)
        self._append(entry, written, public)
        return written

    def _append(self, entry: AnyEntry, written: Written, public: Sequence[Event] | None = None) -> None:
        game, n = self.header.game_id, self.chain.n + 1
        self.audit.read(n, self.chain.head, entry, decode_events(events_of(entry)) if public is None else public)
        self._note(entry, written)
        leaves = join_leaves(
            {seat: leaf_hash(game, n, seat, salt(self._secret, n, seat), data) for seat, data in written.private}
        )
        self._heads.append(self.chain.append(written.public, leaves))
        self.written.append(written)
        self._leaves.append(leaves)

    def _note(self, entry: AnyEntry, written: Written) -> None:
        if isinstance(entry, Move):
            self._held |= by_commitment(entry.what, written.openings)
        elif isinstance(entry, CoSigned):
            self._links = tuple(one for one in written.openings if one.kind == LINK)
            sealed = (one for one in written.openings if one.kind != LINK)
            self._held |= {committed(self.header.game_id, opening): opening for opening in sealed}
        elif isinstance(entry, Close):
            self._ends = written.ends
        if written.n == FIRST_DEAL:
            self._parts = written.parts
        self._held = {
            commit: held for commit, held in self._held.items() if commit in self.audit.concealed.pending
        }
