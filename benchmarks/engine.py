"""The engine and the bots: whole games in one process, copies of a state."""

from collections.abc import Iterator
from statistics import median
from time import perf_counter

from citadels_lan.bots import make_policy
from citadels_lan.bots.simulation import play_one, run
from citadels_lan.engine import EDITIONS, RANDOM, State, decisions, from_scenario, view

from .figure import Figure

TITLE = "Engine and bots (one process)"
GAMES = 120


def figures() -> Iterator[Figure]:
    for players in (2, 4, 7):
        report = run(GAMES, from_scenario("first_game", players), seed="bench")
        yield Figure(f"random games, {players} players", report.games_per_second, "games/s")
        yield Figure(f"random moves, {players} players", report.moves_per_second, "moves/s")
        yield Figure(f"copy of a state in mid-game, {players} players", report.copy_microseconds, "µs")
    for edition in EDITIONS:
        report = run(GAMES, from_scenario(RANDOM, 6, edition_key=edition), seed="bench")
        yield Figure(f"random games, {edition}, 6 players", report.games_per_second, "games/s")
        yield Figure(f"random moves, {edition}, 6 players", report.moves_per_second, "moves/s")
    report = run(GAMES // 4, from_scenario("first_game", 4), ("sensible",) * 4, seed="bench")
    yield Figure("sensible games, 4 players", report.games_per_second, "games/s")
    times = sorted(_decision_times())
    yield Figure("a sensible decision, median", median(times) * 1e3, "ms", most=2)
    yield Figure("a sensible decision, 99 % below", times[len(times) * 99 // 100] * 1e3, "ms")


def _decision_times() -> Iterator[float]:
    """How long the sensible bot thinks about each position of some games."""
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
