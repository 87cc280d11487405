"""A few kills and cuts of real programs; `python -m tools.survival.kills` does many."""

import pytest

from tools.survival import kills

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_kills_and_cuts_lose_nothing_and_all_reconnect() -> None:
    outcome = kills.run(3, 2, 1, seats=3, seed=1)
    assert outcome.good, outcome
    assert outcome.done == {"hosts": 3, "clients": 2, "cuts": 1}
