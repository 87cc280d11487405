"""What is chosen and dealt before a ruling can begin (R001 to R011)."""

from collections import Counter

import pytest

from citadels_lan.engine import State, TableConfig, Unplayable, advance, evolve, from_scenario, new_table
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
    """The first game's cast with other characters at their ranks."""
    chosen = {RANK[name]: name for name in (*FIRST_GAME, *others)}
    return tuple(chosen[rank] for rank in sorted(chosen))


def test_the_deck_has_all_basics_and_the_chosen_uniques() -> None:
    for scenario in SCENARIOS.values():
        state = dealt(TableConfig(4, FIRST_GAME, scenario.districts))
        cards = [*state.deck, *(card for player in state.players for card in player.hand)]
        assert len(cards) == 68
        assert Counter(cards) == Counter((*BASICS, *scenario.districts))


@pytest.mark.parametrize("count", [13, 15])
def test_a_game_has_fourteen_uniques(count: int) -> None:
    with pytest.raises(Unplayable):
        new_table(TableConfig(4, FIRST_GAME, UNIQUES[:count]))


def test_a_unique_is_in_the_deck_once() -> None:
    with pytest.raises(Unplayable):
        new_table(TableConfig(4, FIRST_GAME, (*UNIQUES[:13], UNIQUES[0])))


@pytest.mark.parametrize("players", range(2, 9))
def test_everybody_starts_with_four_cards_and_two_gold(players: int) -> None:
    state = dealt(TableConfig(players, cast("artist") if players in (3, 8) else FIRST_GAME))
    assert [(player.gold, len(player.hand)) for player in state.players] == [(2, 4)] * players


def test_the_basics_by_type() -> None:
    assert Counter(TYPE[card] for card in BASICS) == {"noble": 12, "religious": 11, "trade": 20, "military": 11}
    assert len(UNIQUES) == 30


def test_the_first_crown_is_chosen_or_drawn() -> None:
    assert dealt(first_game(4), crown=2).crown == 2
    assert len({dealt(first_game(4), seed).crown for seed in "abcdefghijklmnop"}) == 4


@pytest.mark.parametrize(
    "wrong",
    [
        FIRST_GAME[:-1],
        FIRST_GAME[1:],
        (*FIRST_GAME, "witch"),
        ("assassin", *FIRST_GAME),
        (*FIRST_GAME, "artist", "tax_collector"),
        (*FIRST_GAME[:-1], "architect"),
    ],
)
def test_a_cast_has_one_character_of_each_rank(wrong: tuple[str, ...]) -> None:
    assert refused(5, wrong)


@pytest.mark.parametrize("players", range(3, 9))
def test_when_rank_nine_is_needed(players: int) -> None:
    assert refused(players, FIRST_GAME) == (players in (3, 8))
    assert not refused(players, cast("artist"))
    assert not refused(players, cast("tax_collector"))


def test_two_players_have_neither_rank_nine_nor_emperor() -> None:
    assert not refused(2, FIRST_GAME)
    assert not refused(2, cast("patrician"))
    assert refused(2, cast("emperor"))
    assert all(refused(2, cast(ninth)) for ninth in CHARACTERS if RANK[ninth] == 9)


@pytest.mark.parametrize("players", range(2, 9))
def test_the_queen_needs_five(players: int) -> None:
    assert refused(players, cast("queen")) == (players < 5)


@pytest.mark.parametrize("players", [3, 4])
def test_scenarios_do_without_the_queen_below_five(players: int) -> None:
    chosen = from_scenario("devious_dignitaries", players, rank_nine=True).cast
    assert chosen[-1] in ("artist", "tax_collector")


def test_scenarios_do_without_the_emperor_with_two() -> None:
    chosen = from_scenario("illustrious_emissaries", 2).cast
    assert chosen[3] in ("king", "patrician")
    assert from_scenario("illustrious_emissaries", 3).cast[3] == "emperor"


@pytest.mark.parametrize("players", [4, 5, 6, 7])
def test_scenarios_may_leave_rank_nine_out(players: int) -> None:
    for key in SCENARIOS:
        assert len(from_scenario(key, players).cast) == 8
        assert len(from_scenario(key, players, rank_nine=True).cast) == 9


def test_the_first_game_gets_a_rank_nine_where_it_is_needed() -> None:
    assert from_scenario("first_game", 3).cast[-1] == "artist"
    assert from_scenario("first_game", 8).cast[-1] in ("queen", "artist")
