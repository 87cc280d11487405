"""How long it is remembered that somebody was sent away."""

import pytest

from citadels_lan.net.host.exiles import FIRST, Exiles

HOUR = 3600.0


@pytest.mark.parametrize(("later", "away"), [(HOUR - 1, 2 * FIRST), (HOUR, FIRST)])
def test_after_an_hour_it_is_forgotten(later: float, away: float) -> None:
    exiles = Exiles()
    exiles.send("a", 0.0)
    exiles.send("a", later)
    assert exiles.left("a", later) == away
