"""A new edition, made as docs/adding.md says, and its games."""

import json
from typing import Final

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from tests.adding.house import PLAIN, House
from tests.facts import first_game

pytestmark = pytest.mark.slow

OPTIONS: Final = (("gold", "rich"),)


def table(*options: tuple[str, str]) -> str:
    return json.dumps(to_builtins(replace(first_game(4), edition="family", options=options)))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """Return a copy of the program with the new edition of docs/adding.md."""
    house = House(tmp_path_factory.mktemp("house"))
    assert house.add("An edition") == [
        "citadels_lan/engine/editions/family/__init__.py",
        "citadels_lan/engine/editions/__init__.py",
        "citadels_lan/texts/terms.toml",
        "citadels_lan/texts/languages/en/characters.md",
    ]
    house.run("tests.engine.goldens", "family")
    return house


@pytest.mark.parametrize("options", [(), OPTIONS], ids=["as printed", "rich"])
def test_games_of_the_new_edition_are_played_described_and_verified(
    house: House, options: tuple[tuple[str, str], ...]
) -> None:
    """The second verifier contains no editions. It checks everything that needs no rules."""
    said = house.run("tests.adding.playing", table(*options)).splitlines()
    assert sum(line.strip() == "VERIFIED" for line in said) == 3


def test_bots_play_the_new_edition(house: House) -> None:
    told = house.run(
        "citadels_lan", "simulate", "--edition", "family", "--scenario", "random", "--players", "7",
        "--games", "4", "--json",
    )  # fmt: skip
    figures = json.loads(told.splitlines()[-1])
    assert (figures["stuck"], figures["errors"]) == (0, 0)
    assert "theater" not in told
    refused = house.tried("citadels_lan", "simulate", "--edition", "family", "--players", "8")
    assert refused.returncode != 0


def test_smithy_price_and_complete_city_follow_the_new_edition(house: House) -> None:
    """The same situation is played in the new and in an old edition. Rulings check the price of the Smithy,
    and how many districts complete a city."""
    (house.folder / "family.yaml").write_text(RULINGS, encoding="utf-8")
    said = house.run("tests.rulings", "family.yaml")
    assert said.startswith("ok smithy-of-2016\nok smithy-of-family\n")


def test_texts_of_the_new_edition_are_shown(house: House) -> None:
    house.run(
        "pytest", "-q", PLAIN, "tests/texts/test_complete.py", "tests/texts/test_editions.py",
        "tests/engine/test_editions.py",
    )  # fmt: skip
    reported = house.tried("tools.texts", "it")
    assert "it: not translated yet: A short game: five districts are enough.\n" in reported.stdout
    said = house.run("citadels_lan", "rules", "--edition", "family", "smithy")
    assert "Once per turn: pay 3 gold and draw 2 cards." in said
    assert "It is shuffled into the deck." in house.run("citadels_lan", "rules", "--edition", "family", "warlord")


RULINGS: Final = """
- id: smithy-of-2016
  covers: [R308]
  given: {turn: a, characters: {a: merchant}, deck: [tavern, docks, market, castle], a: {gold: 3, city: [smithy]}}
  when: [a: smithy]
  then: {a: {gold: 1, hand: [tavern, docks, market]}}
- id: smithy-of-family
  covers: [R308]
  given:
    edition: family
    turn: a
    characters: {a: merchant}
    deck: [tavern, docks, market, castle]
    a: {gold: 3, city: [smithy]}
  when: [a: smithy]
  then: {a: {gold: 0, hand: [tavern, docks]}}
"""
