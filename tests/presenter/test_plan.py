"""The plan of a table: its choices, rejected choices, another number of players; also in line mode."""

from random import Random

import pytest
from msgspec.structs import replace as changed

from citadels_lan.engine import RANDOM, TableConfig, Unplayable, from_scenario
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.plan import OWN, Plan, changes
from citadels_lan.texts import load
from tests.effort import one_case
from tests.facts import SCENARIOS, UNIQUES
from tests.line_mode.test_lines import run_lines
from tests.ui.fake import FakeLobby


def plan(players: int = 4, scenario: str = "first_game") -> Plan:
    return Plan.of(from_scenario(scenario, players))


@one_case("scenario", SCENARIOS)
@pytest.mark.parametrize("players", range(2, 9))
def test_plan_of_a_scenario_has_the_configuration_of_the_scenario(scenario: str, players: int) -> None:
    for nine in (False, True):
        config = from_scenario(scenario, players, rank_nine=nine)
        shown = Plan.of(config)
        assert (shown.scenario, shown.cast, shown.uniques) == (scenario, config.cast, config.districts)
        assert shown.like(scenario).config == shown.config == config


def test_plan_recognises_a_scenario_whose_cards_were_chosen_one_by_one() -> None:
    base = plan(4, "vicious_nobles")
    changed = base.choose("king").toggle("armory")
    assert changed.scenario == OWN
    assert changed.choose("patrician").toggle("armory") == base
    assert changed.back() == base
    assert base.choose("tax_collector").config == from_scenario("vicious_nobles", 4, rank_nine=True)


@one_case(
    ("players", "character", "code"),
    [(4, "queen", "too_few_players_for"), (2, "emperor", "too_few_players_for"), (2, "artist", "no_rank_nine")],
)
def test_character_that_needs_more_players_is_rejected(players: int, character: str, code: str) -> None:
    with pytest.raises(Unplayable) as refused:
        plan(players).choose(character)
    assert refused.value.code == code


def test_plan_needs_fourteen_unique_districts() -> None:
    own = plan()
    for wrong in (own.with_uniques(()), own.toggle("armory"), own.toggle("statue")):
        why = wrong.problem()
        assert why is not None
        assert (why.code, why.details) == ("uniques_needed", {"count": 14})
        full = wrong.filled(Random(1))
        assert full.problem() is None
        assert full.uniques is not None
        assert len(full.uniques) == 14


def test_plan_can_leave_cast_and_districts_to_chance() -> None:
    drawn = plan().draw_cast().draw_uniques()
    assert drawn.scenario == RANDOM
    half = plan().draw_uniques()
    assert (half.scenario, half.uniques, half.problem()) == (OWN, None, None)
    assert half.config.districts == ()
    assert Plan.of(TableConfig(4)).scenario == RANDOM
    assert drawn.choose("witch").cast == ("witch", *plan().cast[1:])  # type: ignore[index]
    assert drawn.like(OWN).uniques == plan().uniques


def test_another_number_of_players_changes_the_cast() -> None:
    en, it = load("en"), load("it")
    scenario = plan(5, "illustrious_emissaries")
    two = scenario.for_players(2)
    assert two.cast == from_scenario("illustrious_emissaries", 2).cast
    assert changes(en, scenario, two) == ["King instead of Emperor."]
    three = ["Emperor instead of King.", "Rank 9 is needed with 3 players: Artist is added."]
    assert changes(en, two, two.for_players(3)) == three
    own = plan(6).choose("queen").choose("witch")
    four, alone = own.for_players(4), own.for_players(2)
    assert changes(it, own, four) == ["Artista al posto di Regina."]
    assert changes(en, own, alone) == ["Rank 9 is not used with 2 players: Queen is removed."]
    assert alone.for_players(8).cast == ("witch", *plan(8).cast[1:])  # type: ignore[index]
    assert all(own.for_players(players).problem() is None for players in range(2, 9))


def set_up(script: str, settings: Settings | None = None) -> Settings:
    """Run the host's lines in the lobby, and return the settings afterwards."""
    session = FakeLobby(5)
    session.settings = settings or session.settings
    run_lines(script, session)
    return session.settings


def test_owner_changes_the_plan_in_line_mode() -> None:
    settings = set_up("scenario vicious\ncast Strega, Tax Collector\nuniques -statue, +park\n")
    cast, uniques = settings.config.cast, settings.config.districts
    assert (cast[0], cast[3], cast[8]) == ("witch", "patrician", "tax_collector")
    assert "park" in uniques
    assert "statue" not in uniques
    assert len(set_up("cast -tax_collector\n", settings).config.cast) == 8
    assert set_up("cast random\nuniques random\n", settings).config == TableConfig(5)
    assert set_up(f"uniques {', '.join(UNIQUES[3:17])}\n").config.districts == UNIQUES[3:17]
    assert set_up("scenario la prima\n", settings).config == from_scenario("first_game", 5)
    assert set_up("seats 2\n", settings) == Settings(changed(settings.config, players=2, cast=cast[:8]), 1)


@one_case(
    ("line", "sentence", "edition"),
    [
        ("cast queen", "Queen needs at least 5 players, not 4.", "2016"),
        ("cast -king", "exactly one character of each rank", "2016"),
        ("cast park", "No card or rule is called “park”.", "2016"),
        ("uniques -statue", "Choose 14 different unique districts.", "2016"),
        ("uniques castle", "There is no such unique district: Castle.", "2016"),
        ("uniques", "Dragon Gate (6)", "2016"),
        ("scenario nonsense", "There is no such scenario: nonsense.", "2016"),
        ("seats 9", "This edition is for 2 to 8 players, not 9.", "2016"),
        ("start", "Free seats", "2016"),
        ("cast magistrate", "There is no such character: Magistrate.", "dark_city"),
        ("cast -magistrate", "There is no such character: Magistrate.", "dark_city"),
        ("edition pirates", "This version does not know the edition pirates.", "classic"),
        ("option deck=64", "The option deck cannot be 64.", "classic"),
        ("option town=3", "This edition has no option town.", "classic"),
        ("seats 8", "This edition is for 2 to 7 players, not 8.", "classic"),
        ("cast witch", "There is no such character: Witch.", "classic"),
        ("draft half", "The option draft cannot be half.", "2016"),
        ("draft sealed", "This edition has no draft that could be sealed.", "citta_comune"),
    ],
)
def test_lobby_rejects_invalid_commands(line: str, sentence: str, edition: str) -> None:
    session = FakeLobby(4)
    before = session.settings = Settings(plan().in_edition(edition).config, 3)
    assert sentence in run_lines(f"{line}\n", session)
    assert session.settings == before
