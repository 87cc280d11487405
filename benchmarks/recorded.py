"""A game played beforehand, told to a screen one entry at a time."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from citadels_lan.bots import make_policy
from citadels_lan.bots.stepping import QuickChance
from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine import (
    Action,
    Choice,
    Event,
    State,
    TableConfig,
    advance,
    decide,
    decisions,
    evolve,
    new_table,
    redact,
    view,
)
from citadels_lan.net.client.answers import Held
from citadels_lan.net.client.updates import Happened, PlayAgain, Update
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Seat, Settings

NAMES = ("Ada", "Massimiliano", "Bruno", "Chiara", "Dario", "Elena", "Fabio", "Greta", "Hugo")


class Recorded:
    """Seat 0's session in a game of sensible bots. `tell` lets the next entry happen; False at the end."""

    def __init__(self, config: TableConfig, seed: int = 1) -> None:
        players = config.players
        self.seat: int | None = 0
        self.names = NAMES[:players]
        self.lobby = [Seat(name, SeatKind.BOT, ready=True) for name in self.names]
        self.settings = Settings(config)
        self.owner = False
        self.away: Sequence[int] = ()
        self.waiting: Sequence[int] = ()
        self.ending: Sequence[int] = ()
        self.called_off = 0
        self.substituted: Sequence[int] = ()
        self.called_off = 0
        self.taken_over = False
        self.paused = False
        self.record_closed = False
        self.called_off = 0
        self.halted = ""
        self.transcript: Path | None = None
        self.words: Sequence[str] = ()
        self.past: Sequence[Update] = ()
        self.answer: Held | None = None
        self.again: PlayAgain | None = None
        self.reason: Refusal | None = None
        self._entries = list(_play(config, seed))
        self._told = 0
        self._queue: asyncio.Queue[Update] = asyncio.Queue()
        self.state: State | None = view(new_table(config), 0)
        self.beginning = self.state
        self.tell()  # the deal: a screen begins with a table in play

    def tell(self) -> bool:
        if self._told == len(self._entries):
            return False
        seat, line, events = self._entries[self._told]
        self._told += 1
        told = tuple(redact(event, 0) for event in events)
        for event in told:
            assert self.state is not None
            self.state = evolve(self.state, event)
        self._queue.put_nowait(Happened(self._told, seat, line, told))
        return True

    async def heard(self) -> None:
        """Wait until the screen has taken everything."""
        await self._queue.join()

    def choices(self) -> Sequence[Choice]:
        assert self.state is not None
        return decisions(self.state).get(0, ())

    async def updates(self) -> AsyncIterator[Update]:
        while True:
            yield await self._queue.get()
            self._queue.task_done()

    async def act(self, action: Action) -> None: ...

    async def chat(self, text: str) -> None: ...

    async def ready(self, flag: bool = True) -> None: ...

    async def configure(self, settings: Settings) -> None: ...

    async def start(self) -> None: ...

    async def substitute(self, seat: int, level: str) -> None: ...

    async def take_back(self) -> None: ...

    async def pause(self, paused: bool) -> None: ...

    def end_game(self, agrees: bool) -> None: ...

    async def remove(self, seat: int) -> None: ...

    async def hand_over(self) -> None: ...

    async def hand_to(self, seat: int) -> None: ...

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
