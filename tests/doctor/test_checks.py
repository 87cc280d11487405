"""The checks of the doctor on machines and networks of all kinds, and its advice."""

import json
import re
import socket
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.doctor import checks
from citadels_lan.doctor.checks import (
    ADVICE,
    Check,
    Heard,
    clock_check,
    discovery_checks,
    folder_check,
    hear,
    mdns_echo,
    network_check,
    port_check,
    screen_checks,
)
from citadels_lan.net.discovery.adverts import Advert, AdvertisedTable
from citadels_lan.net.discovery.interfaces import Interface, here
from citadels_lan.platform.system import NAMES, Terminal, firewall, system_kind, terminal
from citadels_lan.texts import LANGUAGES, load
from tests.cli.program import run
from tests.effort import one_case
from tools import troubleshooting

WIFI = Interface("wlan0", 2, ("192.168.1.7",), ("fe80::1",))
TUNNEL = Interface("wg0", 3, ("10.8.0.2",), ())
TABLE = AdvertisedTable(Advert(bytes(16), "Anna", 1, 4, "lobby", "2016", bytes(32)), (("10.0.0.5", 47110),))
WELL = Heard("eth0", True, True, (), True)
ALONE = Heard("wlan0", True, True, (), False)

# Advice


@one_case("advice", ADVICE)
def test_every_operating_system_has_a_remedy_in_every_language(advice: str) -> None:
    for language in LANGUAGES:
        for kind in NAMES:
            text = Check("wsl", "inside", advice=advice).remedy(load(language), kind)
            assert text.endswith((".", "`."))
            assert not re.search(r"[{}]", text.replace("`[wsl2]`", ""))


# This computer


def screen(
    columns: int = 120, rows: int = 40, *, there: bool = True, dumb: bool = False, encoding: str = "utf-8"
) -> list[Check]:
    return list(screen_checks(Terminal(there, columns, rows, encoding, dumb, True)))


@one_case(
    ("found", "expected"),
    [
        (screen(), [("terminal", "fine", "")]),
        (screen(there=False), [("terminal", "note", "terminal")]),
        (screen(dumb=True), [("terminal", "note", "terminal")]),
        (screen(79, 20), [("terminal", "note", "small")]),
        (screen(80, 19), [("terminal", "note", "small")]),
        (screen(encoding="latin-1"), [("terminal", "fine", ""), ("letters", "note", "letters")]),
        ([clock_check(datetime(2027, 1, 1, tzinfo=UTC))], [("clock", "fine", "")]),
        ([clock_check(datetime(1970, 1, 1, tzinfo=UTC))], [("clock", "note", "clock")]),
        ([network_check([])], [("network", "trouble", "no_network")]),
        ([network_check([Interface("lo", 1, ("127.0.0.1",), ())])], [("network", "trouble", "no_network")]),
        ([network_check([Interface("wlan0", 2, (), ())])], [("network", "trouble", "no_network")]),
        ([network_check([TUNNEL])], [("network", "trouble", "tunnel_only")]),
        ([network_check([TUNNEL, WIFI])], [("network", "fine", "")]),
        ([network_check([Interface("wlan0", 2, (), ("fe80::1",))])], [("network", "fine", "")]),
        (discovery_checks([]), []),
        (discovery_checks([WELL]), [("mdns", "fine", ""), ("beacon", "fine", ""), ("tables", "fine", "")]),
        (
            discovery_checks([WELL, Heard("wlan0", False, False, (), False)]),
            [("mdns", "note", "mdns"), ("beacon", "note", "beacon"), ("tables", "fine", "")],
        ),
        (
            discovery_checks([ALONE, ALONE]),
            [("mdns", "fine", ""), ("beacon", "fine", ""), ("tables", "fine", ""), ("others", "note", "isolated")],
        ),
        (
            discovery_checks([ALONE, replace(ALONE, tables=(TABLE,))]),
            [("mdns", "fine", ""), ("beacon", "fine", ""), ("tables", "fine", "")],
        ),
    ],
)  # fmt: skip
def test_checks_report_the_state_and_advice_of_each_problem(
    found: Sequence[Check] | Iterator[Check], expected: list[tuple[str, str, str]]
) -> None:
    found = list(found)
    assert [(check.key, check.state, check.advice) for check in found] == expected
    for check in found:
        lines = list(check.lines(load("it"), "linux"))
        assert len(lines) == 1 + bool(check.advice)


@one_case(
    ("free", "state", "advice"), [(2**30, "fine", ""), (0, "trouble", "folder"), (19 * 2**20, "trouble", "room")]
)
def test_folder_check_requires_free_space(
    free: int, state: str, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "free_space", lambda _: free)
    check = folder_check(tmp_path)
    assert (check.state, check.advice) == (state, advice)


def test_firewalls_are_detected_without_special_rights(tmp_path: Path) -> None:
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


# The network


def tables(*found: AdvertisedTable) -> dict[str, object]:
    """Return the values of the check "games found" for these tables."""
    by_key = {check.key: check for check in discovery_checks([replace(WELL, tables=found)])}
    return dict(by_key["tables"].values)


def test_doctor_lists_each_table_once_and_a_nameless_one_by_address() -> None:
    nameless = AdvertisedTable(replace(TABLE.advert, name=""), TABLE.addresses)
    assert tables(nameless) == {"count": 1, "names": "10.0.0.5"}
    assert tables(TABLE, TABLE) == {"count": 1, "names": "Anna"}


@pytest.mark.slow
@pytest.mark.usefixtures("on_loopback")
async def test_mdns_and_beacon_checks_receive_their_own_packets_on_loopback() -> None:
    (lo,) = await hear(here())
    assert (lo.mdns, lo.beacon) == (True, True)


async def test_failure_of_the_mdns_library_counts_as_no_echo(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("citadels_lan.net.discovery.mdns.open_zeroconf", broken)
    assert not await mdns_echo("lo", 1.0)


@pytest.mark.slow
def test_doctor_command_prints_all_checks_as_json(tmp_path: Path) -> None:
    done = run(tmp_path, "doctor", "--json")
    report = json.loads(done.stdout)
    assert done.returncode == (0 if report["good"] else 1)
    states = {check["key"]: check["state"] for check in report["checks"]}
    assert {"program", "terminal", "folder", "network", "port", "mdns", "beacon", "tables"} <= set(states)
    assert report["good"] == ("trouble" not in states.values())
    assert all(bool(check["remedy"]) == bool(check["advice"]) for check in report["checks"])


PAGE = Path(__file__).parents[2] / "docs" / "troubleshooting.md"


def test_troubleshooting_page_contains_all_advice_of_the_doctor() -> None:
    assert PAGE.read_text(encoding="utf-8") == troubleshooting.page()


def test_port_in_use_is_reported_as_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(checks, "PORT", taken.getsockname()[1])
        check = port_check()
    assert (check.state, check.advice) == ("note", "port_taken")


def test_operating_system_is_recognized_by_platform_and_kernel() -> None:
    assert system_kind("win32") == "windows"
    assert system_kind("darwin") == "macos"
    assert system_kind("linux", "6.6.87.2-microsoft-standard-WSL2") == "wsl"
    assert system_kind("linux", "6.1.0-18-amd64") == system_kind("freebsd14", "14.0") == "linux"


def test_terminal_is_recognized_by_its_environment_variables() -> None:
    assert terminal({"TERM": "dumb"}).dumb
    assert not terminal({"TERM": "xterm-256color"}).dumb
    assert terminal({"TERM": "xterm"}).colours
    assert not terminal({"TERM": "xterm", "NO_COLOR": "1"}).colours
