"""The chances that a table shows: they add up to one, and points, gold and cards are worth having."""

import pytest

from citadels_lan.bots.search.value import NAMES, all_weights, chances, group, progress, standings
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.engine import EDITIONS, RANDOM, State, Table, from_scenario, go_on, new_table
from tests.effort import one_case
from tests.facts import standing

NEXT = NAMES.index("points"), NAMES.index("size"), NAMES.index("useful")


def dealt(edition: str = "2016", players: int = 4) -> State:
    """A table whose first round begins."""
    table = Table(new_table(from_scenario(RANDOM, players, edition_key=edition)), QuickChance(players))
    go_on(table)
    return table.state


@one_case("edition", EDITIONS)
def test_they_add_up_to_one_at_every_table(edition: str) -> None:
    for players in EDITIONS[edition].players:
        state = dealt(edition, players)
        assert sum(chances(state)) == pytest.approx(1)
        assert all(len(features) == len(NAMES) for features in standings(state))
        assert progress(state) == 0


def test_every_group_of_weights_is_one_that_a_table_asks_for() -> None:
    asked = {group(key, players) for key, edition in EDITIONS.items() for players in edition.players}
    assert set(all_weights()) <= asked
    assert "2016/4" in all_weights()


def test_when_the_game_is_over_there_is_nothing_to_guess() -> None:
    state = dealt()
    state.phase, state.winners = "over", (1, 3)
    assert chances(state) == [0, 0.5, 0, 0.5]


@one_case("edition", EDITIONS)
def test_a_city_and_gold_are_better_than_none(edition: str) -> None:
    state = dealt(edition)
    before = chances(state)[1]
    state.players[1].city = [standing(key, EDITIONS[edition]) for key in ("temple", "market", "palace")]
    built = chances(state)[1]
    state.players[1].gold += 4
    assert before < built < chances(state)[1]


@one_case("edition", EDITIONS)
def test_gold_that_no_card_can_use_is_worth_nothing_more(edition: str) -> None:
    state = dealt(edition)
    state.players[1].hand, state.players[1].gold = [], 6
    before = chances(state)[1]
    state.players[1].gold = 16
    assert chances(state)[1] == before
    state.players[1].hand = ["palace", "fortress", "docks", "harbor"]
    assert chances(state)[1] > before


def test_the_game_goes_on_with_the_longest_city() -> None:
    state = dealt()
    state.players[2].city = [standing("temple")] * 4
    assert progress(state) == pytest.approx(4 / 7)


@one_case(
    ("edition", "hand", "points", "size", "useful"),
    [
        ("2016", ["market"], 13, 5, 0),
        ("2016", ["secret_vault"], 16, 5, 0),
        ("2016", ["monument"], 13, 5, 0),
        ("2016", ["temple"], 14, 6, 0),
        ("2016", ["dragon_gate"], 21, 6, 0),
        ("2016", ["dragon_gate", "castle"], 21, 6, 1),
        ("citta_comune", ["castle"], 13, 5, 0),
        ("citta_comune", ["university"], 21, 6, 0),
    ],
)
def test_a_turn_later_stands_what_can_be_built_for_what_it_is_worth(
    edition: str, hand: list[str], points: int, size: int, useful: int
) -> None:
    """Five districts stand, another part of a common city has the Castle, and there is gold for everything."""
    state = dealt(edition)
    played = EDITIONS[edition]
    state.players[1].city = [standing(key, played) for key in ("market", "tavern", "palace", "docks", "prison")]
    state.players[2].city = [standing("castle", played)]
    state.players[1].gold, state.players[1].hand = 5, hand
    features = standings(state)[1]
    assert [features[place] for place in NEXT] == [points, size, useful]


def test_whoever_has_the_quarry_builds_a_second_copy() -> None:
    state = dealt()
    state.players[1].city = [standing(key) for key in ("quarry", "market")]
    state.players[1].gold, state.players[1].hand = 5, ["market"]
    assert [standings(state)[1][place] for place in NEXT] == [9, 3, 0]


def numbers(state: State, seat: int, *names: str) -> list[float]:
    return [standings(state)[seat][NAMES.index(name)] for name in names]


def test_cheap_and_dear_districts_count_as_they_stand() -> None:
    """What may be built next is not destroyed yet."""
    state = dealt()
    state.players[1].city = [standing(key) for key in ("tavern", "market", "docks", "palace", "fortress")]
    state.players[1].gold, state.players[1].hand = 5, ["temple"]
    assert numbers(state, 1, "cheap", "dear", "cheapest") == [2, 2, 1]
    state.players[1].city = []
    assert numbers(state, 1, "cheap", "dear", "cheapest") == [0, 0, 0]


def test_who_sits_before_the_crown_waits_longest_for_a_pick() -> None:
    state = dealt()
    state.crown = 2
    assert [numbers(state, seat, "crown", "waits") for seat in (2, 3, 0, 1)] == [
        [1, 0],
        [0, pytest.approx(1 / 3)],
        [0, pytest.approx(2 / 3)],
        [0, 1],
    ]


def test_the_first_gold_counts_whatever_the_hand_is() -> None:
    state = dealt()
    state.players[1].hand = []
    found = []
    for gold in (0, 3, 4, 9):
        state.players[1].gold = gold
        found += numbers(state, 1, "gold_4")
    assert found == [0, 3, 4, 4]


def test_four_types_are_one_short_of_all() -> None:
    state = dealt()
    state.players[1].gold, state.players[1].hand = 0, []
    found = []
    for keys in ("temple market palace", "temple market palace prison", "temple market palace prison library"):
        state.players[1].city = [standing(key) for key in keys.split()]
        found += numbers(state, 1, "four_types")
    assert found == [0, 1, 0]


def test_a_lead_counts_once_more_when_somebody_else_is_near_the_end() -> None:
    state = dealt()
    for player in state.players:
        player.gold, player.hand = 0, []
    state.players[1].city = [standing("palace")] * 2
    assert numbers(state, 1, "leads_late") == [0]
    state.players[2].city = [standing("tavern")] * 5
    assert numbers(state, 1, "leads_late") == [5]
    assert numbers(state, 2, "leads_late") == [0]


def test_who_calls_next_waits_least() -> None:
    """Where characters are called, whoever has the crown."""
    state = dealt("citta_comune")
    state.caller, state.crown = 1, 3
    assert [numbers(state, seat, "waits") for seat in (2, 3, 0, 1)] == [
        [0],
        [pytest.approx(1 / 3)],
        [pytest.approx(2 / 3)],
        [1],
    ]
    assert numbers(state, 3, "crown") == [1]


def test_in_a_common_city_each_unique_district_counts_by_itself() -> None:
    """Half of it in a hand, as long as it can be built; where nobody shares a city, not at all."""
    state = dealt("citta_comune")
    common = EDITIONS["citta_comune"]
    for player in state.players:
        player.gold, player.hand = 0, []
    state.players[1].city = [standing("smithy", common), standing("market", common)]
    state.players[1].hand = ["library", "park"]
    state.players[2].city = [standing("park", common)]
    assert numbers(state, 1, "smithy", "library", "park", "armory") == [1, 0.5, 0, 0]
    assert numbers(state, 2, "smithy", "library", "park", "armory") == [0, 0, 1, 0]
    state = dealt()
    state.players[1].city = [standing("smithy")]
    assert numbers(state, 1, "smithy") == [0]


def test_in_a_common_city_what_brings_cards_to_sell_wins() -> None:
    found = {}
    for key in ("smithy", "park", "library", "keep", "map_room"):
        state = dealt("citta_comune")
        state.players[1].city = [standing(key, EDITIONS["citta_comune"])]
        found[key] = chances(state)[1]
    assert min(found["smithy"], found["park"], found["library"]) > found["keep"] > found["map_room"]
