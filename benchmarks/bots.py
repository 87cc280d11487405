"""The sensible bot in every edition: its speed, its results against random bots, the number of turns of a
common city, the time to sample a state, and the thinking time of bots that search."""

from collections.abc import Iterator
from random import Random
from statistics import median
from time import process_time

from citadels_lan.bots import make_policy
from citadels_lan.bots.search.memory import Memory
from citadels_lan.bots.search.sampling import sample
from citadels_lan.bots.simulation import play_one, run
from citadels_lan.engine import EDITIONS, Edition, State, TableConfig, decisions, from_scenario, view
from citadels_lan.engine.flow.cycles import Cycles

from .figure import Figure

TITLE = "Sensible bots (one process)"
GAMES = 30
DUELS = 50
SHARE = 60
"""The sensible bot must win more than this percentage of the games against three random bots."""
MOST = 150
"""Sampling a state may take at most this many microseconds."""
THOUGHTS = 40
"""Number of decisions of a game whose time is measured."""
THINKING = {"normal": 1.0, "hard": 300.0}
"""By level of a bot: the milliseconds within which it must make 95 of 100 decisions."""
TURNS = 150
"""With a common city, a game must end after at most this many turns."""


def figures() -> Iterator[Figure]:
    for key in EDITIONS:
        config = from_scenario("first_game", 4, edition_key=key)
        report = run(GAMES, config, ("sensible",) * 4, seed="bench")
        yield Figure(f"{key}: sensible games, 4 players", report.games_per_second, "games/s")
        duel = run(DUELS, config, ("sensible", "random", "random", "random"), seed="bench")
        yield from _worlds(key, config)
        yield Figure(f"{key}: won against three at random", 100 * duel.wins[0] / DUELS, "%", least=SHARE)
        for level, most in THINKING.items():
            yield Figure(f"{key}: {level}, 95 % of decisions below", _thought(config, level), "ms", most=most)
    for edition in EDITIONS.values():
        if isinstance(edition.flow, Cycles):
            yield from _lengths(edition)


def _thought(config: TableConfig, level: str) -> float:
    """Return the 95th percentile of the processor time, in milliseconds, that a bot of this level needs for a
    decision of a game."""
    asked: list[tuple[State, int]] = []

    def watch(state: State, seat: int, line: str) -> None:
        if len(decisions(state)[seat]) > 1:
            asked.append((view(state, seat), seat))

    play_one(config, ("sensible",) * config.players, "bench", 1, watch)
    policy, taken = make_policy(level, 1), list[float]()
    for known, seat in asked[:: max(1, len(asked) // THOUGHTS)]:
        begin = process_time()
        policy.choose(known, seat, decisions(known)[seat])
        taken.append(process_time() - begin)
    return sorted(taken)[len(taken) * 95 // 100] * 1e3


def _worlds(key: str, config: TableConfig) -> Iterator[Figure]:
    """Return two figures: the time to sample a state, at the decisions of a game, and this time as a multiple
    of the time to copy a state."""
    known: list[tuple[State, int]] = []

    def watch(state: State, seat: int, line: str) -> None:
        known.append((view(state, seat), seat))

    play_one(config, ("sensible",) * config.players, "bench", 0, watch)
    memory, random = Memory(), Random(1)
    begin = process_time()
    for shown, seat in known:
        sample(shown, seat, memory, random)
    drawn = process_time()
    for shown, _ in known:
        shown.copy()
    copied = process_time() - drawn
    yield Figure(f"{key}: a world, {config.players} players", (drawn - begin) / len(known) * 1e6, "µs", most=MOST)
    yield Figure(f"{key}: a world, in copies of a state", (drawn - begin) / copied, "copies")


def _lengths(edition: Edition) -> Iterator[Figure]:
    """Return the number of turns of a game, including extra turns, for every number of players and every
    value of an option."""
    chosen = [((name, value),) for name, values in edition.options.items() for value in list(values)[1:]]
    for options in ((), *chosen):
        for players in edition.players:
            config = from_scenario("first_game", players, edition_key=edition.key, options=options)
            turns = [_turns(config, number) for number in range(GAMES)]
            named = f"{edition.key}{''.join(f' {name} {value}' for name, value in options)}, {players} players"
            yield Figure(f"{named}: turns, least", min(turns))
            yield Figure(f"{named}: turns, median", median(turns))
            yield Figure(f"{named}: turns, most", max(turns), most=TURNS)


def _turns(config: TableConfig, number: int) -> int:
    """Return the turns of a game of sensible bots; a large number if it does not end."""
    turns = 0

    def watch(state: State, seat: int, line: str) -> None:
        nonlocal turns
        turns = (state.round - 1) * config.players + state.calls

    game = play_one(config, ("sensible",) * config.players, "bench", number, watch)
    return turns if game.scores else 10 * TURNS
