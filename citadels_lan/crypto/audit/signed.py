"""What seats sign: their moves, and what they agree to before they give a part of the seed."""

from msgspec import Struct

from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.frames import u8, u64
from citadels_lan.crypto.identity import Identity, verify


class Signed(Struct, frozen=True):
    """A move whose signature is still to come: `before` is the head that was signed with it. What is said in a
    sealed draft is signed by the key `drafter`."""

    n: int
    before: bytes
    seat: int
    what: str | bytes
    drafter: bytes | None = None


def mover_signed(game: bytes, key: bytes, signed: Signed, signature: bytes) -> bool:
    """Whether `key`, which moves for the seat, has signed a move with all history before it; what is said in a
    sealed draft is signed by its drafter."""
    tag = move_tag(signed.what) if signed.drafter is None else "draft-said"
    return verify(signed.drafter or key, signature, tag, *move_fields(game, signed))


def sign_move(identity: Identity, game: bytes, chain: Chain, seat: int, what: str | bytes) -> bytes:
    """A mover's signature of its move as the next entry of the chain."""
    return identity.sign(move_tag(what), *move_fields(game, Signed(chain.n + 1, chain.head, seat, what)))


def move_tag(what: str | bytes) -> str:
    """The tag of a mover's signature: a line never passes for commitments of the same bytes."""
    return "move" if isinstance(what, str) else "hidden"


def move_fields(game: bytes, signed: Signed) -> tuple[bytes | str, ...]:
    """What a mover signs, under `move_tag`."""
    return game, u64(signed.n), signed.before, u8(signed.seat), signed.what


def agree_fields(
    game: bytes, header: bytes, seat: int, commit: bytes, anchor: bytes, *more: bytes
) -> tuple[bytes, ...]:
    """What a seat signs, under the tag `agree`, when it commits to its part: `header` is hash[1]; `more` its box
    and the anchor of its second chain, where `Commits` has them."""
    return game, header, u8(seat), commit, anchor, *more
