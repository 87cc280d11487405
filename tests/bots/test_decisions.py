"""Bots decide as their golden games say, use only their own view, and stronger levels win more games."""

import json
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from citadels_lan.bots import LEVELS, RandomPolicy, SensiblePolicy, SkippingPolicy, make_policy
from citadels_lan.bots.at_random import deal_at_random
from citadels_lan.bots.heuristics.mind import holders, open_characters
from citadels_lan.bots.heuristics.values import TASTES, Taste
from citadels_lan.bots.levels import PLAIN_LEVELS, TASTEFUL_LEVELS
from citadels_lan.bots.policy import Forgetful
from citadels_lan.bots.search.reviews import SEEN, Decision, Reason, RoundEnd, Weighed, reason, weigh
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.search.searching import Effort
from citadels_lan.bots.simulation import play_one, run
from citadels_lan.bots.stepping import QuickChance, steps
from citadels_lan.engine import (
    EDITIONS,
    Action,
    Choice,
    Deal,
    Player,
    State,
    Table,
    acting,
    decisions,
    from_scenario,
    new_table,
    parse,
    view,
)
from citadels_lan.engine.actions import End, Gather, Pick
from citadels_lan.engine.cards import in_order
from citadels_lan.engine.choices import Parts
from tests.bots.at_table import building
from tests.bots.goldens import GOLDENS, digest
from tests.bots.situations import in_rounds
from tests.crypto.table import begin
from tests.effort import one_case, quick
from tests.facts import SCENARIOS, first_game

GOLDEN = json.loads(GOLDENS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", quick(GOLDEN, "2016/normal", "dark_city/sensible"))
def test_bot_decisions_match_the_recorded_games(name: str) -> None:
    assert digest(*name.split("/")) == GOLDEN[name], "run make goldens if this is intended"


@one_case("key", EDITIONS)
def test_bot_choice_depends_only_on_its_view(key: str) -> None:
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
def test_sensible_beats_random_in_every_edition(key: str) -> None:
    config = from_scenario("first_game", 4, edition_key=key)
    report = run(30, config, ("sensible", "random", "random", "random"), seed="duel")
    assert report.errors == []
    assert report.wins[0] > 24


@pytest.mark.slow
@pytest.mark.parametrize("key", EDITIONS)
def test_bots_finish_games_with_every_option(key: str) -> None:
    edition = EDITIONS[key]
    for name, values in edition.options.items():
        for value in list(values)[1:]:
            for players in edition.players:
                config = from_scenario("random", players, edition_key=key, options=((name, value),))
                report = run(2, config, ("sensible", *["random"] * (players - 1)), seed=f"{name} {value}")
                assert report.errors == []
                assert report.stuck == 0


def picks(taste: Taste, kind: type[SensiblePolicy]) -> Counter[str]:
    """Return how often each character is picked in six games of four players of this kind and taste."""
    found = Counter[str]()

    def watch(state: State, seat: int, line: str) -> None:
        action = parse(line, seat)
        if isinstance(action, Pick) and len(state.steps[-1].cards) > 3:
            found[action.character] += 1

    for number in range(6):
        table = Table(new_table(first_game(4)), QuickChance(number), keeps=False)
        players = [kind(number + 10 * seat, taste) for seat in range(4)]
        deque(steps(table, players, {}, watch), maxlen=0)
    return found


def positions(players: int) -> Iterator[tuple[State, int]]:
    """Yield (state, seat on turn) for each turn of a game."""
    seen: list[tuple[State, int]] = []

    def watch(state: State, seat: int, line: str) -> None:
        if state.phase == "turns":
            seen.append((state.copy(), seat))

    play_one(first_game(players), ("random",) * players, "guess", 1, watch)
    return iter(seen)


@one_case("players", [2, 4, 5, 6, 7])
def test_chances_of_characters_include_every_holder_and_exclude_known_ones(players: int) -> None:
    for state, seat in positions(players):
        known = view(state, seat)
        chances, possible = holders(known, seat, 0.0), open_characters(known, seat)
        for other, player in enumerate(state.players):
            if other != seat:
                assert all(chances[held].get(other, 0) > 0 for held in player.concealed if held in possible)
        assert not set(chances) & {*state.faceup, *state.players[seat].concealed}
        assert all(sum(seats.values()) <= 1.0 + 1e-9 and seat not in seats for seats in chances.values())


def test_skipping_bot_takes_gold_ends_its_turn_and_answers_no() -> None:
    game, skipping = begin(2, followed=False), SkippingPolicy(1)
    moves: list[str] = []
    while len(moves) < 12:
        if seats := acting(game.state):
            (seat,) = seats
            line = str(skipping.choose(game.state, seat, decisions(game.own_view(seat))[seat]))
            game.make(seat, line)
            moves.append(line.split(" ", maxsplit=1)[0] if line.startswith("pick") else line)
        else:
            game.step()
    assert set(moves) == {"pick", "gather gold", "end"}
    choices = [parse(line, 0) for line in ("confiscate yes", "confiscate no")]
    assert str(skipping.choose(game.state, 0, choices)) == "confiscate no"


def test_every_level_creates_a_bot() -> None:
    assert set(LEVELS) == {*PLAIN_LEVELS, *TASTEFUL_LEVELS}
    assert len(LEVELS) == len(list(LEVELS))
    for name in LEVELS:
        assert callable(make_policy(name, 1).choose)


@one_case("level", TASTEFUL_LEVELS)
@pytest.mark.parametrize("taste", TASTES)
def test_bot_of_each_level_can_have_each_taste(level: str, taste: str) -> None:
    assert f"{level}/{taste}" in LEVELS
    assert type(make_policy(f"{level}/{taste}", 1)) is type(make_policy(level, 1))


@one_case("name", ["", "grandmaster", "hard/", "hard/clever", "sensible/rusher", "/rusher", "hard/rusher/rusher"])
def test_unknown_level_is_rejected(name: str) -> None:
    assert name not in LEVELS
    with pytest.raises(KeyError):
        make_policy(name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["first_game", "random"])
def test_normal_beats_sensible(scenario: str) -> None:
    report = run(120, from_scenario(scenario, 4), ("normal", "sensible", "sensible", "sensible"), seed="duel")
    assert report.wins[0] > 44  # three standard deviations above chance


# The random bot


DRAWS = 6000
STATE = new_table(first_game(4))


def _spread(counts: Counter[str], kinds: int) -> bool:
    """Return whether all `kinds` of outcomes occurred, each within five standard deviations of the expected
    count."""
    share = DRAWS / kinds
    return len(counts) == kinds and all(abs(count - share) < 5 * share**0.5 for count in counts.values())


def test_random_bot_chooses_uniformly() -> None:
    policy = RandomPolicy(1)
    choices = (Gather("gold"), Gather("cards"), End())
    assert _spread(Counter(str(policy.choose(STATE, 0, choices)) for _ in range(DRAWS)), 3)


def test_random_bot_deals_parts_of_different_sizes_uniformly() -> None:
    random = RandomPolicy(4)._random
    pool = ("a", "b", "c", "d")
    seen: list[Parts] = []

    def make(parts: Parts) -> Action:
        seen.append(tuple(in_order(part) for part in parts))
        return End()

    deal = Deal("build", pool, ("with", "lent"), ((0, 2), (1, 2)), make)
    for _ in range(DRAWS):
        deal_at_random(deal, random)
    assert _spread(Counter(map(str, seen)), deal.count())


# Simulations


class Recorder(Forgetful):
    """A policy that records the views that it gets, and then raises an error."""

    ignores_view = False

    def __init__(self) -> None:
        self.shown: list[tuple[State, int]] = []

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self.shown.append((view, seat))
        raise RuntimeError("enough")


def test_simulation_depends_on_its_seed_and_not_on_the_number_of_processes() -> None:
    alone = run(6, first_game(4), seed="same")
    shared = run(6, first_game(4), seed="same", jobs=2)
    assert alone.digest == shared.digest
    assert alone.digest != run(6, first_game(4), seed="other").digest


@one_case("key", SCENARIOS)
@pytest.mark.parametrize("players", quick([2, 3, 5, 8], 3))
def test_sensible_bots_finish_every_scenario(key: str, players: int) -> None:
    report = run(2, from_scenario(key, players, rank_nine=True), ("sensible",) * players, seed=key)
    assert report.errors == []
    assert report.stuck == 0


LITTLE = Effort(trials=24, seconds=60.0)
END = RoundEnd(0.3, 9, 12, 1, 8, 2, 3, 3, 4, 0.0, 0.5, 0.0, 0.0)


def turn() -> State:
    """Return a state in which it is the King's turn, with enough gold for the only district in the hand."""
    return in_rounds("2016", "king", Player(gold=5, hand=["castle", "tavern"]), gathered=True)


def weighed(decision: Decision, also: str = "", effort: Effort = LITTLE) -> list[Weighed]:
    seen, seat = decision.view, decision.seat
    made = parse(also, seat) if also else None
    return weigh(seen, seat, decisions(seen)[seat], decision.memory, effort, 1, made)


def test_best_move_is_first_and_other_values_are_relative_to_it() -> None:
    best, *others = weighed(building()[1])
    assert best.gap == 0
    assert not best.parts
    assert others
    for move in others:
        assert move.gap == pytest.approx(best.chance - move.chance)
        assert sum(move.parts.values()) == pytest.approx(move.gap, abs=1e-9)


def test_evaluation_of_moves_does_not_depend_on_hidden_cards() -> None:
    """Two full states with the same view give the same moves, chances and reasons."""
    state, decision = building()
    other = sample(decision.view, 0, decision.memory, Random(5))
    assert [player.hand for player in other.players] != [player.hand for player in state.players]
    assert weighed(replace(decision, view=view(other, 0))) == weighed(decision)


def test_reason_for_a_move_is_the_largest_difference_with_a_supporting_figure() -> None:
    """Of other players' points, fewer are better."""
    parts = dict.fromkeys(SEEN, 0.0) | {"gold": 0.05, "city": 0.03, "others": 0.02}
    better = RoundEnd(**{**_fields(END), "points": 11})
    assert reason(parts, better, END) == Reason("city", "points", 11, 9)
    soon = RoundEnd(**{**_fields(END), "points": 8, "later": 14})
    assert reason(parts, soon, END) == Reason("city", "later", 14, 12)
    richer = RoundEnd(**{**_fields(better), "gold": 4})
    assert reason(parts, richer, END) == Reason("gold", "gold", 4, 2)
    hindered = RoundEnd(**{**_fields(END), "rival": 6})
    assert reason(parts, hindered, END) == Reason("others", "rival", 6, 8)
    assert reason(parts, END, END) is None
    assert reason({part: -share for part, share in parts.items()}, richer, END) is None


def _fields(end: RoundEnd) -> dict[str, float]:
    return {name: getattr(end, name) for name in RoundEnd.__struct_fields__}
