"""`people`, and what `verify` says about the people in the list."""

import json
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.words import key_words
from citadels_lan.people import PeopleFile, met, nickname, played
from tests.crypto.forging import saved
from tests.crypto.table import begin, player
from tests.effort import one_case

from .program import refused, run

ANNA, OTHER, WIDE = (bytes([number]) * 32 for number in (1, 2, 3))
DAY = date(2026, 5, 3)


def file_in(home: Path) -> PeopleFile:
    """Return the people file of the programs that `run` starts with this home."""
    return PeopleFile(home / "data")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home folder with three known people: two of them have had the name Anna, and one has a name of
    wide characters."""
    file = file_in(tmp_path)
    for key, name in ((ANNA, "Anna"), (OTHER, "Anna"), (WIDE, "小林さん")):
        file.change(partial(met, key=key, name=name, day=DAY))
        file.change(partial(played, keys=[key], game=bytes(16)))
    file.change(partial(met, key=WIDE, name="Kobayashi", day=date(2026, 5, 2)))
    return tmp_path


def words(key: bytes, count: int = 6) -> str:
    return " ".join(key_words(key)[:count])


def test_people_list_has_names_key_words_and_dates(home: Path) -> None:
    done = run(home, "people")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    at = lines.index("小林さん")
    history = "  known since 2 May 2026 · 1 game · also called Kobayashi"
    assert lines[at + 1 : at + 3] == [f"  {words(WIDE)}", history]
    assert lines.count("Anna") == 2
    italian = run(home, "people", "--lang", "it", "Kobayashi").stdout.splitlines()
    assert italian[2] == "  partite insieme dal 2 mag 2026: 1 · altri nomi: Kobayashi"


def test_json_list_of_people_has_complete_keys(home: Path) -> None:
    own = Identity.load_or_create(home / "data" / "identity.key")
    listed = json.loads(run(home, "people", "--json").stdout)
    assert listed["own"] == [{"key": own.public.hex(), "key_words": list(key_words(own.public))}]
    assert {person["key"] for person in listed["people"]} == {key.hex() for key in (ANNA, OTHER, WIDE)}
    (person,) = json.loads(run(home, "people", "--json", "Kobayashi").stdout)["people"]
    assert (person["name"], person["since"], person["games"]) == ("小林さん", "2026-05-02", 1)


def test_people_command_gives_and_removes_a_nickname(home: Path) -> None:
    assert run(home, "people", "kobayashi", "--nickname", "Koba").stdout == "小林さん is now called Koba.\n"
    assert "小林さん (Koba)" in run(home, "people", "koba").stdout
    assert run(home, "people", "Koba", "--nickname", "").returncode == 0
    assert "(" not in run(home, "people", "kobayashi").stdout


@one_case(
    ("arguments", "text", "damaged"),
    [
        (("Kobayashi", "--nickname", "x" * 25), "24", False),
        (("Kobayashi", "--nickname", "a\x1bb"), "visible", False),
        ((), "people.json", True),
        (("Anna", "--forget"), "people.json", True),
    ],
)
def test_rejected_change_leaves_the_people_file_unchanged(
    home: Path, arguments: tuple[str, ...], text: str, damaged: bool
) -> None:
    path = file_in(home).path
    before = path.read_bytes()
    if damaged:
        path.write_bytes(b"{")
    assert text in refused(run(home, "people", *arguments), 3 if damaged else 2)
    assert path.read_bytes() == (b"{" if damaged else before)
    path.write_bytes(before)


# verify


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a transcript of a game between one person and a bot."""
    return str(saved(tmp_path_factory.mktemp("game") / "a.ctr", begin(2).play().transcript(0)))


def below(home: Path, transcript: str, *more: str) -> list[str]:
    """Run `verify`. Return the line below the row of the player at the first seat in a list; an empty list if
    there is none."""
    done = run(home, "verify", *more, transcript)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    (at,) = [number for number, line in enumerate(lines) if words(player(0).public) in line]
    following = lines[at + 1].strip()
    return [] if following.startswith("b ") else [following]


def test_verify_shows_what_is_known_of_each_key(tmp_path: Path, transcript: str) -> None:
    assert below(tmp_path, transcript) == []
    assert list(tmp_path.iterdir()) == [], "looking leaves nothing behind"
    file, key = file_in(tmp_path), player(0).public
    file.change(lambda people: met(people, ANNA, "Bruno", DAY))
    assert below(tmp_path, transcript) == ["new here"]
    file.change(lambda people: met(people, OTHER, "Player 0", DAY))
    assert below(tmp_path, transcript) == ["this name had another key before!"]
    assert below(tmp_path, transcript, "--lang", "it") == ["questo nome prima aveva un'altra chiave!"]
    file.change(lambda people: played(met(people, key, "Player 0", DAY), [key], bytes(16)))
    file.change(lambda people: nickname(people, key, "Nina"))
    assert below(tmp_path, transcript) == ["known as Nina since 3 May 2026 · 1 game"]
    (game,) = json.loads(run(tmp_path, "verify", "--json", transcript).stdout)["games"]
    known = {"kind": "known", "since": "2026-05-03", "games": 1, "nickname": "Nina"}
    assert [each["known"] for each in game["players"]] == [known, None]


def test_verify_ignores_a_damaged_people_file(tmp_path: Path, transcript: str) -> None:
    file = file_in(tmp_path)
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(b"{")
    done = run(tmp_path, "verify", transcript)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert str(file.path) in done.stderr
    assert done.stdout.startswith("VERIFIED")


def test_forgotten_person_is_removed_from_the_list(home: Path) -> None:
    assert run(home, "people", "Kobayashi", "--forget").returncode == 0
    assert set(file_in(home).load() or ()) == {ANNA, OTHER}
