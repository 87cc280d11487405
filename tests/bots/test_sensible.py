"""The sensible bot wins against chance, and does the sensible thing in plain positions."""

from collections.abc import Sequence

import pytest

from citadels_lan.bots import SensiblePolicy
from citadels_lan.bots.simulation import run
from citadels_lan.engine import State, decisions, from_scenario
from citadels_lan.engine.actions import Destroy, Kill, Rob
from citadels_lan.engine.state import District, Player, Step, Turn, view
from tests.facts import FIRST_GAME, standing

RICH = ["manor", "castle", "palace", "temple", "church", "monastery"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "scenario",
    ["first_game", "devious_dignitaries", "illustrious_emissaries", "vicious_nobles"],
)
def test_it_beats_chance(scenario: str) -> None:
    report = run(50, from_scenario(scenario, 4), ("sensible", "random", "random", "random"), seed="duel")
    assert report.errors == []
    assert report.wins[0] > 40


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 7])
def test_it_beats_chance_at_other_tables(players: int) -> None:
    levels = ("random",) * (players - 1) + ("sensible",)
    report = run(40, from_scenario("first_game", players), levels, seed="tables")
    assert report.wins[-1] > 32


def city(*keys: str) -> list[District]:
    return [standing(key) for key in keys]


def table(
    character: str,
    *players: Player,
    gathered: bool = True,
    rank: int = 0,
    used: Sequence[str] = (),
    faceup: Sequence[str] = (),
) -> State:
    """A turn of seat 0 as `character`; the other seats hold something nobody has revealed."""
    seats = [*players, *(Player(gold=2, hand=["tavern"]) for _ in range(4 - len(players)))]
    for seat, player in enumerate(seats):
        player.concealed = [] if seat == 0 else player.concealed or ["bishop"]
    seats[0].revealed = [character]
    return State(
        edition="2016", cast=FIRST_GAME, districts=(), players=seats, deck=["market"] * 20, round=3, phase="turns",
        rank=rank or FIRST_GAME.index(character) + 1, faceup=list(faceup),
        turn=Turn(0, character, gathered=gathered, used=list(used)),
    )  # fmt: skip


def chosen(state: State, seat: int = 0) -> str:
    """What the bot does in a seat."""
    known = view(state, seat)
    return str(SensiblePolicy(1).choose(known, seat, decisions(known)[seat]))


def test_it_completes_its_city() -> None:
    me = Player(gold=5, hand=["tavern", "town_hall"], city=city(*RICH))
    assert chosen(table("merchant", me, used=["income", "bonus"])) == "build town_hall"


def test_it_finishes_with_the_cards_it_can_pay() -> None:
    me = Player(gold=3, hand=["tavern", "docks", "watchtower"], city=city(*RICH[:5]))
    state = table("architect", me, used=["bonus"])
    assert chosen(state) in ("build tavern", "build watchtower")


def test_without_anything_to_build_it_draws() -> None:
    me = Player(gold=6, hand=["manor"], city=city("manor"))
    assert chosen(table("bishop", me, gathered=False)) == "gather cards"


def test_with_a_dear_card_it_takes_gold() -> None:
    me = Player(gold=3, hand=["palace", "tavern", "church"])
    assert chosen(table("warlord", me, gathered=False)) == "gather gold"


def test_it_takes_its_income_when_it_needs_it_to_build() -> None:
    me = Player(gold=2, hand=["palace"], city=city("market", "tavern", "docks"))
    state = table("merchant", me, used=["bonus"])
    assert chosen(state) == "income"


def test_it_builds_first_what_adds_to_its_income() -> None:
    me = Player(gold=2, hand=["market"], city=city("tavern"))
    assert chosen(table("merchant", me, used=["bonus"])) == "build market"


def test_it_keeps_what_it_can_use() -> None:
    me = Player(gold=4, hand=["tavern"], city=city("manor", "church"))
    state = table("king", me)
    state.steps = [Step("keep", 0, ("manor", "castle"), why="gather")]
    assert chosen(state) == "keep castle"


def test_it_robs_somebody_rich_who_may_be_in_play() -> None:
    rich = Player(gold=9, concealed=["architect"])
    state = table("thief", Player(), rich, faceup=["merchant", "king"], gathered=False)
    state.players[0].seen = [("thief", "architect", "bishop")]
    for _ in range(5):
        action = SensiblePolicy(3).choose(view(state, 0), 0, decisions(state)[0])
        assert isinstance(action, Rob)
        assert action.character not in ("merchant", "king", "assassin")


def test_it_kills_a_character_that_somebody_may_hold() -> None:
    state = table("assassin", Player(), faceup=["merchant", "warlord"], gathered=False)
    action = SensiblePolicy(3).choose(view(state, 0), 0, decisions(state)[0])
    assert isinstance(action, Kill)
    assert action.character not in ("merchant", "warlord")


def test_it_stops_whoever_is_about_to_finish() -> None:
    near = Player(gold=4, hand=["palace"], city=city("tavern", *RICH[:5]), revealed=["merchant"])
    state = table("warlord", Player(gold=4, hand=["fortress"], city=city("prison")), near, used=["income"])
    action = SensiblePolicy(2).choose(view(state, 0), 0, decisions(state)[0])
    assert isinstance(action, Destroy)
    assert action.target.seat == 1


def test_it_never_destroys_its_own() -> None:
    state = table("warlord", Player(gold=9, city=city("tavern", "temple")), used=["income"])
    assert chosen(state) == "end"


def test_it_sells_a_card_it_cannot_build() -> None:
    me = Player(gold=1, hand=["laboratory", "palace"], city=city("laboratory"))
    assert chosen(table("bishop", me)) == "laboratory laboratory"


def test_it_swaps_an_empty_hand_for_a_full_one() -> None:
    full = Player(gold=2, hand=["castle", "palace", "docks", "harbor", "church"])
    assert chosen(table("magician", Player(gold=4), full, gathered=False)) == "swap b"


def test_with_one_choice_it_does_not_think() -> None:
    me = Player(gold=0, city=city("manor"))
    assert chosen(table("bishop", me, used=["income"])) == "end"


def test_what_ends_a_turn_comes_after_everything_else() -> None:
    """In the classic edition nothing is built once the Warlord has destroyed, however urgent that is."""
    nearly = Player(gold=2, hand=["tavern"], city=city(*RICH, "docks"))
    state = table("warlord", Player(gold=6, hand=["market"], city=city("watchtower")), nearly)
    state.edition = "classic"
    assert chosen(state) == "income"
    assert state.turn is not None
    state.turn.used.append("income")
    assert chosen(state) == "build market"
    state.players[0].hand = []
    assert chosen(state).startswith("destroy b.")


@pytest.mark.parametrize(("card", "answer"), [("university", "graveyard yes"), ("temple", "graveyard no")])
def test_the_graveyard_takes_what_can_be_built_again(card: str, answer: str) -> None:
    owner = Player(gold=6, city=city("temple"))
    state = table("warlord", Player(), owner)
    state.edition = "classic"
    state.steps = [Step("graveyard", 1, card=card)]
    assert chosen(state, 1) == answer
