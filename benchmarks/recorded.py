"""A recorded game that a screen receives one entry at a time."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from msgspec.structs import replace

from citadels_lan.bots import make_policy
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import Event, TableConfig, advance, decide, decisions, evolve, new_table, redact, view
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Happened, TableView, Update
from citadels_lan.net.wire.messages import Seat, Settings

NAMES = ("Ada", "Massimiliano", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Greta", "Hugo")


class Recorded(Session):
    """The session of seat 0 in a game of sensible bots. `tell` applies the next entry; False at the end."""

    def __init__(self, config: TableConfig, seed: int = 1) -> None:
        names = NAMES[: config.players]
        beginning = view(new_table(config), 0)
        self._table = TableView(
            status="playing",
            seat=0,
            names=names,
            lobby=tuple(Seat(name, SeatKind.BOT, ready=True) for name in names),
            settings=Settings(config),
            state=beginning,
            beginning=beginning,
        )
        self._entries = list(_play(config, seed))
        self._shown_entries = 0
        self._queue: asyncio.Queue[Update] = asyncio.Queue()
        self.tell()  # the deal: a screen begins with a table in play

    @property
    def table(self) -> TableView:  # type: ignore[override]  # the session has an attribute here
        return self._table

    @property
    def past(self) -> Sequence[Update]:
        return ()

    def tell(self) -> bool:
        if self._shown_entries == len(self._entries):
            return False
        seat, line, events = self._entries[self._shown_entries]
        self._shown_entries += 1
        told = tuple(redact(event, 0) for event in events)
        state = self._table.state
        assert state is not None
        state = evolve(state, *told)
        self._table = replace(self._table, state=state, choices=decisions(state).get(0, ()))
        self._queue.put_nowait(Happened(self._shown_entries, seat, line, told))
        return True

    async def heard(self) -> None:
        """Wait until the screen has handled all entries so far."""
        await self._queue.join()

    async def updates(self) -> AsyncIterator[Update]:
        while True:
            yield await self._queue.get()
            self._queue.task_done()

    async def leave(self) -> None: ...


def _play(config: TableConfig, seed: int) -> list[tuple[int | None, str | None, list[Event]]]:
    chance = QuickChance(seed)
    policies = [make_policy("sensible", f"{seed}/{seat}") for seat in range(config.players)]
    state = new_table(config)
    entries: list[tuple[int | None, str | None, list[Event]]] = []
    while state.phase != "over":
        waiting = decisions(state)
        if waiting:
            ((seat, choices),) = waiting.items()
            action = policies[seat].choose(view(state, seat), seat, choices)
            entries.append((seat, str(action), decide(state, seat, action, chance)))
        else:
            entries.append((None, None, advance(state, chance)))
        for event in entries[-1][2]:
            state = evolve(state, event)
    return entries
