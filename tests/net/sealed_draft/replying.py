"""How long a client takes to reply to a call of a sealed draft: measured at a real table, over real sockets.

The time is taken at the host, from when it has sent what comes before the call to when a reply is there, apart for
seats that hold what is called and for those that do not.

    python -m tests.net.sealed_draft.replying --games 10
"""

import argparse
import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from msgspec.structs import replace

from citadels_lan.crypto.draft.messages import CallReply, decode_message
from citadels_lan.net.host.draft.hosted_draft import HostedDraft
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.wire.messages import SayInDraft
from tests.net.answering import ALPHA, compared
from tests.net.playing import QUICK, play, seated

from .rooms import sealed

HELD = 0.01
"""Seconds from a call to the reply in these tests."""


@contextlib.contextmanager
def times_taken(found: dict[bool, list[float]]) -> Iterator[None]:
    """The host notes how long each reply took, by whether its seat holds the character."""
    asked: dict[int, tuple[int, float]] = {}
    going_on, taking = HostedGame.go_on, HostedDraft.take

    def go_on(self: HostedGame) -> None:
        going_on(self)
        if self.draft.calls and asked.get(id(self), (0, 0.0))[0] != self.n:
            asked[id(self)] = self.n, asyncio.get_running_loop().time()
            asked[id(self.draft)] = asked[id(self)]

    def take(self: HostedDraft, seat: int, message: SayInDraft, *rest: object) -> object:
        said = decode_message(message.what)
        n, since = asked.get(id(self), (0, 0.0))
        if isinstance(said, CallReply) and n == message.n - 1:
            found[said.held > 0].append(asyncio.get_running_loop().time() - since)
        return taking(self, seat, message, *rest)  # type: ignore[arg-type]

    with mock.patch.object(HostedGame, "go_on", go_on), mock.patch.object(HostedDraft, "take", take):
        yield


async def times(folder: Path, games: int, entries: int) -> dict[bool, list[float]]:
    """The times of so many games, each up to an entry: of those who hold what is called, and of all others."""
    found: dict[bool, list[float]] = {True: [], False: []}
    with times_taken(found):
        for game in range(games):
            timing = replace(QUICK, reply=HELD)
            async with seated(folder / str(game), 4, timing=timing, config=sealed(4)) as (_, sessions):
                await sessions[0].start()
                async with asyncio.TaskGroup() as tasks:
                    for seat, session in enumerate(sessions):
                        tasks.create_task(play(session, 100 * game + seat, until=entries))
    return found


def main() -> int:
    """Print the p-values; the exit code is 1 if the groups can be told apart."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--entries", type=int, default=250)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(times(Path(folder), options.games, options.entries))
    values = compared(found[True], found[False], 1)
    means = [1000 * sum(some) / len(some) for some in (found[True], found[False])]
    print(f"held {len(found[True])}: {means[0]:.2f} ms, not {len(found[False])}: {means[1]:.2f} ms")
    print("p = KS {:.4f} means {:.4f}".format(*values))
    return int(min(values) < ALPHA)


if __name__ == "__main__":
    sys.exit(main())
