"""Tables of Città Comune (R477, R425, R393): cards, deal, laps and cycles."""

from collections import Counter
from itertools import pairwise

import pytest

from citadels_lan.engine import EDITIONS, TableConfig, Unplayable, new_table
from citadels_lan.engine.events import Built, CharacterCalled, CycleEnded, GameEnded, LapBegan, RoundEnded
from citadels_lan.engine.turn.shared_city import SOONER, names
from tests.effort import one_case
from tests.engine.games import Game

CITTA_COMUNE = EDITIONS["citta_comune"]


@one_case("players", CITTA_COMUNE.players)
def test_all_players_call_in_turn_and_each_character_once_per_cycle(players: int) -> None:
    """Also, no name is built in two parts, and the game ends when enough districts are built (R395, R400,
    R407, R484)."""
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


def test_deck_has_42_names_and_80_cards() -> None:
    """42 names, 80 cards, 18 characters (R425, R426, R477)."""
    deck = Counter(new_table(TableConfig(4, edition=CITTA_COMUNE.key)).deck)
    assert (len(deck), deck.total(), len(CITTA_COMUNE.characters)) == (42, 80, 18)
    by_type = Counter(CITTA_COMUNE.types[key] for key in deck)
    assert by_type == {"noble": 3, "religious": 4, "trade": 6, "military": 4, "unique": 25}
    assert deck["keep"] == 2


@pytest.mark.parametrize("players", [1, 10])
def test_one_or_ten_players_are_rejected(players: int) -> None:
    with pytest.raises(Unplayable):
        new_table(TableConfig(players, edition=CITTA_COMUNE.key))
