"""A table is found, and a host that was killed is found again, on each kind of network: `finding` in small."""

import math
from pathlib import Path

import pytest

from tests.lan import missing
from tools.survival.finding import NETWORKS, RETURNS, back, found

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]


@pytest.mark.parametrize("name", NETWORKS)
def test_table_is_found(name: str, tmp_path: Path) -> None:
    assert all(math.isfinite(seconds) for seconds in found(NETWORKS[name], 2, tmp_path))


@pytest.mark.parametrize("name", RETURNS)
def test_killed_host_is_found_again(name: str, tmp_path: Path) -> None:
    assert math.isfinite(back(RETURNS[name], tmp_path))
