"""A process that plays games for `versus`. Each input line is `MEASURE EDITION NUMBER`; each output line has the
seconds of work and the result. PYTHONPATH selects the source tree of the engine. Functions that an older engine
lacks are replaced."""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from time import process_time
from typing import Final

import citadels_lan.engine
from citadels_lan.bots import Policy, make_policy, simulation
from citadels_lan.bots.simulation import play_one
from citadels_lan.engine import RANDOM, State, Table, TableConfig, decisions, from_scenario, go_on, new_table

PLAYERS: Final = 6
COPIED_GAMES: Final = 25
"""Older versions measure the time of state copies in the first games of a run. These games are not used
here."""
AT_A_SMALLER_TABLE: Final = 4
BEFORE: Final = 3
"""Rollouts begin in a state after this many rounds."""
ROLLOUTS: Final = 20

QuickChance: Final = vars(simulation)["QuickChance"]
LISTED: Final = hasattr(citadels_lan.engine, "play_listed")
playing: Final = citadels_lan.engine.play_listed if LISTED else citadels_lan.engine.play_move
playing_on: Final = partial(Table, keeps=False) if LISTED else Table


def game(edition: str, number: int) -> tuple[float, str]:
    """Play a random game with a random cast, without measuring copies."""
    config = from_scenario(RANDOM, PLAYERS, edition_key=edition)
    begin = process_time()
    played = play_one(config, ("random",) * PLAYERS, "versus", COPIED_GAMES + number)
    seconds = process_time() - begin
    return seconds, f"{played.moves} {played.events} {played.scores} {played.winners} {played.error}"


def rollouts(edition: str, number: int) -> tuple[float, str]:
    """Play from the state in the middle of a game to the end of the round, several times, with random
    players. Return the seconds and the results."""
    seconds, ends = _played_on(edition, number, "random")
    return seconds, sha256(repr([_looks(end) for end in ends]).encode()).hexdigest()


def thumb(edition: str, number: int) -> tuple[float, str]:
    """Play the same game as `game`, but with heuristic bots. Their moves differ between revisions, so their
    results are not compared."""
    return _played_on(edition, number, "sensible")[0], ""


def _played_on(edition: str, number: int, level: str) -> tuple[float, list[State]]:
    state = _mid_game(from_scenario(RANDOM, AT_A_SMALLER_TABLE, edition_key=edition), number)
    begin = process_time()
    ends = [_played_out(state, level, f"{number}/{each}") for each in range(ROLLOUTS)]
    return process_time() - begin, ends


def _looks(state: State) -> list[tuple[int, list[str], list[str]]]:
    """Return facts about a state in a form that every revision can compute."""
    return [(player.gold, player.hand, [one.key for one in player.city]) for player in state.players]


def _mid_game(config: TableConfig, number: int) -> State:
    """Return the state of a random game just after the deal of a later round."""
    policy, table = make_policy("random", number), Table(new_table(config), QuickChance(number))
    while table.state.round <= BEFORE and table.state.phase != "over":
        _go(table, policy)
    return table.state


def _played_out(state: State, level: str, seed: str) -> State:
    policy, table = make_policy(level, seed), playing_on(state.copy(), QuickChance(seed))
    while table.state.phase != "over" and table.state.round == state.round:
        _go(table, policy)
    return table.state


def _go(table: Table, policy: Policy) -> None:
    waiting = decisions(table.state)
    if not waiting:
        go_on(table)
        return
    ((seat, choices),) = waiting.items()
    playing(table, seat, policy.choose(table.state, seat, choices))


MEASURES: Final[Mapping[str, Callable[[str, int], tuple[float, str]]]] = {
    "games": game,
    "rollouts": rollouts,
    "thumb": thumb,
}


def main() -> None:
    for line in sys.stdin:
        measure, edition, number = line.split()
        seconds, what = MEASURES[measure](edition, int(number))
        print(f"{seconds} {what}", flush=True)


if __name__ == "__main__":
    main()
