"""The sensible bot in a city that everybody builds: trade, the race for the names, the Bell Tower, victims."""

from random import Random

import pytest

from citadels_lan.bots import SensiblePolicy
from citadels_lan.bots.heuristics.mind import callers
from citadels_lan.bots.heuristics.values import PLAIN
from citadels_lan.bots.search.searching import candidates
from citadels_lan.bots.simulation import play_one
from citadels_lan.engine import EDITIONS, Player, State, decisions, from_scenario, view
from citadels_lan.engine.actions import Kill, Rob
from citadels_lan.engine.state import Auction, Step
from tests.effort import one_case

from .situations import CITTA_COMUNE, chosen, city, common

NAMES = list(CITTA_COMUNE.districts)
CHEAP = ["tavern", "temple", "watchtower", "church", "market", "prison"]


def test_it_sells_what_stands_already() -> None:
    state = common("navigator", Player(gold=4, hand=["market"]), Player(city=city("market")), used=["bonus"])
    assert chosen(state) == "sell market"


def test_it_sells_what_is_of_no_use_to_pay_for_a_build() -> None:
    me = Player(gold=4, hand=["palace", "market", "market"])
    state = common("assassin", me, Player(city=city("market")), used=["kill"])
    assert chosen(state) == "sell market"
    me.gold, me.hand = 5, ["palace", "market"]
    assert chosen(state) == "build palace"


def test_a_second_copy_is_of_no_use_and_the_first_one_is() -> None:
    state = common("navigator", Player(gold=1, hand=["palace", "palace"]), used=["bonus"])
    assert chosen(state) == "sell palace"
    state.players[0].hand = ["palace"]
    assert chosen(state) == "end"
    state.players[0].hand, state.players[0].city = ["palace", "palace"], city("quarry")
    assert chosen(state) == "end"


def test_it_does_not_sell_what_counts_in_the_hand() -> None:
    me = Player(gold=1, hand=["market"], city=city("map_room"))
    state = common("navigator", me, Player(city=city("market")), used=["bonus"])
    assert chosen(state) == "end"


def test_it_offers_what_somebody_rich_needs_more() -> None:
    rich = Player(gold=12, city=city(*CHEAP))
    me = Player(gold=0, hand=["university", "park", "factory", "dragon_gate"])
    state = common("navigator", me, rich, used=["bonus"])
    assert chosen(state) in ("offer university from 4", "offer dragon_gate from 4")


@pytest.mark.parametrize("rich", [Player(gold=3), Player(gold=12, hand=["manor"] * 5)])
def test_it_offers_nothing_that_the_bank_pays_as_well(rich: Player) -> None:
    state = common("navigator", Player(gold=0, hand=["manor"]), rich, used=["bonus"])
    assert chosen(state) == "end"


def auction(card: str, bid: int, me: Player, seller: Player) -> State:
    """Seat 1 is asked for more than a bid of seat 2."""
    state = common("navigator", seller, me, used=["bonus"])
    state.auction = Auction(0, card, 1, bid, 2 if bid else None)
    state.steps = [Step("bid", 1, other=0, card=card)]
    return state


def test_it_bids_as_little_as_possible_and_not_more_than_a_card_is_worth() -> None:
    bids = [chosen(auction("university", n, Player(gold=12), Player(hand=["university"])), 1) for n in range(12)]
    most = bids.index("pass")
    assert bids == [*(f"bid {n + 1}" for n in range(most)), *["pass"] * (12 - most)]
    assert 2 < most < 8


def test_for_what_it_cannot_build_it_bids_less_than_the_bank_pays() -> None:
    me = Player(gold=12, hand=["market"])
    seller = Player(hand=["palace"], city=city("palace"))
    assert chosen(auction("palace", 0, me, seller), 1) == "bid 1"
    assert chosen(auction("palace", 2, me, seller), 1) == "pass"


def test_the_first_district_of_the_last_type_is_worth_more_than_its_cost() -> None:
    me = Player(gold=5, hand=["palace", "church"], city=city("manor", "market", "prison", "keep"))
    assert chosen(common("assassin", me, used=["kill"])) == "build church"


def nearly(lead: int) -> State:
    """All but the Church stand, which I can build; I have most districts, and am so many points ahead."""
    names = [name for name in NAMES if name != "church"]
    me = Player(gold=2, hand=["church"], city=city(*names[:24]))
    state = common("assassin", me, Player(city=city(*names[24:])), Player(), used=["kill"])
    mine, theirs, _ = (score.total for score in CITTA_COMUNE.scores(state))
    me.points = theirs - mine + lead
    return state


def test_it_ends_the_game_when_it_is_ahead() -> None:
    assert chosen(nearly(0)) == "build church"


def test_it_waits_with_the_end_while_cycles_bring_it_nearer() -> None:
    assert chosen(nearly(-6)) == "end"
    assert chosen(nearly(-60)) == "build church"


@pytest.mark.parametrize(("behind", "move"), [(0, "turn bell_tower"), (200, "end")])
def test_it_turns_the_bell_tower_when_it_is_ahead(behind: int, move: str) -> None:
    names = [name for name in NAMES if name != "bell_tower"]
    me = Player(city=city("bell_tower", *names[:18]))
    state = common("navigator", me, Player(city=city(*names[18:26]), points=behind), used=["bonus"])
    assert chosen(state) == move


@pytest.mark.parametrize("character", ["assassin", "thief"])
def test_it_names_somebody_who_is_still_to_be_called(character: str) -> None:
    called = [name for name in CITTA_COMUNE.characters if name not in ("assassin", "thief", "king", "bishop")]
    state = common(character, Player(gold=5), gathered=False, called=called)
    action = SensiblePolicy(1).choose(view(state, 0), 0, decisions(state)[0])
    assert isinstance(action, Kill | Rob)
    assert action.character in {"assassin", "thief", "king", "bishop"} - {character}


def test_who_calls_a_character_is_as_likely_as_the_order_makes_it() -> None:
    called = [name for name in CITTA_COMUNE.characters if name not in ("king", "bishop", "thief", "witch")]
    state = common("witch", Player(), called=called)
    # The next three callers are b, c and a, each as likely to call any of the three.
    assert callers(view(state, 0), 0)["king"] == {1: pytest.approx(1 / 3), 2: pytest.approx(1 / 3)}


@one_case(
    ("character", "mine", "taken"),
    [
        ("warlord", "castle", "destroy b.imperial_treasury"),
        ("diplomat", "castle", "exchange castle for b.imperial_treasury"),
        ("navigator", "armory", "armory b.imperial_treasury"),
    ],
)
def test_who_thinks_ahead_looks_at_the_district_that_brings_most(character: str, mine: str, taken: str) -> None:
    """An Imperial Treasury with 20 gold, which rules of thumb take for a district of its cost."""
    rival = Player(gold=20, city=city("dragon_gate", "palace", "cathedral", "imperial_treasury"))
    state = common(character, Player(gold=9, city=city(mine)), rival, used=["income", "bonus"])
    known = view(state, 0)
    found = candidates(known, 0, decisions(known)[0], Random(1), PLAIN, most=3)
    assert taken in map(str, found)


def test_a_game_of_sensible_bots() -> None:
    game = play_one(from_scenario("first_game", 4, edition_key="citta_comune"), ("sensible",) * 4, "whole", 1)
    assert game.error == ""
    assert game.scores
    assert 40 <= game.rounds * 4 <= 150


@pytest.mark.slow
@one_case("players", EDITIONS["citta_comune"].players, parts=4)
@pytest.mark.parametrize("options", [(), (("starting_gold", 2),)])
def test_every_game_ends_soon(players: int, options: tuple[tuple[str, int], ...]) -> None:
    config = from_scenario("first_game", players, edition_key="citta_comune", options=options)
    games = [play_one(config, ("sensible",) * players, "turns", number) for number in range(5)]
    assert all(game.scores for game in games)
    assert all((game.rounds - 1) * players <= 150 for game in games)
