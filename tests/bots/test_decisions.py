"""Bots decide as before, by their own view alone, and better bots win more games."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from citadels_lan.bots import SensiblePolicy, SkippingPolicy
from citadels_lan.bots.heuristics.mind import holders, open_characters
from citadels_lan.bots.heuristics.values import Taste
from citadels_lan.bots.simulation import play_one, run
from citadels_lan.bots.stepping import QuickChance, step
from citadels_lan.engine import EDITIONS, State, Table, acting, decisions, from_scenario, new_table, parse, view
from citadels_lan.engine.actions import Pick
from tests.crypto.table import begin
from tests.effort import one_case, quick
from tests.facts import first_game

from .goldens import GOLDENS, digest

GOLDEN = json.loads(GOLDENS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", quick(GOLDEN, "2016/normal", "dark_city/sensible"))
def test_decisions_are_the_golden_ones(name: str) -> None:
    assert digest(*name.split("/")) == GOLDEN[name], "run make goldens if this is intended"


@one_case("key", EDITIONS)
def test_choice_depends_only_on_the_view(key: str) -> None:
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
@pytest.mark.parametrize("players", [2, 3, 7])
def test_sensible_beats_random_with_any_number_of_players(players: int) -> None:
    levels = ("random",) * (players - 1) + ("sensible",)
    report = run(40, from_scenario("first_game", players), levels, seed="tables")
    assert report.wins[-1] > 32


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
    """The picks of four players of a taste in six games."""
    found = Counter[str]()

    def watch(state: State, seat: int, line: str) -> None:
        action = parse(line, seat)
        if isinstance(action, Pick) and len(state.steps[-1].cards) > 3:
            found[action.character] += 1

    for number in range(6):
        table = Table(new_table(first_game(4)), QuickChance(number), keeps=False)
        players = [kind(number + 10 * seat, taste) for seat in range(4)]
        while table.state.phase != "over":
            step(table, players, {}, watch)
    return found


def positions(players: int) -> Iterator[tuple[State, int]]:
    """Every turn of a game, with the seat on turn."""
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
        chances, possible = holders(known, seat), open_characters(known, seat)
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
