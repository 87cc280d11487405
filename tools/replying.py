"""Measure how long a client takes to reply to a call of a sealed draft, at a real table over real sockets.

The host measures the time from its last entry before the call until the reply arrives. The holder of the
called character is compared with the other seats that reply to the same call: the number of replies and the
earlier entries affect all of them alike, and are public.

    python -m tools.replying --games 40
"""

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from msgspec.structs import replace

from citadels_lan.crypto.draft.drafts import NOT_HELD, CallReply, decode_message
from citadels_lan.net.host.hosted_game import HostedDraft, HostedGame
from citadels_lan.net.wire.messages import SayInDraft
from tests.net.playing import QUICK, play, seated
from tests.net.sealed_draft.rooms import sealed
from tools.answering import ALPHA

HELD = 0.01
"""Seconds that a client needs from a call to its reply in this measurement."""


Reply = tuple[float, bool]
"""Two values: the seconds that a reply took, and whether its seat holds the called character."""


@contextlib.contextmanager
def times_taken(found: dict[tuple[int, int], list[Reply]]) -> Iterator[None]:
    """Context in which the host stores in `found`, for each call, how long each reply took."""
    asked: dict[int, tuple[int, float]] = {}
    going_on, taking = HostedGame.go_on, HostedDraft.take

    def go_on(self: HostedGame) -> None:
        going_on(self)
        if (
            self.draft is not None
            and self.draft.due[0] == "call"
            and asked.get(id(self.draft), (0, 0.0))[0] != self.n
        ):
            asked[id(self.draft)] = self.n, asyncio.get_running_loop().time()

    def take(self: HostedDraft, seat: int, message: SayInDraft) -> object:
        said = decode_message(message.what)
        n, since = asked.get(id(self), (0, 0.0))
        if isinstance(said, CallReply) and n == message.n - 1:
            took = asyncio.get_running_loop().time() - since
            found.setdefault((id(self), n), []).append((took, said != NOT_HELD))
        return taking(self, seat, message)

    with mock.patch.object(HostedGame, "go_on", go_on), mock.patch.object(HostedDraft, "take", take):
        yield


async def calls(folder: Path, games: int, entries: int) -> list[list[Reply]]:
    """Return the replies to each call of this many games. Each game is played until it has this many
    entries."""
    found: list[list[Reply]] = []
    timing = replace(QUICK, reply=HELD)
    for game in range(games):
        here: dict[tuple[int, int], list[Reply]] = {}
        with times_taken(here):
            async with seated(folder / str(game), 4, timing=timing, config=sealed(4)) as (_, sessions):
                await sessions[0].start()
                async with asyncio.TaskGroup() as tasks:
                    for seat, session in enumerate(sessions):
                        tasks.create_task(play(session, 100 * game + seat, until=entries))
        found += here.values()
    return found


def compared(found: list[list[Reply]], dice: random.Random, times: int = 2000) -> tuple[float, float, float]:
    """Return three values. First: by how many seconds the holder is slower than the other seats, on average.
    Second and third: the p-values of that difference, by time and by rank. A p-value is the share of random
    seats, chosen among the same replies in place of the holder, with a difference at least as large.
    Differences above the 95th percentile are lowered to it, so that one pause of the machine does not decide
    the result."""
    told = [call for call in found if len(call) > 1 and sum(held for _, held in call) == 1]
    apart = [[_apart([took for took, _ in call], one) for one in range(len(call))] for call in told]
    limit = sorted(abs(one) for call in apart for one in call)[int(0.95 * sum(map(len, apart)))]
    apart = [[max(-limit, min(one, limit)) for one in call] for call in apart]
    ranks = [[_rank([took for took, _ in call], one) for one in range(len(call))] for call in told]
    holders = [next(at for at, (_, held) in enumerate(call) if held) for call in told]
    chances = []
    for numbers in (apart, ranks):
        true = abs(sum(call[one] for call, one in zip(numbers, holders, strict=True)))
        drawn = (abs(sum(map(dice.choice, numbers))) for _ in range(times))
        chances.append((1 + sum(one >= true for one in drawn)) / (times + 1))
    mean = sum(call[one] for call, one in zip(apart, holders, strict=True)) / len(told)
    return mean, chances[0], chances[1]


def _apart(took: list[float], one: int) -> float:
    """Return by how many seconds the reply number `one` was slower than the average of the others."""
    return took[one] - (sum(took) - took[one]) / (len(took) - 1)


def _rank(took: list[float], one: int) -> float:
    """Return the rank of the reply number `one` among all replies to the call, from -0.5 for the quickest to
    0.5."""
    return sum(other < took[one] for other in took) / (len(took) - 1) - 0.5


def main() -> int:
    """Print the p-values. Return 1 if the holder can be distinguished, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--entries", type=int, default=250)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(calls(Path(folder), options.games, options.entries))
    longer, *chances = compared(found, random.Random(1))
    replies, shown = sum(map(len, found)), sum(any(held for _, held in call) for call in found)
    print(
        f"{replies} replies to {len(found)} calls, {shown} of them shown; the holder takes {1000 * longer:+.3f} ms"
    )
    print("p = times {:.4f} ranks {:.4f}".format(*chances))
    return int(min(chances) < ALPHA)


if __name__ == "__main__":
    sys.exit(main())
