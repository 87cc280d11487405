"""The doctor on real sockets, and as a command."""

import json
import socket
from pathlib import Path

import pytest

from citadels_lan.doctor import network
from citadels_lan.doctor.checks_text import check_lines, good
from citadels_lan.doctor.network import PORTS, hears_itself, of_network
from citadels_lan.texts import load
from tests.cli.program import run


async def test_this_machine_hears_itself_on_loopback() -> None:
    assert await hears_itself(loopback=True)


async def test_where_the_library_fails_nothing_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def addresses(self) -> list[str]:
            return []

        def open(self) -> None:
            raise RuntimeError

    monkeypatch.setattr("citadels_lan.net.discovery.mdns.Zone.here", lambda **_: Broken())
    assert not await hears_itself()


async def test_a_taken_port_is_worth_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    async def no() -> bool:
        return False

    async def none() -> tuple[()]:
        return ()

    monkeypatch.setattr(network, "hears_itself", no)
    monkeypatch.setattr(network, "tables", none)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(network, "PORT", taken.getsockname()[1])
        checks = {check.key: check async for check in of_network("linux")}
    assert (checks["port"].state, checks["port"].advice) == ("note", "port_taken")
    assert (checks["mdns"].state, checks["mdns"].advice) == ("note", "mdns")
    assert checks["tables"].state == "fine"
    texts = load("it")
    assert all(len(check_lines(texts, "linux", PORTS, one)) == 1 + bool(one.advice) for one in checks.values())


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    told = run(tmp_path, "doctor", "--json")
    said = json.loads(told.stdout)
    assert told.returncode == (0 if said["good"] else 1)
    states = {one["key"]: one["state"] for one in said["checks"]}
    assert {"program", "terminal", "folder", "network", "port", "mdns", "tables"} <= set(states)
    assert said["good"] == ("trouble" not in states.values())
    assert all(one["remedy"] if one["advice"] else not one["remedy"] for one in said["checks"])
    assert good([]) is True
