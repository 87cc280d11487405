"""Going on without a host that is gone, without sockets: what a seat tells the others, and makes of what they say.

    willing     this seat would go on; enough of them, and the one with the longest log among those that can be the
                host (the lowest seat, if several) proposes itself
    proposed    the others sign that, once, and give their shares to it alone
    moved       it has enough of both: it is the host, and says where

Who has agreed never goes back to the host before, and never agrees to another one after the same entry.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.frames import u8
from citadels_lan.crypto.identity import Identity, verify
from citadels_lan.crypto.log import Header, NewHost, SharedOut, decode_entry, encode_entry
from citadels_lan.crypto.migration.agreement import Proposal, agree, agreed, holds, needed, new_host, trustees
from citadels_lan.crypto.migration.shares import BoxKey, fits, own_share, secret_from
from citadels_lan.crypto.packing import Malformed
from citadels_lan.net.wire.ratelimit import Bucket, Buckets

from .datagrams import AnyTelling, Consent, Moved, Proposed, Willing, unwrap, wrap

FRESH: Final = 5
"""After so many beats without a word of it a seat counts as not willing any more."""
SETTLE: Final = 3
"""So many beats enough seats have been willing before one proposes itself: the others may still be heard."""
RATE: Final = 40
"""Datagrams that are looked at in a second, and half of that from one address."""


class Setting(Struct, frozen=True):
    """What a seat knows of its table that does not change: `boxes` are the keys of all seats' shares."""

    header: Header
    shared: SharedOut
    boxes: Sequence[bytes]
    seat: int | None
    identity: Identity
    box: BoxKey


class Won(Struct, frozen=True):
    """This seat's machine is the host: from which entry on, by which entry, and with the host's secret."""

    proposal: Proposal
    entry: NewHost
    secret: bytes

    def __repr__(self) -> str:
        return f"Won({self.proposal.n})"


class Elsewhere(Struct, frozen=True):
    """Another machine is the host: from the entry after `n` on, at this address."""

    n: int
    entry: NewHost
    address: tuple[str, int]


class Succession:
    """One seat's part. `wants`: it would go on without the host. `won` and `elsewhere` are how it has ended."""

    def __init__(
        self,
        table: Setting,
        pledge: Callable[[Proposal], bool],
        prepare: Callable[[], tuple[bytes, bytes]] | None,
    ) -> None:
        """`pledge` keeps on the disk that this seat agrees to something, before anybody hears it; False where it
        may not, having agreed to something else. `prepare` makes the key and the certificate's fingerprint of a
        host on this machine; None where it cannot be one."""
        self.wants = False
        self.won: Won | None = None
        self.elsewhere: Elsewhere | None = None
        self._table = table
        self._pledge = pledge
        self._prepare = prepare
        self._n, self._head = 0, b""
        self._beats = 0
        self._enough = 0
        self._willing: dict[int, tuple[int, Willing]] = {}
        self._own: Proposal | None = None
        self._given: dict[int, tuple[bytes, bytes]] = {}
        self._answer: Consent | None = None
        self._port = 0
        self._throttle = Buckets(Bucket(RATE, RATE), RATE, RATE // 2)

    def hosting(self, port: int) -> None:
        """This machine is the host now, and listens there."""
        self._port = port

    # What is told

    def beat(self, n: int, head: bytes) -> Iterator[bytes]:
        """Once a second, say: the datagrams to send; the own log ends with entry `n`."""
        self._n, self._head, self._beats = n, head, self._beats + 1
        for told in self._tellings():
            yield wrap(self._table.header.game_id, told)

    def _tellings(self) -> Iterator[AnyTelling]:
        if self.won is not None:
            if self._port:
                one = self.won
                yield Moved(one.proposal.n, one.proposal.head, encode_entry(one.entry), self._port)
        elif self.wants and self.elsewhere is None and self._trusted:
            yield self._word()
            self._propose()
            if self._own is not None:
                yield self._proposed(self._own)
            elif self._answer is not None:
                yield self._answer

    @property
    def _trusted(self) -> bool:
        return self._table.seat in trustees(self._table.header)

    def _word(self) -> Willing:
        """That this seat is willing."""
        seat, game = self._table.seat, self._table.header.game_id
        assert seat is not None
        bare = Willing(self._n, self._head, self._prepare is not None, seat, bytes(64))
        signature = self._table.identity.sign("willing", *bare.fields(game))
        word = Willing(bare.n, bare.head, bare.able, seat, signature)
        self._willing[seat] = self._beats, word
        return word

    def _propose(self) -> None:
        """Propose this machine, if it is the one and enough seats have been willing for a while."""
        self._enough = self._enough + 1 if len(self._there()) >= needed(self._table.header) else 0
        seat = self._table.seat
        if self._own is not None or self._answer is not None or self._enough < SETTLE or self._first() != seat:
            return
        assert seat is not None
        assert self._prepare is not None
        own = Proposal(self._n, self._head, seat, *self._prepare())
        if self._pledge(own) and (share := self._share()) is not None:
            self._own = own
            self._take_share(seat, agree(self._table.identity, self._table.header.game_id, own), share)

    def _proposed(self, one: Proposal) -> Proposed:
        signature, _ = self._given[one.seat]
        return Proposed(one.n, one.head, one.seat, one.host, one.fp, signature)

    def _there(self) -> Mapping[int, Willing]:
        """Who is willing, and was heard lately."""
        return {seat: one for seat, (beat, one) in self._willing.items() if self._beats - beat <= FRESH}

    def _first(self) -> int | None:
        """Whose machine should be the host: the longest log, then the lowest seat."""
        able = [(-one.n, seat) for seat, one in self._there().items() if one.able]
        return min(able)[1] if able else None

    def _share(self) -> bytes | None:
        table = self._table
        return None if table.seat is None else own_share(table.header, table.shared, table.seat, table.box)

    # What is heard

    def take(self, datagram: bytes, now: float, source: str) -> None:
        """Look at a datagram that came at `now` (seconds of a steady clock) from an address. Nothing raises."""
        try:
            told = unwrap(self._table.header.game_id, datagram)
        except Malformed:
            return
        if told is None or not self._throttle.take(source, now):
            return
        match told:
            case Willing():
                self._note_willing(told)
            case Proposed() if self.wants:
                self._consider(told)
            case Consent() if self._own is not None and self.won is None:
                self._collect(told, self._own)
            case Moved():
                self._follow(told, source)

    def _note_willing(self, told: Willing) -> None:
        header = self._table.header
        if told.seat == self._table.seat or told.seat not in trustees(header):
            return
        if verify(header.players[told.seat].key, told.signature, "willing", *told.fields(header.game_id)):
            self._willing[told.seat] = self._beats, told

    def _consider(self, told: Proposed) -> None:
        """Agree to a proposal, if it is the one that this seat expects, and goes on from its own history."""
        table, proposal = self._table, told.proposal
        expected = self._own is None and self._answer is None and told.seat == self._first()
        goes_on = proposal.n > self._n or (proposal.n, proposal.head) == (self._n, self._head)
        if not (expected and goes_on and self._trusted) or told.seat == table.seat:
            return
        if not agreed(table.header, proposal, told.seat, told.signature):
            return
        share = self._share()
        if share is None or not self._pledge(proposal):
            return
        game, seat = table.header.game_id, table.seat
        assert seat is not None
        sealed = table.box.seal(table.boxes[told.seat], share, *proposal.fields(game), u8(seat))
        signature = agree(table.identity, game, proposal)
        self._answer = Consent(proposal.n, told.seat, proposal.host, seat, signature, sealed)

    def _collect(self, told: Consent, own: Proposal) -> None:
        table, header = self._table, self._table.header
        if (told.n, told.to, told.host) != (own.n, own.seat, own.host) or told.seat in self._given:
            return
        if not agreed(header, own, told.seat, told.signature):
            return
        about = (*own.fields(header.game_id), u8(told.seat))
        share = table.box.open(table.boxes[told.seat], told.share, *about)
        if share is not None and fits(header, table.shared, told.seat, share):
            self._take_share(told.seat, told.signature, share)

    def _take_share(self, seat: int, signature: bytes, share: bytes) -> None:
        self._given[seat] = signature, share
        own, header = self._own, self._table.header
        if own is None or len(self._given) < needed(header):
            return
        secret = secret_from(header, {one: share for one, (_, share) in self._given.items()})
        if secret is not None:
            entry = new_host(own, {one: signature for one, (signature, _) in self._given.items()})
            self.won = Won(own, entry, secret)

    def _follow(self, told: Moved, source: str) -> None:
        """Another machine is the host, if enough seats have signed that; the log will show it once more."""
        if self.won is not None or told.n < self._n - 1:
            return
        try:
            entry = decode_entry(told.entry)
        except Malformed:
            return
        if isinstance(entry, NewHost) and holds(self._table.header, entry, told.n, told.head):
            self.elsewhere = Elsewhere(told.n, entry, (source, told.port))
