"""Names and chat: text that is safe to show, and names that cannot be confused."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.crypto.codec import pack, unpack
from citadels_lan.crypto.log import NAME
from citadels_lan.net.wire.clean import CHAT, clean_chat, clean_name, distinct
from tests.effort import one_case


@given(st.text(max_size=300))
def test_clean_text_can_be_sent_and_shown(text: str) -> None:
    for clean, most in ((clean_name, NAME), (clean_chat, CHAT)):
        shown = clean(text)
        assert len(shown) <= most
        assert unpack(pack(shown)) == shown == " ".join(shown.split()) == clean(shown)
        assert not any(unicodedata.category(char)[0] == "C" for char in shown)


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
def test_hostile_name_is_cleaned(text: str, shown: str) -> None:
    assert clean_name(text) == shown


ALIKE = (
    "\u0410nna", "ANNA", "A\u0301nna", "\uff21nna", "\u0391nn\u0430", "\u13aanna", "\u1d00nna", "\U0001d400nna",
    "Anna.", "An\u2800na",
)  # fmt: skip


@one_case(
    ("name", "taken"),
    [*((name, "Anna") for name in ALIKE), ("\u0397ugo", "Hugo"), ("rnarco", "Marco"), ("\u04cfvo", "Ivo")],
)
def test_name_that_looks_like_another_gets_a_number(name: str, taken: str) -> None:
    assert distinct(name, [taken]) == f"{name} 2"
    assert distinct(name, [taken, f"{name} 2"]) == f"{name} 3"


def test_numbered_name_is_not_too_long() -> None:
    assert len(distinct("x" * 24, ["x" * 24])) <= NAME


@one_case("name", ["Hanna", "\u0410\u043b\u043b\u0430", "Ann", "\u0396oe", "...", "\U0001f431"])
def test_other_name_does_not_change(name: str) -> None:
    assert distinct(name, ["Anna", "Bruno"]) == name
