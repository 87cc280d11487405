"""A new character and a new district, made as docs/adding.md says, and their games."""

import json
from pathlib import Path
from typing import Final

import pytest
from msgspec import to_builtins

from citadels_lan.engine import TableConfig
from tests.adding.house import PLAIN, House

pytestmark = pytest.mark.slow

CAST: Final = ("assassin", "thief", "magician", "king", "bishop", "jester", "architect", "warlord")
DISTRICTS: Final = (
    "dragon_gate", "factory", "fountain", "haunted_quarter", "imperial_treasury", "keep", "laboratory", "library",
    "map_room", "quarry", "school_of_magic", "smithy", "statue", "wishing_well",
)  # fmt: skip
TABLE: Final = json.dumps(to_builtins(TableConfig(4, CAST, DISTRICTS)))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """Return a copy of the program with the new character and district of docs/adding.md."""
    house = House(tmp_path_factory.mktemp("house"))
    assert house.add("A character") == [
        "citadels_lan/engine/characters/jester.py",
        "citadels_lan/engine/editions/e2016/cards.toml",
        "citadels_lan/engine/editions/e2016/__init__.py",
        "citadels_lan/texts/languages/en/characters.md",
        "citadels_lan/texts/moves.toml",
        "tests/rulings/rank6.yaml",
    ]
    assert len(house.add("A district")) == 5
    house.run("tests.engine.goldens", "2016")
    return house


def test_rulings_with_the_new_cards_hold(house: House) -> None:
    said = house.run("tests.rulings", "tests/rulings/rank6.yaml", "tests/rulings/scoring.yaml")
    for ruling in ("the-jester-takes-gold-from-a-richer-player", "the-fountain-counts-for-a-player-without-gold"):
        assert f"ok {ruling}\n" in said


def test_games_with_the_new_cards_are_played_described_and_verified(house: House) -> None:
    """Both verifiers check the games. Their lines are in English and Italian; the new cards have English
    texts in both."""
    said = house.run("tests.adding.playing", TABLE, "tickle").splitlines()
    assert sum(line.strip() == "VERIFIED" for line in said) == 3
    assert any("Jester" in line for line in said)


def test_simulation_with_the_new_cards_has_no_errors(house: House) -> None:
    told = house.run(
        "citadels_lan", "simulate", "--players", "4", "--cast", ",".join(CAST), "--games", "4", "--json",
        "--uniques", ",".join(DISTRICTS), "--bots", "sensible",
    )  # fmt: skip
    figures = json.loads(told.splitlines()[-1])
    assert (figures["stuck"], figures["errors"], figures["cast"]) == (0, 0, list(CAST))


def test_missing_translations_of_the_new_cards_are_listed(house: House) -> None:
    house.run("pytest", "-q", PLAIN, "tests/texts/test_complete.py", "tests/engine/test_editions.py")
    reported = house.tried("tools.texts", "it")
    assert reported.returncode != 0
    for text in ("jester", "Tickle {name}", "tickle a player", "fountain"):
        assert f"it: not translated yet: {text}\n" in reported.stdout


def test_card_without_texts_is_named_by_the_failing_tests(tmp_path: Path) -> None:
    """Without texts for a new card the same tests fail and name the card."""
    house = House(tmp_path)
    house.add("A character")
    texts = Path("citadels_lan", "texts", "languages", "en", "characters.md")
    (house.folder / texts).write_text((Path(__file__).parents[2] / texts).read_text(encoding="utf-8"), "utf-8")
    done = house.tried("pytest", "-q", PLAIN, "tests/texts/test_cards.py", "-k", "every_card_has_all_its_texts")
    assert "en: no section # jester" in done.stdout
