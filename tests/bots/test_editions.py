"""The sensible bot in the classic edition and in Dark City; in every edition: whole games, and only its view."""

from collections.abc import Sequence

import pytest

from citadels_lan.bots import SensiblePolicy
from citadels_lan.bots.heuristics.mind import holders, open_characters
from citadels_lan.bots.heuristics.turns import TurnMind
from citadels_lan.bots.simulation import play_one, run
from citadels_lan.engine import EDITIONS, Player, State, decisions, from_scenario, view
from citadels_lan.engine.state import Step
from tests.effort import one_case

from .situations import chosen, city, in_rounds

NINE = ["manor", "temple", "church", "monastery", "market", "docks", "harbor", "watchtower", "prison"]


def asked(state: State, step: Step) -> State:
    state.steps = [step]
    return state


def test_it_thanks() -> None:
    state = in_rounds("dark_city", "bishop", Player(), Player(city=city("ballroom")), gathered=False)
    assert chosen(asked(state, Step("thank", 0, other=1))) == "thank yes"


@pytest.mark.parametrize(("card", "given"), [("university", "tribute gold"), ("manor", "tribute manor")])
def test_a_tribute_is_what_it_misses_least(card: str, given: str) -> None:
    heir = Player(gold=5, hand=[card], city=city("manor"))
    state = in_rounds("dark_city", "emperor", Player(), heir, gathered=False)
    assert chosen(asked(state, Step("tribute", 1, other=0)), 1) == given


def test_the_crown_goes_to_whom_it_helps_least() -> None:
    strong, weak = Player(gold=6, city=city(*NINE[:6])), Player(gold=1)
    state = in_rounds("dark_city", "emperor", Player(), Player(city=city("manor")), strong, weak, gathered=False)
    state.crown = 1
    assert chosen(asked(state, Step("crown", 0))) == "crown d"


def test_the_lighthouse_takes_what_is_of_most_use() -> None:
    me = Player(gold=6, hand=["palace"], city=city("lighthouse", "university"))
    cards = ("dragon_gate", "palace", "tavern", "temple", "university")
    state = in_rounds("dark_city", "bishop", me)
    assert chosen(asked(state, Step("lighthouse", 0, cards))) == "lighthouse dragon_gate"


@one_case(("mine", "theirs", "answer"), [(5, 2, "yes"), (2, 5, "no"), (6, 5, "yes"), (5, 7, "no"), (3, 7, "no")])
def test_the_bell_tower_is_announced_when_it_helps(mine: int, theirs: int, answer: str) -> None:
    me, other = Player(city=city("bell_tower", *NINE[:mine])), Player(city=city(*NINE[:theirs]))
    state = in_rounds("dark_city", "bishop", me, other)
    assert chosen(asked(state, Step("bell_tower", 0))) == f"bell_tower {answer}"


def test_the_abbot_takes_the_levy() -> None:
    state = in_rounds("dark_city", "abbot", Player(gold=1), Player(gold=7), gathered=False)
    assert chosen(state) == "levy b"


def test_the_diplomat_exchanges_at_last() -> None:
    me = Player(gold=6, hand=["market"], city=city("tavern", "watchtower"))
    state = in_rounds("dark_city", "diplomat", me, Player(city=city("castle")))
    assert chosen(state) == "income"
    assert state.turn is not None
    state.turn.used.append("income")
    assert chosen(state) == "build market"
    me.hand = []
    assert chosen(state) in ("exchange tavern for b.castle", "exchange watchtower for b.castle")


def test_the_tax_is_a_part_of_the_price() -> None:
    collector = Player(revealed=["tax_collector"])
    state = in_rounds("dark_city", "bishop", Player(gold=5, hand=["palace"]), collector)

    def tax() -> int:
        return TurnMind(view(state, 0), 0, (), SensiblePolicy(1)._random).tax

    assert tax() == 1
    assert state.turn is not None
    state.turn.paid = True
    assert tax() == 0


def test_the_first_to_pick_knows_who_picks_after_it() -> None:
    """Where no character lies face down by chance, the first packet has them all (R346)."""
    config = from_scenario("first_game", 3, edition_key="classic", options=(("first_face_down", "chosen"),))
    seen: list[tuple[State, int]] = []

    def watch(state: State, seat: int, line: str) -> None:
        if state.phase == "turns" and state.rank >= 4 and len(state.players[seat].seen[0]) == 8:
            seen.append((state.copy(), seat))

    play_one(config, ("random",) * 3, "chosen", 1, watch)
    assert seen
    for state, seat in seen:
        known = view(state, seat)
        chances, open_ones = holders(known, seat), open_characters(known, seat)
        for other, player in enumerate(state.players):
            if other != seat:
                assert all(chances[held].get(other, 0) > 0 for held in player.concealed if held in open_ones)


@pytest.mark.parametrize(("key", "players"), [("classic", 7), ("dark_city", 8)])
def test_whole_games(key: str, players: int) -> None:
    config = from_scenario("first_game", players, edition_key=key)
    report = run(1, config, ("sensible",) * players, seed=key)
    assert report.errors == []
    assert report.stuck == 0


@one_case("key", EDITIONS)
def test_it_chooses_by_its_view_alone(key: str) -> None:
    """What is listed for a seat in the full state and in its own view leads to the same move."""
    moves = 0

    def watch(state: State, seat: int, line: str) -> None:
        nonlocal moves
        moves += 1
        if moves % 5 == 0:
            known = view(state, seat)
            listed: Sequence[str] = [
                str(SensiblePolicy(7).choose(known, seat, decisions(table)[seat])) for table in (known, state)
            ]
            assert listed[0] == listed[1]

    game = play_one(from_scenario("first_game", 3, edition_key=key), ("sensible",) * 3, "view", 2, watch)
    assert game.error == ""
    assert moves > 50


@pytest.mark.slow
@pytest.mark.parametrize("key", EDITIONS)
def test_it_beats_chance_in_every_edition(key: str) -> None:
    config = from_scenario("first_game", 4, edition_key=key)
    report = run(30, config, ("sensible", "random", "random", "random"), seed="duel")
    assert report.errors == []
    assert report.wins[0] > 24


@pytest.mark.slow
@pytest.mark.parametrize("key", EDITIONS)
def test_every_option_is_played(key: str) -> None:
    edition = EDITIONS[key]
    for name, values in edition.options.items():
        for value in list(values)[1:]:
            for players in edition.players:
                config = from_scenario("random", players, edition_key=key, options=((name, value),))
                report = run(2, config, ("sensible", *["random"] * (players - 1)), seed=f"{name} {value}")
                assert report.errors == []
                assert report.stuck == 0
