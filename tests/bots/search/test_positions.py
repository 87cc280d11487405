"""Single positions in which it is plain what to do, for those that think ahead."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from citadels_lan.bots.heuristics.values import PLAIN
from citadels_lan.bots.search.searching import MOST, Effort, SearchingPolicy, candidates
from citadels_lan.bots.search.value import all_weights, chances, prospects
from citadels_lan.engine import Player, State, decisions, from_scenario, new_table, view
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Marks, Rob
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Turn
from tests.bots.at_table import without_a_card
from tests.bots.situations import in_rounds
from tests.effort import one_case
from tests.facts import FIRST_GAME, FIRST_GAME_UNIQUES, standing

LITTLE = Effort(trials=160, seconds=60)


def thought_about(state: State) -> list[Action]:
    """What seat 0, which knows no more than its view, finds worth thinking about."""
    known = view(state, 0)
    return candidates(known, 0, decisions(known)[0], Random(1), PLAIN)


def chosen(state: State, seed: int = 1) -> Action:
    """What seat 0 does after some thought."""
    known = view(state, 0)
    return SearchingPolicy(seed, LITTLE).choose(known, 0, decisions(known)[0])


def first_game(
    me: Player,
    *others: Player,
    faceup: Sequence[str],
    facedown: Sequence[str],
    crown: int = 0,
    rank: int = 1,
    turn: Turn,
) -> State:
    """A turn of the round's end, with all cards that are neither in hands nor in cities in the deck."""
    players = [me, *others]
    deck = Counter(new_table(from_scenario("first_game", 4)).deck)
    for player in players:
        deck.subtract([*player.hand, *(district.key for district in player.city)])
    return State(
        edition="2016", cast=FIRST_GAME, districts=FIRST_GAME_UNIQUES, players=players, crown=crown,
        deck=list(deck.elements()), faceup=list(faceup), facedown=list(facedown), picks=4, round=9, phase="turns",
        rank=rank, turn=turn,
    )  # fmt: skip


def test_the_true_warrant_is_thought_about_on_every_character() -> None:
    found = [action for action in thought_about(in_rounds("2016", "magistrate")) if isinstance(action, Marks)]
    pool = [character for character in FIRST_GAME if character != "assassin"]
    assert len({action.chosen for action in found}) == len(pool)


def test_ending_the_turn_and_building_are_thought_about_whatever_else_there_is() -> None:
    """A Warlord with gold for any district of three cities, of which each is a candidate."""
    cities = ("palace", "castle", "harbor", "cathedral", "fortress", "town_hall")
    rich = [Player(city=[standing(key) for key in cities]) for _ in range(3)]
    found = thought_about(in_rounds("2016", "warlord", Player(gold=30, hand=["tavern"]), *rich))
    assert len(found) == MOST
    assert {"end", "build", "destroy"} <= {action.verb for action in found}


@one_case("gold", range(2, 9))
@pytest.mark.parametrize("group", [name for name in all_weights() if not name.startswith("citta_comune")])
def test_who_builds_is_not_worse_off_than_who_keeps_its_gold(group: str, gold: int) -> None:
    """A district and its price, at the end of a round, in a city of three and in one that lacks two."""
    edition, players = group.split("/")
    for city in (("castle", "harbor", "temple"), ("castle", "harbor", "temple", "palace", "docks")):
        own = [standing(key) for key in city]
        built = Player(gold=gold - 2, hand=["palace"], city=[*own, standing("market")])
        kept = Player(gold=gold, hand=["palace", "market"], city=own)
        others = [Player(gold=2, hand=["tavern", "manor"], city=own) for _ in range(int(players) - 1)]
        after = [
            chances(
                State(
                    edition=edition,
                    cast=(),
                    districts=(),
                    deck=[],
                    players=[me, *others],
                    phase="between",
                    round=5,
                )
            )[0]
            for me in (built, kept)
        ]
        assert after[0] >= after[1] - 0.005


@one_case("gold", [6, 8, 12])
def test_gold_enough_and_no_card_is_a_reason_to_draw(gold: int) -> None:
    known = without_a_card(gold).view
    assert str(SearchingPolicy(1, LITTLE).choose(known, 0, decisions(known)[0])) == "gather cards"


def test_nobody_robs_who_surely_has_nothing() -> None:
    """Seat 3 picked before me and is rich; those after me, who have what I passed on, have no gold."""
    packet = ("assassin", "thief", "king", "warlord")
    for seed in range(4):
        state = first_game(
            Player(gold=2, hand=["temple", "palace"], revealed=["thief"], seen=[packet]),
            Player(hand=["tavern"] * 2, concealed=["king"]),
            Player(hand=["tavern"] * 2, concealed=["warlord"]),
            Player(gold=6, hand=["tavern"] * 2, concealed=["merchant"]),
            faceup=("magician", "bishop"), facedown=("architect", "assassin"), crown=3, rank=2,
            turn=Turn(0, "thief", gathered=True),
        )  # fmt: skip
        robbed = chosen(state, seed)
        assert isinstance(robbed, Rob)
        assert robbed.character in ("merchant", "architect")


def about_to_complete(*, gold: int, ahead: bool) -> State:
    """The Merchant's turn after everybody else's, with one district to build; the others are far ahead, or not."""
    packet = ("assassin", "king", "bishop", "merchant", "architect")
    cheap = ("temple", "market", "tavern", "trading_post", "watchtower", "docks")
    dear = ("palace", "castle", "harbor", "cathedral", "fortress", "town_hall")
    mine, theirs = (dear, cheap[:4]) if ahead else (cheap, dear[:5])
    others = [
        Player(gold=1, city=[standing(key) for key in theirs], revealed=[character])
        for character in ("king", "bishop", "architect")
    ]
    return first_game(
        Player(
            gold=gold, hand=["church"], city=[standing(key) for key in mine], revealed=["merchant"], seen=[packet]
        ),
        *others,
        faceup=("thief", "magician"), facedown=("assassin", "warlord"), rank=8,
        turn=Turn(0, "merchant", gathered=True, used=["bonus", "income"]),
    )  # fmt: skip


def test_a_city_is_completed_where_that_wins_and_not_where_it_loses() -> None:
    assert str(chosen(about_to_complete(gold=5, ahead=True))) == "build church"
    assert str(chosen(about_to_complete(gold=5, ahead=False))) == "end"


def test_points_count_also_where_the_victory_is_gone() -> None:
    def lost(points: int) -> float:
        scores = tuple(Score((("districts", each),)) for each in (points, 30, 20, 10))
        players = [Player() for _ in range(4)]
        return prospects(
            State(
                edition="2016",
                cast=(),
                districts=(),
                deck=[],
                players=players,
                phase="over",
                scores=scores,
                winners=(1,),
            )
        )[0]

    assert lost(12) < lost(19) < lost(21) < lost(29) < 0.1
