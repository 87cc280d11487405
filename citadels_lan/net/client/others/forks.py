"""Comparing what the host has signed for others with the own log, without sockets (docs/protocol.md, section 13).

Whoever is on the network may send anything, and the host is the one who would like it not to work. So what agrees
with the own log is dropped unchecked, signatures are checked only of what would be news, few in a second and fewer
from one address; and what cannot be compared yet waits in places of its seat, which nobody else can fill.
"""

from collections import OrderedDict, deque
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.signed_head import (
    MAX_DATAGRAM,
    Heard,
    SignedHead,
    beginning,
    decode,
    encode,
    host_signed,
    make,
    valid,
)
from citadels_lan.net.wire.ratelimit import Bucket, Buckets

RATE: Final = 10
"""Datagrams whose signatures, two at most, are checked in a second."""
BURST_OF_ONE: Final = 8
RATE_OF_ONE: Final = 4
"""Of those, so many may come from one address: one that floods does not silence the others."""
SEEN: Final = 256
"""So many datagrams that were checked are remembered, so that none is checked twice."""
PENDING_OF_SEAT: Final = 6
PENDING_OF_SPECTATORS: Final = 10
"""So many wait for the own log; with nine seats 64 in all. The oldest go."""


class Fork(Struct, frozen=True):
    """Proof that the host told two stories: it signed `theirs` for somebody, and the log here, which it signed,
    too, has `here` as hash[theirs.n]. `seat` says who was told it, None is a spectator; `datagram` is as it came,
    or as a spectator would have sent it where the host has said it here.
    """

    datagram: bytes
    seat: int | None
    theirs: SignedHead
    here: bytes

    @property
    def n(self) -> int:
        """The entry by which the stories have parted."""
        return self.theirs.n

    def details(self, header: Header | None) -> dict[str, str | int]:
        """What people are told of it."""
        return {
            "n": self.n,
            "name": "-" if self.seat is None or header is None else header.players[self.seat].name,
            "theirs": self.theirs.head.hex()[:16],
            "ours": self.here.hex()[:16],
        }


class _Received(Struct, frozen=True):
    """A datagram that has been decoded."""

    datagram: bytes
    heard: Heard


class Comparer:
    """What one client of a table knows of the heads that the host has signed.

    It is fed with the own log, `entry` for each entry and `sealed` for each head that the host has signed in it,
    and with whatever datagrams come. `checks` counts the datagrams whose signatures were checked.
    """

    def __init__(self, header: Header, seat: int | None, identity: Identity | None) -> None:
        """`identity` has the key of the seat; a spectator (None) has neither."""
        self.checks = 0
        self._header = header
        self._seat = seat
        self._identity = identity
        self._beginning = beginning(header.game_id)
        self._heads: dict[int, bytes] = {}
        self._own: SignedHead | None = None
        self._statement: bytes | None = None
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._buckets = Buckets(Bucket(RATE, RATE), BURST_OF_ONE, RATE_OF_ONE)
        seats = range(len(header.players))
        self._pending: dict[int | None, deque[_Received]] = {seat: deque(maxlen=PENDING_OF_SEAT) for seat in seats}
        self._pending[None] = deque(maxlen=PENDING_OF_SPECTATORS)

    @property
    def newest(self) -> int:
        """The last entry whose head the host has signed; 0 before it has signed anything."""
        return self._own.n if self._own is not None else 0

    @property
    def statement(self) -> bytes | None:
        """The own datagram: what the host has signed last; None before it has signed anything."""
        if self._statement is None and self._own is not None:
            self._statement = encode(make(self._header.game_id, self._own, self._seat, self._identity))
        return self._statement

    @property
    def waiting(self) -> int:
        """How many statements wait until the own log is as far."""
        return sum(map(len, self._pending.values()))

    def entry(self, n: int, head: bytes) -> None:
        """Entry `n` of the own log is there, with this hash."""
        self._heads[n] = head

    def sealed(self, own: SignedHead) -> Fork | None:
        """The own log has a seal (or close) after entry `own.n`, and its signature is good: whoever was ahead is
        compared now. A seal that is not the newest changes nothing."""
        if self._own is not None and own.n <= self._own.n:
            return None
        self._heads[own.n] = own.head
        self._own, self._statement = own, None
        forks: list[Fork] = []
        for seat, waiting in self._pending.items():
            due = [received for received in waiting if received.heard.n <= own.n]
            forks += filter(None, map(self._compare, due))
            later = [received for received in waiting if received.heard.n > own.n]
            self._pending[seat] = deque(later, waiting.maxlen)
        return forks[0] if forks else None

    def head(self, n: int) -> bytes | None:
        """hash[n] of the own log, as far as it is."""
        return self._heads.get(n)

    def stated(self, stated: SignedHead) -> Fork | None:
        """Whoever is the host here says that it has signed this head; the fork, if the own log has another one
        there and the host has signed both."""
        here, game = self._heads.get(stated.n), self._header.game_id
        if here is None or here == stated.head or not host_signed(stated, game, self._header.hostkey):
            return None
        return Fork(encode(make(game, stated, None, None)), self._seat, stated, here)

    def take(self, datagram: bytes, now: float, source: str = "") -> Fork | None:
        """Look at a datagram that came at `now` (seconds of any clock that does not go back) from the address
        `source`. What is not of this game, not genuine, or no news gives nothing; nothing raises."""
        if len(datagram) > MAX_DATAGRAM or not datagram.startswith(self._beginning) or datagram in self._seen:
            return None
        try:
            received = _Received(datagram, decode(datagram))
        except Malformed:
            return None
        if received.heard.seat not in self._pending:
            return None
        early = self._own is None or received.heard.n > self._own.n
        waiting = self._pending[received.heard.seat]
        news = received not in waiting if early else self._differs(received.heard)
        if not news or not self._genuine(received, now, source):
            return None
        if early:
            waiting.append(received)
            return None
        return self._compare(received)

    def _differs(self, heard: Heard) -> bool:
        """Whether the own log has another head there."""
        here = self._heads.get(heard.n)
        return here is not None and here != heard.head

    def _compare(self, received: _Received) -> Fork | None:
        """The fork that a genuine statement proves, if it does; the own log is sealed that far."""
        heard, own = received.heard, self._own
        if own is None or not self._differs(heard):
            return None
        return Fork(received.datagram, heard.seat, heard.sealed, self._heads[heard.n])

    def _genuine(self, received: _Received, now: float, source: str) -> bool:
        """Check the signatures, if there is any of the second left for it."""
        if not self._buckets.take(source, now):
            return False
        self.checks += 1
        self._seen[received.datagram] = None
        if len(self._seen) > SEEN:
            self._seen.popitem(last=False)
        return valid(received.heard, self._header)
