"""Whose key signs the moves of a seat: its owner's, or that of the stand-in to which the host has given it.

A player who is gone must not stop the game. So the host may have a bot move for a seat, in full view: from the
entry *stand-in* on until *back*, which the owner signs, or until a *present* that the owner has signed. Everything
else stays the owner's: its part in the chance of a round, what it has sealed, its name (docs/protocol.md, section
16).
"""

from collections.abc import Sequence

from msgspec import Struct

from .frames import Field, digest, u8, u64
from .identity import BadKey, Identity, check_public_key, verify
from .log import Back, StandIn


class Stint(Struct):
    """A time in which a stand-in moves for a seat: from entry `n` on, before which there was the head `before`.
    `until` is the entry that ended it, None while it lasts; `moves` are the entries with its moves; `disputed`:
    the owner says that it was there when it began. `anchor` and `box` are what it drafts with where the draft is
    sealed."""

    n: int
    before: bytes
    seat: int
    key: bytes
    level: str
    until: int | None = None
    moves: list[int] = []
    disputed: bool = False
    anchor: bytes | None = None
    box: bytes | None = None


class Movers:
    """Who moves for the seats of a game. `stints` are all that have begun, in order. The checks say what is wrong
    by a code of `findings`, or nothing."""

    def __init__(self, game: bytes, keys: Sequence[bytes]) -> None:
        """`keys` are the owners' by seat."""
        self._game = game
        self._keys = tuple(keys)
        self._by_seat: dict[int, list[Stint]] = {}
        self.stints: list[Stint] = []

    def stint(self, seat: int) -> Stint | None:
        """That of the stand-in which moves for a seat now."""
        last = self._by_seat.get(seat, [None])[-1]
        return last if last is not None and last.until is None else None

    @property
    def stood_in(self) -> tuple[int, ...]:
        """The seats for which stand-ins move now."""
        return tuple(seat for seat in sorted(self._by_seat) if self.stint(seat) is not None)

    def at(self, seat: int, n: int) -> Stint | None:
        """That of the stand-in which moved for a seat in entry `n`."""
        begun = next((one for one in reversed(self._by_seat.get(seat, [])) if one.n < n), None)
        return begun if begun is not None and (begun.until is None or n < begun.until) else None

    def key(self, seat: int, n: int) -> bytes:
        """The key that signs a move of a seat in entry `n`."""
        stint = self.at(seat, n)
        return self._keys[seat] if stint is None else stint.key

    def moved(self, seat: int, n: int) -> None:
        """A seat moves in entry `n`."""
        if (stint := self.stint(seat)) is not None:
            stint.moves.append(n)

    def begin(self, n: int, before: bytes, entry: StandIn) -> str:
        """A stand-in moves for a seat from entry `n` on."""
        if entry.seat >= len(self._keys):
            return "seats"
        if self.stint(entry.seat) is not None:
            return "stand_in"
        stint = Stint(n, before, entry.seat, entry.key, entry.level, anchor=entry.anchor, box=entry.box)
        if not self._usable(entry.key) or not stands_in(self._game, stint, entry.claim):
            return "stand_in_claim"
        self.stints.append(stint)
        self._by_seat.setdefault(entry.seat, []).append(stint)
        return ""

    def _usable(self, key: bytes) -> bool:
        try:
            check_public_key(key)
        except BadKey:
            return False
        return key not in self._keys

    def refusal(self, entry: Back) -> str:
        """Why an owner cannot be back so."""
        if entry.seat >= len(self._keys):
            return "seats"
        stint = self.stint(entry.seat)
        return (
            "" if stint is not None and back_signed(self._keys[entry.seat], self._game, stint, entry) else "back"
        )

    def end(self, n: int, entry: Back) -> str:
        """The owner of a seat is back in entry `n`."""
        refusal = self.refusal(entry)
        if not refusal:
            self._end(n, entry.seat, disputed=entry.disputes)
        return refusal

    def attend(self, n: int, seats: Sequence[int]) -> None:
        """The owners of these seats have signed entry `n`, a *present*: they are there."""
        for seat in seats:
            self._end(n, seat)

    def _end(self, n: int, seat: int, *, disputed: bool = False) -> None:
        if (stint := self.stint(seat)) is not None:
            stint.until, stint.disputed = n, disputed


def stand_in(secret: bytes, game: bytes, n: int, before: bytes, seat: int, level: str, *drafts: bytes) -> StandIn:
    """The entry `n`, after the head `before`, by which the host gives a seat to a stand-in of this level. `secret`
    is the host's, here and below; `drafts` are its anchor and its box where the draft is sealed."""
    identity = Identity(_derived(secret, "stand-in-key", game, n, seat))
    anchor, box = drafts or (None, None)
    stint = Stint(n, before, seat, identity.public, level, anchor=anchor, box=box)
    claim = identity.sign("stand-in", *begin_fields(game, stint))
    return StandIn(seat, identity.public, level, claim, anchor, box)


def stands_in(game: bytes, stint: Stint, claim: bytes) -> bool:
    """Whether the stand-in has signed what it is to be."""
    return verify(stint.key, claim, "stand-in", *begin_fields(game, stint))


def begin_fields(game: bytes, stint: Stint) -> tuple[Field, ...]:
    """What a stand-in signs, under the tag `stand-in`."""
    drafts = () if stint.anchor is None or stint.box is None else (stint.anchor, stint.box)
    return game, u64(stint.n), stint.before, u8(stint.seat), stint.level, *drafts


def sign_back(owner: Identity, game: bytes, stint: Stint, *, disputes: bool) -> Back:
    """The owner's word that it is back, which ends this stint and no other. `disputes`: it says that it was there
    when the stint began."""
    unsigned = Back(stint.seat, disputes, bytes(64))
    return Back(stint.seat, disputes, owner.sign("back", *_back_fields(game, stint, unsigned)))


def back_signed(key: bytes, game: bytes, stint: Stint, back: Back) -> bool:
    """Whether the owner's key has signed that it is back, after this stint."""
    return verify(key, back.signature, "back", *_back_fields(game, stint, back))


def _back_fields(game: bytes, stint: Stint, back: Back) -> tuple[Field, ...]:
    return game, u64(stint.n), stint.before, u8(back.seat), stint.key, u8(back.disputes)


def signing_key(secret: bytes, game: bytes, stint: Stint) -> Identity:
    """The key of a stand-in, at its host. A host that crashed has it again, and so has one that goes on for it."""
    return Identity(_derived(secret, "stand-in-key", game, stint.n, stint.seat))


def nonce_key(secret: bytes, game: bytes, stint: Stint) -> bytes:
    """The secret of what a stand-in conceals and seals, at its host."""
    return _derived(secret, "stand-in-nonces", game, stint.n, stint.seat)


def _derived(secret: bytes, tag: str, game: bytes, n: int, seat: int) -> bytes:
    """32 bytes that nobody can know before the end but who has the host's secret."""
    return digest(tag, game, secret, u64(n), u8(seat))
