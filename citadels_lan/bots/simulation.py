"""Whole games without network and screen, for numbers.

    report = run(100, from_scenario("first_game", 4), seed="any text")
    report.games_per_second, report.mean_moves, report.stuck, report.errors

Game `i` of a run depends on the seed and on `i` alone, so that the number of processes changes nothing, and
`play_one` plays any of them again.
"""

import hashlib
import statistics
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter, process_time

from msgspec import Struct

from citadels_lan.bots.stepping import QuickChance, Watch, step
from citadels_lan.engine import State, Table, TableConfig, new_table
from citadels_lan.systems.process import end_with_parent

from . import make_policy

ENDLESS = 20_000
"""A game with more moves than this goes nowhere: it counts as stuck."""
MIDDLE = 6
"""The copied state is the one at the beginning of this round, or the last before it."""
COPIES = 400
COPIED_GAMES = 25
"""Copies are timed in so many games, lest the timing be a part of the figure for speed."""


class SimulatedGame(Struct, frozen=True):
    """One game played: `scores` by seat, empty where it did not end; `error` says what went wrong."""

    moves: int
    events: int
    rounds: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    stuck: bool = False
    error: str = ""
    copies_seconds: float = 0.0


class SimulationReport(Struct, frozen=True):
    """What came of a run. `seconds` is the time that passed; `digest` is the same for the same games."""

    players: int
    levels: tuple[str, ...]
    seconds: float
    games: tuple[SimulatedGame, ...]
    digest: str

    @property
    def moves(self) -> int:
        return sum(game.moves for game in self.games)

    @property
    def stuck(self) -> int:
        return sum(game.stuck for game in self.games)

    @property
    def errors(self) -> list[str]:
        return [game.error for game in self.games if game.error]

    @property
    def games_per_second(self) -> float:
        return len(self.games) / self.seconds

    @property
    def moves_per_second(self) -> float:
        return self.moves / self.seconds

    @property
    def copy_microseconds(self) -> float:
        """The time to copy the state in the middle of a game; the median over the games."""
        return statistics.median(game.copies_seconds for game in self.games[:COPIED_GAMES]) / COPIES * 1e6

    @property
    def wins(self) -> tuple[int, ...]:
        """Games won, by seat; a shared victory counts for each who shares it."""
        return tuple(sum(seat in game.winners for game in self.games) for seat in range(self.players))

    @property
    def scores(self) -> list[int]:
        """Every seat's score of every game that ended."""
        return [score for game in self.games for score in game.scores]

    def summary(self) -> dict[str, object]:
        """The figures as plain data."""
        scores = self.scores
        ended = [game for game in self.games if game.scores]
        figures: dict[str, object] = {
            "games": len(self.games),
            "players": self.players,
            "bots": list(self.levels),
            "games_per_second": round(self.games_per_second, 2),
            "moves_per_second": round(self.moves_per_second, 1),
            "copy_microseconds": round(self.copy_microseconds, 2),
            "stuck": self.stuck,
            "errors": len(self.errors),
            "seconds": round(self.seconds, 3),
            "moves_per_game": round(self.moves / len(self.games), 1),
            "digest": self.digest,
        }
        if ended:
            figures |= {
                "rounds_per_game": round(statistics.fmean(game.rounds for game in ended), 1),
                "score_mean": round(statistics.fmean(scores), 2),
                "score_deviation": round(statistics.pstdev(scores), 2),
                "score_least": min(scores),
                "score_most": max(scores),
                "score_by_seat": [
                    round(statistics.fmean(game.scores[seat] for game in ended), 2) for seat in range(self.players)
                ],
                "wins_by_seat": list(self.wins),
            }
        return figures


def play_one(
    config: TableConfig, levels: Sequence[str], seed: int | str, number: int, watch: Watch | None = None
) -> SimulatedGame:
    """Play game `number` of a run."""
    key = f"{seed}/{number}"
    policies = [make_policy(level, f"{key}/{seat}") for seat, level in enumerate(levels)]
    listeners = {seat: policy for seat, policy in enumerate(policies) if not policy.deaf}
    table = Table(new_table(config), QuickChance(key), keeps=bool(listeners))
    moves = 0
    line = "the deal"
    middle = table.state
    try:
        while table.state.phase != "over":
            line, played = step(table, policies, listeners, watch)
            moves += played
            if not line or moves > ENDLESS:
                return SimulatedGame(moves, table.state.tick, table.state.round, stuck=True)
            if not played and table.state.round <= MIDDLE:
                middle = table.state.copy()
    except Exception as failure:  # whatever the engine or a bot does wrong is what a simulation is there to find
        where = f"game {number}, round {table.state.round}, after {line}"
        return SimulatedGame(moves, table.state.tick, table.state.round, error=f"{where}: {failure!r}")
    state = table.state
    totals = tuple(score.total for score in state.scores)
    return SimulatedGame(
        moves,
        state.tick,
        state.round,
        totals,
        state.winners,
        copies_seconds=_time_copies(middle) if number < COPIED_GAMES else 0.0,
    )


def _time_copies(state: State) -> float:
    begin = process_time()
    for _ in range(COPIES):
        state.copy()
    return process_time() - begin


def run(
    games: int, config: TableConfig, levels: Sequence[str] = (), seed: int | str = 0, jobs: int = 1
) -> SimulationReport:
    """Play `games` games with `jobs` processes. `levels` are the bots by seat; without any, all play at random.
    Raises Unplayable for a table that cannot be."""
    new_table(config)
    seats = tuple(levels) or ("random",) * config.players
    jobs = max(1, min(jobs, games))
    begin = perf_counter()
    if jobs == 1:
        played = _play_some(config, seats, seed, range(games))
    else:
        with ProcessPoolExecutor(jobs, initializer=end_with_parent) as pool:
            parts = [pool.submit(_play_some, config, seats, seed, range(job, games, jobs)) for job in range(jobs)]
            found = [part.result() for part in parts]
        played = [found[number % jobs][number // jobs] for number in range(games)]
    seconds = perf_counter() - begin
    return SimulationReport(config.players, seats, seconds, tuple(played), _digest(played))


def _play_some(
    config: TableConfig, levels: tuple[str, ...], seed: int | str, numbers: range
) -> list[SimulatedGame]:
    return [play_one(config, levels, seed, number) for number in numbers]


def _digest(games: Sequence[SimulatedGame]) -> str:
    """What tells two runs apart: the course of each game in numbers."""
    told = [(game.moves, game.events, game.rounds, game.scores, game.winners) for game in games]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]
