"""Clients find a table, and a host that was killed and restarted, on each kind of network: a short run of
`tools.survival.finding`."""

import math
from pathlib import Path

import pytest

from tests.lan import missing
from tools.survival.finding import NETWORKS, RETURNS, back, found

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]


@pytest.mark.parametrize("name", NETWORKS)
def test_client_finds_the_table_on_each_kind_of_network(name: str, tmp_path: Path) -> None:
    assert all(math.isfinite(seconds) for seconds in found(NETWORKS[name], 2, tmp_path))


@pytest.mark.parametrize("name", RETURNS)
def test_client_finds_a_restarted_host_on_each_kind_of_network(name: str, tmp_path: Path) -> None:
    assert math.isfinite(back(RETURNS[name], tmp_path))
