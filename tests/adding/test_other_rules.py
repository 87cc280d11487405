"""The program before and after docs/adding.md adds a district. The two programs refuse to play together, and
neither accuses the host of a game that the other program played."""

import runpy
import subprocess
from pathlib import Path

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.join.handshake import Versions, rules_of_all
from tests.adding.house import PLAIN, House
from tests.cli.program import local
from tests.crypto.forging import saved
from tests.crypto.table import begin
from tests.processes import Process

pytestmark = pytest.mark.slow


GOLDEN_TESTS = ("pytest", "-q", PLAIN, "tests/engine/test_goldens.py", "-k", "2016 or digest")


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, subprocess.CompletedProcess[str]]:
    """Return a copy of the program with the district, and the result of its golden tests before `make
    goldens`."""
    house = House(tmp_path_factory.mktemp("house"))
    house.add("A district")
    stale = house.tried(*GOLDEN_TESTS)
    house.run("tests.engine.goldens", "2016")
    return house, stale


@pytest.fixture(scope="module")
def house(added: tuple[House, subprocess.CompletedProcess[str]]) -> House:
    """Return a copy of the program with the district, after `make goldens`."""
    return added[0]


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a transcript of an honest host whose program does not have the district."""
    path = saved(tmp_path_factory.mktemp("old") / "old.ctr", begin(2, followed=False).play().transcript(0))
    assert verify([path]).code == 0
    return path


def rules_of(house: House) -> dict[str, bytes]:
    """Return the rules digest of each edition in a copy of the program."""
    path = house.folder / "citadels_lan" / "engine" / "rules_digests.py"
    rules: dict[str, bytes] = runpy.run_path(str(path))["RULES"]
    return rules


def test_new_district_changes_the_rules_digest_of_its_edition_alone(house: House) -> None:
    digests = rules_of(house)
    assert {edition for edition in RULES if digests[edition] != RULES[edition]} == {"2016"}


def test_golden_tests_fail_until_make_goldens_has_run(
    added: tuple[House, subprocess.CompletedProcess[str]],
) -> None:
    house, stale = added
    assert stale.returncode == 1
    assert "run make goldens" in stale.stdout
    house.run(*GOLDEN_TESTS)


@pytest.mark.parametrize("command", ["verify", "show", "show --review", "replay --text -"])
def test_transcript_with_other_rules_accuses_no_one(house: House, old: Path, command: str) -> None:
    done = house.tried("citadels_lan", *command.split(), str(old))
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == 5, said
    assert f"Install citadels-lan test with the rules {RULES['2016'].hex()[:8]} of the edition 2016." in said
    assert "PROOF" not in said
    assert "cheat" not in said.lower()


@pytest.mark.parametrize("new_hosts", [False, True], ids=["old host", "new host"])
def test_programs_with_and_without_a_new_district_do_not_play_together(
    house: House, tmp_path: Path, *, new_hosts: bool
) -> None:
    """The host rejects the joining program. The sentence names the version and the rules of the host's
    program."""
    hosting, joining = (house.started, Process) if new_hosts else (Process, house.started)
    with hosting(tmp_path / "host", "host", "--headless", "--port", "0", "--no-mdns", "--players", "2") as host:
        link = local(host.line("link:"))
        with joining(tmp_path / "guest", "join", link, "--bot", "random", "--name", "Anna") as guest:
            code = guest.wait()
            (said,) = guest.lines
    old, new = Versions(), Versions(rules=rules_of_all(rules_of(house)))
    host_has, guest_has = (new, old) if new_hosts else (old, new)
    expected = f"The host has {host_has}, and the joining player has {guest_has}. Install the host's version."
    assert (code, said) == (2, expected)
