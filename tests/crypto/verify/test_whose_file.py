"""Whether a file belongs to the seat that it names."""

from types import SimpleNamespace
from typing import Any

from citadels_lan.crypto.report.examining import _owned
from tests.crypto.table import header, player
from tests.effort import one_case
from tests.facts import first_game

PLAYERS = 3


@one_case(
    ("seat", "key", "right"), [(None, 0, True), (2, 2, True), (1, 2, False), (PLAYERS, 2, False), (8, 2, False)]
)
def test_a_file_is_of_the_seat_whose_key_it_has(seat: int | None, key: int, right: bool) -> None:
    """A seat that is not at the table has none."""
    transcript: Any = SimpleNamespace(head=SimpleNamespace(seat=seat, key=player(key).public))
    assert _owned(transcript, header(first_game(PLAYERS))) is right
