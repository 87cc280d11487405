"""What the doctor says of a machine and of its interfaces."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from citadels_lan.doctor.advice import ADVICE
from citadels_lan.doctor.machine import Check, Machine, of_machine
from citadels_lan.doctor.network import of_interfaces
from citadels_lan.net.discovery.interfaces import Interface
from citadels_lan.systems.system import Terminal, firewall, system_kind, terminal
from tests.effort import one_case

SCREEN = Terminal(True, 120, 40, "utf-8", False, True)
NOW = datetime(2027, 1, 1, tzinfo=UTC)
GOOD = Machine("linux", "3.12.1", {"textual": "8"}, SCREEN, "it", NOW, Path("x"), 2**30)
WIFI = Interface("wlan0", 2, ("192.168.1.7",), ("fe80::1",))
TUNNEL = Interface("wg0", 3, ("10.8.0.2",), ())


def found(**other: Any) -> dict[str, Check]:
    """What is said of a good machine in which some things are otherwise."""
    return {check.key: check for check in of_machine(msgspec.structs.replace(GOOD, **other))}


def test_of_a_good_machine_all_is_fine() -> None:
    assert {check.state for check in found().values()} == {"fine"}
    assert not any(check.advice for check in found().values())


@one_case(
    ("other", "key", "state", "advice"),
    [
        ({"terminal": Terminal(False, 80, 24, "utf-8", False, True)}, "terminal", "note", "terminal"),
        ({"terminal": Terminal(True, 80, 24, "utf-8", True, True)}, "terminal", "note", "terminal"),
        ({"terminal": Terminal(True, 79, 24, "utf-8", False, True)}, "terminal", "note", "small"),
        ({"terminal": Terminal(True, 80, 23, "utf-8", False, True)}, "terminal", "note", "small"),
        ({"terminal": Terminal(True, 80, 24, "latin-1", False, True)}, "letters", "note", "letters"),
        ({"now": datetime(1970, 1, 1, tzinfo=UTC)}, "clock", "note", "clock"),
        ({"free": None}, "folder", "trouble", "folder"),
        ({"free": 19 * 2**20}, "folder", "trouble", "room"),
        ({"kind": "wsl"}, "wsl", "note", "wsl"),
    ],
)
def test_what_is_otherwise_is_said_and_has_its_advice(
    other: dict[str, Any], key: str, state: str, advice: str
) -> None:
    changed = found(**other)
    assert (changed[key].state, changed[key].advice) == (state, advice)
    assert {one for one, check in changed.items() if check.state != "fine"} == {key}
    assert advice in ADVICE


@one_case(
    ("there", "state", "advice"),
    [
        ([], "trouble", "no_network"),
        ([Interface("lo", 1, ("127.0.0.1",), ())], "trouble", "no_network"),
        ([Interface("wlan0", 2, (), ())], "trouble", "no_network"),
        ([TUNNEL], "trouble", "tunnel_only"),
        ([WIFI], "fine", ""),
        ([TUNNEL, WIFI], "fine", ""),
        ([Interface("wlan0", 2, (), ("fe80::1",))], "fine", ""),
    ],
)
def test_interfaces(there: list[Interface], state: str, advice: str) -> None:
    check = of_interfaces(there)
    assert (check.state, check.advice) == (state, advice)


def test_kinds_of_systems() -> None:
    assert system_kind("win32") == "windows"
    assert system_kind("darwin") == "macos"
    assert system_kind("linux", "6.6.87.2-microsoft-standard-WSL2") == "wsl"
    assert system_kind("linux", "6.1.0-18-amd64") == "linux"
    assert system_kind("freebsd14", "14.0") == "linux"


def test_firewalls_that_a_program_without_rights_can_see(tmp_path: Path) -> None:
    assert firewall("linux", tmp_path) == ""
    assert firewall("windows", tmp_path) == firewall("wsl", tmp_path) == "Windows"
    settings = tmp_path / "etc" / "ufw" / "ufw.conf"
    settings.parent.mkdir(parents=True)
    settings.write_text("# ENABLED=yes\nENABLED=no\n")
    assert firewall("linux", tmp_path) == ""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "firewalld.pid").touch()
    assert firewall("linux", tmp_path) == "firewalld"
    settings.write_text("ENABLED=yes\nLOGLEVEL=low\n")
    assert firewall("linux", tmp_path) == "ufw"


def test_a_terminal_is_known_by_its_variables() -> None:
    assert terminal({"TERM": "dumb"}).dumb
    assert not terminal({"TERM": "xterm-256color"}).dumb
    assert terminal({"TERM": "xterm"}).colours
    assert not terminal({"TERM": "xterm", "NO_COLOR": "1"}).colours
