"""A game one step after the other, without network and screen."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from citadels_lan.engine import Event, State, Table, decisions, go_on, play_listed, redact, view

from .policy import Policy, tell

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
