"""The people of finished games: what is known of a key, and the file."""

import os
import subprocess
import sys
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from citadels_lan import people as people_module
from citadels_lan.people import (
    BadPeople,
    Known,
    New,
    OtherKey,
    People,
    PeopleFile,
    Sighting,
    acquaintance,
    met,
    nickname,
    of_name,
    played,
)
from citadels_lan.platform.files import Lock
from tests.effort import one_case

ANNA, OTHER, THIRD = (bytes([number]) * 32 for number in (1, 2, 3))
FIRST, LATER, LAST = date(2026, 5, 3), date(2026, 6, 1), date(2026, 7, 2)
NOBODY: People = {}
WITH_ANNA = met(NOBODY, ANNA, "Anna", FIRST)


def game(number: int) -> bytes:
    return number.to_bytes(16, "little")


def test_known_key_is_shown_with_the_date_of_its_first_game() -> None:
    people = NOBODY
    for number, day in enumerate((LATER, FIRST, LAST)):
        people = played(met(people, ANNA, "Anna", day), [ANNA], game(number))
    assert acquaintance(people, ANNA, "Anna") == Known(FIRST, 3)
    assert people[ANNA].names == {"Anna": Sighting(FIRST, LAST)}


def test_known_key_with_a_new_name_is_shown_with_its_previous_name() -> None:
    people = met(WITH_ANNA, ANNA, "Annie", LATER)
    assert acquaintance(people, ANNA, "Bruno") == Known(FIRST, 0, before="Annie")
    assert acquaintance(people, ANNA, "anna") == Known(FIRST, 0)


@one_case(
    "alike",
    ["Anna", "\u0410nna", "\U0001d400nna", "Anna.", "An\u200bna", "\uff21nna", "\u1d00nna", "A n n a",
     "An\u3164na", "\u00c1nna", "N\u0456na"],
)  # fmt: skip
def test_new_key_with_a_similar_name_gives_a_warning(alike: str) -> None:
    people = nickname(WITH_ANNA, ANNA, "Nina")
    assert acquaintance(people, OTHER, alike) == OtherKey(FIRST)
    assert of_name(people, alike) == [ANNA]
    people = met(people, OTHER, alike, LATER)
    assert acquaintance(people, OTHER, alike) == Known(LATER, 0), "a key that is known is known"


def test_nickname_is_shown_and_cannot_be_taken_by_others() -> None:
    people = nickname(WITH_ANNA, ANNA, "Nina")
    assert acquaintance(people, ANNA, "Anna") == Known(FIRST, 0, "Nina")
    assert acquaintance(people, OTHER, "Nina") == OtherKey(FIRST)
    assert acquaintance(nickname(people, ANNA, ""), OTHER, "Nina") == New()


def test_game_is_counted_once_for_a_person() -> None:
    people = met(WITH_ANNA, OTHER, "Bruno", FIRST)
    for _ in range(2):
        people = played(people, [ANNA, OTHER], game(1))
    people = played(people, [ANNA], game(2))
    assert (len(people[ANNA].games), len(people[OTHER].games)) == (2, 1)


# The file


def test_people_file_is_private_and_keeps_names_of_any_letters(tmp_path: Path) -> None:
    file = PeopleFile(tmp_path / "new" / "folder")
    assert file.load() is None
    names = ["小林さん", 'quo"te', "Zoë"]
    for name in names:
        assert file.change(partial(met, key=OTHER, name=name, day=FIRST)) is None
    people = file.load()
    assert people is not None
    assert list(people[OTHER].names) == names
    if os.name == "posix":
        assert file.path.stat().st_mode & 0o777 == 0o600


@one_case(
    "damaged",
    [
        b"", b"\xff\xfe", b"[]", b'{"people": 1}', b'{"people": {"xyz": {}}}', b"[" * 100_000,
        b'{"people": {"' + b"01" * 32 + b'": {"names": {"Anna": {"first": "soon", "last": "2026-05-03"}}}}}',
    ],
)  # fmt: skip
def test_damaged_people_file_is_kept_under_another_name(tmp_path: Path, damaged: bytes) -> None:
    file = PeopleFile(tmp_path)
    for number in (1, 2):
        file.path.write_bytes(damaged)
        with pytest.raises(BadPeople):
            file.load()
        assert file.path.read_bytes() == damaged, "reading changes nothing"
        aside = file.change(lambda _: WITH_ANNA)
        assert aside == tmp_path / f"people.json.damaged-{number}"
        assert aside.read_bytes() == damaged
        assert list(file.load() or ()) == [ANNA]


WRITER = """
import sys
from datetime import date
from functools import partial
from pathlib import Path
from citadels_lan.people import PeopleFile, met
for number in range(10):
    key = bytes([int(sys.argv[2]), number]) * 16
    PeopleFile(Path(sys.argv[1])).change(partial(met, key=key, name="X", day=date(2026, 5, 3)))
"""


def test_processes_that_write_at_the_same_time_lose_no_changes(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen((sys.executable, "-c", WRITER, str(tmp_path), str(number)), cwd=Path(__file__).parents[2])
        for number in range(3)
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert len(PeopleFile(tmp_path).load() or ()) == 30


def test_locked_or_failed_change_leaves_file_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = PeopleFile(tmp_path)
    file.change(lambda _: WITH_ANNA)
    before = file.path.read_bytes()

    def fails(_: People) -> People:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        file.change(fails)
    monkeypatch.setattr(people_module, "PATIENCE", -1.0)
    lock = Lock.take(tmp_path / "people.json.lock")
    assert lock is not None, "a failed change releases it"
    with pytest.raises(OSError, match="locked"):
        file.change(partial(nickname, key=ANNA, text="Nina"))
    lock.close()
    assert file.path.read_bytes() == before
