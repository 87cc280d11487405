"""Games played step by step without network and screen, and rollouts (games played on) to the end of a round
or a turn."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final, TypeVar

from citadels_lan.bots.policy import Policy, tell
from citadels_lan.engine import Action, State, Table, decisions, go_on, play_listed, redact, view

T = TypeVar("T")

Watch = Callable[[State, int, str], None]
"""A function that is called with each move before it is made: the state, the seat, and the line of notation.
"""

TABLE: Final = "the table"
"""Yielded by `steps` in place of a verb when the table acts by itself."""
ENDLESS: Final = 20_000
"""After this many moves a game is abandoned and counts as stuck."""


class QuickChance:
    """Fast chance that depends on a seed. Players cannot check it, so it is only for games without opponents
    who must trust it."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        shuffled = list(items)
        self._random.shuffle(shuffled)
        return shuffled

    def pick(self, label: str, items: Sequence[T]) -> T:
        return items[int(self._random.random() * len(items))]


def steps(
    table: Table, policies: Sequence[Policy], listeners: Mapping[int, Policy], watch: Watch | None = None
) -> Iterator[str]:
    """Play a game step by step. Yield the verb of each move, and TABLE when the table has acted by itself.
    Stop when the game is over, when no seat can move, or after ENDLESS moves. `listeners` are the policies
    that receive events, by seat."""
    moves = 0
    while table.state.phase != "over" and moves <= ENDLESS:
        state = table.state
        table.events.clear()
        before = state.copy() if listeners else state
        waiting = decisions(state)
        if waiting:
            ((seat, choices),) = waiting.items()
            if not choices:
                return
            policy = policies[seat]
            action = policy.choose(state if policy.ignores_view else view(state, seat), seat, choices)
            if watch is not None:
                watch(state, seat, str(action))
            play_listed(table, seat, action)
            moves += 1
            line = action.verb
        else:
            tick = state.tick
            go_on(table)
            if state.tick == tick:
                return
            line = TABLE
        for listening, listener in listeners.items():
            tell(listener, view(before, listening), [redact(event, listening) for event in table.events])
        yield line


FAR: Final = 2_000
"""A rollout stops after this many moves."""


def play_on(world: State, seat: int, action: Action, players: Sequence[Policy], seed: int, far: bool) -> State:
    """Return the state after the move `action` of `seat` and the moves of `players` that follow. These
    policies see the full state. If `far`, they play to the end of the round, otherwise to the end of the
    seat's turn. `world` does not change."""
    table = Table(world.copy(), QuickChance(seed))
    play_listed(table, seat, action)
    state = table.state
    for _ in range(FAR):
        if not far and (state.turn is None or state.turn.seat != seat):
            break
        waiting = decisions(state)
        if not waiting:
            break
        mover, choices = next(iter(waiting.items()))
        play_listed(table, mover, players[mover].choose(state, mover, choices))
    return state
