"""The host's side of a log: builds the entries, keeps what is not public yet, and says each viewer its part.

Pure: no files, no sockets. The host writes each `Written` as a journal record before it tells anybody; the same
records bring the host's log back after a crash.
"""

import hmac
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from citadels_lan.engine import Event, encode_event, redact

from .audit import Auditor
from .audit.beginning import check_agreement
from .beacons import bitmap, here_signed, seats_in, seeds
from .chain import Chain, join_leaves, leaf_hash, salt, sign_entry
from .client_log import decode_events
from .commitments import Hash, Opening, committed, join
from .delta import Delta
from .drbg import SeededChance
from .faults import Unacceptable
from .host_entries import Bodies, Written, batches, by_commitment, openings_shown, private_parts
from .identity import Identity, verify
from .log import (
    AnyEntry,
    Back,
    Beacons,
    Close,
    Commits,
    DraftLinks,
    DraftSaid,
    Header,
    Move,
    Open,
    Opened,
    Parts,
    Present,
    Restart,
    Seal,
    SeatLink,
    Signature,
    TableMove,
    decode_entry,
    encode_entry,
    events_of,
)
from .owner import Owner
from .packing import Malformed
from .received_moves import HostDrafts, ReadMove, read_move
from .sealed_moves import plain
from .seed import joint_seed, part_commitment
from .signed_view import sign_view
from .stand_ins import Stint, nonce_key, signing_key, stand_in


class Participant(Struct, frozen=True):
    """A seat's word that it takes part in the round to come. `disputes`: it was left out before although it had
    sent its part."""

    signature: Signature
    disputes: bool = False


class Share(Struct, frozen=True):
    """What a seat gives to the chance of a round: its link, and, after the game, its openings, and the link of its
    second chain where the draft was sealed."""

    link: Hash
    openings: tuple[Opening, ...] = ()
    draft: Hash | None = None


class HostLog:
    """The log of one game at its host. `written` are the entries so far, entry `n` at index `n - 1`."""

    def __init__(self, header: Header, secret: bytes, host: Identity) -> None:
        """`secret` is `s`, 32 bytes that `header.hostcommit` fixes; `host` has the key `header.hostkey`."""
        self.header = header
        self.chain = Chain(header.game_id, header.rules, header.fp)
        self.audit = Auditor(header.game_id, header.rules, header.fp, header.hostkey)
        self.written: list[Written] = []
        self._secret = secret
        self._host = host
        self._leaves: list[bytes] = []
        self._heads = [self.chain.head]
        self._bodies = Bodies(len(header.players), self.written, self.delta)
        self._moves: list[bytes] = []
        self._signed: dict[int, bytes] = {}
        self._held: dict[bytes, Opening] = {}
        self._links: tuple[SeatLink, ...] = ()

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

    def commit(
        self,
        commits: Sequence[bytes],
        anchors: Sequence[bytes],
        signatures: Sequence[bytes],
        boxes: Sequence[bytes] = (),
        drafts: Sequence[bytes] = (),
    ) -> Written:
        """All seats' commitments to their parts of the seed, the anchors of their beacons, and for sealed drafts
        their boxes and the anchors of their second chains, each checked by `check_commit` when it came."""
        given = (tuple(commits), tuple(anchors), tuple(signatures))
        drafting = () if self.header.draft is None else (tuple(boxes), tuple(drafts))
        return self._write(Commits(*given, *drafting))

    def reveal(self, parts: Sequence[bytes], signatures: Sequence[bytes]) -> Written:
        """All parts, each checked by `check_part` when it came."""
        return self._write(Parts(tuple(parts), tuple(signatures)))

    def present(self, here: Mapping[int, Participant]) -> Written:
        """Between rounds: who takes part in the next one, each checked by `check_here` when it came."""
        seats = sorted(here)
        disputed = bitmap([seat for seat in seats if here[seat].disputes])
        signatures = tuple(here[seat].signature for seat in seats)
        return self._write(Present(self.audit.round + 1, bitmap(seats), disputed, signatures))

    def restart(self, missing: Sequence[int]) -> Written:
        """Between rounds: these seats, which were there, do not give their links."""
        return self._write(Restart(bitmap(missing)))

    def beacons(self, shares: Mapping[int, Share]) -> Written:
        """Between rounds: the shares of all seats that take part, each checked by `check_share` when it came."""
        seats = seats_in(self.audit.between.present)
        openings = tuple(opening for seat in seats for opening in shares[seat].openings)
        second = tuple(SeatLink(seat, link) for seat in seats if (link := shares[seat].draft) is not None)
        return self._write(Beacons(tuple(shares[seat].link for seat in seats)), openings=openings, links=second)

    def table(self, events: Sequence[Event]) -> Written:
        """What the table did by itself."""
        public = [redact(event, None) for event in events]
        entry = TableMove([encode_event(event) for event in public])
        return self._write(entry, private_parts(len(self.header.players), events, public), public=public)

    def move(self, move: ReadMove, events: Sequence[Event]) -> Written:
        """A move that `check_move` has read and the engine found legal, and what came of it."""
        held = self._held | by_commitment(move.what, move.openings)
        broken = move.openings if isinstance(move.what, str) else ()
        shown = (*broken, *openings_shown(held, events, self.audit.round))
        public = [redact(event, None) for event in events]
        entry = Move(move.seat, move.what, [encode_event(event) for event in public], shown)
        return self._write(
            entry, private_parts(len(self.header.players), events, public), move.signature, move.openings, public
        )

    def stand_in(self, seat: int, level: str) -> Written:
        """A stand-in of this level moves for a seat from here on. Possible where a move is expected."""
        game, n = self.header.game_id, self.chain.n + 1
        drafts = self.drafts.stand_in(n, seat)
        return self._write(stand_in(self._secret, game, n, self.chain.head, seat, level, *drafts))

    def back(self, back: Back) -> Written:
        """The owner of a seat is back, as `check_back` has found when its word came."""
        return self._write(back)

    def seal(self) -> Written:
        """The signatures since the last seal. Due when `must_seal`."""
        return self._write(Seal(tuple(self._moves)))

    def close(self) -> list[Written]:
        """The last entries: every opening not shown before, and the host's secret. Due when `may_close`."""
        held = [
            *self._held.values(),
            *(one for seat in range(len(self.header.players)) for one in self.entrusted(seat)),
        ]
        left = sorted(held, key=lambda held: (held.round, held.seat, held.slot, held.kind))
        *first, last = batches(left)
        opened = [self._write(DraftLinks(self._links))] if self.audit.expects(DraftLinks) else []
        return [*opened, *(self._write(Opened(batch)) for batch in first), self._write(Close(self._secret, last))]

    def sign_view(self, seat: int | None, packed: bytes) -> bytes:
        """The host's signature of the packed view after the last entry, as this seat is shown it."""
        return sign_view(self._host, self.header.game_id, self.chain.n, self.chain.head, seat, packed)

    @property
    def must_seal(self) -> bool:
        """Whether the next entry must be a seal."""
        return self.audit.must_seal

    @property
    def may_close(self) -> bool:
        """Whether the game is over and sealed."""
        return self.audit.may_close

    @property
    def drafts(self) -> HostDrafts:
        """What is taken and written of sealed drafts."""
        return HostDrafts(self.audit, self.chain, self._secret, self._write_drafted)

    # What the host knows

    def seed(self) -> bytes:
        """The seed of this round; known after the first `beacons`."""
        return self._seeds()[max(self.audit.between.rounds)]

    def chances(self) -> dict[int, SeededChance]:
        """The chance of every round so far, from its beginning, by the number of its beacons entry."""
        return {n: SeededChance(seed) for n, seed in self._seeds().items()}

    def _seeds(self) -> dict[int, bytes]:
        first = joint_seed(self.header.game_id, self._secret, self.audit.parts, self.audit.committed_head)
        return dict(seeds(first, self.audit.between.rounds))

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

    def check_commit(
        self,
        seat: int,
        commit: bytes,
        anchor: bytes,
        signature: bytes,
        box: bytes | None = None,
        draft: bytes | None = None,
        *,
        others: Collection[bytes] = (),
    ) -> None:
        """Unacceptable unless the seat has signed what it commits to, and the header, and no value of it stands
        among those of the `others`."""
        more = tuple(one for one in (box, draft) if one is not None)
        check_agreement(self.header, self.chain.head, seat, (commit, anchor, *more), signature, others)

    def check_part(self, seat: int, part: bytes, signature: bytes) -> None:
        """Unacceptable unless a part of the seed is the one committed to, signed with the head after *commits*."""
        game = self.header.game_id
        if part_commitment(game, seat, part) != self.audit.commits[seat]:
            raise Unacceptable("part")
        if not verify(self.header.players[seat].key, signature, "seed", game, self.chain.head):
            raise Unacceptable("signature")

    def check_here(self, seat: int, n: int, here: Participant) -> None:
        """Unacceptable unless a seat has signed this head, and may still take part in the round to come."""
        audit = self.audit
        if n != self.chain.n or not audit.expects(Present):
            raise Unacceptable("stale")
        if not audit.between.may_take_part(seat):
            raise Unacceptable("part")
        says = (self.header.game_id, n, self.chain.head, audit.round + 1, here.disputes)
        if not here_signed(self.header.players[seat].key, here.signature, *says):
            raise Unacceptable("signature")

    def check_share(self, seat: int, n: int, share: Share) -> None:
        """Unacceptable unless a share is for this attempt, and opens only the seat's own seals."""
        audit, game = self.audit, self.header.game_id
        if n != self.chain.n or not audit.expects(Beacons) or not audit.between.present >> seat & 1:
            raise Unacceptable("stale")
        if not audit.between.link_fits(game, seat, share.link):
            raise Unacceptable("part")
        second = audit.drafts if audit.over else None
        if share.draft is not None and not (second is not None and second.link_fits(seat, share.draft)):
            raise Unacceptable("part")
        if share.openings and not (audit.over and audit.concealed.opens_own(seat, share.openings)):
            raise Unacceptable("opening")

    def check_move(
        self, seat: int, n: int, what: str | bytes, signature: bytes, openings: Sequence[Opening]
    ) -> ReadMove:
        """The move that a seat has sent as entry `n`, for the engine and for `move`; see `read_move`."""
        return read_move(self.chain, self.audit, seat, n, what, signature, openings)

    def check_back(self, back: Back) -> None:
        """Unacceptable unless a stand-in moves for the seat, and its owner has signed that it is back."""
        if self.audit.movers.refusal(back):
            raise Unacceptable("back")

    # What stand-ins do

    def signing_key(self, stint: Stint) -> Identity:
        """The key of a stand-in."""
        return signing_key(self._secret, self.header.game_id, stint)

    def stand_in_owner(self, stint: Stint) -> Owner:
        """What a stand-in can conceal, seal and open."""
        game, seat = self.header.game_id, stint.seat
        return Owner(nonce_key(self._secret, game, stint), game, seat, tuple(self.entrusted(seat)))

    def entrusted(self, seat: int) -> list[Opening]:
        """The openings of what stand-ins have sealed for a seat, and the log has not opened."""
        found: list[Opening] = []
        for commit, place in self.audit.concealed.sealed_for(seat):
            stint = self.audit.movers.at(seat, place.n)
            assert stint is not None
            owner = Owner(nonce_key(self._secret, self.header.game_id, stint), self.header.game_id, seat)
            found += owner.opened([(commit, place)])
        return found

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
        signature: bytes | None = None,
        openings: tuple[Opening, ...] = (),
        public: Sequence[Event] | None = None,
        links: tuple[SeatLink, ...] = (),
    ) -> Written:
        """`public` are the events of the entry, where it has any."""
        written = Written(self.chain.n + 1, encode_entry(entry), private, signature, openings, links=links)
        self._append(entry, written, public)
        return written

    def _write_drafted(self, entry: AnyEntry, events: Sequence[Event], signature: bytes | None) -> Written:
        public = [redact(event, None) for event in events]
        private = private_parts(len(self.header.players), events, public)
        return self._write(entry, private, signature, public=public)

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
        if isinstance(entry, Move | DraftSaid):
            assert written.signature is not None
            self._moves.append(written.signature)
        if isinstance(entry, Move):
            self._held |= by_commitment(entry.what, written.openings)
        elif isinstance(entry, Beacons):
            self._held |= {committed(self.header.game_id, opening): opening for opening in written.openings}
            self._links = written.links
        elif isinstance(entry, Seal):
            self._moves = []
        self._held = {
            commit: held for commit, held in self._held.items() if commit in self.audit.concealed.pending
        }
