"""Tables of Dark City: casts, districts and scenarios (R455 to R460)."""

from collections import Counter

from citadels_lan.engine import EDITIONS, TableConfig, Unplayable, from_scenario, new_table, scenario_of
from citadels_lan.engine.setup import check
from tests.effort import one_case
from tests.engine.games import Game

DARK_CITY = EDITIONS["dark_city"]
EIGHT = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
OTHERS = ("witch", "tax_collector", "wizard", "emperor", "abbot", "alchemist", "navigator", "diplomat")


def refused(players: int, *cast: str, districts: tuple[str, ...] = ()) -> str | None:
    """Return the code of why a table is unplayable, or None."""
    try:
        check(TableConfig(players, cast, districts, DARK_CITY.key))
    except Unplayable as reason:
        return reason.code
    return None


def test_each_rank_has_two_characters() -> None:
    by_rank = {rank: set(names) for rank, names in DARK_CITY.of_rank.items()}
    assert by_rank == {rank: {EIGHT[rank - 1], OTHERS[rank - 1]} for rank in range(1, 9)} | {
        9: {"artist", "queen"}
    }


@one_case(
    ("players", "cast", "code"),
    [
        (2, EIGHT, None),
        (2, (*OTHERS[:3], "king", *OTHERS[4:]), None),
        (2, OTHERS, "too_few_players_for"),
        (2, (*EIGHT, "artist"), "no_rank_nine"),
        (3, EIGHT, None),
        (3, (*OTHERS, "artist"), None),
        (4, (*EIGHT, "queen"), "too_few_players_for"),
        (5, (*EIGHT, "queen"), None),
        (7, OTHERS, None),
        (8, EIGHT, "rank_nine_needed"),
        (8, (*EIGHT, "artist"), None),
        (5, EIGHT[:7], "one_character_per_rank"),
        (5, ("witch", *EIGHT), "one_character_per_rank"),
        (5, (*EIGHT[:7], "marshal"), "unknown_character"),
    ],
)
def test_casts_are_accepted_or_rejected_with_a_reason(
    players: int, cast: tuple[str, ...], code: str | None
) -> None:
    assert refused(players, *cast) == code


def test_deck_has_all_or_the_named_purple_districts() -> None:
    assert len(DARK_CITY.uniques) == 25
    everything = new_table(TableConfig(4, EIGHT, edition=DARK_CITY.key))
    assert len(everything.deck) == 80
    assert Counter(everything.deck)["keep"] == 2
    few = new_table(TableConfig(4, EIGHT, ("keep", "bell_tower"), DARK_CITY.key))
    assert Counter(few.deck) == Counter((*DARK_CITY.basics, "keep", "keep", "bell_tower"))
    assert refused(4, *EIGHT, districts=("keep", "barracks")) == "unknown_unique"
    assert refused(4, *EIGHT, districts=("keep", "keep")) == "unique_twice"


@one_case("players", DARK_CITY.players)
def test_scenarios_fit_every_number_of_players(players: int) -> None:
    for name in DARK_CITY.scenarios:
        config = from_scenario(name, players, edition_key=DARK_CITY.key)
        new_table(config)
        assert scenario_of(config) == (name, False)
    assert from_scenario("first_game", 8, edition_key=DARK_CITY.key).cast == (*EIGHT, "artist")


def test_chance_draws_every_character_and_keeps_all_purple_districts() -> None:
    drawn = set()
    for seed in range(60):
        table = Game(seed, TableConfig(6, edition=DARK_CITY.key))
        table.step()
        assert len(table.state.districts) == 25
        assert len(table.state.deck) == 80 - 6 * 4
        drawn.add(table.state.cast)
    assert {character for cast in drawn for character in cast} == set(DARK_CITY.characters)
    assert {len(cast) for cast in drawn} == {8, 9}
