"""What a table of Citta Comune plays with (R477, R425, R393), and whole games of it by chance: every number of
players and both amounts of gold."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_lan.engine import EDITIONS, TableConfig, Unplayable, new_table, parse
from citadels_lan.engine.events import Built, CharacterCalled, CycleEnded, GameEnded, LapBegan, RoundEnded
from citadels_lan.engine.turn.shared_city import SOONER, names
from tests.effort import examples
from tests.engine import checks
from tests.engine.games import Game

CITTA_COMUNE = EDITIONS["citta_comune"]
seeds = st.integers(min_value=0, max_value=2**32)


def game(seed: int, players: int | None = None) -> Game:
    rng = random.Random(seed)
    count = players or rng.choice(CITTA_COMUNE.players)
    options = rng.choice(((), (("starting_gold", 2),)))
    return Game(seed, TableConfig(count, edition=CITTA_COMUNE.key, options=options))


@examples(40)
@given(seeds)
def test_every_game_ends_and_loses_nothing(seed: int) -> None:
    checks.keeps_cards_and_gold(game(seed))


@examples(15)
@given(seeds)
def test_the_square_commutes_for_every_event_and_viewer(seed: int) -> None:
    checks.square_commutes(game(seed))


@examples(20)
@given(seeds)
def test_what_is_listed_is_what_is_accepted(seed: int) -> None:
    checks.listed_is_accepted(game(seed), every=0.1)


@examples(20)
@given(seeds)
def test_every_listed_move_reads_back_as_written(seed: int) -> None:
    played = game(seed)
    for _ in played.steps():
        asked = played.asked()
        if asked is None or played.rng.random() > 0.3:
            continue
        seat, choices = asked
        offered = sorted(checks.listed(choices) or (), key=str)
        for action in played.rng.sample(offered, min(5, len(offered))):
            assert parse(str(action), seat) == action


@pytest.mark.parametrize("players", CITTA_COMUNE.players)
def test_laps_and_cycles(players: int) -> None:
    """Everybody calls once in a lap, clockwise; in a cycle each of the 18 is called once; nobody builds what
    stands in another part; and the game ends when enough stand (R395, R400, R407, R484)."""
    played = game(players, players)
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


@pytest.mark.parametrize(("players", "cards"), [(2, 8), (3, 8), (4, 8), (5, 6), (6, 6), (7, 6), (8, 4), (9, 4)])
def test_the_deal(players: int, cards: int) -> None:
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


def test_the_cards() -> None:
    """42 names, 80 cards, 18 characters (R425, R426, R477)."""
    deck = Counter(new_table(TableConfig(4, edition=CITTA_COMUNE.key)).deck)
    assert (len(deck), deck.total(), len(CITTA_COMUNE.characters)) == (42, 80, 18)
    by_type = Counter(CITTA_COMUNE.types[key] for key in deck)
    assert by_type == {"noble": 3, "religious": 4, "trade": 6, "military": 4, "unique": 25}
    assert deck["keep"] == 2


@pytest.mark.parametrize("players", [1, 10])
def test_two_to_nine_players(players: int) -> None:
    with pytest.raises(Unplayable):
        new_table(TableConfig(players, edition=CITTA_COMUNE.key))
