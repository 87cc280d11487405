"""Co-signatures: after each round every player who is there signs the whole history, and four check words follow.

Each signature commits to a random word of 16 bytes. The words are given only after all commitments are in the log,
and either all of them enter the log or none. So no one can choose the four check words: two different histories
have the same ones with a probability of 1 in 2^32.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from .faults import Mismatch
from .frames import Field, digest, u8, u64
from .identity import Identity, verify
from .log import CheckWords, CoSignature, CoSigned, Header
from .words import spoken

CHECK_WORDS: Final = 4
"""Words that players read aloud: 32 bits."""


class CoSignedRound(Struct, frozen=True):
    """The co-signatures in entry `n`, after `round` or at the end of the game (`over`). `head` is the hash that
    the `seats` have signed, `protests` are the seats whose players protest, `words` the four check words; () where
    one word is missing."""

    n: int
    round: int
    over: bool
    head: bytes
    seats: tuple[int, ...]
    protests: tuple[int, ...]
    words: tuple[str, ...] = ()


def word_commitment(game: bytes, n: int, seat: int, word: bytes) -> bytes:
    """A seat's commitment to its word, for the history that ends with entry `n`."""
    return digest("word", game, u64(n), u8(seat), word)


def cosign(
    identity: Identity, game: bytes, n: int, head: bytes, seat: int, commit: bytes, *, protest: bool
) -> CoSignature:
    """A seat's signature of the history that ends with entry `n`, whose hash is `head`."""
    unsigned = CoSignature(seat, commit, int(protest), bytes(64))
    return CoSignature(
        seat, commit, int(protest), identity.sign("signed", *cosigned_fields(game, n, head, unsigned))
    )


def cosigned(key: bytes, game: bytes, n: int, head: bytes, one: CoSignature) -> bool:
    """Whether `key` has signed that."""
    return verify(key, one.signature, "signed", *cosigned_fields(game, n, head, one))


def cosigned_fields(game: bytes, n: int, head: bytes, one: CoSignature) -> tuple[Field, ...]:
    """What a seat signs, under the tag `signed`."""
    return game, u64(n), head, u8(one.seat), one.commit, u8(one.protest)


def check_words(game: bytes, n: int, head: bytes, words: Sequence[bytes]) -> tuple[str, ...]:
    """The four check words: entry `n` is *signed*, `head` its hash, `words` are those of its seats in order."""
    return spoken(digest("words", game, u64(n), head, *words)[:CHECK_WORDS])


def check_signed(n: int, before: bytes, header: Header, entry: CoSigned) -> None:
    """Check the signatures of entry `n`; `before` is hash[n-1]. Raises Mismatch."""
    seats = [one.seat for one in entry.seats]
    if seats != sorted(set(seats)) or (seats and seats[-1] >= len(header.players)):
        raise Mismatch("seats", n)
    for one in entry.seats:
        if not cosigned(header.players[one.seat].key, header.game_id, n - 1, before, one):
            raise Mismatch("cosignature", n, seat=one.seat)


def words_of(n: int, head: bytes, game: bytes, signed: CoSigned, entry: CheckWords) -> tuple[str, ...]:
    """The check words of entry `n`, directly after `signed`, whose hash is `head`. Raises Mismatch unless each
    word opens its commitment."""
    if [one.seat for one in entry.words] != [one.seat for one in signed.seats]:
        raise Mismatch("words", n)
    for given, one in zip(entry.words, signed.seats, strict=True):
        if word_commitment(game, n - 2, one.seat, given.word) != one.commit:
            raise Mismatch("word", n, seat=one.seat)
    return check_words(game, n - 1, head, [one.word for one in entry.words])
