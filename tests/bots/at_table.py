"""Moments of whole games that bots have played: real tables, of which there are worlds."""

from functools import cache

from citadels_lan.bots import SensiblePolicy
from citadels_lan.bots.search.memory import Memory, remember
from citadels_lan.bots.search.reviews import Decision
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.engine import (
    RANDOM,
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
    """The turn of seat 0 in this round or a later one, gathered, with so many districts that it may build: the
    full state, and the decision as the seat meets it, with its turn ended as the move it made."""
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


@cache
def without_a_card(gold: int) -> Decision:
    """Seat 0 of a classic game, an Assassin of round 4 who kills nobody, with so much gold and an empty hand. It
    gathers gold."""
    table = Table(new_table(from_scenario(RANDOM, 4, edition_key="classic")), QuickChance(1))
    bots = [SensiblePolicy(seat) for seat in range(4)]
    while True:
        waiting = decisions(table.state)
        if not waiting:
            go_on(table)
            continue
        ((seat, choices),) = waiting.items()
        if seat == 0 and table.state.round == 4 and any(choice.verb == "gather" for choice in choices):
            break
        play_move(table, seat, bots[seat].choose(view(table.state, seat), seat, choices))
    state, me = table.state, table.state.players[0]
    assert state.turn is not None
    state.turn.used = ["kill"]
    state.deck, me.hand, me.gold = [*state.deck, *me.hand], [], gold
    return Decision(7, 0, view(state, 0), Memory(), "gather gold")
