"""Names and chat: text that anybody may be shown."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.log import NAME
from citadels_lan.crypto.packing import pack, unpack
from citadels_lan.net.wire.clean import CHAT, clean_chat, clean_name, distinct
from tests.effort import one_case


@given(st.text(max_size=300))
def test_what_is_left_can_be_sent_and_shown(text: str) -> None:
    for shown, most in ((clean_name(text), NAME), (clean_chat(text), CHAT)):
        assert len(shown) <= most
        assert unpack(pack(shown)) == shown
        assert shown == " ".join(shown.split())
        assert not any(unicodedata.category(char)[0] == "C" for char in shown)


@given(st.text(max_size=60))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean_name(clean_name(text)) == clean_name(text)


@one_case(
    ("text", "shown"),
    [
        ("  Anna \t Rossi\n", "Anna Rossi"),
        ("A\u202enna\u200b\u2066", "Anna"),
        ("\x1b[31mred", "[31mred"),
        ("An\ufe0fn\u034fa\U000e0100", "Anna"),
        ("e\u0301", "é"),
        ("a" + "\u0336" * 40, "a\u0336\u0336"),
        ("\u200b\u3164\u2800", ""),
        ("[b]bold[/b]", "[b]bold[/b]"),
        ("x" * 99, "x" * 24),
    ],
)
def test_hostile_names(text: str, shown: str) -> None:
    assert clean_name(text) == shown


def test_two_of_one_name_are_told_apart() -> None:
    assert distinct("Anna", ["Bea"]) == "Anna"
    assert distinct("anna", ["Anna", "anna 2"]) == "anna 3"
    assert len(distinct("x" * 24, ["x" * 24])) <= NAME


@one_case(
    "alike",
    [
        "\u0410nna",
        "ANNA",
        "A\u0301nna",
        "\uff21nna",
        "\u0391nn\u0430",
        "\u13aanna",
        "\u1d00nna",
        "\U0001d400nna",
        "Anna.",
        "An\u2800na",
    ],
)
def test_a_name_that_looks_like_another_gets_a_number(alike: str) -> None:
    assert distinct(alike, ["Anna"]) == f"{alike} 2"
    assert distinct(alike, ["Anna", f"{alike} 2"]) == f"{alike} 3"


@one_case(("alike", "name"), [("\u0397ugo", "Hugo"), ("rnarco", "Marco"), ("\u04cfvo", "Ivo")])
def test_capitals_and_pairs_of_letters_are_looked_at_too(alike: str, name: str) -> None:
    assert distinct(alike, [name]) == f"{alike} 2"


@one_case("other", ["Hanna", "\u0410\u043b\u043b\u0430", "Ann", "\u0396oe", "...", "\U0001f431"])
def test_a_name_that_does_not_stays_as_it_is(other: str) -> None:
    assert distinct(other, ["Anna", "Bruno"]) == other
