"""docs/rules.md shows every card with the rulings that play it."""

import re

from citadels_lan.engine import EDITIONS
from tests.rulings.card_table import TARGET, cards_by_ruling, written


def test_the_table_is_up_to_date() -> None:
    text = TARGET.read_text(encoding="utf-8")
    assert text == written(text), "run python -m tests.rulings.card_table"


def test_every_card_has_a_ruling_that_needs_it() -> None:
    """In the first edition that has it; what is only another printing's stands in an older edition."""
    known: set[str] = set()
    for edition in EDITIONS.values():
        covered = cards_by_ruling(edition.key)
        cards = {*edition.characters, *edition.uniques}
        assert [card for card in cards - known if not covered[card]] == []
        known |= cards


def test_the_page_says_what_every_number_of_the_other_editions_is_about() -> None:
    text = TARGET.read_text(encoding="utf-8")
    section = text.partition("\n## Numbers by topic\n")[2].partition("\n## ")[0]
    said = {
        number
        for first, last in re.findall(r"\bR(\d{3})(?:-R(\d{3}))?\b", section)
        for number in range(int(first), int(last or first) + 1)
    }
    assert said == set(range(337, 511))
