"""Verification from disk: a long random game of eight, with every signature checked and every move replayed."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import MAX_FILE
from citadels_lan.engine import Action, decisions, from_scenario
from tests.crypto.table import Game, begin, seats
from tests.crypto.verify.hostile import KINDS
from tests.play.dice import some

from .figure import Figure

TITLE = "Proofs (one process)"
PLAYERS = 8
LONG = range(650, 1001)
TIMES = 5
COMMANDS = ("verify", "show")


def figures() -> Iterator[Figure]:
    game = long_game()
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{seat}.ctr" for seat in seats(PLAYERS)]
        for seat, path in zip(seats(PLAYERS), paths, strict=True):
            path.write_bytes(game.transcript(seat))
        report = verify(paths[:1])
        assert report.code == 0
        yield Figure("entries of a random game of 8", report.files[0].links)
        yield Figure("its signatures", report.files[0].signatures)
        yield Figure("its file", paths[0].stat().st_size / 1024, "KiB")
        yield Figure("verify it, with replay, median", took(paths[:1]), "s of CPU", most=1)
        yield Figure("verify the files of all seats and a spectator", took(paths), "s of CPU")
        costs = [costs_of(KINDS[kind](MAX_FILE), Path(folder) / "worst.ctr") for kind in KINDS]
        for at, command in enumerate(COMMANDS):
            worst = max(one[at].seconds for one in costs)
            yield Figure(f"{command}, the worst file there can be", worst, "s of CPU", most=10)
            yield Figure("the most memory that one takes", max(one[at].memory for one in costs), "MiB", most=500)


class Reluctant(Game):
    """A game whose players avoid building in half of their decisions, so that the game is long."""

    def random_action(self, seat: int) -> Action:
        choices = decisions(self.own_view(seat))[seat]
        other = [choice for choice in choices if choice.verb != "build"]
        return some(self.choose, self.choose.choice(other if other and self.choose.random() < 0.5 else choices))


def long_game() -> Game:
    """Return a game of random moves that is as long as a game can be in a long evening."""
    setup = from_scenario("cunning_agents", PLAYERS)
    for seed in range(1, 20):
        game = Reluctant(**vars(begin(setup=setup, seed=seed, followed=False)))
        if game.play().host_log.chain.n in LONG:
            return game
    raise LookupError("no game of that length")


class Cost(NamedTuple):
    """The resources of a process: CPU seconds and the largest memory in MiB."""

    seconds: float
    memory: float


def costs_of(data: bytes, path: Path) -> list[Cost]:
    """Return the resources of each command for a file."""
    path.write_bytes(data)
    return [cost(command, path) for command in COMMANDS]


def cost(command: str, path: Path) -> Cost:
    """Return the resources of a command for a file, in a separate process."""
    words = [sys.executable, "-m", "citadels_lan", command, str(path)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0  # it has been waited for
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def took(paths: list[Path]) -> float:
    """Return the processor time in seconds that `verify` needs for all these files together (median of
    several runs)."""
    times = []
    for _ in range(TIMES):
        begun = process_time()
        verify(paths)
        times.append(process_time() - begun)
    return median(times)
