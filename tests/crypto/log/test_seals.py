"""What is sealed: the line without its star, the commitment, and the owner who alone can open it."""

from msgspec.structs import replace

from citadels_lan.crypto.commitments import (
    Opening,
    SealedMove,
    commitment,
    fits,
    manner,
    plain,
    read_sealed,
    recover,
    seal,
    starred,
)
from citadels_lan.engine import parse
from tests.crypto.table import GAME
from tests.effort import one_case

KEY = b"k" * 32
HEAD = b"h" * 32
LINES = ["warrant king bishop merchant*", "warrant king* bishop merchant", "threaten king abbot*"]


@one_case("line", LINES)
def test_what_is_sealed_is_recovered_by_its_owner_alone(line: str) -> None:
    what = seal(KEY, GAME, HEAD, 3, 2, 1, line)
    sealed = read_sealed(what)
    assert sealed is not None
    assert sealed.line == plain(what) == line.replace("*", "")
    assert what == f"{sealed.line} sealed {sealed.commit.hex()}"
    opening = recover(KEY, GAME, HEAD, 3, 2, 1, sealed)
    assert opening is not None
    assert (opening.round, opening.seat, opening.slot, opening.line) == (3, 2, 1, line)
    assert fits(opening, sealed)
    assert f"{starred(opening)}*" in line
    assert recover(b"o" * 32, GAME, HEAD, 3, 2, 1, sealed) is None
    assert recover(KEY, GAME, HEAD, 3, 2, 0, sealed) is None
    assert recover(KEY, GAME, bytes(32), 3, 2, 1, sealed) is None
    assert recover(KEY, GAME, HEAD, 4, 2, 1, sealed) is None
    assert str(parse(sealed.line, 2)) == sealed.line


@one_case("line", LINES)
def test_all_lines_of_the_same_markers_look_alike(line: str) -> None:
    """Only the commitment differs, and it cannot be guessed without the nonce."""
    others = {seal(bytes([at]) * 32, GAME, HEAD, 1, 0, 0, line) for at in range(5)}
    assert len({len(what) for what in others}) == 1
    assert {plain(what) for what in others} == {line.replace("*", "")}
    assert len(others) == 5


@one_case(
    ("line", "how"),
    [
        *((line, "sealed") for line in LINES),
        ("warrant king", "sealed"),
        ("threaten", "sealed"),
        ("confiscate yes", "open"),
        ("reveal no", "open"),
        ("pick king", "hidden"),
        ("gather gold", "open"),
    ],
)
def test_the_words_say_how_a_line_is_sent(line: str, how: str) -> None:
    assert manner(line) == how


@one_case(
    "what",
    [
        "warrant bishop king",
        "warrant bishop king sealed",
        f"warrant bishop* king sealed {'0' * 64}",
        f"warrant bishop king sealed {'0' * 63}",
        f"warrant bishop king sealed {'A' * 64}",
        f"warrant bishop king  sealed {'0' * 64} ",
        f"warrant bishop king sealed {'0' * 64}\n",
        f"pick king sealed {'0' * 64}",
        f"warrant sealed {'0' * 64}",
    ],
)
def test_what_is_no_sealed_move(what: str) -> None:
    assert read_sealed(what) is None
    assert plain(what) == what


@one_case(
    "line",
    [
        "warrant bishop king merchant",
        "warrant bishop* king* merchant",
        "warrant bishop** king merchant",
        "warrant* bishop king merchant",
        "warrant bi*shop king merchant",
        "warrant bishop king* thief",
        "warrant king* bishop merchant",
        "threaten bishop* king merchant",
        "warrant bishop king * merchant",
    ],
)
def test_openings_that_do_not_fit(line: str) -> None:
    opening = Opening(1, 0, 0, "warrant", line, bytes(32))
    sealed = SealedMove("warrant", ("bishop", "king", "merchant"), bytes(32))
    assert not fits(opening, sealed)
    assert fits(replace(opening, line="warrant bishop king* merchant"), sealed)


def test_a_nonsense_seal_is_never_recovered() -> None:
    commit = commitment(GAME, "warrant", 1, 0, 0, "warrant bishop* king* merchant", bytes(32))
    assert recover(KEY, GAME, HEAD, 1, 0, 0, SealedMove("warrant", ("bishop", "king", "merchant"), commit)) is None
