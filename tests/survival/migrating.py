"""Games whose host is killed for good at random moments: how many go on to an end that both verifiers accept.

    python -m tests.survival.migrating --games 100 [--players 3] [--seed 1] [--draft sealed]

The host is a separate process (this module with `--serve`) and is killed. The players are sessions on loopback.
Prints one line for each game that did not end well, and the count.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine.config import DraftKind
from citadels_lan.net.client.session import Session
from citadels_lan.net.host.new_host.succeeding import Successor
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.messages import Settings
from tests.engine.tables import Tables
from tests.extras.second import load
from tests.facts import first_game
from tests.net.migrating import SHORT, transcripts
from tests.net.playing import play

PATIENCE: Final = 120.0
"""Seconds for a whole game."""
LONGEST: Final = 200
"""The host is killed at the latest when the log has so many entries."""


async def host(folder: Path, players: int, draft: DraftKind) -> tuple[asyncio.subprocess.Process, int]:
    """Start a host process; return it and its port."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.survival.migrating", "--serve", str(folder),
        "--players", str(players), "--draft", draft, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        return process, int(await process.stdout.readline())


async def serve(folder: Path, players: int, draft: DraftKind) -> None:
    """Host one game until this process is killed; print the port."""
    config = replace(first_game(players), draft=draft)
    async with open_table(Settings(config, 0, 2), folder, host="127.0.0.1", port=0, unattended=True) as table:
        print(table.port, flush=True)
        await table.over()


async def game(folder: Path, players: int, seed: int, draft: DraftKind) -> str:
    """One game; what was wrong, or nothing."""
    dice = random.Random(seed)
    process, port = await host(folder / "host", players, draft)
    sessions: list[Session] = []
    try:
        for seat in range(players):
            own = folder / str(seat)
            heir = Successor(own, host="127.0.0.1", announce=False, timing=SHORT)
            name = f"Player {seat}"
            sessions.append(
                await Session.join(("127.0.0.1", port), data_dir=own, name=name, timing=SHORT, heir=heir)
            )
        for session in sessions:
            await session.ready()
        moment = dice.randrange(6, LONGEST)
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
            for seat, session in enumerate(sessions):
                tasks.create_task(play(session, 100 * seed + seat))
            while sessions[0].head.n < moment and sessions[0].status != "over":  # noqa: ASYNC110 - seen from outside
                await asyncio.sleep(0.005)
            process.kill()
        return judged(sessions)
    except TimeoutError:
        return f"stands still at entries {[session.head.n for session in sessions]}"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await asyncio.gather(*(session.leave() for session in sessions))


def judged(sessions: list[Session]) -> str:
    """What the verifiers say."""
    files = transcripts(sessions)
    codes = (verify(files).code, load().main(list(map(str, files))))
    if codes != (0, 0) or len(files) != len(sessions):
        return f"{len(files)} files, exit codes {codes}"
    return ""


async def main() -> int:
    """Play; 1 where a game did not end well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", type=Path, help="host one game and keep its files here")
    Tables.add_draft(parser)
    options = parser.parse_args()
    if options.serve:
        await serve(options.serve, options.players, options.draft)
        return 0
    wrong = 0
    for number in range(options.games):
        with tempfile.TemporaryDirectory() as folder:
            said = await game(Path(folder), options.players, options.seed + number, options.draft)
        if said:
            wrong += 1
            print(f"game {number}: {said}", flush=True)
    print(f"{options.games - wrong} of {options.games} games went on to a verified end", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
