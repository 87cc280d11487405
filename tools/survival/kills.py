"""Kill hosts and clients, and pull cables, during games of real programs, and see that nothing is lost.

    python -m tools.survival.kills --hosts 500 --clients 500 --cuts 500
    python -m tools.survival.kills --hosts 100 --clients 100 --cuts 0 --draft sealed

Each game has a host (`host --headless`) with a bot, and friends in programs of their own that play by bots, over
loopback. At random moments, in the lobby too, one of them is killed (SIGKILL) and started again, or the cable of
all friends is pulled for a while. Everybody is back once the game has gone on and all transcripts have that, in
seconds from a new host's listening, from the start of a new client, from the mending of the cable. At the end what
was in any transcript before must be in all of them, the heads must be equal and all files verify.

Where the draft is sealed, three of four moments are chosen: a friend is stopped (SIGSTOP) until the game waits for
it, to pick or to reply to a call, and goes on once somebody is killed, or is killed itself. The last entry shows
where each kill has come, which is counted.
"""

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
"""Seconds after which somebody who is not back is taken for lost."""
LOOK = 0.05
RECENT = 8
"""So many entries tell where a game stands."""
WHILE = 20.0
"""Seconds for which a moment is waited for."""
STILL = 0.5
"""Seconds without an entry after which a game waits for somebody."""


@dataclass
class Outcome:
    """What came of all games: `moments` says where the game stood then, `back` are seconds, where everybody had
    been there before: else it is the coming of new programs that takes its time."""

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
"""The host's signatures of the entries that a transcript has, by number: each says all before it."""


def histories(folder: Path) -> dict[Path, History]:
    """Of all transcripts of a game."""
    found: dict[Path, History] = {}
    for path in sorted(folder.rglob("*.ctr")):
        try:
            deltas = [decode_delta(body) for body in read(path).bodies]
        except (Damaged, Malformed):  # its first record is being written
            continue
        found[path] = {delta.n: delta.signature for delta in deltas}
    return found


def ends(folder: Path, longest: int = 1) -> list[list[Delta]]:
    """The last entries of each transcript of a game that has any; quicker than all of it."""
    found = []
    for path in folder.rglob("*.ctr"):
        with contextlib.suppress(Damaged, Malformed):  # its first record is being written
            found.append([decode_delta(body) for body in read(path).bodies[-longest:]])
    return [end for end in found if end]


class Game:
    """One game with its programs. `seats` counts the host's bot, too. `stood` is where it stood when it was noted
    last, `stopped` the friend whom it waits for because of us."""

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
        """What the transcripts have now must be in them for good. Whoever was stopped goes on."""
        self.stood = self.moment
        self.seen += histories(self.folder).values()
        if self.stopped is not None:
            self.stopped.send(signal.SIGCONT)
            self.stopped = None

    def kill_host(self, _dice: random.Random) -> None:
        """Kill it, and wait until the new one listens: from then on everybody has to come back."""
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
        """Where the game stands, as the longest transcript has it."""
        return moment(max(ends(self.folder, RECENT), key=lambda end: end[-1].n, default=()))

    def stop_at(self, wanted: str, dice: random.Random) -> None:
        """Stop friends, one after another, until the game waits there for one of them; it may never."""
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
        """Nobody but the one who is stopped has anything to do."""
        n = -1
        while (last := self.last) != n:
            n = last
            time.sleep(STILL)

    @property
    def last(self) -> int:
        """The last entry that any transcript has."""
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
        """Whether everybody has come for the first time."""
        return all(any(" joined from " in line for line in friend.lines) for friend in self.friends)

    def back(self) -> float | None:
        """Seconds until the game has gone on and everybody has that; None for never."""
        begin, n = time.monotonic(), self.last
        return until(lambda: self.over or self.all_have(n + 1) or self._tend(), begin)

    def _tend(self) -> bool:
        """Whoever was not seated yet when the host was killed has left, and comes again."""
        for number, friend in enumerate(self.friends, 1):
            if not friend.running and not self.over:
                self.friends[number - 1] = self._friend(number)
        return False

    def end(self) -> None:
        for process in (self.host, *self.friends):
            process.kill()
        self.cable.close()


def free_port() -> int:
    """A port below those that the system gives to connections: one of these could take it while no host has it."""
    for port in random.sample(range(20000, 30000), 100):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise OSError("no port is free")


def until(true: Callable[[], bool], begin: float) -> float | None:
    """Seconds from `begin` until something is true; None where it takes too long."""
    while not true():
        if time.monotonic() - begin > PATIENCE:
            return None
        time.sleep(LOOK)
    return time.monotonic() - begin


def play(game: Game, wanted: Counter[str], dice: random.Random, outcome: Outcome) -> None:
    """Play one game to its end, and do to it what is wanted, as much as there is time for."""
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
    """After a game: whether all that was ever heard is in all files, and the files prove it."""
    found = histories(game.folder)
    for seen in game.seen:
        outcome.lost += sum(any(h.get(n) != said for h in found.values()) for n, said in seen.items())
    outcome.heads_differ += len({tuple(sorted(history.items())[-1:]) for history in found.values()}) != 1
    for path in found:
        good = verify([path]).code == 0
        outcome.verified += good
        outcome.unverified += not good


def run(hosts: int, clients: int, cuts: int, *, seats: int = 4, seed: int = 0, draft: str = "open") -> Outcome:
    """Games until so many hosts and clients were killed and cables cut."""
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
