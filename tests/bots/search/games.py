"""Games with a searching bot, which receives its events."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from citadels_lan.bots import Policy, tell
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.engine import (
    Choice,
    State,
    Table,
    TableConfig,
    decisions,
    go_on,
    new_table,
    play_move,
    redact,
    view,
)

Asked: TypeAlias = tuple[State, int, Sequence[Choice]]


def asked(config: TableConfig, players: Sequence[Policy], seed: str) -> Iterator[Asked]:
    """Play a game. Yield each decision before it is made: the full state, the seat, the choices."""
    table = Table(new_table(config), QuickChance(seed))
    while table.state.phase != "over":
        before = table.state.copy()
        table.events.clear()
        waiting = decisions(table.state)
        if waiting:
            ((seat, choices),) = waiting.items()
            yield before, seat, choices
            play_move(table, seat, players[seat].choose(view(before, seat), seat, choices))
        else:
            go_on(table)
        for seat, policy in enumerate(players):
            if not policy.ignores_events:
                tell(policy, view(before, seat), [redact(event, seat) for event in table.events])
