"""Beacons: between rounds every seat signs the head, and then reveals the next link of its chain of hashes.

Who takes part is in the log before the first link is revealed. So the chance of a round is known to nobody before
it begins, and whoever leaves out a seat afterwards has to begin anew, with new links, for all to see
(docs/protocol.md, section 5).
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from .faults import Mismatch
from .frames import digest, frame, u8, u16, u64
from .identity import Identity, verify
from .log import Beacons, Header, Present, Restart

LINKS = 256
"""Links of a chain, one for each attempt at a round's beacons."""
SPENT = bytes(32)
"""What stands for a link after the last one."""


class Round(Struct, frozen=True):
    """What beacons add to the seed: `head` is the hash before them, `links` are of the seats in `present`."""

    number: int
    head: bytes
    present: int
    links: tuple[bytes, ...]


def beacon_secret(key: bytes, game: bytes) -> bytes:
    """`x_0` of a client, from its 32-byte key for one game."""
    return digest("own-beacon", key, game)


def hashed(game: bytes, seat: int, link: bytes, times: int) -> bytes:
    """The link that many places further towards the anchor."""
    if times:
        link = digest("beacon", game, u8(seat), link)
        before = frame("beacon", game, u8(seat), bytes(32))[:-32]  # all but the link; a chain has hundreds
        for _ in range(times - 1):
            link = hashlib.sha256(before + link).digest()
    return link


def anchor(game: bytes, seat: int, secret: bytes) -> bytes:
    """The end of the chain that begins with `secret`; published before any part of the seed is known."""
    return hashed(game, seat, secret, LINKS)


def link_of(game: bytes, seat: int, secret: bytes, attempt: int) -> bytes:
    """What a seat reveals at the attempt with this number, from 1, of all the game."""
    return hashed(game, seat, secret, LINKS - attempt) if attempt <= LINKS else SPENT


def leads_to(game: bytes, seat: int, link: bytes, attempt: int, last: tuple[int, bytes]) -> bool:
    """Whether `link` is that of this attempt; `last` is the attempt of the seat's last link, and that link (0 and
    its anchor, at first)."""
    before, known = last
    if attempt > LINKS:
        return link == SPENT
    return hashed(game, seat, link, attempt - before) == known


def sign_here(identity: Identity, game: bytes, n: int, head: bytes, round_: int, disputes: bool) -> bytes:
    """A seat's word that it is there for round `round_`, with the history that ends with hash[n]; see
    `Present`."""
    return identity.sign("here", *_here_fields(game, n, head, round_, disputes))


def here_signed(
    key: bytes, signature: bytes, game: bytes, n: int, head: bytes, round_: int, disputes: bool
) -> bool:
    """Whether `key` has signed that."""
    return verify(key, signature, "here", *_here_fields(game, n, head, round_, disputes))


def _here_fields(game: bytes, n: int, head: bytes, round_: int, disputes: bool) -> tuple[bytes, ...]:
    return game, u64(n), head, u16(round_), u8(disputes)


def seats_in(present: int) -> list[int]:
    """The seats of a bitmap, rising."""
    return [seat for seat in range(present.bit_length()) if present >> seat & 1]


def bitmap(seats: Sequence[int]) -> int:
    """The bitmap of some seats."""
    return sum(1 << seat for seat in seats)


def next_seed(before: bytes, one: Round) -> bytes:
    """The seed of a round from the seed of the round before."""
    return digest("seed-r", before, u16(one.number), one.head, u16(one.present), *one.links)


def seeds(first: bytes, rounds: Mapping[int, Round]) -> Iterator[tuple[int, bytes]]:
    """By number of their beacons entries, in order: the seeds of the rounds. `first` is the joint seed."""
    seed = first
    for n in sorted(rounds):
        seed = next_seed(seed, rounds[n])
        yield n, seed


class Between:
    """What the entries between the rounds of one game say; Mismatch at the first that cannot be. `coming` is
    always the number of the round to come.

    `anchors` are the ends of the seats' beacons. `rounds` is what the beacons added to the seed, by entry.
    `present` is who takes part in those of the round to come, `attempt` how often that was said in all; `restarts`
    are the round to come and whose links were missing, by entry; `disputed` the rounds before which a seat has
    said that it was left out although it was there; `cosigned` how many heads each seat has signed.
    """

    def __init__(self) -> None:
        self.anchors: tuple[bytes, ...] = ()
        self.rounds: dict[int, Round] = {}
        self.present = 0
        self.attempt = 0
        self.restarts: dict[int, tuple[int, int]] = {}
        self.disputed: dict[int, tuple[int, ...]] = {}
        self.cosigned: dict[int, int] = {}
        self._missing = self._missed = 0
        self._links: dict[int, tuple[int, bytes]] = {}

    def may_take_part(self, seat: int) -> bool:
        """Whether a seat's link has not been missing already before the round to come."""
        return not self._missing >> seat & 1

    def link_fits(self, game: bytes, seat: int, link: bytes) -> bool:
        """Whether a seat's link is the one of this attempt."""
        known = self._links.get(seat, (0, self.anchors[seat]))
        return leads_to(game, seat, link, self.attempt, known)

    def gather(self, n: int, before: bytes, entry: Present, table: Header, coming: int, *, over: bool) -> int:
        """Take who takes part; how many signatures that were. Once the game is `over` it may be nobody."""
        seats, players = seats_in(entry.present), table.players
        if len(seats) != len(entry.signatures) or entry.round != coming:
            raise Mismatch("present", n)
        if (seats and seats[-1] >= len(players)) or entry.disputed & ~entry.present:
            raise Mismatch("seats", n)
        if entry.present & self._missing or not (seats or over):
            raise Mismatch("present", n)
        for seat, signature in zip(seats, entry.signatures, strict=True):
            says = (entry.round, bool(entry.disputed >> seat & 1))
            if not here_signed(players[seat].key, signature, table.game_id, n - 1, before, *says):
                raise Mismatch("here", n, seat=seat)
            self.cosigned[seat] = self.cosigned.get(seat, 0) + 1
        for seat in seats_in(entry.disputed):
            self.disputed[seat] = (*self.disputed.get(seat, ()), entry.round)
        self.present, self.attempt = entry.present, self.attempt + 1
        return len(seats)

    def begin_anew(self, n: int, entry: Restart, coming: int) -> None:
        """Take whose links have not come, or who has not dealt."""
        if not entry.missing or entry.missing & ~self.present:
            raise Mismatch("restart", n)
        self.restarts[n] = (coming, entry.missing)
        given_before = any(one.number == coming for one in self.rounds.values())
        self._missing |= entry.missing | (self._missed if given_before else 0)

    def give(self, n: int, before: bytes, entry: Beacons, game: bytes, coming: int) -> None:
        """Take the links of all who take part."""
        seats = seats_in(self.present)
        if len(seats) != len(entry.links):
            raise Mismatch("beacons", n)
        for seat, link in zip(seats, entry.links, strict=True):
            if not self.link_fits(game, seat, link):
                raise Mismatch("beacon", n, seat=seat)
            self._links[seat] = (self.attempt, link)
        self.rounds[n] = Round(coming, before, self.present, entry.links)
        self._missing, self._missed = 0, self._missing
