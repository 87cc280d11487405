"""Going on without a host that is gone, without sockets: what a seat tells the others, and makes of what they say.

    willing     this seat would go on; enough of them, and the one with the longest log among those that can be the
                host (the lowest seat, if several) proposes itself
    proposed    the others sign that, once, and give their shares to it alone
    moved       it has enough of both: it is the host, and says where

How far a log goes counts only with the host's signature of its end, and who is willing only with its own: nobody
can name an entry that no host has signed, nor a seat that has not said so. Who has a host agrees to nothing, and
follows nobody. Who has given its share away does not go back to the host before, unless the one that has it says
with both signatures that it plays on there; and nobody agrees to two hosts after the same entry.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.frames import u8
from citadels_lan.crypto.identity import Identity, verify
from citadels_lan.crypto.log import Header, NewHost, SharedOut, decode_entry, encode_entry
from citadels_lan.crypto.migration.agreement import Proposal, agree, agreed, holds, needed, new_host, trustees
from citadels_lan.crypto.migration.host_keys import HostKeys
from citadels_lan.crypto.migration.shares import BoxKey, fits, own_share, secret_from
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.signed_head import SignedHead, beginning, decode, host_signed, valid
from citadels_lan.net.wire.ratelimit import Bucket, Buckets

from .datagrams import AnyTelling, Consent, Moved, Proposed, Willing, unwrap, wrap
from .pledges import Won

FRESH: Final = 5
"""After so many beats without a word of it a seat counts as not willing any more."""
SETTLE: Final = 3
"""So many beats enough seats have been willing before one proposes itself: the others may still be heard."""
PLACES: Final = 8
"""So many addresses are kept of a new host."""
RATE: Final = 40
"""Datagrams that are looked at in a second, and half of that from one address."""


class Setting(Struct, frozen=True):
    """What a seat knows of its table: `boxes` are the keys of all seats' shares, `hosts` says who signs which
    entries."""

    header: Header
    hosts: HostKeys
    shared: SharedOut
    boxes: Sequence[bytes]
    seat: int | None
    identity: Identity
    box: BoxKey


class Elsewhere(Struct, frozen=True):
    """Another machine is the host: from the entry after `n` on, at one of these addresses, the one that was heard
    last first."""

    n: int
    entry: NewHost
    addresses: tuple[tuple[str, int], ...]


class Promises(Protocol):
    """What a seat keeps on its disk of what it agrees to."""

    def pledge(self, proposal: Proposal) -> bool:
        """Keep that this seat agrees to something, before anybody hears it; False where it may not, having agreed
        to something else."""

    def release(self, seat: int, n: int) -> bool:
        """A seat has signed that it has entry `n` of the host before; whether that ends what was agreed to."""

    def keep(self, won: Won) -> bool:
        """Keep that this seat's machine is the host, before anybody hears it; False where the disk does not."""


class Succession:
    """One seat's part. `wants`: it would go on without the host. `won` and `elsewhere` are how it has ended."""

    def __init__(
        self,
        table: Setting,
        promises: Promises,
        prepare: Callable[[], tuple[bytes, bytes]] | None,
        kept: Won | None = None,
    ) -> None:
        """`prepare` makes the key and the certificate's fingerprint of a host on this machine; None where it
        cannot be one. `kept` is what this seat has won before its program was started anew."""
        self.wants = False
        self.won: Won | None = None
        self.elsewhere: Elsewhere | None = None
        self._table = table
        self._promises = promises
        self._prepare = prepare
        self._kept = kept
        self._end = SignedHead(0, b"", b"")
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

    def resume(self) -> None:
        """There is no link to any host: go on as the one that this seat is by what it has kept, unless another has
        been heard of for a while."""
        if self.won is None and self._beats > FRESH and self.elsewhere is None:
            self.won = self._kept

    @property
    def left_behind(self) -> bool:
        """Whether this seat is the host no more: enough of the others have agreed to a later one, as they can do
        while its program is started anew."""
        won, elsewhere = self.won, self.elsewhere
        return won is not None and elsewhere is not None and elsewhere.n > won.proposal.n

    def give_up(self) -> None:
        """This machine is not the host any more."""
        self.won = self._kept = None

    # What is told

    def beat(self, end: SignedHead) -> Iterator[bytes]:
        """Once a second, say: the datagrams to send; the own log ends so."""
        self._end, self._beats = end, self._beats + 1
        self._forget()
        self._settle()
        for told in self._tellings():
            yield wrap(self._table.header.game_id, told)

    def _forget(self) -> None:
        """What was agreed on came to nothing: the host has gone on behind it."""
        if self.won is None and self._own is not None and self._own.n < self._end.n:
            self._own = None
            self._given.clear()
        if self._answer is not None and self._answer.n < self._end.n:
            self._answer = None

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
        bare = Willing(self._end.n, self._end.head, self._end.hostsig, self._prepare is not None, seat, bytes(64))
        word = replace(bare, signature=self._table.identity.sign("willing", *bare.fields(game)))
        self._willing[seat] = self._beats, word
        return word

    def _propose(self) -> None:
        """Propose this machine, if it is the one and enough seats have been willing for a while."""
        self._enough = self._enough + 1 if self._are_enough() else 0
        seat = self._table.seat
        if self._own is not None or self._answer is not None or self._enough < SETTLE or self._first() != seat:
            return
        assert seat is not None
        assert self._prepare is not None
        try:
            own = Proposal(self._end.n, self._end.head, seat, *self._prepare())
        except OSError:
            return  # a host whose keys no disk keeps could not come back
        if self._promises.pledge(own) and (share := self._share()) is not None:
            self._own = own
            self._take_share(seat, agree(self._table.identity, self._table.header.game_id, own), share)

    def _proposed(self, one: Proposal) -> Proposed:
        signature, _ = self._given[one.seat]
        return Proposed(one.n, one.head, one.seat, one.host, one.fp, signature)

    def _there(self) -> Mapping[int, Willing]:
        """Who is willing, and was heard lately."""
        return {seat: one for seat, (beat, one) in self._willing.items() if self._beats - beat <= FRESH}

    def _are_enough(self) -> bool:
        """Whether so many are willing as have to agree, this seat among them."""
        return len(self._there()) >= needed(self._table.header)

    def _first(self) -> int | None:
        """Whose machine should be the host: the longest log, then the lowest seat."""
        able = [(-one.n, seat) for seat, one in self._there().items() if one.able]
        return min(able)[1] if able else None

    def _share(self) -> bytes | None:
        table = self._table
        return None if table.seat is None else own_share(table.header, table.shared, table.seat, table.box)

    # What is heard

    def take(self, datagram: bytes, now: float, source: str) -> None:
        """Look at a datagram that came at `now` (seconds of a steady clock) from an address. Nothing raises. Who
        has a host has no use for any; who is or was the host looks for a later one."""
        seeks = self.wants and self.won is None
        if not seeks and self.won is None and self._kept is None:
            return
        if datagram.startswith(beginning(self._table.header.game_id)):
            if seeks:
                self._note_heard(datagram, now, source)
            return
        try:
            told = unwrap(self._table.header.game_id, datagram)
        except Malformed:
            return
        if told is None or not self._throttle.take(source, now):
            return
        match told:
            case Moved() if self.won is None or told.n > self.won.proposal.n:
                self._follow(told, source)
            case _ if not seeks:
                return
            case Willing():
                self._note_willing(told)
            case Proposed():
                self._consider(told)
            case Consent() if self._own is not None:
                self._collect(told, self._own)

    def _note_willing(self, told: Willing) -> None:
        header = self._table.header
        if told.seat == self._table.seat or told.seat not in trustees(header):
            return
        before = self._there().get(told.seat)
        if before is not None and told.n < before.n:
            return  # a copy of what it said before
        signed = verify(header.players[told.seat].key, told.signature, "willing", *told.fields(header.game_id))
        if signed and self._is_of_the_host(told.end):
            self._willing[told.seat] = self._beats, told
            self._release(told.seat, told.n)

    def _is_of_the_host(self, end: SignedHead) -> bool:
        """Whether the host that this seat knows has signed that head."""
        return host_signed(end, self._table.header.game_id, self._table.hosts.at(end.n))

    def _note_heard(self, datagram: bytes, now: float, source: str) -> None:
        """What somebody says of the last seal that it has: whoever this seat has agreed to may play on there."""
        try:
            heard = decode(datagram)
        except Malformed:
            return
        if heard.seat is None or heard.n <= self._end.n or not self._throttle.take(source, now):
            return
        if valid(heard, self._table.header, self._table.hosts.at(heard.n)):
            self._release(heard.seat, heard.n)

    def _release(self, seat: int, n: int) -> None:
        if n > self._end.n and self._promises.release(seat, n):
            self._answer = None

    def _consider(self, told: Proposed) -> None:
        """Agree to a proposal, if it is the one that this seat expects, of enough that are willing, and goes on
        from the end that the host has signed for who makes it, and from the own history."""
        table, proposal = self._table, told.proposal
        expected = self._own is None and self._answer is None and told.seat == self._first()
        if not (expected and self._trusted and self._are_enough()) or told.seat == table.seat:
            return
        end = self._there()[told.seat].end
        goes_on = end.n > self._end.n or (end.n, end.head) == (self._end.n, self._end.head)
        if not goes_on or (proposal.n, proposal.head) != (end.n, end.head):
            return
        if not agreed(table.header, proposal, told.seat, told.signature):
            return
        share = self._share()
        if share is None or not self._promises.pledge(proposal):
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
        self._settle()

    def _settle(self) -> None:
        """This machine is the host, once enough seats have agreed and it is on the disk."""
        own, header = self._own, self._table.header
        if own is None or self.won is not None or len(self._given) < needed(header):
            return
        secret = secret_from(header, {one: share for one, (_, share) in self._given.items()})
        if secret is not None:
            entry = new_host(own, {one: signature for one, (signature, _) in self._given.items()})
            won = Won(own, entry, secret)
            self.won = won if self._promises.keep(won) else None

    def _follow(self, told: Moved, source: str) -> None:
        """Another machine is the host, if enough seats have signed that; the log will show it once more."""
        if told.n < self._end.n - 1:
            return
        try:
            entry = decode_entry(told.entry)
        except Malformed:
            return
        if not isinstance(entry, NewHost) or (told.n + 1, entry.hostkey) in self._table.hosts.changes:
            return  # the log has that one already
        if holds(self._table.header, entry, told.n, told.head):
            before = self.elsewhere
            known = before.addresses if before is not None and before.entry == entry else ()
            addresses = tuple(dict.fromkeys(((source, told.port), *known)))[:PLACES]
            self.elsewhere = Elsewhere(told.n, entry, addresses)
