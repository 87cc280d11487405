"""`python -m benchmarks.versus REVISION [--wheel WHEEL]`: the speed of the engine compared with another
revision.

REVISION is a commit of this checkout, or the folder of another checkout.

Each of the two runs in a separate process, and they alternate, so that other load on the machine slows both
down. For each game the best of several tries counts. Both must play the same games, except those of sensible
players. With `--wheel` the compiled engine in the wheel (`make compiled`) is compared with the revision,
instead of this checkout."""

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from citadels_lan.engine import EDITIONS

from .figure import Figure, table

ROOT: Final = Path(__file__).parents[1]
GAMES: Final = 20
TRIES: Final = 4
NOT_SLOWER: Final = 0.97
"""The lowest accepted ratio of speeds: those of two equal trees differ by up to 3 %."""
GAMES_PLAYED: Final = "games"
SHOWN: Final = {
    GAMES_PLAYED: "random games, random casts, 6 players",
    "rollouts": "to the round's end, 4 players",
    "thumb": "to the round's end, 4 sensible players",
}


class Tree:
    """A process that plays with the engine of one source tree."""

    def __init__(self, path: Path) -> None:
        self.process = subprocess.Popen(
            (sys.executable, "-P", str(ROOT / "benchmarks" / "playing.py")),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(path)},
        )  # fmt: skip

    def play(self, measure: str, edition: str, number: int) -> tuple[float, str]:
        """Play a game and return the seconds of work, and its result as text."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{measure} {edition} {number}\n")
        self.process.stdin.flush()
        seconds, _, what = self.process.stdout.readline().partition(" ")
        return float(seconds), what

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def figures(before: Tree, now: Tree) -> Iterator[Figure]:
    """Measure both trees. Yield, for each measure, the speed of `now` as a multiple of the speed of `before`.
    Raises AssertionError if their games differ."""
    for measure, name in SHOWN.items():
        least = NOT_SLOWER if measure == GAMES_PLAYED else None
        for edition in EDITIONS:
            seconds = [0.0, 0.0]
            for number in range(GAMES):
                best = [float("inf"), float("inf")]
                for _ in range(TRIES):
                    played = [tree.play(measure, edition, number) for tree in (before, now)]
                    assert played[0][1] == played[1][1], f"{measure} {edition} {number} differs"
                    best = [min(fastest, tried) for fastest, (tried, _) in zip(best, played, strict=True)]
                seconds = [sum(both) for both in zip(seconds, best, strict=True)]
            yield Figure(f"{edition}: {name}", seconds[0] / seconds[1], "times", least=least)


def _of_revision(revision: str, folder: Path) -> Path:
    """Copy the package of a revision into the empty folder `folder`. Return it."""
    if (Path(revision) / "citadels_lan").is_dir():
        return Path(revision)
    archive = subprocess.run(
        ("git", "archive", "--format=tar", revision, "citadels_lan"), cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.versus",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("revision")
    parser.add_argument("--wheel", type=Path)
    wanted = parser.parse_args()
    with ExitStack() as stack:
        before, now = (Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(2))
        if wanted.wheel is not None:
            ZipFile(wanted.wheel).extractall(now)
        trees = Tree(_of_revision(wanted.revision, before)), Tree(ROOT if wanted.wheel is None else now)
        for tree in trees:
            stack.callback(tree.close)
        return 0 if table(f"Against {wanted.revision}", figures(*trees)) else 1


if __name__ == "__main__":
    sys.exit(main())
