"""Hand a game over from program to program and measure the time, or kill one of the two at a random moment.

    python -m tools.survival.handing --clients 8 --times 10
    python -m tools.survival.handing --kills 100 --seed 1

The host is `host --headless`. The players are programs of this module that make random moves, each in a
separate process, over loopback. The time is measured from the line `hand NAME` until every client is
connected to the new host.

A kill (SIGKILL) comes some time after that line, in the host or in the successor, which is then restarted:
the host by `host --headless --resume`, the successor from its journal if it hosts the game already, otherwise
as a player. Afterwards exactly one journal may sign the next entry, the game has to continue, and all
transcripts must contain every entry that any of them had before."""

import argparse
import asyncio
import contextlib
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from citadels_lan.crypto.report.verify import verify
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Connected
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.host.handing_over import IncomingHandover
from citadels_lan.net.host.journal import read as read_journal
from citadels_lan.net.host.opening import open_table
from citadels_lan.net.wire.errors import Refusal, Rejected
from citadels_lan.net.wire.messages import Settings
from tests.cli.program import environment
from tests.net.playing import random_action
from tests.processes import Process, Running
from tools.survival.kills import HEADLESS, PATIENCE, free_port, histories, until

NAMES = ("Zoe", "Anna", "Luca", "Sara", "Ugo", "Lea", "Tom", "Eva")
REST = 0.05
"""Seconds between two moves of a player."""
LONGEST = 0.6
"""A kill comes at most this many seconds after the command `hand`."""


# The players' program


async def run_player(folder: Path, ports: Sequence[int], name: str) -> None:
    """Play until the game is over. If the host hands the game over to this player, host it. Print `connected
    PORT SECONDS` for each connection."""
    loop, tables = asyncio.get_running_loop(), folder / "tables"
    async with contextlib.AsyncExitStack() as stack:

        async def serve(path: Path) -> Address:
            table = open_table(Settings(), folder, host="127.0.0.1", resume=path)
            return (await stack.enter_async_context(table)).address

        addresses = [("127.0.0.1", port) for port in ports]
        for path in tables.glob("*.journal"):
            if state_of(path) == "own":
                table = open_table(Settings(), folder, host="127.0.0.1", resume=path)
                addresses.insert(0, (await stack.enter_async_context(table)).address)
        heir = IncomingHandover(tables, serve, "127.0.0.1", 0)
        session = await _join(addresses, folder, name, heir)
        dice, moved = random.Random(name), loop.time()
        async with session:
            async for update in session.updates():
                if isinstance(update, Connected):
                    print(f"connected {session.table.addresses[0][1]} {time.monotonic()}", flush=True)
                while choices := session.table.choices:
                    await asyncio.sleep(max(moved + REST - loop.time(), 0))
                    with contextlib.suppress(Rejected):
                        await session.act(random_action(choices, dice))
                    moved = loop.time()
                if session.table.status == "over":
                    break
            print("over" if session.table.status == "over" else f"ended {session.table.reason}", flush=True)
            await asyncio.sleep(2)  # others fetch the end here


async def _join(addresses: Sequence[Address], folder: Path, name: str, heir: IncomingHandover) -> Session:
    """Join the game, and try again while no host answers."""
    first, *others = addresses
    while True:
        try:
            session = await Session.join(first, others=others, data_dir=folder, name=name, heir=lambda: heir)
        except Refusal:
            await asyncio.sleep(0.1)
            continue
        if session.table.status == "lobby":
            await session.ready()
        return session


# A game of several programs


class Player(Process):
    """The process of a player's program."""

    def __init__(self, folder: Path, ports: Sequence[int], name: str) -> None:
        super().__init__(folder, str(folder), name, *map(str, ports))

    def _start(self, home: Path, arguments: tuple[str, ...], _stdin: str) -> Running:
        return subprocess.Popen(
            (sys.executable, "-m", "tools.survival.handing", "player", *arguments),
            env=environment(home), text=True, encoding="utf-8",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def connected(self) -> tuple[int, float]:
        """The port to which the player connected last, and the time of this; (0, 0) before the first
        connection."""
        found = [line.split() for line in self.lines if line.startswith("connected ")]
        return (int(found[-1][1]), float(found[-1][2])) if found else (0, 0.0)


class Game:
    """A game with its programs. The first player is the successor."""

    def __init__(self, folder: Path, players: int) -> None:
        self.folder, self.port = folder, free_port()
        table = ("--open", "--port", str(self.port), "--players", str(players), "--takeover", "never")
        self.host = Process(folder / "host", *HEADLESS, *table, stdin="open")
        self.host.line("save file:")
        self.players = [self._player(seat) for seat in range(players)]

    def _player(self, seat: int) -> Player:
        return Player(self.folder / NAMES[seat], [self.port], NAMES[seat])

    def hand(self) -> float:
        """Let the host hand the game over to the first player. Return the time of the command."""
        self.host.say(f"hand {NAMES[0]}")
        return time.monotonic()

    def kill(self, who: str) -> None:
        """Kill the host or the successor, as `who` says."""
        (self.host if who == "host" else self.players[0]).kill()

    def restart(self, who: str) -> None:
        """Restart the program that was killed."""
        if who == "host":
            (journal,) = self.journals("host")
            self.host = Process(self.folder / "host", *HEADLESS, "--resume", str(journal), stdin="open")
        else:
            self.players[0] = self._player(0)

    def journals(self, whose: str = "*") -> list[Path]:
        """Return the journals of the program `whose`, or of all programs."""
        return sorted(self.folder.glob(f"{whose}/**/*.journal"))

    @property
    def signers(self) -> int:
        """Return how many journals may sign the next entry. It must be exactly one."""
        return sum(state_of(path) == "own" for path in self.journals())

    @property
    def last(self) -> int:
        """Return the last entry that all transcripts contain."""
        found = histories(self.folder)
        return min(max(history, default=0) for history in found.values()) if found else 0

    @property
    def over(self) -> bool:
        """Whether the transcript of any player contains the whole game."""
        return any(player.has("over") for player in self.players)

    def end(self) -> None:
        for process in (self.host, *self.players):
            process.kill()


def state_of(path: Path) -> str:
    """Return the state in a journal; "" if the file is incomplete, because a crash interrupted its
    copying."""
    try:
        return read_journal(path).state
    except Refusal:
        return ""


def wait(holds: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds. Raises TimeoutError."""
    if until(holds, time.monotonic()) is None:
        raise TimeoutError(f"not within {PATIENCE:.0f} s: {what}")


def measure(clients: int) -> float:
    """Hand a game with this many clients over once. Return the seconds until all are connected to the new
    host."""
    with tempfile.TemporaryDirectory() as folder:
        game = Game(Path(folder), clients)
        try:
            wait(lambda: game.last >= 40, "a game that is being played")
            began = game.hand()
            wait(
                lambda: all(one.connected()[0] not in (0, game.port) for one in game.players),
                "all at the new host",
            )
            n = game.last
            wait(lambda: game.over or game.last > n, "a game that continues")
            return max(player.connected()[1] for player in game.players) - began
        finally:
            game.end()


def kill_once(players: int, dice: random.Random) -> str:
    """Kill the host or the successor at a random moment of a handover. Return which was killed, and how far
    the handover was. Raises AssertionError if an entry was lost, or if not exactly one of the two can
    continue the game."""
    who = dice.choice(("host", "successor"))
    with tempfile.TemporaryDirectory() as folder:
        game = Game(Path(folder), players)
        try:
            wait(lambda: game.last >= 20, "a game that is being played")
            game.hand()
            time.sleep(dice.uniform(0.0, LONGEST))
            game.kill(who)
            seen, state = list(histories(game.folder).values()), _state(game)
            assert game.signers <= 1, f"{game.signers} hosts can continue"
            game.restart(who)
            n = game.last
            wait(lambda: game.over or game.last > n + 2, f"a game that continues ({who} killed, {state})")
            assert game.signers == 1, f"{game.signers} hosts can continue"
            wait(lambda: game.over or _has_all(game.folder, seen), "transcripts with all entries")
            for path in histories(game.folder):
                assert verify([path]).code in (0, 4), path
        except (AssertionError, TimeoutError):
            for process in (game.host, *game.players):
                print("---", *process.lines[-8:], sep="\n", file=sys.stderr)
            raise
        else:
            return f"{who} killed, {state}"
        finally:
            game.end()


def _state(game: Game) -> str:
    """Return how far the handover is, according to the journals: before it, copied, written or stored."""
    own, copies = read_journal(*game.journals("host")), game.journals(NAMES[0])
    if own.state == "own":
        return "copied" if copies else "before"
    return "stored" if state_of(*copies) == "own" else "written"


def _has_all(folder: Path, seen: Sequence[dict[int, bytes]]) -> bool:
    found = histories(folder).values()
    return all(history.get(n) == said for one in seen for n, said in one.items() for history in found)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    seconds = [measure(options.clients) for _ in range(options.times)]
    if seconds:
        print(f"{options.clients} clients: {', '.join(f'{one:.2f}' for one in seconds)} s", flush=True)
    dice, done = random.Random(options.seed), Counter[str]()
    for number in range(options.kills):
        done[kill_once(3, dice)] += 1
        print(number + 1, dict(done), flush=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["player"]:
        asyncio.run(run_player(Path(sys.argv[2]), [int(port) for port in sys.argv[4:]], sys.argv[3]))
    else:
        sys.exit(main())
