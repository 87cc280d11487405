"""A process with seats at a table and as many bare connections. It obeys commands on its input and prints
times.

    python -m benchmarks.seats PORT BARE_PORT SEATS FOLDER

    in    move      the seat that is asked makes a move         bare      a frame goes to the bare server
    out   asked     a seat has to decide                        bare T    a bare frame has come
          begun T   the move is being made                      sent T    the bare frame is being sent
          seen N T  entry N has happened at a seat

T are seconds of the machine's monotonic clock, which all processes share. Each line is printed a little
later, so that printing is not part of the measured time."""

import asyncio
import sys
from pathlib import Path
from time import perf_counter

from citadels_lan.bots import make_policy
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Happened
from citadels_lan.net.wire.link import client_context

from .processes import LOCAL

LATER = 0.02
SIZE = 261
"""Length of a frame in bytes, padded to the smallest size, which nearly all entries have."""
LONG = 1029
"""Length of a frame in bytes, padded to the size that a move has."""


class Seats:
    """The sessions and the bare connections of this process."""

    def __init__(self) -> None:
        self._sessions: list[Session] = []
        self._bare: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._policy = make_policy("random", 1)
        self._asked = (-1, -1)

    async def run(self, port: int, bare_port: int, seats: int, folder: Path) -> None:
        for number in range(seats):
            name = f"{folder.name} {number}"
            self._sessions.append(await Session.join((LOCAL, port), data_dir=folder / str(number), name=name))
            self._bare.append(await asyncio.open_connection(LOCAL, bare_port, ssl=client_context()))
        async with asyncio.TaskGroup() as tasks:
            for session in self._sessions:
                tasks.create_task(self._follow(session))
            for reader, _ in self._bare:
                tasks.create_task(self._listen(reader))
            for session in self._sessions:
                await session.ready()
            tasks.create_task(self._obey(tasks))

    async def _follow(self, session: Session) -> None:
        async for update in session.updates():
            if isinstance(update, Happened):
                _tell(f"seen {update.n} {perf_counter()}")
            asyncio.get_running_loop().call_later(LATER, self._tell_asked, session)

    def _tell_asked(self, session: Session) -> None:
        """Print `asked` when a seat of this process has to decide, once for each entry."""
        seat, n = session.table.seat, session.table.head.n
        if seat is not None and self._asked != (seat, n) and session.table.choices:
            self._asked = (seat, n)
            print("asked", flush=True)

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while await reader.readexactly(SIZE):
            _tell(f"bare {perf_counter()}")

    async def _obey(self, tasks: asyncio.TaskGroup) -> None:
        lines = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        while line := await lines.readline():
            if line == b"move\n":
                self._move(tasks)
            else:
                _tell(f"sent {perf_counter()}")
                self._bare[0][1].write(bytes(LONG))

    def _move(self, tasks: asyncio.TaskGroup) -> None:
        for session in self._sessions:
            state, seat, choices = session.table.state, session.table.seat, session.table.choices
            if state is not None and seat is not None and choices:
                action = self._policy.choose(state, seat, choices)
                if session.table.answer is None:  # a delayed answer would not show the time of a move
                    _tell(f"begun {perf_counter()}")
                tasks.create_task(session.act(action))
                return


def _tell(line: str) -> None:
    asyncio.get_running_loop().call_later(LATER, lambda: print(line, flush=True))


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:4]]
    asyncio.run(Seats().run(numbers[0], numbers[1], numbers[2], Path(sys.argv[4])))
