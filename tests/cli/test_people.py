"""`people`, and what `verify` says of those who are in the list."""

import json
from datetime import date
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
    """The list of the programs that `run` with this home."""
    return PeopleFile(home / "data")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """With two who were called Anna, and one with a wide name."""
    file = file_in(tmp_path)
    for key, name in ((ANNA, "Anna"), (OTHER, "Anna"), (WIDE, "小林さん")):
        file.change(lambda people, key=key, name=name: played(met(people, key, name, DAY), [key], bytes(16)))  # type: ignore[misc]
    file.change(lambda people: met(people, WIDE, "Kobayashi", date(2026, 5, 2)))
    return tmp_path


def words(key: bytes, count: int = 6) -> str:
    return " ".join(key_words(key)[:count])


def test_the_list_has_names_words_and_since_when(home: Path) -> None:
    done = run(home, "people")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    at = lines.index("小林さん")
    assert lines[at + 1 : at + 3] == [
        f"  {words(WIDE)}",
        "  known since 2 May 2026 · 1 game · also called Kobayashi",
    ]
    assert lines.count("Anna") == 2
    italian = run(home, "people", "--lang", "it", "Kobayashi").stdout.splitlines()
    assert italian[2] == "  noto dal 2 mag 2026 · 1 partita · anche come Kobayashi"


def test_json_has_the_whole_keys(home: Path) -> None:
    own = Identity.load_or_create(home / "data" / "identity.key")
    told = json.loads(run(home, "people", "--json").stdout)
    assert told["own"] == [{"key": own.public.hex(), "key_words": list(key_words(own.public))}]
    assert {one["key"] for one in told["people"]} == {key.hex() for key in (ANNA, OTHER, WIDE)}
    (one,) = json.loads(run(home, "people", "--json", "Kobayashi").stdout)["people"]
    assert (one["name"], one["since"], one["games"], one["nickname"]) == ("小林さん", "2026-05-02", 1, "")
    assert one["key_words"] == list(key_words(WIDE))


def test_nobody_yet(tmp_path: Path) -> None:
    done = run(tmp_path, "people")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert "Nobody yet" in done.stdout
    assert not file_in(tmp_path).path.exists()


def test_a_nickname_is_given_and_taken_away(home: Path) -> None:
    done = run(home, "people", "kobayashi", "--nickname", "Koba")
    assert (done.returncode, done.stdout) == (0, "小林さん is called Koba now.\n")
    assert "小林さん (Koba)" in run(home, "people", "koba").stdout
    assert run(home, "people", "Koba", "--nickname", "").returncode == 0
    assert "(" not in run(home, "people", "kobayashi").stdout


def test_the_first_words_of_a_key_say_which_anna(home: Path) -> None:
    why = refused(run(home, "people", "anna", "--nickname", "Nina"))
    assert words(ANNA, 3) in why
    assert words(OTHER, 3) in why
    assert run(home, "people", *key_words(OTHER)[:3], "--nickname", "Nina").returncode == 0
    people = file_in(home).load()
    assert people is not None
    assert (people[OTHER].nickname, people[ANNA].nickname) == ("Nina", "")


def test_who_is_forgotten_is_gone(home: Path) -> None:
    assert run(home, "people", "Kobayashi", "--forget").returncode == 0
    assert "called Kobayashi" in refused(run(home, "people", "Kobayashi"))
    assert set(file_in(home).load() or ()) == {ANNA, OTHER}


@one_case(
    ("arguments", "why"),
    [
        (("xyzzy",), "xyzzy"),
        (("--forget",), "--forget"),
        (("--nickname", "Nina"), "--nickname"),
        (("Kobayashi", "--nickname", "Nina", "--forget"), "together"),
        (("Kobayashi", "--nickname", "x" * 25), "24"),
        (("Kobayashi", "--nickname", "a\x1bb"), "shown"),
    ],
)
def test_what_cannot_be_gets_one_sentence(home: Path, arguments: tuple[str, ...], why: str) -> None:
    before = file_in(home).path.read_bytes()
    assert why in refused(run(home, "people", *arguments))
    assert file_in(home).path.read_bytes() == before


def test_a_damaged_list_is_one_sentence_and_stays(home: Path) -> None:
    file_in(home).path.write_bytes(b"{")
    for arguments in (("people",), ("people", "Anna", "--forget")):
        assert str(file_in(home).path) in refused(run(home, *arguments), 3)
    assert file_in(home).path.read_bytes() == b"{"


# verify


@pytest.fixture(scope="module")
def transcript(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of a game of one person and a bot."""
    return str(saved(tmp_path_factory.mktemp("game") / "a.ctr", begin(2).play().transcript(0)))


def below(home: Path, transcript: str, *more: str) -> list[str]:
    """What stands below the player's row."""
    done = run(home, "verify", *more, transcript)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert all(len(line) <= 80 or transcript in line for line in lines)
    (at,) = [number for number, line in enumerate(lines) if words(player(0).public) in line]
    following = lines[at + 1].strip()
    return [] if following.startswith("b ") else [following]


def test_without_a_list_verify_says_nothing(tmp_path: Path, transcript: str) -> None:
    assert below(tmp_path, transcript) == []
    (game,) = json.loads(run(tmp_path, "verify", "--json", transcript).stdout)["games"]
    assert [one["known"] for one in game["players"]] == [None, None]
    assert list(tmp_path.iterdir()) == [], "looking leaves nothing behind"


def test_verify_says_who_is_known(tmp_path: Path, transcript: str) -> None:
    file, key = file_in(tmp_path), player(0).public
    file.change(lambda people: met(people, ANNA, "Bruno", DAY))
    assert below(tmp_path, transcript) == ["new here"]
    file.change(lambda people: met(people, OTHER, "Player 0", DAY))
    assert below(tmp_path, transcript) == ["this name had another key before!"]
    assert below(tmp_path, transcript, "--lang", "it") == ["questo nome prima aveva un'altra chiave!"]
    file.change(lambda people: played(met(people, key, "Player 0", DAY), [key], bytes(16)))
    assert below(tmp_path, transcript) == ["known since 3 May 2026 · 1 game"]
    file.change(lambda people: nickname(people, key, "Nina"))
    assert below(tmp_path, transcript) == ["known as Nina since 3 May 2026 · 1 game"]
    (game,) = json.loads(run(tmp_path, "verify", "--json", transcript).stdout)["games"]
    known = {"kind": "known", "since": "2026-05-03", "games": 1, "nickname": "Nina"}
    assert [one["known"] for one in game["players"]] == [known, None]


def test_a_damaged_list_does_not_stop_verify(tmp_path: Path, transcript: str) -> None:
    file = file_in(tmp_path)
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(b"{")
    done = run(tmp_path, "verify", transcript)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert str(file.path) in done.stderr
    assert done.stdout.startswith("VERIFIED")
