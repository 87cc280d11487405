from itertools import product

from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening, check, committed, conceal, hidden, join, nonce, split
from tests.effort import one_case

GAME = bytes(16)
KEY = b"k" * 32
HEAD = b"h" * 32


def test_a_pick_is_one_commitment() -> None:
    what, openings = conceal(KEY, GAME, HEAD, 3, 2, 0, "pick king")
    assert [(one.kind, one.line) for one in openings] == [("pick", "pick king")]
    assert what == committed(GAME, openings[0])
    assert check(GAME, what, openings[0])


def test_what_is_laid_aside_is_a_commitment_of_its_own() -> None:
    what, openings = conceal(KEY, GAME, HEAD, 3, 2, 1, "pick king discarding thief")
    assert [(one.kind, one.line, one.slot) for one in openings] == [
        ("pick", "pick king", 1),
        ("discard", "discard thief", 1),
    ]
    assert check(GAME, what[:32], openings[0])
    assert check(GAME, what[32:], openings[1])
    assert openings[0].nonce != openings[1].nonce


@one_case(
    "changed",
    [
        {"round": 4},
        {"seat": 1},
        {"slot": 1},
        {"kind": "keep"},
        {"line": "pick thief"},
        {"nonce": bytes(32)},
    ],
)
def test_an_opening_with_another_field_does_not_fit(changed: dict[str, object]) -> None:
    what, (opening,) = conceal(KEY, GAME, HEAD, 3, 2, 0, "pick king")
    assert not check(GAME, what, replace(opening, **changed))
    assert not check(b"x" * 16, what, opening)


def test_the_kind_is_the_verb() -> None:
    opening = Opening(1, 0, 0, "keep", "pick king", bytes(32))
    assert not check(GAME, committed(GAME, opening), opening)


def test_same_key_and_history_give_the_same_commitment() -> None:
    made = conceal(KEY, GAME, HEAD, 1, 0, 0, "pick king")
    assert conceal(KEY, GAME, HEAD, 1, 0, 0, "pick king") == made
    assert conceal(b"o" * 32, GAME, HEAD, 1, 0, 0, "pick king")[0] != made[0]


def test_nonce_of_one_history_does_not_open_a_pick_of_another() -> None:
    """A host that has the opening of a move that never came into the log tries all characters for the move that
    came instead of it."""
    cast = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
    _, (known,) = conceal(KEY, GAME, HEAD, 5, 2, 0, "pick king")
    public, (true,) = conceal(KEY, GAME, bytes(32), 5, 2, 0, "pick assassin")
    tried = [committed(GAME, replace(known, line=f"pick {character}")) for character in cast]
    assert public not in tried
    assert committed(GAME, replace(true, line="pick assassin")) == public


def test_no_nonce_serves_two_histories() -> None:
    heads, kinds, slots = (HEAD, bytes(32)), ("pick", "discard", "warrant"), (0, 1)
    nonces = {nonce(key, GAME, *place) for key in (KEY, b"o" * 32) for place in product(heads, kinds, slots)}
    assert len(nonces) == 2 * 2 * 3 * 2


@one_case("line", ["pick king", "pick king discarding thief", "keep tavern market", "end"])
def test_split_and_join(line: str) -> None:
    assert join(split(line)) == line


@one_case(
    "line",
    [
        "pick king",
        "keep tavern",
        "redraw tavern market",
        "give b=tavern",
        "laboratory tavern",
        "museum tavern",
        "theater b giving king",
        "take castle",
        "take castle building with tavern",
        "build thieves_den with tavern",
        "build palace borrowing from b for tavern market",
    ],
)
def test_lines_with_secrets(line: str) -> None:
    assert hidden(line)


@one_case(
    "line",
    [
        "gather gold",
        "build market",
        "build castle by framework",
        "build necropolis sacrificing tavern",
        "take castle building",
        "theater b",
        "theater none",
        "end",
        "kill thief",
        "destroy b.market",
    ],
)
def test_lines_without_secrets(line: str) -> None:
    assert not hidden(line)
