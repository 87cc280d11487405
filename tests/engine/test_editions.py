"""Editions: the program has the rules of every card, and wrong options and cards of other editions are
rejected."""

from collections import Counter
from itertools import pairwise

import pytest

from citadels_lan.engine import (
    EDITIONS,
    TableConfig,
    Unplayable,
    advance,
    evolve,
    from_scenario,
    new_table,
    scenario_of,
)
from citadels_lan.engine.events import Built, CharacterCalled, CycleEnded, GameEnded, LapBegan, RoundEnded
from citadels_lan.engine.setup import check
from citadels_lan.engine.turn.shared_city import SOONER, names
from tests.effort import one_case
from tests.engine.games import Game, RandomChance
from tests.facts import FIRST_GAME, SCENARIOS


@one_case(
    ("edition", "option", "code"),
    [
        ("classic", ("deck", 64), "unknown_value"),
        ("2016", ("deck", 68), "unknown_option"),
        ("classic", ("deck", 65), "options_in_order"),
        ("of_1066", ("deck", 68), "unknown_edition"),
    ],
)
def test_unknown_edition_option_or_value_is_rejected(edition: str, option: tuple[str, int], code: str) -> None:
    with pytest.raises(Unplayable) as rejected:
        new_table(TableConfig(4, edition=edition, options=(option,)))
    assert rejected.value.code == code


def test_every_card_of_an_edition_has_its_rules() -> None:
    for edition in EDITIONS.values():
        assert set(edition.abilities) == set(edition.characters)
        assert set(edition.effects) == set(edition.uniques)
        assert all(key == ability.key for key, ability in edition.abilities.items())
        assert all(key == effect.key for key, effect in edition.effects.items())
        assert set(edition.players) <= set(edition.hand)


# Casts and districts drawn by chance


@pytest.mark.parametrize("given", ["cast", "districts"])
def test_chance_draws_only_the_cast_or_districts_left_open(given: str) -> None:
    chosen = SCENARIOS["first_game"].districts
    config = TableConfig(4, FIRST_GAME) if given == "cast" else TableConfig(4, (), chosen)
    state = new_table(config)
    for event in advance(state, RandomChance(3)):
        state = evolve(state, event)
    assert len(state.cast) in (8, 9)
    assert len(state.districts) == 14
    assert state.cast == FIRST_GAME if given == "cast" else set(state.districts) == set(chosen)
    assert sum(len(player.hand) for player in state.players) + len(state.deck) == 68


@one_case("nine", [False, True])
@pytest.mark.parametrize("key", SCENARIOS)
def test_scenario_of_returns_the_scenario_of_its_table(key: str, nine: bool) -> None:
    assert scenario_of(from_scenario(key, 5, rank_nine=nine)) == (key, nine)


def test_scenario_of_returns_none_for_other_tables() -> None:
    config = from_scenario("first_game", 4)
    assert scenario_of(TableConfig(4, config.cast, config.districts[:-1])) is None


CITTA_COMUNE = EDITIONS["citta_comune"]


@one_case("players", CITTA_COMUNE.players)
def test_players_call_clockwise_and_each_character_once_per_cycle(players: int) -> None:
    """Also, no two players have a district of the same name, and the game ends when enough districts are
    built (R395, R400, R407, R484)."""
    played = Game(players, TableConfig(players, edition=CITTA_COMUNE.key))
    callers: list[int] = []
    called: list[str] = []
    for _, events in played.steps():
        for event in events:
            if isinstance(event, CharacterCalled):
                callers.append(event.seat)
                called.append(event.character)
            elif isinstance(event, LapBegan | RoundEnded):
                assert len(callers) % players == 0
            elif isinstance(event, CycleEnded):
                assert sorted(called) == sorted(CITTA_COMUNE.characters)
                called.clear()
            elif isinstance(event, Built):
                others = [player for seat, player in enumerate(played.state.players) if seat != event.seat]
                assert event.card not in {district.key for player in others for district in player.city}
            elif isinstance(event, GameEnded):
                assert played.state.last_round
    assert all((one + 1) % players == other for one, other in pairwise(callers))
    assert len(names(played.state)) >= SOONER - 5


@one_case(("players", "cards"), [(2, 8), (3, 8), (4, 8), (5, 6), (6, 6), (7, 6), (8, 4), (9, 4)])
def test_deal_gives_cards_and_gold_by_number_of_players(players: int, cards: int) -> None:
    for options, gold in ((), 0), ((("starting_gold", 2),), 2):
        dealt = Game(1, TableConfig(players, edition=CITTA_COMUNE.key, options=options))
        assert len(dealt.state.deck) == 80
        dealt.step()
        assert [len(player.hand) for player in dealt.state.players] == [cards] * players
        begins = dealt.state.crown
        assert dealt.state.caller == begins
        others = [player.gold for seat, player in enumerate(dealt.state.players) if seat != begins]
        assert others == [gold] * (players - 1)
        assert (dealt.state.round, len(dealt.state.called)) == (1, 1)


def test_citta_comune_deck_has_42_names_and_80_cards() -> None:
    """The 18 characters are counted, too (R425, R426, R477)."""
    deck = Counter(new_table(TableConfig(4, edition=CITTA_COMUNE.key)).deck)
    assert (len(deck), deck.total(), len(CITTA_COMUNE.characters)) == (42, 80, 18)
    by_type = Counter(CITTA_COMUNE.types[key] for key in deck)
    assert by_type == {"noble": 3, "religious": 4, "trade": 6, "military": 4, "unique": 25}
    assert deck["keep"] == 2


DARK_CITY = EDITIONS["dark_city"]
EIGHT = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
OTHERS = ("witch", "tax_collector", "wizard", "emperor", "abbot", "alchemist", "navigator", "diplomat")


def refused(players: int, *cast: str, districts: tuple[str, ...] = ()) -> str | None:
    """Return the code of the reason why a table with this cast and these districts is unplayable, or None."""
    try:
        check(TableConfig(players, cast, districts, DARK_CITY.key))
    except Unplayable as reason:
        return reason.code
    return None


@one_case(
    ("players", "cast", "code"),
    [
        (2, EIGHT, None), (2, (*OTHERS[:3], "king", *OTHERS[4:]), None), (2, OTHERS, "too_few_players_for"),
        (2, (*EIGHT, "artist"), "no_rank_nine"), (3, EIGHT, None), (3, (*OTHERS, "artist"), None),
        (4, (*EIGHT, "queen"), "too_few_players_for"), (5, (*EIGHT, "queen"), None), (7, OTHERS, None),
        (8, EIGHT, "rank_nine_needed"), (8, (*EIGHT, "artist"), None), (5, EIGHT[:7], "one_character_per_rank"),
        (5, ("witch", *EIGHT), "one_character_per_rank"), (5, (*EIGHT[:7], "marshal"), "unknown_character"),
    ],
)  # fmt: skip
def test_casts_are_accepted_or_rejected_with_a_reason(
    players: int, cast: tuple[str, ...], code: str | None
) -> None:
    assert refused(players, *cast) == code


def test_dark_city_deck_has_the_named_purple_districts_or_all() -> None:
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
