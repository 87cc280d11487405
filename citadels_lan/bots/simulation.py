"""Whole games without network and screen, for statistics.

    report = run(100, from_scenario("first_game", 4), seed="any text")
    report.games_per_second, report.stuck, report.errors

Game `i` of a run depends only on the seed and on `i`, so the number of processes does not change the games.
`play_one` plays any of them again.
"""

import hashlib
import statistics
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter

from msgspec import Struct

from citadels_lan.bots.stepping import TABLE, QuickChance, Watch, steps
from citadels_lan.engine import Table, TableConfig, new_table
from citadels_lan.platform.process import end_with_parent

from . import make_policy


class SimulatedGame(Struct, frozen=True):
    """The result of a game. `scores` are the points by seat, empty if the game did not end. `stuck`: it did
    not end. `error` is the error that the engine or a bot raised, "" if none."""

    moves: int
    events: int
    rounds: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    stuck: bool = False
    error: str = ""


class SimulationReport(Struct, frozen=True):
    """The results of a run. `seconds` is the elapsed time of the run. `digest` is a hash of its games: equal
    games have an equal digest."""

    players: int
    levels: tuple[str, ...]
    seconds: float
    games: tuple[SimulatedGame, ...]
    digest: str

    @property
    def moves(self) -> int:
        """The number of moves of all games."""
        return sum(game.moves for game in self.games)

    @property
    def stuck(self) -> int:
        """The number of games that did not end."""
        return sum(game.stuck for game in self.games)

    @property
    def errors(self) -> list[str]:
        """The errors that games raised."""
        return [game.error for game in self.games if game.error]

    @property
    def games_per_second(self) -> float:
        """The number of games played in a second."""
        return len(self.games) / self.seconds

    @property
    def moves_per_second(self) -> float:
        """The number of moves made in a second."""
        return self.moves / self.seconds

    @property
    def wins(self) -> tuple[int, ...]:
        """How many games each seat won. A shared victory counts fully for each winner."""
        return tuple(sum(seat in game.winners for game in self.games) for seat in range(self.players))

    def summary(self) -> dict[str, object]:
        """Return all statistics of the run as plain data."""
        ended = [game for game in self.games if game.scores]
        scores = [score for game in ended for score in game.scores]
        figures: dict[str, object] = {
            "games": len(self.games),
            "players": self.players,
            "bots": list(self.levels),
            "games_per_second": round(self.games_per_second, 2),
            "moves_per_second": round(self.moves_per_second, 1),
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
    """Play game `number` of a run with these levels and this seed. `watch` is called with each move before it
    is made."""
    key = f"{seed}/{number}"
    policies = [make_policy(level, f"{key}/{seat}") for seat, level in enumerate(levels)]
    listeners = {seat: policy for seat, policy in enumerate(policies) if not policy.ignores_events}
    table = Table(new_table(config), QuickChance(key), keeps=bool(listeners))
    moves, line, error = 0, "the deal", ""
    try:
        for line in steps(table, policies, listeners, watch):
            moves += line != TABLE
    except Exception as failure:  # A simulation exists to find errors of the engine and of bots.
        error = f"game {number}, round {table.state.round}, after {line}: {failure!r}"
    state = table.state
    over = state.phase == "over" and not error
    totals = tuple(score.total for score in state.scores) if over else ()
    return SimulatedGame(
        moves, state.tick, state.round, totals, state.winners if over else (), not (over or error), error
    )


def run(
    games: int, config: TableConfig, levels: Sequence[str] = (), seed: int | str = 0, jobs: int = 1
) -> SimulationReport:
    """Play `games` games in `jobs` processes. `levels` are the levels of the bots by seat; without them all
    are random bots. Raises Unplayable."""
    new_table(config)
    seats = tuple(levels) or ("random",) * config.players
    jobs = max(1, min(jobs, games))
    begin = perf_counter()
    if jobs == 1:
        played = _play_some(config, seats, seed, range(games))
    else:
        with ProcessPoolExecutor(jobs, initializer=end_with_parent) as pool:
            parts = [pool.submit(_play_some, config, seats, seed, range(job, games, jobs)) for job in range(jobs)]
            results = [part.result() for part in parts]
        played = [results[number % jobs][number // jobs] for number in range(games)]
    seconds = perf_counter() - begin
    numbers = [(game.moves, game.events, game.rounds, game.scores, game.winners) for game in played]
    digest = hashlib.sha256(repr(numbers).encode()).hexdigest()[:16]
    return SimulationReport(config.players, seats, seconds, tuple(played), digest)


def _play_some(
    config: TableConfig, levels: tuple[str, ...], seed: int | str, numbers: range
) -> list[SimulatedGame]:
    return [play_one(config, levels, seed, number) for number in numbers]
