"""The doctor on real sockets, and as a command."""

import json
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from citadels_lan.doctor import network
from citadels_lan.doctor.advice import check_lines, good
from citadels_lan.doctor.network import PORTS, OnInterface, of_network
from citadels_lan.texts import load
from tests.cli.program import run


async def test_a_taken_port_is_worth_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(_: object) -> Sequence[OnInterface]:
        return [OnInterface("eth0", False, False, (), False)]

    monkeypatch.setattr(network, "ask", nothing)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(network, "PORT", taken.getsockname()[1])
        checks = {check.key: check async for check in of_network("linux")}
    assert (checks["port"].state, checks["port"].advice) == ("note", "port_taken")
    assert (checks["mdns"].state, checks["mdns"].advice) == ("note", "mdns")
    assert (checks["beacon"].state, checks["beacon"].advice) == ("note", "beacon")
    assert (checks["others"].state, checks["others"].advice) == ("note", "isolated")
    assert checks["tables"].state == "fine"
    texts = load("it")
    assert all(len(check_lines(texts, "linux", PORTS, one)) == 1 + bool(one.advice) for one in checks.values())


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    told = run(tmp_path, "doctor", "--json")
    said = json.loads(told.stdout)
    assert told.returncode == (0 if said["good"] else 1)
    states = {one["key"]: one["state"] for one in said["checks"]}
    assert {"program", "terminal", "folder", "network", "port", "mdns", "beacon", "tables"} <= set(states)
    assert said["good"] == ("trouble" not in states.values())
    assert all(one["remedy"] if one["advice"] else not one["remedy"] for one in said["checks"])
    assert good([]) is True
