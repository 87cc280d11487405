"""Casts, decks and deals: rules about what happens before a ruling can begin (R001 to R011, R338 to R341,
R429, R430)."""

from collections import Counter

import pytest

from citadels_lan.engine import (
    EDITIONS,
    State,
    TableConfig,
    Unplayable,
    advance,
    edition_named,
    edition_of,
    evolve,
    from_scenario,
    new_table,
    scenario_of,
)
from tests.effort import one_case
from tests.facts import BASICS, CHARACTERS, FIRST_GAME, RANK, SCENARIOS, TYPE, UNIQUES, first_game

from .chance import Scripted


def dealt(config: TableConfig, seed: str = "", crown: int | None = None) -> State:
    state = new_table(config, crown)
    for event in advance(state, Scripted(seed)):
        state = evolve(state, event)
    return state


def refused(players: int, cast: tuple[str, ...]) -> bool:
    try:
        new_table(TableConfig(players, cast))
    except Unplayable:
        return True
    return False


def cast(*others: str) -> tuple[str, ...]:
    """Return the cast of the first game, with the characters `others` in their ranks."""
    chosen = {RANK[name]: name for name in (*FIRST_GAME, *others)}
    return tuple(chosen[rank] for rank in sorted(chosen))


def test_deck_has_all_basic_and_the_chosen_unique_districts() -> None:
    for scenario in SCENARIOS.values():
        state = dealt(TableConfig(4, FIRST_GAME, scenario.districts))
        cards = [*state.deck, *(card for player in state.players for card in player.hand)]
        assert len(cards) == 68
        assert Counter(cards) == Counter((*BASICS, *scenario.districts))


@one_case("players", range(2, 9))
def test_every_player_starts_with_four_cards_and_two_gold(players: int) -> None:
    state = dealt(TableConfig(players, cast("artist") if players in (3, 8) else FIRST_GAME))
    assert [(player.gold, len(player.hand)) for player in state.players] == [(2, 4)] * players


def test_deck_has_the_right_numbers_of_basic_districts_by_type() -> None:
    assert Counter(TYPE[card] for card in BASICS) == {"noble": 12, "religious": 11, "trade": 20, "military": 11}


def test_first_crown_goes_to_the_given_seat_or_is_drawn_by_chance() -> None:
    for crown in range(4):
        assert {dealt(first_game(4), seed, crown=crown).crown for seed in "abcdef"} == {crown}
    assert len({dealt(first_game(4), seed).crown for seed in "abcdefghijklmnop"}) == 4


@one_case("players", range(3, 9))
def test_rank_nine_is_required_with_three_and_eight_players(players: int) -> None:
    assert refused(players, FIRST_GAME) == (players in (3, 8))
    assert not refused(players, cast("artist"))
    assert not refused(players, cast("tax_collector"))


@one_case("players", range(3, 9))
def test_scenarios_have_a_ninth_character_if_required_and_no_queen_below_five_players(players: int) -> None:
    chosen = from_scenario("devious_dignitaries", players, rank_nine=True).cast
    assert chosen[-1] in (("artist", "tax_collector") if players < 5 else ("queen",))
    for key in SCENARIOS:
        assert len(from_scenario(key, players).cast) == (9 if players in (3, 8) else 8)
        assert len(from_scenario(key, players, rank_nine=True).cast) == 9


@one_case(
    ("config", "why"),
    [
        (TableConfig(1), "how_many_players players=1 least=2 most=8"),
        (TableConfig(9), "how_many_players players=9 least=2 most=8"),
        (TableConfig(4, ("jester", *FIRST_GAME[1:])), "unknown_character character=jester"),
        (TableConfig(4, FIRST_GAME[1:]), "one_character_per_rank"),
        (TableConfig(4, cast("queen")), "too_few_players_for character=queen players=4 least=5"),
        (TableConfig(2, cast("emperor")), "too_few_players_for character=emperor players=2 least=3"),
        (TableConfig(2, cast("artist")), "no_rank_nine players=2"),
        (TableConfig(2, cast("queen")), "no_rank_nine players=2"),
        (TableConfig(3, FIRST_GAME), "rank_nine_needed players=3"),
        (TableConfig(4, districts=("chapel", *UNIQUES[:13])), "unknown_unique card=chapel"),
        (TableConfig(4, districts=UNIQUES[:13]), "uniques_needed count=14"),
        (TableConfig(4, districts=(*UNIQUES[:14], UNIQUES[0])), "uniques_needed count=14"),
    ],
)
def test_unplayable_table_is_rejected_with_its_reason(config: TableConfig, why: str) -> None:
    with pytest.raises(Unplayable) as caught:
        new_table(config)
    assert str(caught.value) == why


@pytest.mark.parametrize("crown", [4, -1])
def test_crown_of_a_seat_that_does_not_exist_is_rejected(crown: int) -> None:
    with pytest.raises(Unplayable) as caught:
        new_table(first_game(4), crown)
    assert str(caught.value) == f"no_such_seat seat={crown}"


@one_case("players", range(2, 9))
def test_drawn_casts_are_playable_and_include_every_character(players: int) -> None:
    drawn = {dealt(TableConfig(players), str(seed)).cast for seed in range(150)}
    assert all(not refused(players, cast) for cast in drawn)
    usable = {key for key, card in CHARACTERS.items() if card.players[0] <= players <= card.players[1]}
    if players == 2:
        usable = {key for key in usable if RANK[key] < 9}
    assert {character for cast in drawn for character in cast} == usable
    assert {len(cast) for cast in drawn} == ({8} if players == 2 else {9} if players in (3, 8) else {8, 9})


def test_drawn_unique_districts_are_fourteen_in_alphabetical_order() -> None:
    states = [dealt(TableConfig(4), str(seed)) for seed in range(60)]
    assert all(
        len(set(state.districts)) == 14 and list(state.districts) == sorted(state.districts) for state in states
    )
    assert {unique for state in states for unique in state.districts} == set(UNIQUES)
    cards = [*states[0].deck, *(card for player in states[0].players for card in player.hand)]
    assert Counter(cards) == Counter((*BASICS, *states[0].districts))


CLASSIC = EDITIONS["classic"]
EIGHT = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")


@one_case("players", range(2, 8))
def test_classic_deals_four_cards_and_two_gold_and_draws_the_crown(players: int) -> None:
    state = dealt(TableConfig(players, edition="classic"))
    assert [(player.gold, len(player.hand)) for player in state.players] == [(2, 4)] * players
    assert state.cast == EIGHT
    assert len(state.deck) == 65 - 4 * players
    crowns = {dealt(TableConfig(players, edition="classic"), seed).crown for seed in map(str, range(60))}
    assert crowns == set(range(players))


@one_case(
    ("deck", "more"),
    [
        (65, set()),
        (66, {"great_wall"}),
        (67, {"imperial_treasury", "map_room"}),
        (68, {"great_wall", "imperial_treasury", "map_room"}),
    ],
)
def test_classic_decks_have_the_cards_of_the_rulebook(deck: int, more: set[str]) -> None:
    options = () if deck == 65 else (("deck", deck),)
    played = edition_named("classic", options)
    state = new_table(TableConfig(4, edition="classic", options=options))
    assert len(state.deck) == deck
    types = Counter(played.types[card] for card in state.deck)
    assert types == {"noble": 12, "religious": 11, "trade": 20, "military": 11, "unique": deck - 54}
    assert set(state.districts) - set(CLASSIC.uniques) == more
    assert {card: count for card, count in Counter(state.deck).items() if played.types[card] == "unique"} == {
        card: 2 if card == "keep" else 1 for card in state.districts
    }
    assert played.costs["observatory"] == (4 if deck == 68 else 5)
    assert "battlefield" in state.deck
    assert "barracks" not in state.deck


def test_classic_cast_and_districts_are_fixed() -> None:
    for config in (
        from_scenario("first_game", 5, edition_key="classic"),
        from_scenario("random", 5, edition_key="classic"),
        TableConfig(5, EIGHT, edition="classic"),
    ):
        assert new_table(config) == new_table(TableConfig(5, edition="classic"))
    assert scenario_of(from_scenario("first_game", 5, edition_key="classic")) == ("first_game", False)
    assert edition_of(new_table(TableConfig(5, edition="classic"))) is CLASSIC
    for wrong, code in (
        (TableConfig(5, (*EIGHT, "artist"), edition="classic"), "cast_is_fixed"),
        (TableConfig(5, FIRST_GAME[:7], edition="classic"), "cast_is_fixed"),
        (TableConfig(5, EIGHT, ("keep",), edition="classic"), "districts_are_fixed"),
        (TableConfig(5, EIGHT, (*CLASSIC.uniques, "great_wall"), edition="classic"), "districts_are_fixed"),
    ):
        with pytest.raises(Unplayable) as refused:
            new_table(wrong)
        assert refused.value.code == code
