from msgspec.structs import replace

from citadels_lan.crypto import commitments
from citadels_lan.engine import parse
from tests.crypto.table import GAME
from tests.effort import one_case

KEY = b"k" * 32
HEAD = b"h" * 32


def test_discard_has_its_own_commitment() -> None:
    what, openings = commitments.conceal(KEY, GAME, HEAD, 3, 2, 1, "pick king discarding thief")
    assert [(one.kind, one.line, one.slot) for one in openings] == [
        ("pick", "pick king", 1),
        ("discard", "discard thief", 1),
    ]
    assert commitments.check(GAME, what[:32], openings[0])
    assert commitments.check(GAME, what[32:], openings[1])
    assert openings[0].nonce != openings[1].nonce


@one_case(
    "changed",
    [{"round": 4}, {"seat": 1}, {"slot": 1}, {"kind": "keep"}, {"line": "pick thief"}, {"nonce": bytes(32)}],
)
def test_opening_with_a_changed_field_does_not_match_its_commitment(changed: dict[str, object]) -> None:
    what, (opening,) = commitments.conceal(KEY, GAME, HEAD, 3, 2, 0, "pick king")
    assert not commitments.check(GAME, what, replace(opening, **changed))
    assert not commitments.check(b"x" * 16, what, opening)


def test_opening_of_another_kind_than_its_verb_is_rejected() -> None:
    opening = commitments.Opening(1, 0, 0, "keep", "pick king", bytes(32))
    assert not commitments.check(GAME, commitments.committed(GAME, opening), opening)


def test_nonce_of_one_history_does_not_open_a_pick_of_another_history() -> None:
    """Otherwise a host with the opening of a move that never came into the log could try all characters for
    the move that came instead."""
    cast = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
    _, (known,) = commitments.conceal(KEY, GAME, HEAD, 5, 2, 0, "pick king")
    public, (true,) = commitments.conceal(KEY, GAME, bytes(32), 5, 2, 0, "pick assassin")
    tried = [commitments.committed(GAME, replace(known, line=f"pick {character}")) for character in cast]
    assert public not in tried
    assert commitments.committed(GAME, replace(true, line="pick assassin")) == public


# Sealed moves


LINES = ["warrant king bishop merchant*", "warrant king* bishop merchant", "threaten king abbot*"]


@one_case("line", LINES)
def test_only_the_owner_recovers_a_sealed_move(line: str) -> None:
    what = commitments.seal(KEY, GAME, HEAD, 3, 2, 1, line)
    sealed = commitments.read_sealed(what)
    assert sealed is not None
    assert sealed.line == commitments.plain(what) == line.replace("*", "")
    assert what == f"{sealed.line} sealed {sealed.commit.hex()}"
    opening = commitments.recover(KEY, GAME, HEAD, 3, 2, 1, sealed)
    assert opening is not None
    assert (opening.round, opening.seat, opening.slot, opening.line) == (3, 2, 1, line)
    assert commitments.fits(opening, sealed)
    assert f"{commitments.starred(opening)}*" in line
    assert commitments.recover(b"o" * 32, GAME, HEAD, 3, 2, 1, sealed) is None
    assert commitments.recover(KEY, GAME, HEAD, 3, 2, 0, sealed) is None
    assert commitments.recover(KEY, GAME, bytes(32), 3, 2, 1, sealed) is None
    assert commitments.recover(KEY, GAME, HEAD, 4, 2, 1, sealed) is None
    assert str(parse(sealed.line, 2)) == sealed.line


HIDDEN_LINES = (
    "pick king", "keep tavern", "redraw tavern market", "give b=tavern", "laboratory tavern", "museum tavern",
    "theater b giving king", "take castle", "take castle building with tavern", "build thieves_den with tavern",
    "build palace borrowing from b for tavern market",
)  # fmt: skip
OPEN_LINES = (
    "gather gold", "build market", "build castle by framework", "build necropolis sacrificing tavern",
    "take castle building", "theater b", "theater none", "end", "kill thief", "destroy b.market",
    "confiscate yes", "reveal no",
)  # fmt: skip
SEALED_LINES = (*LINES, "warrant king", "threaten")


@one_case(("how", "lines"), [("hidden", HIDDEN_LINES), ("open", OPEN_LINES), ("sealed", SEALED_LINES)])
def test_verb_and_star_decide_whether_a_line_is_open_hidden_or_sealed(how: str, lines: tuple[str, ...]) -> None:
    assert {line: commitments.manner(line) for line in lines} == dict.fromkeys(lines, how)


@one_case(
    "what",
    [
        "warrant bishop king", "warrant bishop king sealed", f"warrant bishop* king sealed {'0' * 64}",
        f"warrant bishop king sealed {'0' * 63}", f"warrant bishop king sealed {'A' * 64}",
        f"warrant bishop king  sealed {'0' * 64} ", f"warrant bishop king sealed {'0' * 64}\n",
        f"pick king sealed {'0' * 64}", f"warrant sealed {'0' * 64}",
    ],
)  # fmt: skip
def test_line_in_another_form_is_not_read_as_a_sealed_move(what: str) -> None:
    assert commitments.read_sealed(what) is None
    assert commitments.plain(what) == what


@one_case(
    "line",
    [
        "warrant bishop king merchant", "warrant bishop* king* merchant", "warrant bishop** king merchant",
        "warrant* bishop king merchant", "warrant bi*shop king merchant", "warrant bishop king* thief",
        "warrant king* bishop merchant", "threaten bishop* king merchant", "warrant bishop king * merchant",
    ],
)  # fmt: skip
def test_opening_without_exactly_one_star_does_not_match(line: str) -> None:
    opening = commitments.Opening(1, 0, 0, "warrant", line, bytes(32))
    sealed = commitments.SealedMove("warrant", ("bishop", "king", "merchant"), bytes(32))
    assert not commitments.fits(opening, sealed)
    assert commitments.fits(replace(opening, line="warrant bishop king* merchant"), sealed)
