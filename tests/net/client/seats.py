"""Seats whose host is gone, in one place, without sockets: datagrams in, datagrams out."""

from collections.abc import Collection
from dataclasses import dataclass, field

from citadels_lan.crypto.chain import entry_fields
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.migration.agreement import Proposal
from citadels_lan.crypto.migration.host_keys import HostKeys
from citadels_lan.crypto.migration.shares import share_out
from citadels_lan.crypto.signed_head import SignedHead
from citadels_lan.net.client.agreeing.pledges import Won
from citadels_lan.net.client.agreeing.succession import Setting, Succession
from tests.crypto.migrating import NEW_FP, new_key
from tests.crypto.table import GAME, HOST, SECRET, box, header, player
from tests.facts import first_game

HEADER = header(first_game(4), migrate=2)
BOXES = tuple(box(seat).public for seat in range(4))
SHARED = share_out(HEADER, BOXES, SECRET)
HEAD = bytes([5]) * 32


def end(n: int, head: bytes = HEAD, by: Identity = HOST) -> SignedHead:
    """The end of a log that the host has signed."""
    return SignedHead(n, head, by.sign("entry", *entry_fields(GAME, n, head)))


@dataclass
class Kept:
    """What a seat has agreed to, in memory."""

    pledged: dict[int, Proposal]
    seat: int
    full: Collection[int]

    def pledge(self, proposal: Proposal) -> bool:
        return self.pledged.setdefault(self.seat, proposal) == proposal

    def keep(self, won: Won) -> bool:
        return self.seat not in self.full

    def release(self, seat: int, n: int) -> bool:
        before = self.pledged.get(self.seat)
        return before is not None and before.seat == seat and before.n < n


@dataclass
class Seats:
    """Four seats that hear each other, but for those that are `deaf`; `n` is how far the log of each is, `full`
    are those with a full disk when they win."""

    n: list[int] = field(default_factory=lambda: [40] * 4)
    able: Collection[int] = range(4)
    deaf: Collection[int] = ()
    full: set[int] = field(default_factory=set)
    said: list[bytes] = field(default_factory=list)
    pledged: dict[int, Proposal] = field(default_factory=dict)
    time: float = 0.0

    def __post_init__(self) -> None:
        self.all = [self.seat(seat) for seat in range(4)]

    def seat(self, seat: int) -> Succession:
        setting = Setting(HEADER, HostKeys(HOST.public), SHARED, BOXES, seat, player(seat), box(seat))
        prepare = (lambda: (new_key(seat).public, NEW_FP)) if seat in self.able else None
        one = Succession(setting, Kept(self.pledged, seat, self.full), prepare)
        one.wants = True
        return one

    def beat(self, times: int = 1) -> None:
        """Everybody says once what is to be said."""
        for _ in range(times):
            self.time += 1
            for seat, one in enumerate(self.all):
                for datagram in one.beat(end(self.n[seat])):
                    self.hear(datagram, seat)

    def hear(self, datagram: bytes, by: int | None = None) -> None:
        self.said.append(datagram)
        for other, one in enumerate(self.all):
            if other != by and other not in self.deaf:
                one.take(datagram, self.time, f"10.0.0.{by}")

    @property
    def winners(self) -> list[int]:
        return [seat for seat, one in enumerate(self.all) if one.won is not None]
