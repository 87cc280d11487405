"""How long it is remembered that somebody was sent away."""

import pytest

from citadels_lan.net.host.bans import FIRST, Bans

HOUR = 3600.0


@pytest.mark.parametrize(("later", "away"), [(HOUR - 1, 2 * FIRST), (HOUR, FIRST)])
def test_after_an_hour_it_is_forgotten(later: float, away: float) -> None:
    bans = Bans()
    bans.ban("a", 0.0)
    bans.ban("a", later)
    assert bans.left("a", later) == away
