"""docs/rules.md shows every card with the rulings that play it."""

from tests.facts import CHARACTERS, UNIQUES
from tests.rulings.card_table import TARGET, cards_by_ruling, written


def test_the_table_is_up_to_date() -> None:
    text = TARGET.read_text(encoding="utf-8")
    assert text == written(text), "run python -m tests.rulings.card_table"


def test_every_card_has_a_ruling_that_needs_it() -> None:
    covered = cards_by_ruling()
    assert not [card for card in (*CHARACTERS, *UNIQUES) if not covered[card]]
