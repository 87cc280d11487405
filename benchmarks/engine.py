"""Benchmarks of the engine and the bots: whole games in one process, and copies of a state."""

from collections.abc import Iterator
from itertools import product
from statistics import median
from time import perf_counter, process_time
from typing import Final

from citadels_lan.bots import make_policy
from citadels_lan.bots.simulation import play_one, run
from citadels_lan.bots.stepping import QuickChance, steps
from citadels_lan.engine import (
    EDITIONS,
    RANDOM,
    State,
    Table,
    TableConfig,
    decisions,
    from_scenario,
    new_table,
    view,
)

from .figure import Figure

TITLE = "Engine and bots (one process)"
GAMES = 120
FIRST: Final = from_scenario("first_game", 6)
COMPARED: Final = (("Città Comune", "citta_comune", 1 / 3), ("classic", "classic", None))
"""For each edition: its name, its key, and its lowest allowed speed as a share of the speed of 2016 (None: no
limit)."""
TRIES: Final = 3
COPIED_GAMES: Final = 25
COPIES: Final = 400
MIDDLE: Final = 6
"""The state that is copied is the one at the beginning of this round."""


def figures() -> Iterator[Figure]:
    for players in (2, 4, 7):
        report = run(GAMES, from_scenario("first_game", players), seed="bench")
        yield Figure(f"random games, {players} players", report.games_per_second, "games/s")
        yield Figure(f"random moves, {players} players", report.moves_per_second, "moves/s")
        yield Figure(f"copy of a state in mid-game, {players} players", _copy_microseconds(players), "µs")
    for edition in EDITIONS:
        report = run(GAMES, from_scenario(RANDOM, 6, edition_key=edition), seed="bench")
        yield Figure(f"random games, {edition}, 6 players", report.games_per_second, "games/s")
        yield Figure(f"random moves, {edition}, 6 players", report.moves_per_second, "moves/s")
    yield from _against_the_first_game()
    report = run(GAMES // 4, from_scenario("first_game", 4), ("sensible",) * 4, seed="bench")
    yield Figure("sensible games, 4 players", report.games_per_second, "games/s")
    times = sorted(_decision_times())
    yield Figure("a sensible decision, median", median(times) * 1e3, "ms", most=2)
    yield Figure("a sensible decision, 99 % below", times[len(times) * 99 // 100] * 1e3, "ms")


def _copy_microseconds(players: int) -> float:
    """Return the median time to copy the state of a game at the beginning of round 6, in µs."""
    times = []
    for number in range(COPIED_GAMES):
        table = Table(new_table(from_scenario("first_game", players)), QuickChance(number))
        bots = [make_policy("random", f"{number}/{seat}") for seat in range(players)]
        for _ in steps(table, bots, {}):
            if table.state.round == MIDDLE:
                break
        begin = process_time()
        for _ in range(COPIES):
            table.state.copy()
        times.append((process_time() - begin) / COPIES)
    return median(times) * 1e6


def _against_the_first_game() -> Iterator[Figure]:
    """Return for other editions their speed: how many of their random games take as long as one game with the
    2016 cards of the first game. The games alternate, so that other load on the machine slows all of them
    down."""
    tables = [FIRST, *(from_scenario("first_game", 6, edition_key=key) for _, key, _ in COMPARED)]
    seconds = [0.0] * len(tables)
    for number in range(GAMES):
        best = [float("inf")] * len(tables)
        for _, (place, table) in product(range(TRIES), enumerate(tables)):
            best[place] = min(best[place], _game_time(table, number))
        seconds = [sum(both) for both in zip(seconds, best, strict=True)]
    for (name, _, least), needed in zip(COMPARED, seconds[1:], strict=True):
        yield Figure(f"{name} against the first game of 2016, 6 players", seconds[0] / needed, "", least=least)


def _game_time(table: TableConfig, number: int) -> float:
    """Return the processor time in seconds of the random game with this number."""
    begin = process_time()
    play_one(table, ("random",) * table.players, "bench", number)
    return process_time() - begin


def _decision_times() -> Iterator[float]:
    """Yield the seconds that the sensible bot needs for each decision of some games."""
    positions: list[tuple[State, int]] = []

    def watch(state: State, seat: int, line: str) -> None:
        positions.append((view(state, seat), seat))

    for number in range(10):
        play_one(from_scenario("vicious_nobles", 6), ("sensible",) * 6, "bench", number, watch)
    policy = make_policy("sensible", 1)
    for known, seat in positions:
        choices = decisions(known)[seat]
        begin = perf_counter()
        policy.choose(known, seat, choices)
        yield perf_counter() - begin
