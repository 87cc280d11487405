"""A world played on to the end of its round, or of a turn."""

from collections.abc import Sequence
from typing import Final

from citadels_lan.bots.policy import Policy
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.engine import State, Table, decisions, play_listed
from citadels_lan.engine.action import Action

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
