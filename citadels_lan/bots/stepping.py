"""Games played step by step without network and screen, and rollouts to the end of a round or a turn."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeVar

from citadels_lan.bots.policy import Policy, tell
from citadels_lan.engine import Event, State, Table, decisions, go_on, play_listed, redact, view
from citadels_lan.engine.action import Action

T = TypeVar("T")

Watch = Callable[[State, int, str], None]
"""Told of each move before it is made: the state, the seat, the line of notation."""


class QuickChance:
    """Chance from a seed: quick, and good enough where nobody has to trust anybody."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        shuffled = list(items)
        self._random.shuffle(shuffled)
        return shuffled

    def pick(self, label: str, items: Sequence[T]) -> T:
        return items[int(self._random.random() * len(items))]


def step(
    table: Table, policies: Sequence[Policy], listeners: dict[int, Policy], watch: Watch | None
) -> tuple[str, int]:
    """One move, or what the table does by itself: what was done (nothing if it is stuck), and how many moves."""
    state = table.state
    table.events.clear()
    before = state.copy() if listeners else state
    waiting = decisions(state)
    if not waiting:
        tick = state.tick
        go_on(table)
        _tell(listeners, before, table.events)
        return ("the table" if state.tick != tick else "", 0)
    ((seat, choices),) = waiting.items()
    if not choices:
        return ("", 0)
    policy = policies[seat]
    action = policy.choose(state if policy.blind else view(state, seat), seat, choices)
    if watch is not None:
        watch(state, seat, str(action))
    play_listed(table, seat, action)
    _tell(listeners, before, table.events)
    return (action.verb, 1)


def _tell(listeners: dict[int, Policy], before: State, events: Sequence[Event]) -> None:
    for seat, policy in listeners.items():
        tell(policy, view(before, seat), [redact(event, seat) for event in events])


ENDLESS: Final = 2_000
"""A round with more moves than this goes nowhere."""


def play_on(world: State, seat: int, action: Action, players: Sequence[Policy], seed: int, far: bool) -> State:
    """The world after `action` of `seat` and what these players, who see all of it, make of the rest of the round,
    or where it is not to go so `far`, of the turn of `seat`; `world` itself stays as it is."""
    table = Table(world.copy(), QuickChance(seed))
    play_listed(table, seat, action)
    state = table.state
    for _ in range(ENDLESS):
        if not far and (state.turn is None or state.turn.seat != seat):
            break
        waiting = decisions(state)
        if not waiting:
            break
        mover, choices = next(iter(waiting.items()))
        play_listed(table, mover, players[mover].choose(state, mover, choices))
    return state
