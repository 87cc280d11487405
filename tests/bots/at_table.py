"""Positions from whole games played by bots."""

from functools import cache

from citadels_lan.bots import SensiblePolicy
from citadels_lan.bots.search.memory import Memory, remember
from citadels_lan.bots.search.reviews import Decision
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.engine import (
    State,
    Table,
    decisions,
    evolve,
    from_scenario,
    go_on,
    new_table,
    play_move,
    redact,
    view,
)


@cache
def building(least: int = 2, round_: int = 2) -> tuple[State, Decision]:
    """Return a decision in a turn of seat 0 after gathering, in round `round_` or later, with at least
    `least` builds to choose from. The result is the full state, and the decision with "end" as the move made.
    """
    table, memory = Table(new_table(from_scenario("first_game", 4)), QuickChance("at the table 0")), Memory()
    bots = [SensiblePolicy(seat) for seat in range(4)]
    while True:
        table.events.clear()
        before, waiting = table.state.copy(), decisions(table.state)
        if not waiting:
            go_on(table)
        else:
            seat, choices = next(iter(waiting.items()))
            builds = [choice for choice in choices if choice.verb == "build"]
            if seat == 0 and len(builds) >= least and table.state.round >= round_:
                return before, Decision(7, 0, view(before, 0), memory, "end")
            play_move(table, seat, bots[seat].choose(view(table.state, seat), seat, choices))
        known = view(before, 0)
        for event in table.events:
            told = redact(event, 0)
            remember(memory, known, told)
            known = evolve(known, told)
