"""Which modules are loaded before the first screen is visible: none that only hosts, bots, proofs or other
screens need."""

import subprocess
import sys

from citadels_lan.engine import DEFAULT
from citadels_lan.presenter.launcher import EDITION

FOREIGN = {
    "zeroconf", "ifaddr", "multiprocessing", "citadels_lan.net.host.opening", "citadels_lan.net.host.table",
    "citadels_lan.bots", "citadels_lan.web", "citadels_lan.cli", "citadels_lan.crypto.host_log",
    "citadels_lan.crypto.report", "citadels_lan.presenter.archive", "citadels_lan.presenter.recording",
    "citadels_lan.ui.screens.games", "citadels_lan.ui.screens.home", "citadels_lan.ui.screens.replay_screen",
}  # fmt: skip
"""Modules that the screen of a table must not load."""
LATER = {
    "zeroconf", "citadels_lan.bots", "citadels_lan.crypto.log", "citadels_lan.doctor", "citadels_lan.engine",
    "citadels_lan.presenter.archive", "citadels_lan.presenter.game", "citadels_lan.presenter.recording",
    "citadels_lan.net", "citadels_lan.texts.topics", "citadels_lan.ui.screens.rules",
    "citadels_lan.ui.screens.table", "citadels_lan.web",
}  # fmt: skip
"""Modules that the home screen must not load before it is visible."""


def loaded(modules: str) -> set[str]:
    """Return all modules that a new process has loaded after importing `modules`."""
    code = f"import sys, {modules}; print(*sys.modules)"
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_first_frame_of_home_imports_no_module_of_a_table() -> None:
    home = "citadels_lan.cli.launch, citadels_lan.ui.app, citadels_lan.ui.screens.home"
    assert not loaded(home) & LATER


def test_table_imports_no_host_and_no_bots() -> None:
    assert not loaded("citadels_lan.ui.app, citadels_lan.ui.at_table") & FOREIGN


def test_default_edition_constant_equals_that_of_the_engine() -> None:
    assert EDITION == DEFAULT
