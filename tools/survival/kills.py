"""Kill hosts and clients and cut connections during games of real programs, and check that nothing is lost.

    python -m tools.survival.kills --hosts 500 --clients 500 --cuts 500
    python -m tools.survival.kills --hosts 100 --clients 100 --cuts 0 --draft sealed

Each game has a host (`host --headless`) with a bot, and friends in separate programs that play by bots, over
loopback. At random moments, also in the lobby, one of them is killed (SIGKILL) and restarted, or the
connections of all friends are cut for a while. The measured time ends when the game has continued and all
transcripts contain the new entries. It begins when the restarted host listens, the new client starts, or the
cable works again. At the end all transcripts must contain every entry that any of them had before, their
heads must be equal, and all files must verify.

In a sealed draft three of four moments are chosen on purpose: a friend is stopped (SIGSTOP) until the game
waits for its pick or its reply to a call. It continues when another program is killed, or is killed itself.
The last entry shows at which moment each kill happened; these are counted."""

import argparse
import contextlib
import random
import signal
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import Close, Delta, decode_delta, decode_entry
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Damaged, read
from tests.cli.program import local
from tools.survival.cables import Cable
from tools.survival.forked import Forked
from tools.survival.moments import CALL, DRAFT, ELSE, moment

HEADLESS = ("host", "--headless", "--no-mdns")
PATIENCE = 120.0
"""Seconds after which a player who has not reconnected counts as lost."""
LOOK = 0.05
RECENT = 8
"""Number of the last entries from which `moment` finds out what the game waits for."""
WHILE = 20.0
"""Largest number of seconds to wait until a game reaches a chosen moment."""
STILL = 0.5
"""If no entry comes for this many seconds, the game is waiting for a player."""


@dataclass
class Outcome:
    """The results of all games. `moments` counts what the games were waiting for at each kill or cut. `back`
    has, for players who had been connected before, the seconds until all of them had reconnected."""

    done: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    back: list[float] = field(default_factory=list)
    games: int = 0
    lost: int = 0
    heads_differ: int = 0
    verified: int = 0
    unverified: int = 0
    not_back: int = 0

    @property
    def good(self) -> bool:
        return not (self.lost or self.heads_differ or self.unverified or self.not_back)

    def __str__(self) -> str:
        did = ", ".join(f"{count} {what}" for what, count in sorted((self.done + self.moments).items()))
        times = sorted(self.back)
        p50, p99 = (times[min(len(times) - 1, int(len(times) * part))] if times else 0.0 for part in (0.5, 0.99))
        return (
            f"games {self.games}: {did}; acknowledged moves lost {self.lost};"
            f" heads that differ {self.heads_differ}; files verified {self.verified}, not {self.unverified};"
            f" not back in {PATIENCE:.0f} s {self.not_back};"
            f" back after p50 {p50:.2f} s, p99 {p99:.2f} s, max {times[-1] if times else 0.0:.2f} s"
        )


History = dict[int, bytes]
"""The host's signatures of the entries of a transcript, by number: each covers all entries before it."""


def histories(folder: Path) -> dict[Path, History]:
    """Return the hash chains of all transcripts of a game."""
    found: dict[Path, History] = {}
    for path in sorted(folder.rglob("*.ctr")):
        try:
            deltas = [decode_delta(body) for body in read(path).bodies]
        except (Damaged, Malformed):  # its first record is being written
            continue
        found[path] = {delta.n: delta.signature for delta in deltas}
    return found


def ends(folder: Path, longest: int = 1) -> list[list[Delta]]:
    """Return the last entry of each transcript of a game; quicker than reading all of it."""
    found = []
    for path in folder.rglob("*.ctr"):
        with contextlib.suppress(Damaged, Malformed):  # its first record is being written
            found.append([decode_delta(body) for body in read(path).bodies[-longest:]])
    return [end for end in found if end]


class Game:
    """One game with its programs. `seats` includes the host's bot. `stood` is what the game waited for when
    that was last recorded. `stopped` is the friend whose program this test has stopped (SIGSTOP), so that the
    game waits for it."""

    def __init__(self, folder: Path, seats: int, draft: str = "open") -> None:
        self.folder, self.seats, self.sealed = folder, seats, draft == "sealed"
        self.stood = ELSE
        self.stopped: Forked | None = None
        table = ("--players", str(seats), "--bots", "random", "--draft", draft)
        self.host = self._host("--port", str(free_port()), *table)
        link = local(self.host.line("link:"))
        self.cable = Cable(int(link.partition("#")[0].rstrip("/").rpartition(":")[2]))
        self.link = f"citadels://127.0.0.1:{self.cable.port}/#{link.partition('#')[2]}"
        self.friends = [self._friend(number) for number in range(1, seats)]
        self.seen: list[History] = []

    def _host(self, *options: str) -> Forked:
        return Forked(self.folder / "host", *HEADLESS, *options)

    def _friend(self, number: int) -> Forked:
        return Forked(self.folder / str(number), "join", self.link, "--bot", "random")

    def note(self) -> None:
        """Record the entries of all transcripts: from now on none of them may be lost. Also continue the
        friend in `stopped`."""
        self.stood = self.moment
        self.seen += histories(self.folder).values()
        if self.stopped is not None:
            self.stopped.send(signal.SIGCONT)
            self.stopped = None

    def kill_host(self, _dice: random.Random) -> None:
        """Kill the host, restart it, and wait until it listens. After this all players have to reconnect."""
        self.host.kill()
        self.note()
        self.host = self._host("--resume")
        until(lambda: self.host.has("link:") or not self.host.running, time.monotonic())

    def kill_client(self, dice: random.Random) -> None:
        number = dice.randrange(1, self.seats)
        if self.stopped is not None and dice.random() < 0.5:
            number = self.friends.index(self.stopped) + 1
        self.friends[number - 1].kill()
        self.note()
        self.friends[number - 1] = self._friend(number)

    def cut(self, dice: random.Random) -> None:
        self.cable.cut()
        self.note()
        time.sleep(dice.uniform(0.05, 2.0))
        self.cable.mend()

    @property
    def moment(self) -> str:
        """Return what the game waits for, as the longest transcript shows."""
        return moment(max(ends(self.folder, RECENT), key=lambda end: end[-1].n, default=()))

    def stop_at(self, wanted: str, dice: random.Random) -> None:
        """Stop one friend after another until the game waits for the stopped friend at the `wanted` moment.
        Give up after WHILE seconds."""
        begin = time.monotonic()
        while not self.over and time.monotonic() - begin < WHILE:
            self.stopped = dice.choice(self.friends)
            self.stopped.send(signal.SIGSTOP)
            self._wait_until_still()
            if self.moment == wanted:
                return
            self.stopped.send(signal.SIGCONT)
            time.sleep(dice.uniform(0.0, 0.1))

    def _wait_until_still(self) -> None:
        """Wait until only the stopped friend has anything to do."""
        n = -1
        while (last := self.last) != n:
            n = last
            time.sleep(STILL)

    @property
    def last(self) -> int:
        """Return the last entry in any transcript."""
        return max((end.n for (end,) in ends(self.folder)), default=0)

    def all_have(self, n: int) -> bool:
        found = ends(self.folder)
        return len(found) == self.seats and all(end.n >= n for (end,) in found)

    @property
    def over(self) -> bool:
        return not self.host.running or any(
            isinstance(decode_entry(end.public), Close) for (end,) in ends(self.folder)
        )

    @property
    def seated(self) -> bool:
        """Whether all players have connected for the first time."""
        return all(any(" joined from " in line for line in friend.lines) for friend in self.friends)

    def back(self) -> float | None:
        """Return the seconds until the game has continued and all players have the new entries; None after
        PATIENCE seconds."""
        begin, n = time.monotonic(), self.last
        return until(lambda: self.over or self.all_have(n + 1) or self._tend(), begin)

    def _tend(self) -> bool:
        """Restart each other player's program that has ended. (It ends if the host is killed before the
        player has a seat.) Always return False, so that `back` can call this in its condition and go on
        waiting."""
        for number, friend in enumerate(self.friends, 1):
            if not friend.running and not self.over:
                self.friends[number - 1] = self._friend(number)
        return False

    def end(self) -> None:
        for process in (self.host, *self.friends):
            process.kill()
        self.cable.close()


def free_port() -> int:
    """Return a port below the range that the system uses for outgoing connections. Otherwise an outgoing
    connection could take the port while the host is killed."""
    for port in random.sample(range(20000, 30000), 100):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise OSError("no port is free")


def until(true: Callable[[], bool], begin: float) -> float | None:
    """Return the seconds from `begin` until a condition holds; None after PATIENCE seconds."""
    while not true():
        if time.monotonic() - begin > PATIENCE:
            return None
        time.sleep(LOOK)
    return time.monotonic() - begin


def play(game: Game, wanted: Counter[str], dice: random.Random, outcome: Outcome) -> None:
    """Play one game to its end. Meanwhile make as many of the `wanted` kills and cuts as there is time
    for."""
    while not game.over and wanted.total():
        time.sleep(dice.uniform(0.0, 0.8))
        if game.over:
            break
        what = dice.choice(list(wanted.elements()))
        if game.sealed and (where := dice.choice((DRAFT, CALL, CALL, ELSE))) != ELSE:
            game.stop_at(where, dice)
        seated = game.seated
        {"hosts": game.kill_host, "clients": game.kill_client, "cuts": game.cut}[what](dice)
        wanted[what] -= 1
        outcome.done[what] += 1
        if game.sealed:
            outcome.moments[f"{what} in {game.stood}"] += 1
        seconds = game.back()
        if seconds is None:
            outcome.not_back += 1
            return
        if seated:
            outcome.back.append(seconds)
        print(f"{what} {seconds:.2f} s{'' if seated else ', not everybody had come'}", file=sys.stderr, flush=True)
    if until(lambda: not any(one.running for one in (game.host, *game.friends)), time.monotonic()) is None:
        outcome.not_back += 1


def judge(game: Game, outcome: Outcome) -> None:
    """After a game, check that all transcripts contain every entry that any client had received, and that all
    transcripts verify. Add the results to `outcome`."""
    found = histories(game.folder)
    for seen in game.seen:
        outcome.lost += sum(any(h.get(n) != said for h in found.values()) for n, said in seen.items())
    outcome.heads_differ += len({tuple(sorted(history.items())[-1:]) for history in found.values()}) != 1
    for path in found:
        good = verify([path]).code == 0
        outcome.verified += good
        outcome.unverified += not good


def run(hosts: int, clients: int, cuts: int, *, seats: int = 4, seed: int = 0, draft: str = "open") -> Outcome:
    """Play games until this many hosts and clients have been killed, and this many times all connections were
    cut."""
    outcome, dice = Outcome(), random.Random(seed)
    wanted = Counter(hosts=hosts, clients=clients, cuts=cuts)
    while wanted.total() and not outcome.not_back:
        with tempfile.TemporaryDirectory() as folder:
            game = Game(Path(folder), seats, draft)
            try:
                play(game, wanted, dice, outcome)
                judge(game, outcome)
            finally:
                game.end()
            if not outcome.good:
                _show(game)
        outcome.games += 1
        print(outcome, flush=True)
    return outcome


def _show(game: Game) -> None:
    for process in (game.host, *game.friends):
        print("---", *process.lines[-8:], sep="\n", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for what in ("hosts", "clients", "cuts"):
        parser.add_argument(f"--{what}", type=int, default=10)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draft", choices=("open", "sealed"), default="open")
    options = parser.parse_args(arguments)
    outcome = run(
        options.hosts, options.clients, options.cuts, seats=options.seats, seed=options.seed, draft=options.draft
    )
    print(outcome)
    return 0 if outcome.good else 1


if __name__ == "__main__":
    sys.exit(main())
