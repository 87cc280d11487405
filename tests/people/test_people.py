"""What is known of a key: since when, from how many games, and whether its name was somebody else's."""

from datetime import date

from citadels_lan.people import (
    Known,
    New,
    OtherKey,
    People,
    Sighting,
    acquaintance,
    forgotten,
    met,
    nickname,
    of_name,
    played,
)
from tests.effort import one_case

ANNA, OTHER, THIRD = (bytes([number]) * 32 for number in (1, 2, 3))
FIRST, LATER, LAST = date(2026, 5, 3), date(2026, 6, 1), date(2026, 7, 2)
NOBODY: People = {}


def game(number: int) -> bytes:
    return number.to_bytes(16, "little")


def test_whoever_was_never_here_is_new() -> None:
    assert acquaintance(NOBODY, ANNA, "Anna") == New()
    assert acquaintance(met(NOBODY, ANNA, "Anna", FIRST), OTHER, "Bruno") == New()


def test_a_key_is_known_since_its_first_day() -> None:
    people = NOBODY
    for number, day in enumerate((LATER, FIRST, LAST)):
        people = played(met(people, ANNA, "Anna", day), [ANNA], game(number))
    assert acquaintance(people, ANNA, "Anna") == Known(FIRST, 3)
    assert people[ANNA].names == {"Anna": Sighting(FIRST, LAST)}
    assert NOBODY == {}, "nothing is changed in place"


def test_a_known_key_under_a_new_name_says_the_one_it_had_last() -> None:
    people = met(met(NOBODY, ANNA, "Anna", FIRST), ANNA, "Annie", LATER)
    assert acquaintance(people, ANNA, "Bruno") == Known(FIRST, 0, before="Annie")
    assert acquaintance(people, ANNA, "anna") == Known(FIRST, 0)


def test_a_name_that_had_another_key() -> None:
    people = met(met(NOBODY, ANNA, "Anna", LATER), OTHER, "Anna", FIRST)
    for name in ("Anna", "ANNA", "\uff21nna"):  # a wide A looks the same
        assert acquaintance(people, THIRD, name) == OtherKey(FIRST)
    assert acquaintance(people, OTHER, "Anna") == Known(FIRST, 0), "a key that is known is known"


@one_case(
    "alike",
    ["\u0410nna", "\U0001d400nna", "Anna.", "Anna...",
     "An\u200bna", "\uff21nna", "\u1d00nna", "A n n a", "An\u3164na", "\u00c1nna"],
)  # fmt: skip
def test_a_stranger_with_a_lookalike_name_is_warned_about(alike: str) -> None:
    people = nickname(met(NOBODY, ANNA, "Anna", FIRST), ANNA, "Nina")
    assert acquaintance(people, OTHER, alike) == OtherKey(FIRST)
    assert of_name(people, alike) == [ANNA]
    assert acquaintance(people, OTHER, "N\u0456na") == OtherKey(FIRST)


def test_a_nickname_is_a_name_that_nobody_else_can_take() -> None:
    people = nickname(met(NOBODY, ANNA, "Anna", FIRST), ANNA, "Nina")
    assert acquaintance(people, ANNA, "Anna") == Known(FIRST, 0, "Nina")
    assert acquaintance(people, OTHER, "Nina") == OtherKey(FIRST)
    assert acquaintance(nickname(people, ANNA, ""), OTHER, "Nina") == New()
    assert of_name(people, "nina") == of_name(people, "anna") == [ANNA]


def test_a_game_counts_once_however_often_it_is_told() -> None:
    people = met(met(NOBODY, ANNA, "Anna", FIRST), OTHER, "Bruno", FIRST)
    for _ in range(2):
        people = played(people, [ANNA, OTHER], game(1))
    people = played(people, [ANNA], game(2))
    assert (len(people[ANNA].games), len(people[OTHER].games)) == (2, 1)


def test_who_is_forgotten_is_new() -> None:
    people = met(met(NOBODY, ANNA, "Anna", FIRST), OTHER, "Bruno", FIRST)
    assert acquaintance(forgotten(people, ANNA), ANNA, "Anna") == New()
    assert acquaintance(forgotten(people, ANNA), OTHER, "Bruno") == Known(FIRST, 0)
