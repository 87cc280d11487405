"""The layout of the table, and alerts to the terminal."""

import io

import pytest

from citadels_lan.ui import at_table
from citadels_lan.ui.table.arrangement import Contents, arrange
from tests.effort import one_case, quick

CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")


@one_case("players", quick(range(2, 9), 2, 8))
@pytest.mark.parametrize("size", [(80, 20), (80, 24), (100, 30), (120, 40), (160, 50), (300, 90), (120, 20)])
@pytest.mark.parametrize(("hurt", "drafting"), [(False, False), (True, False), (True, True)])
def test_parts_neither_overlap_nor_leave_the_screen(
    players: int, size: tuple[int, int], hurt: bool, drafting: bool
) -> None:
    parts = arrange(*size, Contents(players, hurt=hurt, drafting=drafting)).parts
    cells = [(x, y) for region in parts.values() for x in range(region.x, region.right)
             for y in range(region.y, region.bottom)]  # fmt: skip
    assert len(cells) == len(set(cells))
    assert all(x < size[0] and y < size[1] for x, y in cells)
    assert parts["question"].height >= 4
    assert parts["table"].height >= 2 + players


def test_a_small_terminal_has_only_the_question() -> None:
    assert set(arrange(79, 24, Contents(4)).parts) == {"status", "question", "hints"}
    assert arrange(80, 19, Contents(4)).tiny
    assert arrange(60, 20, Contents(4)).parts["status"].height == 3, "who acts, and that there is a table"


def test_alerts_go_to_terminals_only_and_carry_no_sequences_of_their_own() -> None:
    stream = io.StringIO()
    at_table.send(at_table.title_sequence("x"), stream)
    assert stream.getvalue() == ""
    assert at_table.title_sequence("\x1b]0;evil\x07").count("\x1b") == 1
    assert at_table.notice_sequence("a;b\x07").count(";b") == 0
