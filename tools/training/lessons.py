"""Training examples from positions: the table at the end of a round, and who won the game.

Heuristic bots build whatever they can, so a player with gold left was lucky, and a fit would overrate gold.
So all players sometimes move at random, and the results of these moves show what gold is really worth. Bots
that search play more varied moves, and hardly need random ones.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

from citadels_lan.bots.at_random import RandomPolicy
from citadels_lan.bots.policy import Policy, tell
from citadels_lan.bots.search.value import progress, standings
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.engine import State, Table, TableConfig, decisions, go_on, new_table, play_move, redact, view

Lesson: TypeAlias = tuple[float, list[list[float]], list[float]]
"""A training example: the progress of the game from 0 to 1, the features of every seat, and each seat's share
of the victory."""
STRAYING: Final = 0.2
"""The share of random moves in games of heuristic bots."""
MOST_MOVES: Final = 10_000
"""A game with more moves is not used."""


def lessons(config: TableConfig, players: Sequence[Policy], seed: str, straying: float = STRAYING) -> list[Lesson]:
    """Play one game in which the share `straying` of the moves is random. Return a training example for the
    end of each round. A player that ignores events gets the complete state instead of a view, as in a sampled
    state."""
    table = Table(new_table(config), QuickChance(seed))
    state, random = table.state, Random(f"straying of {seed}")
    astray = RandomPolicy(random.getrandbits(32))
    listening = {seat: player for seat, player in enumerate(players) if not player.ignores_events}
    ends: list[tuple[float, list[list[float]]]] = []
    for _ in range(MOST_MOVES):
        before = state.copy() if listening else state
        waiting = decisions(state)
        if waiting:
            seat, choices = next(iter(waiting.items()))
            known = view(state, seat) if seat in listening else state
            player = astray if random.random() < straying else players[seat]
            play_move(table, seat, player.choose(known, seat, choices))
        elif state.phase == "over":
            break
        else:
            if state.phase == "between":
                ends.append((progress(state), standings(state)))
            go_on(table)
        for seat, listener in listening.items():
            tell(listener, view(before, seat), [redact(event, seat) for event in table.events])
        table.events.clear()
    parts = _parts(state)
    return [(done, features, parts) for done, features in ends]


def _parts(state: State) -> list[float]:
    return [(seat in state.winners) / max(1, len(state.winners)) for seat in range(len(state.players))]
