"""The file: nothing in it is lost, whoever writes at once, whatever stands in it."""

import json
import os
import subprocess
import sys
import threading
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from citadels_lan import people
from citadels_lan.people import BadPeople, Known, People, PeopleFile, acquaintance, met, nickname, played
from citadels_lan.systems.locks import Lock
from tests.effort import one_case

DAY = date(2026, 5, 3)
ANNA, OTHER = bytes([1]) * 32, bytes([2]) * 32


def with_anna(people: People) -> People:
    return played(met(people, ANNA, "Anna", DAY), [ANNA], bytes(16))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = PeopleFile(tmp_path / "new" / "folder")
    assert file.load() is None
    assert file.change(with_anna) is None
    people = file.load()
    assert people is not None
    assert acquaintance(people, ANNA, "Anna") == Known(DAY, 1)
    if os.name == "posix":
        assert file.path.stat().st_mode & 0o777 == 0o600


@one_case(
    "damaged",
    [
        b"", b"\xff\xfe", b"[]", b'{"people": 1}', b'{"people": {"xyz": {}}}', b"[" * 100_000,
        b'{"people": {"' + b"01" * 32 + b'": {"names": {"Anna": {"first": "soon", "last": "2026-05-03"}}}}}',
    ],
)  # fmt: skip
def test_a_damaged_file_is_put_aside_whole(tmp_path: Path, damaged: bytes) -> None:
    file = PeopleFile(tmp_path)
    for number in (1, 2):
        file.path.write_bytes(damaged)
        with pytest.raises(BadPeople) as bad:
            file.load()
        assert bad.value.path == file.path
        assert file.path.read_bytes() == damaged, "reading changes nothing"
        aside = file.change(with_anna)
        assert aside == tmp_path / f"people.json.damaged-{number}"
        assert aside.read_bytes() == damaged
        assert list(file.load() or ()) == [ANNA]


def test_what_this_version_does_not_know_stays(tmp_path: Path) -> None:
    file = PeopleFile(tmp_path)
    known = {"names": {}, "colour": "blue"}
    file.path.write_text(json.dumps({"later": [1], "people": {OTHER.hex(): known, ANNA.hex(): known}}))
    file.change(with_anna)
    raw = json.loads(file.path.read_text(encoding="utf-8"))
    assert raw["later"] == [1]
    assert raw["people"][OTHER.hex()] == known
    assert (raw["people"][ANNA.hex()]["colour"], list(raw["people"][ANNA.hex()]["names"])) == ("blue", ["Anna"])


def test_a_name_of_any_letters_comes_back(tmp_path: Path) -> None:
    file = PeopleFile(tmp_path)
    for name in ("小林さん", 'quo"te', "Zoë"):
        file.change(partial(met, key=OTHER, name=name, day=DAY))
    people = file.load()
    assert people is not None
    assert list(people[OTHER].names) == ["小林さん", 'quo"te', "Zoë"]


def test_threads_lose_none_of_each_other(tmp_path: Path) -> None:
    keys = [bytes([number]) * 32 for number in range(12)]
    threads = [
        threading.Thread(target=PeopleFile(tmp_path).change, args=(partial(met, key=key, name="X", day=DAY),))
        for key in keys
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(PeopleFile(tmp_path).load() or ()) == set(keys)


WRITER = """
import sys
from datetime import date
from functools import partial
from pathlib import Path
from citadels_lan.people import met
from citadels_lan.people import PeopleFile
for number in range(10):
    key = bytes([int(sys.argv[2]), number]) * 16
    PeopleFile(Path(sys.argv[1])).change(partial(met, key=key, name="X", day=date(2026, 5, 3)))
"""


@pytest.mark.slow
def test_processes_lose_none_of_each_other(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen((sys.executable, "-c", WRITER, str(tmp_path), str(number)), cwd=Path(__file__).parents[2])
        for number in range(3)
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert len(PeopleFile(tmp_path).load() or ()) == 30


def test_a_lock_that_never_opens_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = PeopleFile(tmp_path)
    file.change(with_anna)
    before = file.path.read_bytes()
    monkeypatch.setattr(people, "PATIENCE", -1.0)
    lock = Lock.take(tmp_path / "people.json.lock")
    assert lock is not None
    with pytest.raises(OSError, match="locked"):
        file.change(partial(nickname, key=ANNA, text="Nina"))
    lock.close()
    assert file.path.read_bytes() == before


def test_a_change_that_fails_changes_nothing_and_lets_go(tmp_path: Path) -> None:
    file = PeopleFile(tmp_path)
    file.change(with_anna)
    before = file.path.read_bytes()

    def fails(_: People) -> People:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        file.change(fails)
    assert file.path.read_bytes() == before
    assert file.change(with_anna) is None
