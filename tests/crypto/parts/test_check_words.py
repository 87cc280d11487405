"""Four check words that a host cannot aim at: they need committed words, of all who have signed or of none."""

import pytest

from citadels_lan.crypto.codec import digest, u8, u64
from citadels_lan.crypto.log import CheckWords, CoSignature, CoSigned, GivenWord, Mismatch
from citadels_lan.crypto.seats import check_words, cosign, cosigned, word_commitment, words_of
from citadels_lan.crypto.words import WORDS
from tests.crypto.table import GAME, player, word
from tests.effort import one_case

HEAD = b"h" * 32


def signed(n: int = 8, seats: tuple[int, ...] = (0, 2)) -> CoSigned:
    """Entry `n`, signed by these seats."""
    made = (word_commitment(GAME, n - 1, seat, word(seat, n - 1)) for seat in seats)
    commits = zip(seats, made, strict=True)
    return CoSigned(
        tuple(cosign(player(seat), GAME, n - 1, HEAD, seat, one, protest=False) for seat, one in commits)
    )


def given(n: int = 8, seats: tuple[int, ...] = (0, 2)) -> CheckWords:
    """The words for entry `n`."""
    return CheckWords(tuple(GivenWord(seat, word(seat, n - 1)) for seat in seats))


def test_check_words_come_from_the_entry_its_hash_and_every_word() -> None:
    words = [b"a" * 16, b"b" * 16]
    made = check_words(GAME, 8, HEAD, words)
    assert made == tuple(WORDS[byte] for byte in digest("words", GAME, u64(8), HEAD, *words)[:4])
    others = {
        check_words(bytes(16), 8, HEAD, words),
        check_words(GAME, 9, HEAD, words),
        check_words(GAME, 8, b"i" * 32, words),
        check_words(GAME, 8, HEAD, words[::-1]),
        check_words(GAME, 8, HEAD, words[:1]),
    }
    assert len({made, *others}) == 6


def test_words_open_all_commitments() -> None:
    made = words_of(9, HEAD, GAME, signed(), given())
    assert made == check_words(GAME, 8, HEAD, [word(0, 7), word(2, 7)])


@one_case(
    ("words", "code"),
    [
        (given(seats=(0,)), "words"),
        (given(seats=(0, 1)), "words"),
        (given(seats=(2, 0)), "words"),
        (given(seats=(0, 1, 2)), "words"),
        (given(n=9), "word"),
        (CheckWords((GivenWord(0, word(0, 7)), GivenWord(2, bytes(16)))), "word"),
    ],
    ids=["one missing", "another seat", "another order", "one more", "of another entry", "another word"],
)
def test_words_that_do_not_open_all_commitments_contradict(words: CheckWords, code: str) -> None:
    with pytest.raises(Mismatch) as fault:
        words_of(9, HEAD, GAME, signed(), words)
    assert (fault.value.code, fault.value.n) == (code, 9)


def test_co_signature_covers_the_head_the_commitment_and_the_protest() -> None:
    commit = word_commitment(GAME, 7, 1, b"w" * 16)
    one = cosign(player(1), GAME, 7, HEAD, 1, commit, protest=True)
    assert one.signature == player(1).sign("signed", GAME, u64(7), HEAD, u8(1), commit, u8(1))
    key = player(1).public
    assert cosigned(key, GAME, 7, HEAD, one)
    assert not cosigned(player(2).public, GAME, 7, HEAD, one)
    assert not cosigned(key, bytes(16), 7, HEAD, one)
    assert not cosigned(key, GAME, 8, HEAD, one)
    assert not cosigned(key, GAME, 7, b"i" * 32, one)
    for changed in (
        CoSignature(2, commit, 1, one.signature),
        CoSignature(1, HEAD, 1, one.signature),
        CoSignature(1, commit, 0, one.signature),
    ):
        assert not cosigned(key, GAME, 7, HEAD, changed)


def test_commitment_is_for_one_seat_and_one_entry() -> None:
    made = {
        word_commitment(game, n, seat, b"w" * 16) for game in (GAME, bytes(16)) for n in (7, 8) for seat in (0, 1)
    }
    assert len(made) == 8
