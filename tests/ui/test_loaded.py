"""What the screens load: nothing that only a host or a bot needs."""

import subprocess
import sys

import pytest

FOREIGN = ("zeroconf", "citadels_lan.net.host.opening", "citadels_lan.net.host.table", "citadels_lan.bots",
           "citadels_lan.web", "citadels_lan.cli")  # fmt: skip


@pytest.mark.slow
def test_the_screens_need_no_host_and_no_bots() -> None:
    code = "import sys, citadels_lan.ui.app; print(*sys.modules)"
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & set(FOREIGN)
